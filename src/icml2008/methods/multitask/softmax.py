"""From which task does an example come? A soft-max model over tasks with a Gaussian prior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, logsumexp

from icml2008.methods.multitask.newton import Matrix, minimise


@dataclass(frozen=True)
class TaskSoftmax:
    """Optimization Problem 1 in kernel form.

    Attributes
    ----------
    gram : object with ``gram @ A``
        Gram matrix of the examples.
    target : ndarray of int, shape (n_examples,)
        The column of each example's task.
    covariance : ndarray of shape (n_columns,) or (n_columns, n_columns)
        Prior covariance between the tasks' parameters; only the diagonal if it has one dimension.
    offset : ndarray of shape (n_columns,)
        Added to F before the soft-max.
    """

    gram: Matrix
    target: NDArray[np.intp]
    covariance: Matrix
    offset: Matrix
    axis = None

    def image(self, coefficients):
        image = self.gram @ coefficients
        return image * self.covariance if self.covariance.ndim == 1 else image @ self.covariance

    def loss(self, F):
        scores = F + self.offset
        own = np.take_along_axis(scores, self.target[:, None], axis=1)
        return np.sum(logsumexp(scores, axis=1) - own.ravel()).reshape(1, 1)

    def derivatives(self, F) -> tuple[Matrix, Callable[[Matrix], Matrix]]:
        posterior = np.exp(log_softmax(F + self.offset, axis=1))
        residual = -posterior
        residual[np.arange(len(F)), self.target] += 1

        def curvature(move):
            product = posterior * move
            return product - posterior * product.sum(axis=1, keepdims=True)

        return residual, curvature

    def restrict(self, columns) -> TaskSoftmax:
        return self


def task_posterior(
    gram: Matrix,
    target: NDArray[np.intp],
    covariance: Matrix,
    *,
    cross: Matrix | None = None,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> tuple[Matrix, Matrix]:
    """Fit p(t | example) by maximum a posteriori.

    Maximises ``sum_i log p(z_i | i) - v' inv(Sigma) v / 2``, where the parameters of the tasks z
    and z' have the covariance ``covariance[z, z']`` in each element. The paper prints a plus, which
    has no maximum, and no half; to drop the half alone, halve the covariance.

    Parameters
    ----------
    gram : object with ``gram @ A``
        Gram matrix of shape (n_examples, n_examples), positive semi-definite.
    target : ndarray of int, shape (n_examples,)
        Number of each example's task.
    covariance : ndarray of shape (n_tasks,) or (n_tasks, n_tasks)
        Positive definite; one dimension stands for a diagonal matrix. Tasks need no examples.
    cross : object with ``cross @ A``, optional
        Kernel between other examples (n_others) and the examples.
    tol, max_iter
        See :func:`icml2008.methods.multitask.newton.minimise`.

    Returns
    -------
    posterior : ndarray of shape (n_examples, n_tasks) or (n_others, n_tasks)
        Of the examples, or of the other ones if there is `cross`.
    coefficients : ndarray of shape (n_examples, n_tasks)
        C with the log-odds ``F = gram @ C``.

    Notes
    -----
    With a diagonal covariance, tasks of equal variance and no examples have equal parameters. One
    column stands for all m of them: with variance divided by m and log(m) added to its score, it
    has the same likelihood and the same penalty.

    References
    ----------
    Bickel, Bogojeska, Lengauer and Scheffer (2008). Multi-Task Learning for HIV Therapy Screening.
    ICML, Eq. 9 and Optimization Problem 1.

    Examples
    --------
    Two tasks with one example each, a third with none.

    >>> posterior, _ = task_posterior(np.eye(2), np.array([0, 1]), np.full(3, 4.0))
    >>> posterior.round(2)
    array([[0.72, 0.14, 0.14],
           [0.14, 0.72, 0.14]])
    """
    column, size = _merge_empty_tasks(target, covariance)
    if covariance.ndim == 1:
        merged = np.empty(len(size))
        merged[column] = covariance
        merged /= size
    else:
        merged = covariance
    problem = TaskSoftmax(gram, column[target], merged, np.log(size))
    start = np.zeros((len(target), len(size)))
    dual, F = minimise(problem, start, tol=tol, max_iter=max_iter)
    weighted = dual * merged if merged.ndim == 1 else dual @ merged
    if cross is not None:
        F = cross @ weighted
    posterior = np.exp(log_softmax(F + problem.offset, axis=1)) / size
    return posterior[:, column], weighted[:, column]


def _merge_empty_tasks(target, covariance) -> tuple[NDArray[np.intp], Matrix]:
    """Return the column of each task, and how many tasks each column stands for."""
    n_tasks = len(covariance)
    if covariance.ndim == 2:
        return np.arange(n_tasks), np.ones(n_tasks)
    seen = np.bincount(target, minlength=n_tasks) > 0
    key = np.where(seen, -1.0 - np.arange(n_tasks), covariance)
    _, column, size = np.unique(key, return_inverse=True, return_counts=True)
    return column, size.astype(np.float64)
