"""The Bolasso and stability selection against plain loops, and as scikit-learn estimators."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.model_selection import KFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import Bolasso, BolassoCV, StabilitySelection
from icml2008.methods.bolasso._data import (
    bootstrap_counts,
    bootstrap_moments,
    centred,
    default_mus,
    needed,
)
from icml2008.methods.bolasso.paths import bolasso_path, lasso_homotopy
from icml2008.methods.bolasso.steps import selection_steps

FAST = [
    Bolasso(mu=0.01, n_bootstraps=8, random_state=0),
    BolassoCV(n_bootstraps=4, cv=3, random_state=0),
    StabilitySelection(n_resamples=10, random_state=0),
]


def sample(seed=0, n=120, p=8, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) / np.sqrt(p)
    w = np.r_[1.0, -0.7, 0.5, np.zeros(p - 3)]
    return X, X @ w + noise * rng.normal(size=n)


@parametrize_with_checks(FAST)
def test_estimators_keep_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_selections_are_those_of_a_loop_over_resampled_lassos(fit_intercept):
    X, y = sample()
    X = X + 1.0
    y = y + 2.0
    mus = [0.3, 0.1, 0.03]
    path = bolasso_path(X, y, mus=mus, n_bootstraps=10, fit_intercept=fit_intercept, random_state=3)
    counts = bootstrap_counts(len(X), 10, 3)
    bagged = np.zeros((3, 8))
    intercepts = np.zeros(3)
    for k, count in enumerate(counts):
        rows = np.repeat(np.arange(len(X)), count)
        for i, mu in enumerate(mus):
            peer = Lasso(alpha=mu, fit_intercept=fit_intercept, tol=1e-12, max_iter=10**6)
            w = peer.fit(X[rows], y[rows]).coef_
            intercepts[i] += peer.intercept_ / 10
            assert ((w != 0) == path.selected[k, i]).all()
            bagged[i] += w / 10
    # coordinate descent stops at a duality gap of 1e-12: some 1e-7 in the solution
    np.testing.assert_allclose(path.bagged_coefs, bagged, atol=1e-6)
    np.testing.assert_allclose(path.bagged_intercepts, intercepts, atol=1e-6)


def test_refits_are_least_squares_on_the_support():
    X, y = sample()
    path = bolasso_path(X, y, n_bootstraps=16, random_state=0)
    for support, w in zip(path.supports(0.9), path.coefs(0.9), strict=True):
        assert not w[~support].any()
        if support.any():
            peer = LinearRegression().fit(X[:, support], y)
            np.testing.assert_allclose(w[support], peer.coef_, rtol=1e-8)


def test_steps_without_a_grid_agree_with_any_grid():
    X, y = sample(1)
    steps = selection_steps(X, y, n_bootstraps=20, random_state=5)
    inside = (steps.breakpoints[1:] + steps.breakpoints[:-1]) / 2
    wide = np.flatnonzero(steps.breakpoints[:-1] > steps.breakpoints[1:] * (1 + 1e-9))
    wide = wide[inside[wide] > 1e-6]
    path = bolasso_path(X, y, mus=inside[wide], n_bootstraps=20, random_state=5)
    assert len(wide) > 100
    assert (path.selected.sum(axis=0) == steps.counts[wide]).all()


def test_patterns_cover_the_whole_range_without_equal_neighbours():
    steps = selection_steps(*sample(2), n_bootstraps=20, random_state=5)
    supports, highest, lowest = steps.patterns(0.9)
    assert highest[0] == steps.breakpoints[0]
    assert lowest[-1] == steps.breakpoints[-1]
    assert (highest[1:] == lowest[:-1]).all()
    assert (supports[1:] != supports[:-1]).any(axis=1).all()


def test_the_first_resamples_do_not_depend_on_how_many_follow():
    few, many = (bootstrap_counts(30, m, 4) for m in (5, 50))
    assert (few == many[:5]).all()
    assert (many.sum(axis=1) == 30).all()


def test_more_resamples_never_add_a_variable():
    X, y = sample(3)
    many = bolasso_path(X, y, n_bootstraps=64, random_state=0).selected
    for m in (2, 8, 32):
        assert not (many.all(axis=0) & ~many[:m].all(axis=0)).any()


def test_a_lower_threshold_never_drops_a_variable():
    path = bolasso_path(*sample(4), n_bootstraps=40, random_state=0)
    supports = [path.supports(t) for t in (1.0, 0.9, 0.5, 0.01)]
    for stricter, softer in zip(supports, supports[1:], strict=False):
        assert not (stricter & ~softer).any()


@pytest.mark.parametrize(("share", "least"), [(1.0, 10), (0.9, 9), (0.95, 10), (0.01, 1), (0.3, 3)])
def test_a_threshold_is_the_least_number_of_resamples(share, least):
    assert needed(10, share) == least


@pytest.mark.parametrize("share", [0.0, -1, 1.1, float("nan")])
def test_a_threshold_that_is_no_share_is_refused(share):
    with pytest.raises(ValueError, match="share in"):
        needed(10, share)


@pytest.mark.parametrize("mus", [[], [0.0], [-1.0, 1.0]])
def test_mus_that_are_not_positive_are_refused(mus):
    with pytest.raises(ValueError, match="positive"):
        bolasso_path(*sample(), mus=mus)


def test_without_any_resample_it_is_refused():
    with pytest.raises(ValueError, match="n_bootstraps"):
        bolasso_path(*sample(), n_bootstraps=0)


def test_bolasso_finds_what_the_lasso_cannot():
    """The third column equals the mean of two relevant ones and noise: condition (2) fails."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 2))
    X = np.column_stack([X, 0.7 * X.sum(axis=1) + 0.3 * rng.normal(size=2000)])
    y = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=2000)
    signs = lasso_homotopy(X, y).signs
    assert not (signs == [1, 1, 0]).all(axis=1).any()
    assert Bolasso(mu=0.3 / np.sqrt(2000), random_state=0).fit(X, y).support_.tolist() == [
        True, True, False,
    ]  # fmt: skip


def test_an_empty_support_predicts_the_mean():
    X, y = sample()
    model = Bolasso(mu=1e3, n_bootstraps=5).fit(X, y)
    assert not model.support_.any()
    np.testing.assert_allclose(model.predict(X), y.mean())


def test_cross_validation_is_a_loop_over_folds():
    X, y = sample(5)
    cv = KFold(4)
    model = BolassoCV(cv=cv, n_bootstraps=1, threshold=1.0, mus=[0.2, 0.05], random_state=1)
    model.fit(X, y)
    random = np.random.RandomState(1)
    for fold, (train, test) in enumerate(cv.split(X)):
        path = bolasso_path(
            X[train], y[train], mus=[0.2, 0.05], n_bootstraps=1, random_state=random
        )
        for i, support in enumerate(path.supports()):
            peer = LinearRegression().fit(X[train][:, support], y[train])
            error = np.mean((y[test] - peer.predict(X[test][:, support])) ** 2)
            np.testing.assert_allclose(model.mse_path_[i, fold], error, rtol=1e-10)
    assert model.mu_ == [0.2, 0.05][model.mse_path_.mean(axis=1).argmin()]


def test_default_mus_begin_where_the_lasso_is_empty():
    X, y = sample()
    mus = default_mus(*centred(X, y, True)[:2])
    np.testing.assert_allclose(mus[0], lasso_homotopy(X, y).mus[0], rtol=1e-12)
    assert (np.diff(mus) < 0).all()


def test_stability_selection_counts_the_first_variables_of_half_samples():
    X, y = sample(6, p=12)
    model = StabilitySelection(n_resamples=7, random_state=2).fit(X, y)
    assert model.n_first_ == 2  # the root of 1 x (2 x 0.75 - 1) x 12, rounded down
    random = np.random.RandomState(2)
    taken = np.zeros(12)
    for _ in range(7):
        rows = random.permutation(len(X))[: len(X) // 2]
        signs = lasso_homotopy(X[rows], y[rows]).signs
        entering = dict.fromkeys(int(j) for step in signs for j in np.flatnonzero(step))
        taken[list(entering)[:2]] += 1
    np.testing.assert_allclose(model.frequencies_, taken / 7)


def test_stability_selection_keeps_its_bound_on_wrong_selections():
    """Under exchangeable noise variables, at most max_false wrong ones are expected."""
    wrong = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 30))
        y = X[:, 0] + rng.normal(size=60)
        model = StabilitySelection(0.6, max_false=1.0, n_resamples=50, random_state=seed)
        wrong.append(model.fit(X, y).support_[1:].sum())
    assert np.mean(wrong) <= 1.0


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_moments_are_those_of_the_resampled_rows(fit_intercept):
    X, y = sample(8, n=30)
    grams, moments = bootstrap_moments(
        X, y, n_bootstraps=4, fit_intercept=fit_intercept, random_state=1
    )
    X, y, _, _ = centred(X, y, fit_intercept)
    for gram, moment, count in zip(grams, moments, bootstrap_counts(30, 4, 1), strict=True):
        rows = np.repeat(np.arange(30), count)
        X_k, y_k, _, _ = centred(X[rows], y[rows], fit_intercept)
        np.testing.assert_allclose(gram, X_k.T @ X_k / 30, atol=1e-13)
        np.testing.assert_allclose(moment, X_k.T @ y_k / 30, atol=1e-13)
