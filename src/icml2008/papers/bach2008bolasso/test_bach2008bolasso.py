"""Designs, selectors, tables and rates of the Bolasso paper, and its errata."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.linear_model import Lasso, Ridge

from icml2008.catalogue.library import load_paper
from icml2008.data.tables import Table
from icml2008.methods.bolasso._data import bootstrap_counts, default_mus
from icml2008.methods.bolasso.paths import bolasso_path, lasso_homotopy
from icml2008.papers.bach2008bolasso import experiments, selectors, uci
from icml2008.papers.bach2008bolasso.designs import (
    Design,
    draw_design,
    draw_such_that,
    meets,
    rounds_to,
)
from icml2008.papers.bach2008bolasso.prediction import (
    METHODS,
    best_error,
    draw_folds,
    path_errors,
    ridge_path,
)
from icml2008.papers.bach2008bolasso.rates import (
    draw_moments,
    limit_patterns,
    pattern_shares,
    sample_sizes,
    sign_patterns,
)

CHOICES = {
    "machine-response": "published",
    "missing": "left-out",
    "categories": "one-column-each",
}


# ---- designs ---------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.sampled_from(["each", "common"]))
@settings(max_examples=30)
def test_designs_are_as_section_4_1_says(seed, loadings):
    design = draw_design(16, 8, np.random.default_rng(seed), loadings)
    np.testing.assert_allclose(np.diag(design.Q), 1, rtol=1e-12)
    assert np.linalg.eigvalsh(design.Q).min() > 0
    assert design.relevant.tolist() == [True] * 8 + [False] * 8
    sizes = np.abs(design.w[:8])
    assert ((sizes >= 1 / 3) & (sizes <= 1)).all()
    assert (np.ptp(sizes) < 1e-15) == (loadings == "common")
    assert design.sigma == pytest.approx(0.1 * np.sqrt(design.w @ design.Q @ design.w))


def test_kappa_of_one_irrelevant_variable_is_the_sum_of_its_regression():
    Q = np.array([[1.0, 0.0, 0.6], [0.0, 1.0, 0.6], [0.6, 0.6, 1.0]])
    assert Design(Q, np.array([1.0, 2.0, 0.0]), 1.0).kappa == pytest.approx(1.2)
    assert Design(Q, np.array([1.0, -2.0, 0.0]), 1.0).kappa == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("accept", "kappa", "holds"),
    [
        (meets("satisfied"), 1.0, True),
        (meets("satisfied"), 1.001, False),
        (meets("violated"), 1.001, True),
        (rounds_to("1.20"), 1.2049, True),
        (rounds_to("1.20"), 1.2051, False),
    ],
)
def test_designs_are_accepted_by_their_kappa(accept, kappa, holds):
    assert accept(kappa) == holds


def test_a_drawn_design_has_an_accepted_kappa():
    rng = np.random.default_rng(0)
    assert draw_such_that(meets("satisfied"), 8, 4, rng, "each").kappa <= 1
    assert f"{draw_such_that(rounds_to('1.28'), 8, 4, rng, 'each').kappa:.2f}" == "1.28"


def test_samples_have_the_moments_of_their_design():
    design = draw_design(4, 2, np.random.default_rng(1))
    X, y = design.sample(200_000, np.random.default_rng(2))
    # entries have standard errors of at most sqrt(2 / 200000) = 0.003
    np.testing.assert_allclose(X.T @ X / len(X), design.Q, atol=0.02)
    assert np.std(y - X @ design.w) == pytest.approx(design.sigma, rel=0.01)


# ---- selectors of Figure 4 -------------------------------------------------------------------


def recovery_problem(seed=0, n=80, p=10, r=3):
    design = draw_design(p, r, np.random.default_rng(seed))
    return design.sample(n, np.random.default_rng(seed + 1))


@pytest.mark.parametrize(
    "select",
    [
        selectors.lasso,
        selectors.adaptive_lasso,
        selectors.forward_greedy,
        selectors.thresholded,
        selectors.stability,
    ],
)
def test_selectors_select_exactly_r(select):
    for seed in range(5):
        assert select(*recovery_problem(seed), 3, seed).sum() == 3


def test_forward_greedy_reduces_the_residual_most_in_each_step():
    X, y = recovery_problem(3)
    chosen: list[int] = []
    for _ in range(3):
        left = {
            j: np.linalg.lstsq(X[:, [*chosen, j]], y, rcond=None)[1][0]
            for j in range(10)
            if j not in chosen
        }
        chosen.append(min(left, key=left.get))
    assert set(np.flatnonzero(selectors.forward_greedy(X, y, 3, 0))) == set(chosen)


@pytest.mark.parametrize("n", [80, 15])
def test_thresholding_is_by_the_mean_of_resampled_least_squares(n):
    X, y = recovery_problem(4, n=n)
    mean = np.zeros(10)
    for count in bootstrap_counts(n, selectors.N_BOOTSTRAPS, 7):
        rows = np.repeat(np.arange(n), count)
        mean += np.linalg.lstsq(X[rows], y[rows], rcond=1e-7)[0]
    expected = selectors.largest(np.abs(mean), 3)
    assert (selectors.thresholded(X, y, 3, 7) == expected).all()


def test_the_adaptive_lasso_is_a_lasso_with_weights():
    X, y = recovery_problem(5)
    scale = np.abs(np.linalg.lstsq(X, y, rcond=None)[0])
    support = selectors.adaptive_lasso(X, y, 3, 0)
    path = lasso_homotopy(X * scale, y, fit_intercept=False)
    first = int(np.argmax((path.signs != 0).sum(axis=1) == 3))
    mu = (path.mus[first] + path.mus[first + 1]) / 2
    peer = Lasso(alpha=mu, fit_intercept=False, tol=1e-13, max_iter=10**6).fit(X * scale, y)
    assert ((peer.coef_ != 0) == support).all()


@pytest.mark.parametrize("length", ["log", "linear"])
def test_the_most_stable_pattern_is_that_of_most_grid_points(length):
    X, y = recovery_problem(6)
    top = np.abs(X.T @ y).max() / len(X)
    even = np.geomspace if length == "log" else np.linspace
    mus = even(top, selectors.RANGE * top, 4000)
    path = bolasso_path(
        X, y, mus=mus, n_bootstraps=selectors.N_BOOTSTRAPS, fit_intercept=False, random_state=2
    )
    patterns, counts = np.unique(path.supports(), axis=0, return_counts=True)
    right = patterns.sum(axis=1) == 3
    expected = patterns[right][counts[right].argmax()]
    assert (selectors.bolasso(X, y, 3, 2, length) == expected).all()


# ---- tables ----------------------------------------------------------------------------------


def test_each_pass_over_folds_tests_every_row_once():
    folds = draw_folds(23, np.random.default_rng(0), passes=3, k=5)
    assert len(folds) == 15
    for start in (0, 5, 10):
        tested = np.concatenate([test for _, test in folds[start : start + 5]])
        assert sorted(tested) == list(range(23))
    assert all(not set(train) & set(test) for train, test in folds)


def test_the_ridge_path_is_scikit_learns():
    X, y = recovery_problem(7)
    lambdas = np.array([1e-3, 0.1, 10.0])
    for lam, w in zip(lambdas, ridge_path(X, y, lambdas), strict=True):
        peer = Ridge(alpha=len(X) * lam, fit_intercept=False, tol=1e-12).fit(X, y)
        np.testing.assert_allclose(w, peer.coef_, rtol=1e-8)


def test_errors_on_folds_are_those_of_a_plain_loop():
    X, y = recovery_problem(8, n=40, p=5)
    folds = draw_folds(40, np.random.default_rng(1), passes=1, k=4)
    errors = path_errors(X, y, folds, range(4))
    assert set(errors) == set(METHODS)
    mus = default_mus(X - X.mean(axis=0), y - y.mean())
    for i in (10, 40, 70):
        for fold, (train, test) in enumerate(folds):
            peer = Lasso(alpha=mus[i], tol=1e-12, max_iter=10**6).fit(X[train], y[train])
            mse = np.mean((y[test] - peer.predict(X[test])) ** 2)
            assert errors["Lasso"][i, fold] == pytest.approx(mse, rel=1e-5)
    best = min(np.mean(errors["Ridge"][i]) for i in range(100))
    assert best_error(errors["Ridge"]) == pytest.approx(100 * best)


def test_the_best_parameter_on_the_reported_folds_flatters():
    """Erratum: with a response of noise, the reported error lies below that of new data."""
    gaps = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = draw_noise(rng, 30)
        X_new, y_new = draw_noise(rng, 2000)
        folds = draw_folds(30, rng, passes=1)
        errors = path_errors(X, y, folds, range(10))["Ridge"]
        at = errors.mean(axis=1).argmin()
        w = ridge_path(X, y, np.geomspace(1e2, 1e-6, 100)[[at]])[0]
        gaps.append(np.mean((y_new - X_new @ w) ** 2) - errors[at].mean())
    assert np.mean(gaps) > 0


def draw_noise(rng, n):
    return rng.normal(size=(n, 8)), rng.normal(size=n)


def toy():
    """Return a table of two features with a category and a missing value."""
    return Table(
        X=np.array([[0, 1.0], [1, 2.0], [0, np.nan], [1, 5.0], [0, 3.0]]),
        y=np.array([1.0, 2.0, 3.0, np.nan, 5.0]),
        feature_names=("kind", "size"),
        categories={"kind": ("a", "b")},
    )


def test_rows_without_a_response_or_a_feature_are_left_out():
    X, y = uci.regression(lambda name: toy(), "imports", CHOICES)
    assert len(y) == 3
    np.testing.assert_allclose(y.std(), 1)
    np.testing.assert_allclose(X.std(axis=0), 1)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(X[:, 0], -X[:, 1])  # kind: a column for each of its two values


def test_missing_features_take_the_mean():
    X, _ = uci.regression(lambda name: toy(), "imports", {**CHOICES, "missing": "mean"})
    assert len(X) == 4
    assert X[2, -1] == pytest.approx(0.0)


def test_categories_can_be_numbered():
    X, _ = uci.regression(lambda name: toy(), "imports", {**CHOICES, "categories": "numbered"})
    assert X.shape == (3, 2)


@pytest.mark.parametrize(
    ("response", "columns"),
    [("published", 2), ("estimated", 3), ("published-from-estimated", 3)],
)
def test_machine_has_two_responses(response, columns):
    rng = np.random.default_rng(0)
    published = Table(rng.normal(size=(9, 2)), rng.normal(size=9), ("a", "b"))
    estimates = Table(published.X, rng.normal(size=9), ("a", "b"))
    tables = {"machine": published, "machine-estimates": estimates}
    X, y = uci.regression(tables.get, "machine", {**CHOICES, "machine-response": response})
    assert X.shape == (9, columns)
    expected = estimates.y if response == "estimated" else published.y
    np.testing.assert_allclose(np.corrcoef(y, expected)[0, 1], 1)


# ---- consistency -----------------------------------------------------------------------------


def test_resamples_grow_as_the_root_of_n_and_are_the_printed_ones_at_figure_3():
    assert [experiments.resamples_for(n) for n in experiments.GROWING] == [32, 64, 128, 256]


# ---- rates -----------------------------------------------------------------------------------


def test_drawn_moments_are_distributed_as_those_of_samples():
    design = draw_design(3, 1, np.random.default_rng(0), noise=1.0)
    n = 12
    rng = np.random.default_rng(1)
    grams, moments = draw_moments(design, n, 20_000, rng)
    samples = [design.sample(n, rng) for _ in range(20_000)]
    direct = np.array([np.r_[(X.T @ X / n).ravel(), X.T @ y / n] for X, y in samples])
    drawn = np.column_stack([grams.reshape(-1, 9), moments])
    # means and standard deviations, each to five standard errors of a difference of two
    spread = direct.std(axis=0)
    assert (np.abs(drawn.mean(axis=0) - direct.mean(axis=0)) < 5 * spread * 0.01).all()
    np.testing.assert_allclose(drawn.std(axis=0), spread, rtol=0.05)
    np.testing.assert_allclose(np.corrcoef(drawn.T), np.corrcoef(direct.T), atol=0.06)


def test_the_limit_solves_its_program():
    import cvxpy

    design = draw_design(4, 2, np.random.default_rng(3), noise=1.0)
    mu0 = 0.3
    signs = limit_patterns(design, mu0, 6, np.random.default_rng(4))
    t = np.random.default_rng(4).normal(size=(6, 4)) @ np.linalg.cholesky(design.Q).T
    s = np.sign(design.w)
    K = ~design.relevant
    for limit, row in zip(signs, t * design.sigma, strict=True):
        v = cvxpy.Variable(4)
        goal = cvxpy.quad_form(v, cvxpy.psd_wrap(design.Q)) / 2 - row @ v
        goal += mu0 * (s @ v + cvxpy.norm1(v[2:]))
        cvxpy.Problem(cvxpy.Minimize(goal)).solve(solver="CLARABEL")
        expected = np.where(np.abs(v.value[K]) < 1e-6, 0, np.sign(v.value[K]))
        assert (limit == expected).all()


def test_sign_patterns_reach_the_limit():
    design = draw_design(4, 2, np.random.default_rng(5), noise=1.0)
    mu0 = 0.5
    rng = np.random.default_rng(6)
    limit = pattern_shares(limit_patterns(design, mu0, 20_000, rng))
    large = pattern_shares(sign_patterns(design, 10**6, mu0, 20_000, rng)[:, 2:])
    # five standard errors of a difference of shares of 20,000 draws
    assert np.abs(large - limit).max() < 5 * np.sqrt(2 * 0.25 / 20_000)


def test_sizes_put_the_least_certain_sign_at_its_level():
    """At 2 standard deviations some 2 % of the draws have that sign wrong (large n, noise 2)."""
    design = draw_design(4, 2, np.random.default_rng(7), noise=2.0)
    n = sample_sizes(design, 0.0, np.array([2.0]))[0]
    J = design.relevant
    spread = design.sigma * np.sqrt(np.diag(np.linalg.inv(design.Q[J][:, J]))) / np.sqrt(n)
    assert np.min(np.abs(design.w[J]) / spread) == pytest.approx(2.0, rel=0.05)


def test_pattern_shares_count_each_pattern():
    signs = np.array([[1.0, -1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, -1.0]])
    shares = pattern_shares(signs).reshape(3, 3)  # second variable first, from -1 to 1
    assert shares[0, 2] == 0.5
    assert shares[1, 1] == 0.25
    assert shares[0, 0] == 0.25


# ---- errata ----------------------------------------------------------------------------------


def test_table_1_has_the_soft_version_ahead_in_three_columns():
    near = load_paper("bach2008bolasso").claims["synthetic-mse"].near
    hard, soft = (
        [float(near[f"kappa={k},method={m}"].value) for k in ("0.93", "1.20", "1.42", "1.28")]
        for m in ("Bolasso", "Bolasso-S")
    )
    assert sum(s < h for s, h in zip(soft, hard, strict=True)) == 3


def test_patterns_other_than_the_true_one_keep_their_probability():
    """Erratum of Lemma 2: sign(w-hat) = s for a pattern s that has irrelevant variables, too."""
    design = draw_design(4, 2, np.random.default_rng(5), noise=1.0)
    signs = sign_patterns(design, 10**6, 0.5, 2000, np.random.default_rng(0))
    right = (signs[:, :2] == np.sign(design.w[:2])).all(axis=1)
    assert right.all()
    assert (signs[:, 2:] != 0).any(axis=1).mean() > 0.1


def test_the_set_of_a_5_is_not_compact():
    """C(mu0) holds a ray: t_K = Q_KJ Q_JJ^-1 t_J for t_J of any length, where Eq. 2 holds."""
    design = draw_such_that(meets("satisfied"), 6, 3, np.random.default_rng(0), "each")
    J = design.relevant
    Q = design.Q
    mu0 = 0.7
    through = Q[~J][:, J] @ np.linalg.inv(Q[J][:, J])
    for length in (1.0, 1e3, 1e6):
        t_J = np.full(3, length)
        t = np.r_[t_J, through @ t_J]
        forms = through @ t[J] - t[~J] - mu0 * through @ np.sign(design.w[J])
        assert np.abs(forms).max() <= mu0
        assert np.linalg.norm(t) >= length


def share_always_selected(m, kappa, penalty):
    """Return how often m resamples all select the only irrelevant variable, as n grows.

    In units of the deviation of its limit u, to which a resample adds as much, it is left out
    where that lies between -penalty (kappa + 1) and -penalty (kappa - 1).
    """
    u = np.linspace(-40, 40, 80_001)
    upper = norm.sf(u + penalty * (kappa - 1))
    lower = norm.sf(u + penalty * (kappa + 1))
    return np.trapezoid(norm.pdf(u) * np.exp(m * np.log1p(lower - upper)), u)


def test_the_term_in_m_of_proposition_3_is_too_small_where_condition_2_fails():
    """By the integral; by a bound from below; and the integral is that of drawn resamples."""
    many = np.array([1e2, 1e4, 1e8, 1e12])
    for kappa, grows in [(0.5, False), (2.0, True), (3.0, True)]:
        shares = np.array([share_always_selected(m, kappa, 1.0) for m in many])
        over_bound = shares * many / np.log(many)
        assert (np.diff(over_bound) > 0).all() == grows
        # beyond the quantile z of 1 / m, less the distance kappa - 1, m resamples select with 1 / e
        below = norm.sf(norm.isf(1 / many) - (kappa - 1)) * (1 - 1 / many) ** many
        assert (shares > below).all()
        assert (np.diff(np.log(below * many / np.log(many))) > 0).all() == grows
    Q = np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.7, 0.7, 1.0]])
    design = Design(Q, np.array([1.0, 1.0, 0.0]), 1.0)
    rng = np.random.default_rng(0)
    n = 1000
    m = 16
    mu0 = 0.5
    always = []
    for seed in range(400):
        path = bolasso_path(
            *design.sample(n, rng), mus=[mu0 / np.sqrt(n)], n_bootstraps=m, fit_intercept=False,
            random_state=seed,
        )  # fmt: skip
        always.append(path.supports()[0, 2])
    expected = share_always_selected(m, design.kappa, mu0 / np.sqrt(1 - 2 * 0.7**2))
    assert abs(np.mean(always) - expected) < 5 * np.sqrt(expected * (1 - expected) / 400)


def test_more_bootstraps_harm_where_relevant_variables_drop_out():
    """Where mu is about the smallest at which the Lasso loses one, m = 64 loses it more often."""
    design = draw_design(6, 3, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    kept = np.zeros((2, 60))
    mus = np.geomspace(1.0, 1e-3, 60)
    for seed in range(40):
        X, y = design.sample(200, rng)
        selected = bolasso_path(
            X, y, mus=mus, n_bootstraps=64, fit_intercept=False, random_state=seed
        ).selected
        for row, m in zip(kept, (2, 64), strict=True):
            row += selected[:m, :, :3].all(axis=(0, 2)) / 40
    assert (kept[0] - kept[1]).max() > 0.2
