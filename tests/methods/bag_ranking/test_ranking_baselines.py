"""Ranking SVM and MI-SVM against their definitions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from icml2008.methods.bag_ranking.baselines import MISVM, RankingSVM


def random_problem(seed, *, n_boxes=5, n_features=3):
    """Boxes of two or three bags of one to three items."""
    rng = np.random.default_rng(seed)
    boxes = []
    bags = []
    y = []
    for box in range(n_boxes):
        n_bags = rng.integers(2, 4)
        preferred = rng.integers(n_bags)
        for bag in range(n_bags):
            size = rng.integers(1, 4)
            boxes += [box] * size
            bags += [bag] * size
            y += [int(bag == preferred)] * size
    order = rng.permutation(len(y))
    labels = {"boxes": np.array(boxes)[order], "bags": np.array(bags)[order]}
    return rng.normal(size=(len(y), n_features)), np.array(y)[order], labels


@pytest.mark.parametrize("seed", range(5))
def test_ranking_svm_minimises_its_objective(seed):
    X, y, labels = random_problem(seed)
    pairs = np.array(
        [
            X[i] - X[j]
            for i, j in product(np.flatnonzero(y == 1), np.flatnonzero(y == 0))
            if labels["boxes"][i] == labels["boxes"][j]
        ]
    )

    def objective(w):
        return w @ w / 2 + 2.0 * (np.maximum(0, 1 - pairs @ w) ** 2).sum()

    fitted = RankingSVM(C=2.0, tol=1e-9).fit(X, y, **labels)
    expected = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    # finite differences of BFGS limit its own accuracy
    np.testing.assert_allclose(fitted.coef_, expected.x, atol=1e-5)


def test_ranking_svm_learns_from_a_single_pair():
    """One pair at distance 2: w = 2C d / (1 + 2C |d|^2) by setting the derivative to zero."""
    fitted = RankingSVM(C=1.0, tol=1e-10).fit([[0.0], [2.0]], [0, 1], boxes=[0, 0], bags=[0, 1])
    assert fitted.coef_ == pytest.approx([4 / 9], rel=1e-6)


def test_misvm_of_single_items_is_a_support_vector_machine():
    X = np.random.default_rng(0).normal(size=(30, 2))
    labels = {"boxes": np.repeat(range(10), 3), "bags": np.tile(range(3), 10)}
    y = np.tile([0, 1, 0], 10)
    fitted = MISVM(C=3.0, kernel="rbf").fit(X, y, **labels)
    # witnesses come first in its training set
    order = np.argsort(y == 0, kind="stable")
    expected = SVC(C=3.0, kernel="rbf").fit(X[order], y[order])
    np.testing.assert_array_equal(fitted.decision_function(X), expected.decision_function(X))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_misvm_ends_with_the_best_items_as_witnesses(seed, kernel):
    X, y, labels = random_problem(seed)
    fitted = MISVM(kernel=kernel, class_weight="balanced").fit(X, y, **labels)
    scores = np.where(y == 1, fitted.decision_function(X), -np.inf)
    witnesses = [np.where(labels["boxes"] == box, scores, -np.inf).argmax() for box in range(5)]
    training = np.vstack([X[witnesses], X[y == 0]])
    classes = np.repeat([1, 0], [5, (y == 0).sum()])
    again = SVC(kernel=kernel, class_weight="balanced").fit(training, classes)
    # the order of the training items moves libsvm within its tolerance
    np.testing.assert_allclose(again.decision_function(X), fitted.decision_function(X), atol=5e-3)


def test_ranking_svm_warns_when_stopped_early():
    X, y, labels = random_problem(0)
    with pytest.warns(ConvergenceWarning, match="increase the number of iterations"):
        RankingSVM(C=1e3, tol=1e-12, max_iter=1).fit(X, y, **labels)


def test_misvm_names_the_kernels_it_knows():
    X, y, labels = random_problem(0)
    with pytest.raises(ValueError, match="'kernel' parameter .*'rbf'.*Got 'rfb' instead"):
        MISVM(kernel="rfb").fit(X, y, **labels)


def test_misvm_warns_when_stopped_early():
    X, y, labels = random_problem(0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 rounds"):
        MISVM(max_iter=1).fit(X, y, **labels)


@pytest.mark.parametrize("make", [RankingSVM, MISVM])
def test_linearly_ordered_boxes_are_ranked_right(make):
    X = np.random.default_rng(0).uniform(size=(60, 2))
    labels = {"boxes": np.repeat(range(20), 3), "bags": np.tile(range(3), 20)}
    y = (np.tile(X.sum(1).reshape(20, 3).argmax(1)[:, None], 3) == np.arange(3)).astype(int)
    fitted = make(C=100.0).fit(X, y.ravel(), **labels)
    assert fitted.score(X, y.ravel(), **labels, guesses=1) > 0.9


@pytest.mark.parametrize("make", [RankingSVM, MISVM])
def test_the_weight_of_losses_is_positive(make):
    X, y, labels = random_problem(0)
    with pytest.raises(ValueError, match="C must be a positive number, found 0"):
        make(C=0).fit(X, y, **labels)
