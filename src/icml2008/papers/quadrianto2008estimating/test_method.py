"""Mean Map beside general solvers, its rivals beside scikit-learn, the bounds beside sampling."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KernelDensity

from icml2008.data.tables import Table

from . import bounds
from .method import (
    MeanMap,
    codes_of,
    coordinates,
    fit_coefficients,
    median_gamma,
    operator_weights,
)
from .passes import Bags
from .rivals import class_scores, fold_likelihoods, log_density, sort_by_share
from .tasks import SCENARIOS, halves, numbers_of, task_of, thirds

DEFAULTS = {"letters": "indicators", "units": "standard", "cut": "nearest", "pure": "first"}


def test_a_pure_bag_gives_a_weighted_difference_of_means():
    shares = np.array([[1, 0], [0.3, 0.7]])
    np.testing.assert_allclose(operator_weights(shares, shares[1]), [[0.6], [-1]])


def test_class_means_solve_least_squares_where_there_are_more_bags_than_classes():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(3), size=5)
    means = rng.normal(size=(5, 4))
    prior = np.array([0.2, 0.3, 0.5])
    classes = np.linalg.lstsq(shares, means, rcond=None)[0]
    operator = means.T @ operator_weights(shares, prior)
    np.testing.assert_allclose(operator, (prior[:, None] * classes).T)


def test_true_labels_give_logistic_regression():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(60, 3))
    y = (Z[:, 0] + rng.normal(size=60) > 0).astype(int)
    operator = Z.T @ codes_of(2)[y] / 60
    theta = fit_coefficients(Z, operator, codes_of(2), 0.7, tol=1e-8)
    model = LogisticRegression(C=2 / 0.7, fit_intercept=False, tol=1e-10).fit(Z, y)
    np.testing.assert_allclose(-2 * theta[:, 0], model.coef_[0], atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_coefficients_are_those_of_a_general_solver(n_classes):
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(40, 3))
    codes = codes_of(n_classes)
    operator = 0.3 * rng.normal(size=(3, codes.shape[1]))

    def loss(flat):
        theta = flat.reshape(operator.shape)
        fit = np.sum(np.log(np.sum(np.exp(Z @ theta @ codes.T), axis=1)))
        return fit - 40 * np.sum(operator * theta) + 0.5 * np.sum(theta**2)

    theta = fit_coefficients(Z, operator, codes, 0.5, tol=1e-7)
    expected = minimize(loss, np.zeros(operator.size), method="Powell", tol=1e-12)
    assert loss(theta.ravel()) <= expected.fun + 1e-6
    np.testing.assert_allclose(approx_fprime(theta.ravel(), loss, 1e-6), 0, atol=1e-3)


def three_bags():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2, 0, 1, 2, 0, 1, 2], [12, 3, 3, 2, 12, 4, 5, 6, 9])
    bags = np.repeat([0, 1, 2], [18, 18, 20])
    X = rng.normal(size=(56, 2)) + 5 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    shares = np.array([np.bincount(y[bags == bag]) / np.sum(bags == bag) for bag in range(3)])
    return X, y, bags, shares


def test_scores_of_any_row_are_those_of_all_rows_coordinates():
    X, _, bags, shares = three_bags()
    model = MeanMap(lam=0.3).fit(X[:-2], bags=bags[:-2], proportions=shares)
    gram = np.exp(-model.gamma_ * np.sum((X[:, None] - X) ** 2, axis=-1))
    Z, _ = coordinates(gram)
    means = np.array([Z[:-2][bags[:-2] == bag].mean(axis=0) for bag in range(3)])
    operator = means.T @ operator_weights(shares, shares[2])
    theta = fit_coefficients(Z[:-2][bags[:-2] == 2], operator, np.eye(3), 0.3, tol=1e-8)
    np.testing.assert_allclose(model.decision_function(X), Z @ theta, atol=2e-3)


def test_folds_share_coordinates_with_the_estimator():
    X, y, bags, shares = three_bags()
    parts = [X[bags == bag] for bag in range(3)]
    held = Bags(parts, [y[bags == bag] for bag in range(3)], 3)
    rows = [np.arange(2, len(part)) for part in parts]
    theta = held.fit_path(rows, held.operator(rows), [0.3], tol=1e-6)[0]
    used = np.concatenate([np.flatnonzero(bags == bag)[2:] for bag in range(3)])
    model = MeanMap(lam=0.3, gamma=held.gamma)
    model.fit(X[used], bags=bags[used], proportions=shares)
    scores = held.scores(theta, np.arange(len(parts[2])))
    np.testing.assert_allclose(scores, model.decision_function(parts[2]), atol=2e-3)


def test_bags_without_labels_tell_classes_apart():
    X, y, bags, shares = three_bags()
    names = np.array(["a", "b", "c"])
    model = clone(MeanMap(lam=0.1)).fit(X, bags=bags, proportions=shares, classes=names)
    assert np.mean(model.predict(X) == names[y]) > 0.8
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.gamma_ == median_gamma(X)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"proportions": [[1, 0], [0.2, 0.2]]}, "each row summing to 1"),
        ({"proportions": [[0.5, 0.5], [0.5, 0.5]]}, "do not tell the classes apart"),
        ({"bags": np.zeros(4, dtype=int)}, "none empty"),
    ],
)
def test_bags_that_cannot_be_used_are_refused(how, message):
    given = {"bags": np.array([0, 0, 1, 1]), "proportions": [[1, 0], [0.5, 0.5]]} | how
    with pytest.raises(ValueError, match=message):
        MeanMap().fit(np.eye(4), **given)


def test_densities_and_widths_are_scikit_learns():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(24, 2))
    squared = np.sum((X[:, None] - X) ** 2, axis=-1)
    folds = np.array_split(rng.permutation(24), 4)
    scores = {}
    for width in 2.0 ** np.arange(-4, 2.5, 0.5):
        log = KernelDensity(bandwidth=width).fit(X[:20]).score_samples(X[20:])
        ours = log_density(squared[20:, :20], width, 2) - np.log(2 * np.pi)
        np.testing.assert_allclose(ours, log)
        scores[width] = sum(
            KernelDensity(bandwidth=width).fit(np.delete(X, held, axis=0)).score(X[held])
            for held in folds
        )
    constant = 24 * np.log(2 * np.pi)
    likelihoods = fold_likelihoods(squared, folds, 2) - constant
    np.testing.assert_allclose(likelihoods, list(scores.values()))


def test_unmixed_densities_are_bayes_rule():
    rng = np.random.default_rng(5)
    classes = rng.dirichlet(np.ones(4), size=3).T
    shares = rng.dirichlet(np.ones(3), size=3)
    prior = shares[2]
    logs = np.log(classes @ shares.T)
    scores = class_scores(logs, prior[:, None] * np.linalg.inv(shares))
    expected = prior * classes
    np.testing.assert_allclose(
        scores / scores.sum(axis=1, keepdims=True), expected / expected.sum(axis=1, keepdims=True)
    )


def test_sorting_labels_the_share_with_the_largest_scores():
    scores = np.array([0.3, -1, 2, 0.1, 5])
    assert sort_by_share(scores, scores, 0.4).tolist() == [1, 1, 0, 1, 0]
    assert sort_by_share(scores, np.array([0, 0.2, 0.4, 0.6]), 0.5).tolist() == [1, 1, 0, 1, 0]


def small_table():
    X = np.array([[0, 1, 5.0], [1, np.nan, 6], [2, 0, 7], [0, 1, np.nan]])
    categories = {"letter": ("a", "b", "c"), "grade": ("3", "1")}
    y = np.array(["1", "2", "3", "3"])
    return Table(X, y, ("letter", "grade", "size"), categories)


def test_categories_are_indicators_or_the_numbers_that_they_are():
    expected = [[1, 0, 0, 1, 5], [0, 1, 0, 5 / 3, 6], [0, 0, 1, 3, 7], [1, 0, 0, 1, 6]]
    np.testing.assert_allclose(numbers_of(small_table()), expected)
    places = numbers_of(small_table(), "places")
    np.testing.assert_allclose(places, [[0, 1, 5], [1, 2 / 3, 6], [2, 0, 7], [0, 1, 6]])


def test_a_task_is_cut_scaled_and_turned_by_the_reading():
    X, y = task_of("wine", small_table(), DEFAULTS)
    assert y.tolist() == [0, 1, 1]
    np.testing.assert_allclose(X.std(axis=0)[X.std(axis=0) > 0], 1)
    assert task_of("wine", small_table(), DEFAULTS | {"pure": "second"})[1].tolist() == [1, 0, 0]
    assert task_of("wine", small_table(), DEFAULTS | {"cut": "other"})[1].tolist() == [1, 0, 1, 1]
    ranged, _ = task_of("wine", small_table(), DEFAULTS | {"units": "range"})
    assert np.ptp(ranged[:, -1]) == 1
    raw, _ = task_of("wine", small_table(), DEFAULTS | {"units": "raw"})
    assert raw[:, -1].tolist() == [6, 7, 6]


def test_bags_have_the_printed_shares():
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], [30, 70])
    first, second = halves(rng, y)
    assert np.all(y[first] == 0)
    assert len(second) == 50
    assert len(set(first) & set(second)) == 0
    labels = np.repeat([0, 1, 2], [200, 200, 400])
    for name, shares in SCENARIOS.items():
        rows = thirds(rng, labels, name, "shares")
        counts = np.array([np.bincount(labels[part], minlength=3) for part in rows])
        np.testing.assert_allclose(counts, shares * [200, 200, 400])
        thinned = thirds(rng, labels, name, "half")
        assert abs(len(thinned[2]) - 400) <= 1
        np.testing.assert_allclose(
            np.bincount(labels[thinned[0]], minlength=3) / len(thinned[0]),
            counts[0] / counts[0].sum(),
            atol=0.01,
        )


def test_distance_to_the_population_is_that_to_a_large_sample():
    rng = np.random.default_rng(7)
    X, y = bounds.draw(rng, [5, 7])
    weights = codes_of(2)[y] / 12
    prior = np.array([0.3, 0.7])
    large, labels = bounds.draw(rng, [1200, 2800])
    both = np.concatenate([X, large])
    mass = np.concatenate([weights, -codes_of(2)[labels] / 4000])
    sampled = bounds.norm_of(bounds.kernel(both, both), mass)
    exact = bounds.distance_to_population(X, weights, prior, codes_of(2))
    assert exact == pytest.approx(sampled, abs=0.02)


def test_the_two_operators_differ_by_the_first_class_alone():
    X, bags, y, rho = bounds.binary_case(np.random.default_rng(8), 20)
    estimate, truth, _ = bounds.theorem_5(X, bags, y, rho)
    positive = (bags == 1) & (y == 0)
    expected = 2 * rho * ((bags == 0) / 20 - positive / positive.sum())
    np.testing.assert_allclose((estimate - truth)[:, 0], expected, atol=1e-12)


def test_a_loss_is_least_at_its_own_minimiser():
    X, bags, y, rho = bounds.binary_case(np.random.default_rng(9), 20)
    estimate, truth, _ = bounds.theorem_5(X, bags, y, rho)
    Z, _ = coordinates(bounds.kernel(X, X))
    apart = bounds.norm_of(bounds.kernel(X, X), estimate - truth)
    moved, cost = bounds.posteriors(Z, bags, estimate, truth, 0.1)
    assert 0 < cost < moved * apart
    assert bounds.posteriors(Z, bags, truth, truth, 0.1) == pytest.approx((0, 0))


def test_a_bound_that_is_missed_is_told(monkeypatch):
    def measured():
        from wiring import wire

        return wire(bounds.run_bounds, {"m": 25})["MM"]

    assert max(measured()[name] for name in ("theorem_4", "theorem_5", "lemma_6")) < 1
    monkeypatch.setattr(bounds, "operator_weights", lambda *given: 30 * operator_weights(*given))
    broken = measured()
    assert min(broken[name] for name in ("theorem_4", "theorem_5")) > 1


def test_recalibration_beats_guessing_by_less_than_epsilon():
    rng = np.random.default_rng(10)
    gains = [bounds.beyond_guessing(rng) for _ in range(200)]
    assert min(gains) > -0.1
    assert max(gains) <= 1e-12
