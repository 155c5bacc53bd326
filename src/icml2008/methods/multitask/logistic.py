"""Kernel logistic regression with weighted examples, for any number of weightings at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from icml2008.methods.multitask.newton import Matrix, minimise


@dataclass(frozen=True)
class WeightedLogistic:
    """One logistic regression for each column of weights (Optimization Problem 2).

    Attributes
    ----------
    gram : object with ``gram @ A``
        Gram matrix of the examples, times the prior variance.
    sign : ndarray of shape (n_examples,)
        Labels, -1 or 1.
    weights : ndarray of shape (n_examples, n_models)
        At least 0.
    """

    gram: Matrix
    sign: Matrix
    weights: Matrix
    axis = 0

    def image(self, coefficients):
        return self.gram @ coefficients

    def loss(self, F):
        return np.einsum("ij,ij->j", self.weights, np.logaddexp(0, -self.sign[:, None] * F))[None]

    def derivatives(self, F) -> tuple[Matrix, Callable[[Matrix], Matrix]]:
        miss = expit(-self.sign[:, None] * F)
        hessian = self.weights * miss * (1 - miss)
        return self.weights * self.sign[:, None] * miss, lambda move: hessian * move

    def restrict(self, columns: NDArray[np.intp]) -> WeightedLogistic:
        return WeightedLogistic(self.gram, self.sign, self.weights[:, columns])


def weighted_logistic(
    gram: Matrix,
    sign: Matrix,
    weights: Matrix,
    sigma: float,
    *,
    start: Matrix | None = None,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> Matrix:
    """Fit one kernel logistic regression, without intercept, for each column of weights.

    Minimises ``sum_i r_i log(1 + exp(-y_i f_i)) + |w|^2 / (2 sigma^2)`` where f = w' Phi(x).

    Parameters
    ----------
    gram : object with ``gram @ A``
        Gram matrix of shape (n_examples, n_examples), positive semi-definite.
    sign : ndarray of shape (n_examples,)
        Labels, -1 or 1.
    weights : ndarray of shape (n_examples, n_models)
        The r_i of each model, at least 0.
    sigma : float
        Prior standard deviation of the parameters, positive.
    start : ndarray of shape (n_examples, 1) or (n_examples, n_models), optional
        Dual coefficients of similar models to start from.
    tol, max_iter
        See :func:`icml2008.methods.multitask.newton.minimise`.

    Returns
    -------
    ndarray of shape (n_examples, n_models)
        Dual coefficients c with ``f(x) = sum_i c_i k(x_i, x)``.

    References
    ----------
    Bickel, Bogojeska, Lengauer and Scheffer (2008). Multi-Task Learning for HIV Therapy Screening.
    ICML, Optimization Problem 2.

    Examples
    --------
    The second model has no example of weight, so that nothing speaks against zero.

    >>> weights = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> weighted_logistic(np.eye(2), np.array([1.0, -1.0]), weights, sigma=1.0).round(3)
    array([[ 0.401,  0.   ],
           [-0.401,  0.   ]])
    """
    if start is None:
        start = np.zeros_like(weights)
    start = np.broadcast_to(start, weights.shape) / sigma**2
    problem = WeightedLogistic(sigma**2 * gram, sign, weights)
    coefficients, _ = minimise(problem, start, tol=tol, max_iter=max_iter)
    return sigma**2 * coefficients
