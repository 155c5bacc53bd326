"""The mixture with a mean and a variance for each component that Figure 4 compares with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

# exp(-40) is below the rounding of 1: shares that small change no sum.
_NEGLIGIBLE = 40.0


class Mixture(NamedTuple):
    """Where EM ended: mean log-likelihood, and the component of each sample."""

    loglik: float
    labels: np.ndarray


def spherical_mixture(
    X: np.ndarray, means: np.ndarray, *, tol: float = 1e-4, max_iter: int = 100
) -> Mixture:
    """Fit a mixture of normals of covariance sigma_k^2 I by EM.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    means : ndarray of shape (n_components, n_features)
        To begin with; weights begin equal, variances with that of the samples.
    tol : float
        Stop once a step adds less than this to the mean log-likelihood.
    max_iter : int
        Most steps.

    Returns
    -------
    Mixture
    """
    n_samples, n_features = X.shape
    squares = np.einsum("ij,ij->i", X, X)
    smallest = 1e-6 * X.var(axis=0).mean()
    variances = np.full(len(means), X.var(axis=0).mean())
    weights = np.full(len(means), 1 / len(means))
    previous = -np.inf
    for _ in range(max_iter):
        inverse = 0.5 / variances
        # log of weight and density: linear in x, |x|^2 and 1.
        constants = (
            np.log(np.maximum(weights, np.finfo(float).tiny))
            - 0.5 * n_features * np.log(2 * np.pi * variances)
            - inverse * np.einsum("ij,ij->i", means, means)
        )
        joint = X @ (2 * inverse[:, None] * means).T
        joint += constants
        score, totals, sums, of_squares, labels = _expect(joint, X, squares, inverse)
        loglik = score / n_samples
        if loglik - previous < tol:
            break
        previous = loglik
        mass = np.maximum(totals, np.finfo(float).tiny)
        # A component without samples stays as it is.
        taken = totals > 0
        means = np.where(taken[:, None], sums / mass[:, None], means)
        spread = of_squares / mass - np.einsum("ij,ij->i", means, means)
        variances = np.where(taken, np.maximum(spread / n_features, smallest), variances)
        weights = totals / n_samples
    return Mixture(loglik, labels)


@njit(cache=True)
def _expect(joint, X, squares, inverse):
    """Sum over the samples what the M-step needs, leaving out negligible shares.

    `joint` comes without the term of |x|^2 and is used up.
    """
    n_samples, n_components = joint.shape
    n_features = X.shape[1]
    totals = np.zeros(n_components)
    of_squares = np.zeros(n_components)
    sums = np.zeros((n_components, n_features))
    labels = np.empty(n_samples, dtype=np.int64)
    score = 0.0
    for i in range(n_samples):
        best = 0
        for k in range(n_components):
            joint[i, k] -= inverse[k] * squares[i]
            if joint[i, k] > joint[i, best]:
                best = k
        highest = joint[i, best]
        total = 0.0
        labels[i] = best
        for k in range(n_components):
            if joint[i, k] > highest - _NEGLIGIBLE:
                joint[i, k] = np.exp(joint[i, k] - highest)
                total += joint[i, k]
            else:
                joint[i, k] = 0.0
        score += highest + np.log(total)
        for k in range(n_components):
            share = joint[i, k] / total
            if share > 0:
                totals[k] += share
                of_squares[k] += share * squares[i]
                for j in range(n_features):
                    sums[k, j] += share * X[i, j]
    return score, totals, sums, of_squares, labels
