"""The multi-task Gaussian process against densities, numerical maxima and a peer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, norm
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods import MultiTaskGaussianProcess
from icml2008.methods.multitask.common_prior import (
    CommonPrior,
    infer_tasks,
    log_belief,
    update_prior,
)

STARTS = np.array([0, 4, 5, 9])


def problem(seed, *, n=14, d=3):
    """Examples of four tasks, sorted by task, and a common prior."""
    rng = np.random.default_rng(seed)
    root = np.tri(d) * rng.normal(size=(d, d)) + np.eye(d)
    prior = CommonPrior(rng.normal(size=d), root @ root.T, rng.uniform(0.1, 2))
    return rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n), prior


def data(seed=0, *, n=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    task = rng.integers(4, size=n)
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1, -1), task


@pytest.mark.parametrize("seed", range(5))
def test_likelihood_is_that_of_the_joint_normal_density(seed):
    features, y, prior = problem(seed)
    expected = 0.0
    for rows in np.split(np.arange(14), STARTS[1:]):
        F = features[rows]
        covariance = F @ prior.covariance @ F.T + prior.noise * np.eye(len(rows))
        expected += multivariate_normal(F @ prior.mean, covariance).logpdf(y[rows])
    likelihood = infer_tasks(features, y, STARTS, prior).log_likelihood
    assert likelihood == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_posterior_is_that_of_bayesian_linear_regression(seed):
    features, y, prior = problem(seed)
    posterior = infer_tasks(features, y, STARTS, prior)
    squares = 0.0
    for i, rows in enumerate(np.split(np.arange(14), STARTS[1:])):
        F = features[rows]
        inverse = np.linalg.inv(prior.covariance)
        covariance = np.linalg.inv(inverse + F.T @ F / prior.noise)
        mean = covariance @ (inverse @ prior.mean + F.T @ y[rows] / prior.noise)
        np.testing.assert_allclose(posterior.shift[i] + prior.mean, mean, rtol=1e-8)
        reduced = prior.covariance - posterior.factor[rows].T @ posterior.factor[rows]
        np.testing.assert_allclose(reduced, covariance, rtol=1e-7, atol=1e-10)
        squares += np.sum((y[rows] - F @ mean) ** 2) + np.trace(F @ covariance @ F.T)
    assert posterior.noise == pytest.approx(squares / 14, rel=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_a_fixed_point_of_em_is_a_stationary_point_of_the_objective(seed):
    features, y, prior = problem(seed)
    for _ in range(300):
        prior = update_prior(prior, infer_tasks(features, y, STARTS, prior), 1.0, 2.0)

    def objective(packed):
        mean = packed[:3]
        root = packed[3:12].reshape(3, 3)
        noise = packed[12]
        other = CommonPrior(mean, root @ root.T, noise)
        likelihood = infer_tasks(features, y, STARTS, other).log_likelihood
        return likelihood + log_belief(other, 1.0, 2.0)

    packed = np.concatenate(
        [prior.mean, np.linalg.cholesky(prior.covariance).ravel(), [prior.noise]]
    )
    slope = approx_fprime(packed, objective, 1e-7)
    # forward differences of step 1e-7, second derivatives up to the order of 100
    np.testing.assert_allclose(slope, 0, atol=1e-4)


@given(seed=st.integers(0, 10_000), pi=st.floats(0, 5), tau=st.floats(0.1, 5))
@settings(max_examples=25)
def test_objective_never_decreases(seed, pi, tau):
    features, y, prior = problem(seed)
    path = []
    for _ in range(15):
        posterior = infer_tasks(features, y, STARTS, prior)
        path.append(posterior.log_likelihood + log_belief(prior, pi, tau))
        prior = update_prior(prior, posterior, pi, tau)
    # rounding
    assert np.all(np.diff(path) >= -1e-9 * np.abs(path[:-1]))


def test_a_firm_belief_in_the_kernel_gives_a_gaussian_process_for_each_task():
    X, y, task = data()
    model = MultiTaskGaussianProcess(
        mean_strength=1e12, covariance_strength=1e12, gamma=0.5, tol=1e-10, max_iter=1000
    ).fit(X, y, task=task)
    for t in range(4):
        # gamma = 1 / (2 length_scale^2)
        peer = GaussianProcessRegressor(RBF(1.0), alpha=model.prior_.noise, optimizer=None)
        expected = peer.fit(X[task == t], y[task == t]).predict(X)
        # the belief holds to 1e-12, the smallest eigenvalues kept are near 1e-14
        np.testing.assert_allclose(
            model.decision_function(X, task=[t] * len(X)), expected, atol=1e-4
        )


def test_variance_is_that_of_the_peer_as_well():
    X, y, task = data()
    model = MultiTaskGaussianProcess(
        mean_strength=1e12, covariance_strength=1e12, gamma=0.5, tol=1e-10, max_iter=1000
    ).fit(X, y, task=task)
    peer = GaussianProcessRegressor(RBF(1.0), alpha=model.prior_.noise, optimizer=None)
    mean, spread = peer.fit(X[task == 0], y[task == 0]).predict(X, return_std=True)
    expected = norm.cdf(mean / np.sqrt(spread**2 + model.prior_.noise))
    probabilities = model.predict_proba(X, task=[0] * len(X))[:, 1]
    np.testing.assert_allclose(probabilities, expected, atol=1e-4)


def test_a_new_task_is_predicted_by_the_common_mean():
    X, y, task = data()
    model = MultiTaskGaussianProcess("linear").fit(X, y, task=task, tasks=["listed"])
    expected = X @ model.prior_.mean
    for label in ("listed", "unheard of"):
        decisions = model.decision_function(X, task=[label] * len(X))
        np.testing.assert_allclose(decisions, expected, atol=1e-12)


def test_precomputed_kernel_equals_the_named_one():
    X, y, task = data()
    gram = rbf_kernel(X, gamma=0.5)
    named = MultiTaskGaussianProcess(gamma=0.5).fit(X, y, task=task)
    given_gram = MultiTaskGaussianProcess("precomputed").fit(gram, y, task=task)
    np.testing.assert_allclose(
        given_gram.decision_function(gram[:5], task=task[:5]),
        named.decision_function(X[:5], task=task[:5]),
    )


def test_repeated_examples_do_no_harm():
    X, y, task = data(n=20)
    X = np.tile(X, (2, 1))
    y = np.tile(y, 2)
    task = np.tile(task, 2)
    model = MultiTaskGaussianProcess(gamma=0.5).fit(X, y, task=task)
    assert np.isfinite(model.predict_proba(X, task=task)).all()


def test_order_of_examples_does_not_matter():
    X, y, task = data()
    order = np.random.default_rng(1).permutation(len(X))
    model = MultiTaskGaussianProcess(gamma=0.5)
    expected = model.fit(X, y, task=task).decision_function(X, task=task)
    shuffled = model.fit(X[order], y[order], task=task[order]).decision_function(X, task=task)
    # eigenvectors of small eigenvalues turn, their space does not
    np.testing.assert_allclose(shuffled, expected, atol=1e-5)


def test_stopping_early_warns():
    X, y, task = data()
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        MultiTaskGaussianProcess(max_iter=1, tol=0).fit(X, y, task=task)
