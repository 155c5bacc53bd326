"""Weighted kernel logistic regression, many at once, against peers and its own optimality."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods.multitask.base import LinearGram
from icml2008.methods.multitask.logistic import WeightedLogistic, weighted_logistic

TIGHT = 1e-9


def problem(seed, *, n=40, d=4, n_models=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    sign = np.where(X[:, 0] + rng.logistic(size=n) > 0, 1.0, -1.0)
    return X, sign, rng.exponential(size=(n, n_models)) * rng.integers(2, size=(n, n_models))


@pytest.mark.parametrize("sigma", [0.2, 1.0, 10.0])
def test_each_model_equals_weighted_logistic_regression(sigma):
    X, sign, weights = problem(0)
    dual = weighted_logistic(LinearGram(X), sign, weights, sigma, tol=TIGHT)
    peer = LogisticRegression(C=sigma**2, fit_intercept=False, tol=1e-12, max_iter=10_000)
    for model, weight in zip(dual.T, weights.T, strict=True):
        expected = peer.fit(X, sign, sample_weight=weight).coef_.ravel()
        # L-BFGS of the peer stops near 1e-6
        np.testing.assert_allclose(X.T @ model, expected, rtol=1e-4, atol=1e-5)


@given(seed=st.integers(0, 10_000), log_sigma=st.floats(-3, 3))
@settings(max_examples=30)
def test_dual_coefficients_are_weighted_misses(seed, log_sigma):
    """Optimality: c_i = sigma^2 r_i y_i p(wrong label | x_i)."""
    X, sign, weights = problem(seed, n=15)
    gram = rbf_kernel(X)
    variance = np.exp(log_sigma) ** 2
    dual = weighted_logistic(gram, sign, weights, np.sqrt(variance), tol=1e-9)
    misses = weights * sign[:, None] * expit(-sign[:, None] * (gram @ dual))
    # coefficients are known less well than log-odds where the kernel is nearly singular
    np.testing.assert_allclose(dual / variance, misses, atol=1e-4)


def test_models_fitted_together_equal_models_fitted_alone():
    X, sign, weights = problem(3, n_models=20)
    weights *= np.logspace(-3, 3, 20)
    gram = rbf_kernel(X)
    together = weighted_logistic(gram, sign, weights, 2.0, tol=TIGHT)
    for i in range(20):
        alone = weighted_logistic(gram, sign, weights[:, [i]], 2.0, tol=TIGHT)
        np.testing.assert_allclose(gram @ together[:, [i]], gram @ alone, atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_result_does_not_depend_on_the_start(seed):
    X, sign, weights = problem(seed)
    gram = rbf_kernel(X)
    start = 10 * np.random.default_rng(seed).normal(size=(40, 1))
    cold = weighted_logistic(gram, sign, weights, 1.0, tol=TIGHT)
    warm = weighted_logistic(gram, sign, weights, 1.0, start=start, tol=TIGHT)
    np.testing.assert_allclose(gram @ warm, gram @ cold, atol=1e-7)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_a_weight_of_two_is_an_example_twice(seed):
    X, sign, _ = problem(seed, n=10)
    double = weighted_logistic(LinearGram(X), sign, np.full((10, 1), 2.0), 1.0, tol=TIGHT)
    twice = weighted_logistic(
        LinearGram(np.vstack([X, X])), np.tile(sign, 2), np.ones((20, 1)), 1.0, tol=TIGHT
    )
    np.testing.assert_allclose(X.T @ double, np.vstack([X, X]).T @ twice, atol=1e-7)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_gradient_and_curvature_are_the_derivatives_of_the_loss(seed):
    rng = np.random.default_rng(seed)
    F, move = rng.normal(size=(2, 5, 3))
    sign = rng.choice([-1.0, 1.0], size=5)
    loss = WeightedLogistic(np.eye(5), sign, rng.exponential(size=(5, 3)))
    residual, curvature = loss.derivatives(F)
    up = F + 1e-5 * move
    down = F - 1e-5 * move
    # central differences with step 1e-5: errors of order 1e-10, and rounding of 1e-11
    slope = (loss.loss(up) - loss.loss(down)) / 2e-5
    np.testing.assert_allclose(-(residual * move).sum(axis=0)[None], slope, atol=1e-8)
    change = loss.derivatives(down)[0] - loss.derivatives(up)[0]
    np.testing.assert_allclose(curvature(move), change / 2e-5, atol=1e-8)


def test_objective_is_within_half_the_squared_tolerance():
    X, sign, weights = problem(5)
    gram = rbf_kernel(X)

    def objective(dual):
        loss = WeightedLogistic(gram, sign, weights).loss(gram @ dual)
        return loss + np.sum(dual * (gram @ dual), axis=0) / 2

    best = objective(weighted_logistic(gram, sign, weights, 1.0, tol=1e-10))
    for tol in (1e-1, 1e-2, 1e-3):
        rough = objective(weighted_logistic(gram, sign, weights, 1.0, tol=tol))
        # rounding of sums of forty terms
        assert (rough - best <= tol**2 / 2 + 1e-12).all()


def test_stopping_early_warns():
    X, sign, weights = problem(6)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        weighted_logistic(rbf_kernel(X), sign, weights, 100.0, max_iter=1)
