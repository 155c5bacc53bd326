"""Expectation maximisation for linear models of many tasks with a common, learned normal prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular

from icml2008.methods.multitask.newton import Matrix

# floor of the noise variance, for labels of -1 and 1: perfect fits would drive it to zero
_LEAST_NOISE = 1e-6


@dataclass(frozen=True)
class CommonPrior:
    """What the tasks share: parameters have the given mean and covariance, labels the given noise.

    Attributes
    ----------
    mean : ndarray of shape (n_features,)
    covariance : ndarray of shape (n_features, n_features)
    noise : float
        Variance of the labels about a task's function.
    """

    mean: Matrix
    covariance: Matrix
    noise: float


@dataclass(frozen=True)
class TaskPosterior:
    """The E step: each task's parameters given its examples and the common prior.

    Attributes
    ----------
    shift : ndarray of shape (n_tasks, n_features)
        Posterior means less the common mean.
    factor : ndarray of shape (n_examples, n_features)
        Rows R of each task, with posterior covariance ``covariance - R' R``.
    log_likelihood : float
        Sum over tasks of the log-density of their labels.
    noise : float
        Expected mean square of the residuals.
    """

    shift: Matrix
    factor: Matrix
    log_likelihood: float
    noise: float


def infer_tasks(features: Matrix, y: Matrix, starts: NDArray, prior: CommonPrior) -> TaskPosterior:
    """Take the E step for examples sorted by task.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features)
    y : ndarray of shape (n_examples,)
    starts : ndarray of int, shape (n_tasks,)
        The first example of each task, ascending from 0.
    prior : CommonPrior

    Returns
    -------
    TaskPosterior

    References
    ----------
    Yu, Tresp and Schwaighofer (2005). Learning Gaussian Processes from Multiple Tasks. ICML.

    Examples
    --------
    >>> prior = CommonPrior(np.zeros(1), np.eye(1), 1.0)
    >>> infer_tasks(np.ones((2, 1)), np.array([1.0, -1.0]), np.array([0, 1]), prior).shift
    array([[ 0.5],
           [-0.5]])
    """
    spread = features @ prior.covariance
    residual = y - features @ prior.mean
    factor = np.empty_like(spread)
    weights = np.empty_like(residual)
    log_likelihood = -0.5 * len(y) * np.log(2 * np.pi)
    inverse_trace = 0.0
    for start, stop in zip(starts, np.append(starts[1:], len(y)), strict=True):
        rows = slice(start, stop)
        marginal = spread[rows] @ features[rows].T
        marginal[np.diag_indices_from(marginal)] += prior.noise
        root = cholesky(marginal, lower=True)
        whitened = solve_triangular(root, residual[rows], lower=True)
        factor[rows] = solve_triangular(root, spread[rows], lower=True)
        weights[rows] = solve_triangular(root, whitened, lower=True, trans="T")
        log_likelihood -= 0.5 * whitened @ whitened + np.log(np.diag(root)).sum()
        inverse_trace += np.square(solve_triangular(root, np.eye(len(root)), lower=True)).sum()
    # a residual is noise times its weight, its variance noise - noise^2 (marginal^-1)_ii
    squares = prior.noise**2 * (weights @ weights - inverse_trace) + prior.noise * len(y)
    shift = np.add.reduceat(spread * weights[:, None], starts, axis=0)
    return TaskPosterior(shift, factor, float(log_likelihood), float(squares / len(y)))


def update_prior(
    prior: CommonPrior, posterior: TaskPosterior, mean_strength: float, covariance_strength: float
) -> CommonPrior:
    """Take the M step.

    Parameters
    ----------
    prior : CommonPrior
        That of the E step.
    posterior : TaskPosterior
    mean_strength, covariance_strength : float
        Number of tasks that the prior belief in a zero mean and in a unit covariance counts for.

    Returns
    -------
    CommonPrior
    """
    n_tasks = len(posterior.shift)
    mean = (n_tasks * prior.mean + posterior.shift.sum(axis=0)) / (mean_strength + n_tasks)
    deviation = posterior.shift + (prior.mean - mean)
    covariance = n_tasks * prior.covariance - posterior.factor.T @ posterior.factor
    covariance += deviation.T @ deviation + mean_strength * np.outer(mean, mean)
    covariance[np.diag_indices_from(covariance)] += covariance_strength
    covariance /= covariance_strength + n_tasks
    covariance = (covariance + covariance.T) / 2
    return CommonPrior(mean, covariance, max(posterior.noise, _LEAST_NOISE))


def log_belief(prior: CommonPrior, mean_strength: float, covariance_strength: float) -> float:
    """Return the log-density of the common prior under its hyperprior, up to a constant.

    Normal for the mean, inverse Wishart for the covariance. The normal's ``log|C| / 2`` is counted
    with the inverse Wishart's degrees of freedom, which makes the M step's divisor
    ``covariance_strength + n_tasks`` as in Yu et al. (2005).
    """
    root = cholesky(prior.covariance, lower=True)
    mean = solve_triangular(root, prior.mean, lower=True)
    inverse = solve_triangular(root, np.eye(len(root)), lower=True)
    log_determinant = 2 * np.log(np.diag(root)).sum()
    return -0.5 * float(
        mean_strength * mean @ mean
        + covariance_strength * (np.square(inverse).sum() + log_determinant)
    )
