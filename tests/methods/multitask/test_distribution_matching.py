"""Distribution matching: the identity behind it, its limits, and how it treats its arguments."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods import (
    CovariateShiftMatching,
    DistributionMatching,
    PooledLogistic,
    SeparateLogistic,
    drug_indicator_kernel,
    mutation_table_kernel,
    resampling_weights,
)

TIGHT = 1e-9


def equal_tasks(tasks, others):
    """Task kernel of tasks that are all alike."""
    return np.ones((len(tasks), len(others)))


def data(seed=0, *, n=80, d=4, n_tasks=5):
    """Tasks of unequal sizes with coefficients of their own; each has examples of both labels."""
    rng = np.random.default_rng(seed)
    task = np.concatenate([np.arange(n_tasks)] * 4 + [rng.integers(n_tasks, size=n - 4 * n_tasks)])
    X = rng.normal(size=(n, d))
    y = np.where(np.sum(X * rng.normal(size=(n_tasks, d))[task], axis=1) > 0, 1, -1)
    y[: 2 * n_tasks] = np.repeat([-1, 1], n_tasks)
    return X, y, task


fractions = st.integers(1, 9).map(Fraction)


@given(
    joint=st.integers(2, 4).flatmap(
        lambda n_tasks: st.lists(
            st.lists(fractions, min_size=n_tasks, max_size=n_tasks), min_size=2, max_size=8
        )
    ),
    data=st.data(),
)
def test_weighting_the_pool_gives_the_expected_loss_of_the_task_exactly(joint, data):
    """Eqs. 1-8 on discrete (x, y): rational numbers, so that equality is equality."""
    n_values = len(joint)
    n_tasks = len(joint[0])
    joint = np.array(joint, dtype=object)
    joint /= joint.sum()
    loss = np.array(
        data.draw(st.lists(fractions, min_size=n_values, max_size=n_values)), dtype=object
    )
    pool = joint.sum(axis=1)
    prior = joint.sum(axis=0)
    weights = resampling_weights(joint / pool[:, None], prior)
    for t in range(n_tasks):
        assert (pool * weights[t] * loss).sum() == (joint[:, t] / prior[t] * loss).sum()


def test_weights_equal_a_multinomial_logistic_regression_for_each_label():
    X, y, task = data()
    model = DistributionMatching("linear", sigma_v=1.5, dirichlet=0, tol=TIGHT)
    model.fit(X, y, task=task)
    prior = np.bincount(task) / len(task)
    peer = LogisticRegression(C=1.5**2, fit_intercept=False, tol=1e-10, max_iter=10_000)
    for label in (-1, 1):
        own = y == label
        posterior = peer.fit(X[own], task[own]).predict_proba(X[own])
        position = [model.tasks_.index(t) for t in peer.classes_]
        weights = model.resampling_weights_[position][:, own]
        np.testing.assert_allclose(weights, (posterior / prior).T, atol=1e-5 / prior.min())


def test_label_blind_weights_equal_one_multinomial_logistic_regression():
    X, y, task = data()
    model = CovariateShiftMatching("linear", sigma_v=1.5, dirichlet=0, tol=TIGHT)
    model.fit(X, y, task=task)
    prior = np.bincount(task) / len(task)
    peer = LogisticRegression(C=1.5**2, fit_intercept=False, tol=1e-10, max_iter=10_000)
    posterior = peer.fit(X, task).predict_proba(X)
    np.testing.assert_allclose(
        model.resampling_weights_, (posterior / prior).T, atol=1e-5 / prior.min()
    )


def test_weights_do_not_depend_on_labels_where_they_are_ignored():
    X, y, task = data()
    fit = CovariateShiftMatching().fit
    weights = fit(X, y, task=task).resampling_weights_
    np.testing.assert_array_equal(fit(X, -y, task=task).resampling_weights_, weights)


def test_one_task_is_plain_kernel_logistic_regression():
    X, y, _ = data()
    same = np.zeros(len(X), dtype=int)
    model = DistributionMatching(sigma_w=2.0, gamma=0.3, tol=TIGHT).fit(X, y, task=same)
    features = np.linalg.cholesky(rbf_kernel(X, gamma=0.3) + 1e-12 * np.eye(len(X)))
    peer = LogisticRegression(C=4.0, fit_intercept=False, tol=1e-12, max_iter=10_000)
    expected = peer.fit(features, y).decision_function(features)
    # the peer's stopping, and the jitter of its features
    np.testing.assert_allclose(model.decision_function(X, task=same), expected, atol=1e-5)


def test_narrow_prior_of_the_softmax_gives_the_pooled_model():
    X, y, task = data()
    model = DistributionMatching(sigma_v=1e-4, sigma_w=1.3, tol=TIGHT).fit(X, y, task=task)
    constant = 1 / (5 * model.task_prior_)
    # weights differ from their limit by the order of sigma_v^2
    np.testing.assert_allclose(
        model.resampling_weights_, np.broadcast_to(constant[:, None], (5, len(X))), rtol=1e-6
    )
    for t, weight in zip(model.tasks_, constant, strict=True):
        pooled = PooledLogistic(sigma_w=1.3 * np.sqrt(weight), tol=TIGHT).fit(X, y, task=task)
        same = np.full(len(X), t)
        np.testing.assert_allclose(
            model.decision_function(X, task=same), pooled.decision_function(X, task=same), atol=1e-5
        )


def test_wide_prior_of_the_softmax_approaches_separate_models_where_tasks_are_separable():
    rng = np.random.default_rng(0)
    task = np.repeat([0, 1, 2], 12)
    # inputs of different tasks have nothing in common
    X = rng.normal(size=(36, 2)) + 20 * np.eye(3)[task][:, :2]
    y = np.where(rng.random(36) < 0.5, 1, -1)
    separate = [
        SeparateLogistic(sigma_w=np.sqrt(3), gamma=0.1, tol=TIGHT)
        .fit(X, y, task=task)
        .decision_function(X, task=task)
    ]
    gaps = []
    for sigma_v in (1.0, 10.0, 100.0, 1000.0):
        model = DistributionMatching(sigma_v=sigma_v, dirichlet=0, sigma_w=1.0, gamma=0.1)
        model.fit(X, y, task=task)
        gaps.append(np.abs(model.decision_function(X, task=task) - separate).max())
    assert np.all(np.diff(gaps) < 0)
    # misses of the soft-max shrink about as 1 / sigma_v^2, up to a logarithm
    assert gaps[-1] < 1e-3


def test_model_of_a_task_without_examples_is_that_of_the_only_task_it_resembles():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    task = np.repeat(["3TC+AZT", "EFV"], 30)
    y = np.where(X[:, 0] * np.where(task == "EFV", -1, 1) > 0, 1, -1)
    model = DistributionMatching("linear", sigma_v=3.0, rho=0.99, task_kernel=drug_indicator_kernel)
    model.fit(X, y, task=task, tasks=["EFV+NVP", "AZT+DDI"])
    assert model.tasks_ == ["3TC+AZT", "EFV", "EFV+NVP", "AZT+DDI"]
    assert model.predict([[2.0, 0.0], [2.0, 0.0]], task=["EFV+NVP", "AZT+DDI"]).tolist() == [-1, 1]


def test_tasks_without_examples_are_alike_without_task_kernel():
    X, y, task = data()
    model = DistributionMatching().fit(X, y, task=task, tasks=["new", "newer"])
    np.testing.assert_array_equal(model.resampling_weights_[-1], model.resampling_weights_[-2])


def test_each_label_is_weighed_by_itself():
    """Eq. 10: examples of one label do not touch the posterior of the other's."""
    X, y, task = data()
    moved = np.where((y == 1)[:, None], X, X + np.random.default_rng(1).normal(size=X.shape))
    weights = DistributionMatching().fit(X, y, task=task).resampling_weights_
    other = DistributionMatching().fit(moved, y, task=task).resampling_weights_
    np.testing.assert_array_equal(weights[:, y == 1], other[:, y == 1])
    assert not np.allclose(weights[:, y == -1], other[:, y == -1])


@given(seed=st.integers(0, 1000))
@settings(max_examples=10)
def test_order_of_examples_does_not_matter(seed):
    X, y, task = data(n=40)
    order = np.random.default_rng(seed).permutation(40)
    fit = clone(DistributionMatching(tol=TIGHT)).fit
    expected = fit(X, y, task=task).decision_function(X, task=task)
    shuffled = fit(X[order], y[order], task=task[order]).decision_function(X, task=task)
    np.testing.assert_allclose(shuffled, expected, atol=1e-7)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("options", [{}, {"cross_fit": 3, "random_state": 0}])
def test_precomputed_and_callable_kernels_equal_the_named_one(kernel, options):
    X, y, task = data()
    named = DistributionMatching(kernel, gamma=0.25, tol=TIGHT, **options).fit(X, y, task=task)
    expected = named.decision_function(X[:9], task=task[:9])
    gram = rbf_kernel(X, gamma=0.25) if kernel == "rbf" else X @ X.T
    given_gram = DistributionMatching("precomputed", tol=TIGHT, **options).fit(gram, y, task=task)
    function = partial(rbf_kernel, gamma=0.25) if kernel == "rbf" else lambda a, b: a @ b.T
    given_function = DistributionMatching(function, tol=TIGHT, **options).fit(X, y, task=task)
    for model, inputs in ((given_gram, gram[:9]), (given_function, X[:9])):
        np.testing.assert_allclose(
            model.decision_function(inputs, task=task[:9]), expected, atol=1e-7
        )


def test_coefficients_of_a_linear_kernel_give_the_decisions():
    X, y, task = data()
    model = DistributionMatching("linear").fit(X, y, task=task)
    position = [model.tasks_.index(t) for t in task]
    np.testing.assert_allclose(
        np.sum(X * model.coef_[position], axis=1), model.decision_function(X, task=task)
    )


def test_one_kernel_width_for_both_models_unless_told_otherwise():
    X, y, task = data()
    weights = [
        DistributionMatching(gamma=gamma, softmax_gamma=own)
        .fit(X, y, task=task)
        .resampling_weights_
        for gamma, own in [(0.5, None), (0.1, 0.5), (0.1, None)]
    ]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert not np.allclose(weights[0], weights[2])


def test_weights_are_cut_at_the_largest_allowed_one():
    X, y, task = data()
    free = DistributionMatching(sigma_v=5).fit(X, y, task=task).resampling_weights_
    cut = DistributionMatching(sigma_v=5, max_weight=2).fit(X, y, task=task).resampling_weights_
    assert free.max() > 2
    np.testing.assert_array_equal(cut, np.minimum(free, 2))


def test_cross_fitted_weights_do_not_know_the_task_of_the_example():
    """Changing one example's task changes its own weights by the class prior alone."""
    X, y, task = data()
    other = task.copy()
    other[0] = (task[0] + 1) % 5
    posterior = []
    for labels in (task, other):
        model = DistributionMatching(sigma_v=3, cross_fit=4, random_state=0)
        model.fit(X, y, task=labels, tasks=range(5))
        order = [model.tasks_.index(t) for t in range(5)]
        posterior.append((model.resampling_weights_ * model.task_prior_[:, None])[order, 0])
    np.testing.assert_allclose(posterior[0], posterior[1], atol=1e-5)


def test_probabilities_are_the_logistic_function_of_the_decision():
    X, y, task = data()
    model = DistributionMatching().fit(X, y, task=task)
    probability = model.predict_proba(X, task=task)
    np.testing.assert_allclose(
        np.log(probability[:, 1] / probability[:, 0]), model.decision_function(X, task=task)
    )


def test_labels_of_any_kind_are_accepted():
    X, y, task = data()
    words = np.where(y == 1, "success", "failure")
    combinations = [("AZT", int(t)) for t in task]
    model = DistributionMatching().fit(X, words, task=combinations)
    expected = DistributionMatching().fit(X, y, task=task).predict(X, task=task)
    predicted = model.predict(X, task=combinations)
    np.testing.assert_array_equal(predicted == "success", expected == 1)


def test_mutation_table_is_a_task_kernel():
    X, y, task = data()
    names = np.array(["3TC", "AZT", "3TC+AZT", "EFV", "EFV+3TC"])[task]
    table = {"3TC": ["M184V"], "AZT": ["M41L", "K70R"], "EFV": ["K103N"]}
    kernel = partial(mutation_table_kernel, table=table)
    model = DistributionMatching(task_kernel=kernel).fit(X, y, task=names)
    assert model.resampling_weights_.shape == (5, len(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sigma_v": 0}, "sigma_v must be a number above 0"),
        ({"sigma_w": -1}, "sigma_w must be a number above 0"),
        ({"dirichlet": -1}, "dirichlet must be a number of at least 0"),
        ({"rho": 1.0}, "rho must be below 1"),
        ({"rho": -0.1}, "rho must be a number of at least 0"),
        ({"tol": 0}, "tol must be a number above 0"),
        ({"max_iter": 0}, "max_iter must be a whole number"),
        ({"max_weight": 0}, "max_weight must be a number above 0"),
        ({"cross_fit": 1}, "cross_fit must be None or a whole number of at least 2"),
        ({"kernel": "rfb"}, "unknown kernel 'rfb'; did you mean 'rbf'"),
        ({"kernel": "precomputed"}, "must be square to fit"),
        ({"kernel": lambda a, b: a}, "the kernel gave an array of shape"),
        ({"task_kernel": "drugs"}, "task_kernel must be a function"),
        ({"task_kernel": lambda a, b: np.eye(2)}, "gave an array of shape"),
        ({"task_kernel": lambda a, b: 2 * np.eye(5)}, "similarities from 0 to 1, found 2"),
        ({"task_kernel": lambda a, b: np.tri(5)}, "must be symmetric"),
    ],
)
def test_wrong_parameters_are_refused(change, message):
    X, y, task = data()
    with pytest.raises(ValueError, match=message):
        DistributionMatching(**change).fit(X, y, task=task)


def test_unknown_tasks_are_refused_with_the_cure():
    X, y, task = data()
    model = DistributionMatching().fit(X, y, task=task)
    with pytest.raises(ValueError, match="no model for task 99: name tasks without examples"):
        model.predict(X[:1], task=[99])


def test_a_task_without_examples_needs_a_dirichlet_prior():
    X, y, task = data()
    with pytest.raises(ValueError, match="set dirichlet above 0"):
        DistributionMatching(dirichlet=0).fit(X, y, task=task, tasks=["new"])


def test_one_class_is_refused():
    X, _, task = data()
    with pytest.raises(ValueError, match="two classes, found 1"):
        DistributionMatching().fit(X, np.ones(len(X)), task=task)


def test_prediction_needs_a_fit():
    with pytest.raises(NotFittedError):
        DistributionMatching().predict([[0.0]], task=[0])


def test_equal_tasks_share_more_the_larger_rho_is():
    """With all tasks alike and rho near 1, no task's weights stand out."""
    X, y, task = data()
    spreads = []
    for rho in (0.0, 0.5, 0.99):
        model = DistributionMatching(rho=rho, task_kernel=equal_tasks, dirichlet=0)
        model.fit(X, y, task=task)
        spreads.append(np.std(model.resampling_weights_ * model.task_prior_[:, None]))
    assert spreads[0] > spreads[1] > spreads[2]
