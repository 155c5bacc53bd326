"""The searches against brute force, models against scikit-learn, and the classifier's contract."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from .learners import CONDITION, QDA, NaiveBayes, by_class
from .method import (
    FAMILIES,
    PartitionMatrixClassifier,
    assign,
    best_value,
    learn_partition,
    search_from_many,
)
from .statements import draw_costs

LF = ("weights", "sequential", "before")


def problem(seed, n=60, n_classes=3):
    rng = np.random.default_rng(seed)
    costs = draw_costs(rng, n_classes)
    costs -= np.diag(costs)
    points = rng.dirichlet(np.ones(n_classes), size=n)
    y = np.array([rng.choice(n_classes, p=p**2 / np.sum(p**2)) for p in points])
    return points, y, costs


def total(points, y, costs, partition):
    return sum(
        costs[min(range(len(costs)), key=lambda i: partition[i] @ p), label]
        for p, label in zip(points, y, strict=True)
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_shift_is_the_best_of_a_fine_grid(seed):
    points, y, costs = problem(seed)
    partition = learn_partition(points, y, costs, order=[0])
    shift = partition[0, 1] - costs[0, 1]
    assert np.allclose(partition - costs, np.subtract.outer([shift, 0, 0], [shift, 0, 0]))
    tries = np.linspace(-10, 10, 4001)
    totals = np.array([total(points, y, costs, costs + [[t], [0], [0]]) for t in tries])
    best = tries[totals <= totals.min() + 1e-9]
    limits = (-costs[0, 1:].min(), costs[1:, 0].min())
    # The lowest of the best intervals is taken first and clipped afterwards, as the text says.
    if limits[0] < best[0] < limits[1]:
        assert total(points, y, costs, partition) <= totals.min() + 1e-9
    else:
        assert np.isclose(shift, np.clip(best[0], *limits), rtol=1e-5)


@pytest.mark.parametrize("family", ["weights", "rows", "free"])
@pytest.mark.parametrize("seed", range(3))
def test_one_parameter_of_another_family_is_the_best_of_a_grid(family, seed):
    points, y, costs = problem(seed)
    partition = learn_partition(points, y, costs, family, order=[1, 2] if family == "free" else [1])
    totals = []
    for factor in 10.0 ** np.linspace(-4, 4, 2001):
        other = {"weights": 1 - np.eye(3)}.get(family, costs).copy()
        if family == "weights":
            other[:, 1] *= factor
        elif family == "rows":
            other[1] *= factor
        else:
            # The second of two entries is set with the first as it was found.
            other[1, 2] = partition[1, 2]
            other[2, 1] *= factor
        totals.append(total(points, y, costs, other))
    assert total(points, y, costs, partition) <= min(totals) + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_multiplied_by_the_best_of_a_grid(seed):
    points, y, costs = problem(seed)
    partition = learn_partition(points, y, costs, "columns", order=[2])
    assert np.allclose(partition[:, :2], costs[:, :2])
    totals = []
    for factor in 10.0 ** np.linspace(-3, 3, 61):
        other = costs.copy()
        other[:, 2] *= factor
        totals.append(total(points, y, costs, other))
    assert total(points, y, costs, partition) == pytest.approx(min(totals))


def test_no_search_costs_more_than_its_start():
    for seed in range(5):
        points, y, costs = problem(seed, n_classes=4)
        for family in FAMILIES:
            start = 1 - np.eye(4) if family in LF else costs
            partition = learn_partition(points, y, costs, family, passes=2)
            assert np.all(partition[~np.eye(4, dtype=bool)] > 0)
            if family not in ("sequential", "before"):
                reached = costs[assign(points, partition), y].sum()
                assert reached <= costs[assign(points, start), y].sum() + 1e-9


def test_many_starts_reach_the_least_cost_of_a_grid_of_shifts():
    points, y, costs = problem(3, n=25)
    partition = search_from_many(points, y, costs, np.random.default_rng(0), starts=30, passes=5)
    reached = costs[assign(points, partition), y].sum()
    grid = np.linspace(-4, 4, 161)
    totals = []
    for first in grid:
        for second in grid:
            shifts = np.array([first, second, 0])
            partition = costs + shifts[:, None] - shifts
            if np.all(partition[~np.eye(3, dtype=bool)] > 0):
                totals.append(costs[assign(points, partition), y].sum())
    assert reached <= min(totals) + 1e-9


@pytest.mark.parametrize("family", ["sequential", "before"])
def test_weights_set_in_turn_are_of_pairs_by_their_own_rows_or_by_all(family):
    points, y, costs = problem(1, n=80)
    order = [2, 0, 1]
    partition = learn_partition(points, y, costs, family, order=order)
    weights = partition[[1, 0, 0], [0, 1, 2]]
    assert weights[2] == 1
    rows = (y != 1) | (family == "before")
    pair = points[rows]

    def cost(weight):
        labels = np.where(weight * pair[:, 0] > pair[:, 2], 0, 2)
        return costs[labels, y[rows]].sum()

    grid = 10.0 ** np.linspace(-4, 4, 2001)
    assert cost(weights[0]) <= min(map(cost, grid)) + 1e-9

    def last_cost(weight):
        scores = points * [weights[0], weight, 1]
        return costs[np.argmax(scores, axis=1), y].sum()

    assert last_cost(weights[1]) <= min(map(last_cost, grid)) + 1e-9


def settle(points, below, above, start=0.0, **how):
    settings = {"middle": "geometric", "ties": "first", **how}
    arrays = (np.array(values, dtype=float) for values in (points, below, above))
    return best_value(*arrays, start, (-10.0, 10.0), **settings)


def test_an_interval_is_stood_for_by_the_chosen_mean_on_either_side_of_zero():
    points = [-4.0, -1.0, 1.0, 4.0]
    assert settle(points, [1, 0, 0, 0], [0, 1, 1, 1]) == -2
    assert settle(points, [1, 1, 1, 0], [0, 0, 0, 1]) == 2
    assert settle(points, [1, 1, 1, 0], [0, 0, 0, 1], middle="arithmetic") == 2.5
    assert settle(points, [1, 1, 0, 0], [0, 0, 1, 1]) == 0
    assert settle(points, [1, 1, 1, 1], [0, 0, 0, 0]) == 10
    assert settle(points, [0, 0, 0, 0], [1, 1, 1, 1]) == -10


def test_equally_good_intervals_are_told_apart_by_the_rule_for_ties():
    points = [1.0, 4.0, 6.25, 9.0]
    below = [1, 0, 1, 0]
    above = [0, 1, 0, 1]
    assert settle(points, below, above) == 2
    assert settle(points, below, above, ties="least") == 2
    assert settle(points, below, above, start=20.0, ties="least") == 7.5
    assert settle(points, below, above, start=20.0) == 2


def test_points_that_rounding_tells_apart_are_one():
    points = [1.0, 1.0 + 1e-15, 4.0]
    # Between the first two a row of each kind would be right.
    assert settle(points, [2, 0, 0], [0, 2, 1], start=3.0) == -10
    assert settle([1.0, 2.0, 4.0], [2, 0, 0], [0, 2, 1], start=3.0) == pytest.approx(2**0.5)


def test_naive_bayes_is_scikit_learns_with_counts_as_weights():
    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(80, 4))
    y = rng.integers(3, size=80)
    indicators = np.hstack([column[:, None] == np.arange(3) for column in X.T]).astype(float)
    weights = rng.integers(3, size=(5, 80))
    ours = NaiveBayes(indicators, np.repeat(np.arange(4), 3)).probabilities(by_class(weights, y))
    for row, probabilities in zip(weights, ours, strict=True):
        peer = CategoricalNB(min_categories=3).fit(X, y, sample_weight=row)
        assert np.allclose(probabilities, peer.predict_proba(X), atol=1e-12)


def test_naive_bayes_leaves_out_values_without_an_indicator():
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(40, 2))
    y = rng.integers(2, size=40)
    indicators = np.hstack([column[:, None] == np.arange(2) for column in X.T]).astype(float)
    indicators[:10, 2:] = 0
    learner = NaiveBayes(indicators, np.array([0, 0, 1, 1]))
    probabilities = learner.probabilities(by_class(np.ones((1, 40)), y))[0]
    alone = CategoricalNB(min_categories=2).fit(X[:, :1], y)
    assert np.allclose(probabilities[:10], alone.predict_proba(X[:10, :1]))


def test_qda_is_bayes_rule_on_normals_where_nothing_needs_regularising():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(3, size=(3, 150))
    ours = QDA(X).probabilities(by_class(weights, y))
    for row, probabilities in zip(weights, ours, strict=True):
        kept = np.repeat(np.arange(150), row)
        densities = []
        for k in range(3):
            # The print's covariances are those of maximum likelihood.
            given = X[kept][y[kept] == k]
            normal = multivariate_normal(given.mean(axis=0), np.cov(given.T, bias=True))
            densities.append(len(given) * normal.pdf(X))
        densities = np.transpose(densities)
        shares = densities / densities.sum(axis=1, keepdims=True)
        assert np.allclose(probabilities, shares, atol=1e-8)


@pytest.mark.parametrize("path", ["equal", "identity", "least"])
def test_covariances_take_the_first_step_that_is_well_conditioned(path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 4)) * [1.0, 1e-4, 1.0, 10.0]
    X[:, 2] = X[:, 0]
    y = np.repeat([0, 1, 2], 20)
    learner = QDA(X, path)
    means, values, vectors = learner.covariances(by_class(np.ones((1, 60)), y))
    spreads = np.array([np.cov(X[y == k].T, bias=True) for k in range(3)])
    pooled = spreads.mean(axis=0)
    for k in range(3):
        for gamma, lambda_ in learner.steps():
            mixed = (1 - gamma - lambda_) * spreads[k] + lambda_ * pooled
            mixed += gamma * np.trace(spreads[k]) / 4 * np.eye(4)
            if np.linalg.cond(mixed) < CONDITION:
                break
        assert gamma > 0
        ours = vectors[0, k] @ np.diag(values[0, k]) @ vectors[0, k].T
        assert np.allclose(ours, mixed, rtol=1e-6, atol=1e-9)
        assert np.allclose(means[0, k] + X.mean(axis=0), X[y == k].mean(axis=0))


def test_classes_of_few_rows_have_probabilities_all_the_same():
    X = np.random.default_rng(3).normal(size=(30, 3))
    y = np.repeat([0, 1, 2], [20, 9, 1])
    weights = np.ones((2, 30))
    weights[1, 29] = 0
    probabilities = QDA(X).probabilities(by_class(weights, y))
    assert np.allclose(probabilities.sum(axis=2), 1)
    assert not probabilities[1, :, 2].any()


def test_the_classifier_keeps_scikit_learns_contract():
    # What costs least is not always the likeliest class, and that check asks for.
    other = {"check_classifiers_train": "assignments are by cost"}
    check_estimator(PartitionMatrixClassifier(cv=2), expected_failed_checks=other, on_fail="raise")


def test_the_classifier_learns_from_rows_that_its_models_had_not_seen():
    X, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    costs = np.array([[0, 1, 5], [2, 0, 9], [1, 1, 0]])
    model = PartitionMatrixClassifier(cost_matrix=costs, cv=5).fit(X, names)
    seen = np.empty((150, 3))
    for train, test in StratifiedKFold(5).split(X, y):
        seen[test] = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])
    expected = learn_partition(seen, y, costs.astype(float))
    assert np.allclose(model.partition_matrix_, expected)
    labels = np.argmin(GaussianNB().fit(X, y).predict_proba(X) @ expected.T, axis=1)
    assert (confusion_matrix(y, labels) == confusion_matrix(names, model.predict(X))).all()


def test_mistakes_of_a_user_are_named():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="family 'paralel' is none of parallel"):
        PartitionMatrixClassifier(family="paralel").fit(X, y)
    with pytest.raises(ValueError, match=r"shape \(2, 2\), and y 3 classes"):
        PartitionMatrixClassifier(cost_matrix=np.eye(2)).fit(X, y)
    with pytest.raises(ValueError, match="costs less than any other of its column"):
        PartitionMatrixClassifier(cost_matrix=np.eye(3)).fit(X, y)
    with pytest.raises(ValueError, match="y holds one class"):
        PartitionMatrixClassifier().fit(X, np.zeros(150))
