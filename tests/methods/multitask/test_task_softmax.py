"""The soft-max over tasks against closed forms, general solvers and a peer."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.special import logsumexp, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods.multitask.base import LinearGram
from icml2008.methods.multitask.softmax import TaskSoftmax, task_posterior
from icml2008.methods.multitask.tasks import task_covariance

# tol bounds the error of log-odds by tol * sigma * sqrt(k(x, x)); sigma and k are of order one
TIGHT = 1e-9

# cvxpy's propagation of bounds multiplies infinities by zeros
pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning:cvxpy")


def problem(seed, *, n=30, d=3, n_tasks=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    target = np.append(np.arange(n_tasks), rng.integers(n_tasks, size=n - n_tasks))
    return X, target


def covariance_of(seed, n_tasks, rho=0.6, sigma=1.5):
    """Covariance from random similarities with a unit diagonal."""
    points = np.random.default_rng(seed).normal(size=(n_tasks, 2))
    return task_covariance(range(n_tasks), lambda a, b: rbf_kernel(points), sigma, rho)


def primal_posterior(X, target, covariance):
    """Maximise Optimization Problem 1 over v itself, with a quasi-Newton method."""
    precision = np.linalg.inv(covariance)
    shape = (X.shape[1], len(covariance))

    def objective(v):
        V = v.reshape(shape)
        scores = X @ V
        value = logsumexp(scores, axis=1).sum() - scores[np.arange(len(X)), target].sum()
        miss = softmax(scores, axis=1)
        miss[np.arange(len(X)), target] -= 1
        return value + np.trace(V @ precision @ V.T) / 2, (X.T @ miss + V @ precision).ravel()

    options = {"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-10}
    best = minimize(
        objective, np.zeros(np.prod(shape)), jac=True, method="L-BFGS-B", options=options
    )
    return softmax(X @ best.x.reshape(shape), axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_dual_form_equals_the_primal_with_a_linear_kernel(seed):
    X, target = problem(seed)
    covariance = covariance_of(seed, 4)
    posterior, _ = task_posterior(X @ X.T, target, covariance, tol=TIGHT)
    # L-BFGS on the primal stops at gradients near 1e-6
    np.testing.assert_allclose(posterior, primal_posterior(X, target, covariance), atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_product_form_of_the_linear_kernel_equals_its_gram_matrix(seed):
    X, target = problem(seed)
    covariance = covariance_of(seed, 4)
    dense, _ = task_posterior(X @ X.T, target, covariance, tol=TIGHT)
    factored, _ = task_posterior(LinearGram(X), target, covariance, tol=TIGHT)
    np.testing.assert_allclose(factored, dense, atol=1e-7)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_independent_tasks_give_multinomial_logistic_regression(sigma):
    X, target = problem(1, n=60)
    posterior, _ = task_posterior(X @ X.T, target, np.full(4, sigma**2), tol=TIGHT)
    peer = LogisticRegression(C=sigma**2, fit_intercept=False, tol=1e-10, max_iter=10_000)
    np.testing.assert_allclose(posterior, peer.fit(X, target).predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("rho", [0.0, 0.8])
@pytest.mark.parametrize("seed", range(3))
def test_two_tasks_with_a_kernel_reach_the_optimum_of_a_general_solver(seed, rho):
    X, target = problem(seed, n=14, n_tasks=2)
    gram = rbf_kernel(X, gamma=0.5)
    covariance = 4.0 * np.array([[1.0, rho], [rho, 1.0]])
    # v in the features of the Gram matrix and of the covariance, where the prior is spherical
    features = np.linalg.cholesky(gram)
    roots = np.linalg.cholesky(covariance)
    V = cvxpy.Variable((14, 2))
    scores = features @ V @ roots.T
    own = cvxpy.sum(cvxpy.multiply(np.eye(2)[target], scores))
    loss = cvxpy.sum(cvxpy.log_sum_exp(scores, axis=1)) - own + cvxpy.sum_squares(V) / 2
    best = cvxpy.Problem(cvxpy.Minimize(loss))
    best.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)

    posterior, coefficients = task_posterior(gram, target, covariance, tol=TIGHT)
    dual = coefficients @ np.linalg.inv(covariance)
    penalty = np.sum(dual * (gram @ coefficients)) / 2
    value = penalty - np.log(posterior[np.arange(14), target]).sum()
    assert value == pytest.approx(best.value, abs=1e-6)
    np.testing.assert_allclose(posterior, softmax(scores.value, axis=1), atol=1e-5)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_gradient_and_curvature_are_the_derivatives_of_the_loss(seed):
    rng = np.random.default_rng(seed)
    F, move = rng.normal(size=(2, 5, 3))
    loss = TaskSoftmax(np.eye(5), rng.integers(3, size=5), np.ones(3), rng.normal(size=3))
    residual, curvature = loss.derivatives(F)
    numeric = approx_fprime(F.ravel(), lambda f: loss.loss(f.reshape(5, 3)).item(), 1e-6)
    # forward differences with step 1e-6 of a function with second derivatives of order one
    np.testing.assert_allclose(-residual.ravel(), numeric, atol=1e-5)
    change = loss.derivatives(F - 1e-5 * move)[0] - loss.derivatives(F + 1e-5 * move)[0]
    np.testing.assert_allclose(curvature(move), change / 2e-5, atol=1e-8)


@given(seed=st.integers(0, 10_000), log_sigma=st.floats(-3, 3))
@settings(max_examples=30)
def test_dual_coefficients_are_the_misses_of_the_posterior(seed, log_sigma):
    """Optimality: with independent tasks, coefficients are sigma^2 (indicator - posterior)."""
    X, target = problem(seed, n=12)
    variance = np.exp(log_sigma) ** 2
    posterior, coefficients = task_posterior(rbf_kernel(X), target, np.full(4, variance), tol=1e-8)
    # the kernel is positive definite, but coefficients are known less well than log-odds
    np.testing.assert_allclose(coefficients / variance, np.eye(4)[target] - posterior, atol=1e-4)


@pytest.mark.parametrize("n_empty", [1, 3, 50])
def test_merging_empty_tasks_changes_nothing(n_empty):
    X, target = problem(2)
    gram = rbf_kernel(X)
    n_tasks = 4 + n_empty
    merged, _ = task_posterior(gram, target, np.full(n_tasks, 2.0), tol=TIGHT)
    # a full covariance matrix is not merged
    apart, _ = task_posterior(gram, target, 2.0 * np.eye(n_tasks), tol=TIGHT)
    np.testing.assert_allclose(merged, apart, atol=1e-7)


def test_an_empty_task_takes_after_the_task_that_it_resembles():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    target = np.array([0, 0, 1, 1])
    correlation = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.9], [0.0, 0.9, 1.0]])
    posterior, _ = task_posterior(X @ X.T, target, correlation)
    assert (posterior[2:, 2] > 2 * posterior[:2, 2]).all()


def test_posterior_of_new_examples_agrees_with_that_of_the_same_training_examples():
    X, target = problem(3)
    gram = rbf_kernel(X)
    covariance = covariance_of(3, 6)
    posterior, _ = task_posterior(gram, target, covariance)
    again, _ = task_posterior(gram, target, covariance, cross=gram[:7])
    np.testing.assert_allclose(again, posterior[:7], atol=1e-12)


def test_one_task_is_certain():
    X, _ = problem(0)
    posterior, coefficients = task_posterior(X @ X.T, np.zeros(30, dtype=int), np.ones(1))
    assert (posterior == 1).all()
    assert not coefficients.any()
