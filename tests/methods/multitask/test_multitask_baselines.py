"""Separate, pooled and hierarchical models against peers and against one another."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods import (
    DistributionMatching,
    HierarchicalBayesLogistic,
    MultiTaskGaussianProcess,
    PooledLogistic,
    SeparateLogistic,
    drug_indicator_kernel,
)

TIGHT = 1e-9
EVERY = [
    DistributionMatching,
    HierarchicalBayesLogistic,
    MultiTaskGaussianProcess,
    PooledLogistic,
    SeparateLogistic,
]


def data(seed=0, *, n=60, d=3):
    rng = np.random.default_rng(seed)
    task = np.array(["3TC+AZT", "AZT+EFV", "NVP"])[
        np.append([0, 1, 2], rng.integers(3, size=n - 3))
    ]
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + np.where(task == "NVP", -2, 1) * X[:, 1] > 0, 1, -1)
    return X, y, task


def test_separate_models_are_logistic_regressions_of_each_task():
    X, y, task = data()
    model = SeparateLogistic("linear", sigma_w=2.0, tol=TIGHT).fit(X, y, task=task)
    peer = LogisticRegression(C=4.0, fit_intercept=False, tol=1e-12, max_iter=10_000)
    for t in model.tasks_:
        expected = peer.fit(X[task == t], y[task == t]).decision_function(X)
        np.testing.assert_allclose(
            model.decision_function(X, task=[t] * len(X)), expected, atol=1e-4
        )


def test_separate_models_know_nothing_of_a_task_without_examples():
    X, y, task = data()
    model = SeparateLogistic().fit(X, y, task=task, tasks=["listed"])
    probability = model.predict_proba(X[:2], task=["listed", "unheard of"])
    np.testing.assert_array_equal(probability, 0.5)


def test_a_constant_classifier_scores_a_half():
    X, y, task = data()
    assert SeparateLogistic().fit(X, y, task=task).score(X, y, task=["new"] * len(X)) == 0.5


def test_pooled_model_is_one_logistic_regression():
    X, y, task = data()
    model = PooledLogistic("linear", sigma_w=2.0, tol=TIGHT).fit(X, y, task=task)
    peer = LogisticRegression(C=4.0, fit_intercept=False, tol=1e-12, max_iter=10_000)
    np.testing.assert_allclose(
        model.decision_function(X, task=task), peer.fit(X, y).decision_function(X), atol=1e-4
    )


@pytest.mark.parametrize(
    ("model", "factor"),
    [
        (PooledLogistic(task_kernel=drug_indicator_kernel), lambda k, same: k + 1),
        (HierarchicalBayesLogistic(shared=0.7), lambda k, same: 0.7 + same),
        (
            HierarchicalBayesLogistic(shared=0.7, task_kernel=drug_indicator_kernel),
            lambda k, same: (0.7 + same) * k,
        ),
    ],
    ids=["pooled", "hierarchical", "hierarchical with task kernel"],
)
def test_product_kernels_are_those_of_the_paper(model, factor):
    X, y, task = data()
    new_X = X[:3] + 0.1
    new_task = ["3TC+AZT", "AZT+EFV", "3TC+EFV"]
    model.set_params(tol=TIGHT, gamma=0.2).fit(X, y, task=task)

    def pairs(left, right):
        return factor(
            drug_indicator_kernel(left, right), np.array(left)[:, None] == np.array(right)
        )

    gram = rbf_kernel(X, gamma=0.2) * pairs(list(task), list(task))
    cross = rbf_kernel(new_X, X, gamma=0.2) * pairs(new_task, list(task))
    plain = PooledLogistic("precomputed", tol=TIGHT).fit(gram, y, task=task)
    np.testing.assert_allclose(
        model.decision_function(new_X, task=new_task),
        plain.decision_function(cross, task=new_task),
        atol=1e-7,
    )


def test_nothing_shared_means_separate():
    X, y, task = data()
    separate = SeparateLogistic(tol=TIGHT).fit(X, y, task=task)
    model = HierarchicalBayesLogistic(shared=0.0, tol=TIGHT).fit(X, y, task=task)
    np.testing.assert_allclose(
        model.decision_function(X, task=task), separate.decision_function(X, task=task), atol=1e-7
    )


def test_all_shared_means_pooled():
    X, y, task = data()
    pooled = PooledLogistic(sigma_w=1.0, tol=TIGHT).fit(X, y, task=task)
    model = HierarchicalBayesLogistic(sigma_w=1e-4, shared=1e8, tol=TIGHT).fit(X, y, task=task)
    # the tasks' own parts have 1e-8 of the variance
    np.testing.assert_allclose(
        model.decision_function(X, task=task), pooled.decision_function(X, task=task), atol=1e-5
    )


@pytest.mark.parametrize("method", EVERY)
def test_every_method_has_the_same_interface(method):
    X, y, task = data()
    model = method().fit(X, y, task=task, tasks=["new"])
    labels = np.append(task[:-1], "new")
    assert set(model.predict(X, task=labels)) <= {-1, 1}
    probability = model.predict_proba(X, task=labels)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    higher = probability[:, 1] > 0.5
    np.testing.assert_array_equal(higher, model.decision_function(X, task=labels) > 0)
    assert model.score(X, y, task=task) > 0.6


@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize(
    ("task", "error", "message"),
    [
        (["a"], ValueError, "task has 1 labels, expected one for each of 60"),
        ([None] * 60, ValueError, "missing label"),
        ([float("nan")] * 60, ValueError, "missing label"),
        (np.ones((60, 2)), TypeError, "turn rows of an array into tuples"),
    ],
)
def test_malformed_task_labels_are_refused(method, task, error, message):
    X, y, _ = data()
    with pytest.raises(error, match=message):
        method().fit(X, y, task=task)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (HierarchicalBayesLogistic(shared=-1), "shared must be"),
        (HierarchicalBayesLogistic(offset=-1), "offset must be"),
        (PooledLogistic(sigma_w=0), "sigma_w must be"),
        (SeparateLogistic(sigma_w=float("inf")), "sigma_w must be"),
        (SeparateLogistic(kernel="spline"), "unknown kernel 'spline'"),
        (PooledLogistic(task_kernel=lambda a, b: np.full((3, 3), np.nan)), "not a number"),
        (MultiTaskGaussianProcess(noise=0), "noise must be"),
        (MultiTaskGaussianProcess(covariance_strength=0), "covariance_strength must be"),
        (MultiTaskGaussianProcess(mean_strength=-1), "mean_strength must be"),
    ],
)
def test_wrong_parameters_are_refused(model, message):
    X, y, task = data()
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, task=task)
