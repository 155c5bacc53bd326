"""Mixture weights by active sets: for few components that matter among very many."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from ._interior_point import mixture_gradient, newton, trim

# A working set is solved to this share of the gap that it is there to close.
_SHARE = 0.01
# With more columns than these, and than this part of all, Newton's method on whatever matters is
# the faster one.
_FEW = 64
_PART = 8


def active_set(responses, start, tol, limit):
    """Solve on a few columns, take in those that would help most, and go on.

    The starting mixture counts as one column more, so that no sample is left without any; at the
    optimum it has no weight, or all columns that it is made of are as good as it is.

    Parameters
    ----------
    responses : array or sparse array of shape (n_samples, n_components)
    start : ndarray of shape (n_components,)
        Non-negative, with sum 1.
    tol : float
        Duality gap.
    limit : int
        Most Newton steps.

    Returns
    -------
    weights : ndarray of shape (n_components,)
        Optimal to `tol`; where too many columns matter for that, those of the start.
    n_iter : int
    """
    first = responses @ start
    columns = np.zeros(0, dtype=int)
    part = first[:, None]
    weights = np.ones(1)
    slack = np.zeros(1)
    few = max(_FEW, responses.shape[1] // _PART)
    n_iter = 0
    gap = np.inf
    while n_iter < limit:
        mixture = part @ weights
        gradient = mixture_gradient(responses, mixture)
        previous = gap
        gap = np.log(gradient.max())
        if gap <= tol:
            break
        fresh = _helpful(responses, gradient, mixture, max(4, len(columns)))
        fresh = np.setdiff1d(fresh, columns)
        if len(columns) + len(fresh) > few or (not len(fresh) and gap > previous / 2):
            break
        columns = np.append(columns, fresh)
        block = responses[:, fresh]
        part = np.hstack([part, block.toarray() if issparse(block) else block])
        weights = np.append(weights, np.zeros(len(fresh)))
        aim = max(0.1 * tol, _SHARE * gap)
        weights, slack, steps = newton(part, weights, aim, limit - n_iter)
        n_iter += steps
        keep = weights > 1e-3 * slack
        keep[0] = True
        columns = columns[keep[1:]]
        part = part[:, keep]
        slack = slack[keep]
        weights = weights[keep] / weights[keep].sum()
    if gap > tol:
        return start, n_iter
    weights, steps = trim(part, weights, slack, tol)
    full = weights[0] * start
    full[columns] += weights[1:]
    return full, n_iter + steps


def _helpful(responses, gradient, mixture, count):
    """Return columns that together promise most: of columns that do the same, one.

    A step of Newton's method in one weight lowers the gradient of the columns like it; what is
    still above 1 then is something else.
    """
    curvature = 1 / (len(mixture) * mixture**2)
    left = gradient - 1
    chosen = []
    enough = 0.01 * left.max()
    for _ in range(count):
        j = int(np.argmax(left))
        if left[j] <= enough:
            break
        column = responses[:, [j]]
        column = (column.toarray() if issparse(column) else column)[:, 0]
        alike = responses.T @ (column * curvature)
        left -= left[j] / alike[j] * alike
        left[j] = -np.inf
        chosen.append(j)
    return np.array(chosen, dtype=int)
