"""The multiplicative update of mixture weights: as it is, and accelerated."""

from __future__ import annotations

from itertools import count

import numpy as np

from ._interior_point import mixture_gradient

# Differences that an extrapolation looks back on.
_MEMORY = 3
# The most that an extrapolation may multiply the length of a step by: at first, and ever.
_REACH = 4.0
_LONGEST_REACH = 64.0
# Below this log weight a component counts as gone; above, it may return within a few steps.
_LOG_FLOOR = -300.0
# After so many steps it is asked again whether to go on.
_BLOCK = 4
# Of Newton's method on very few columns, in multiplicative steps on 1000.
_LEAST_COST = 8


def multiplicative(responses, weights, tol, limit, floor):
    """Repeat q_j <- q_j D_j; drop the components whose weight falls below `floor`.

    Returns
    -------
    weights : ndarray of shape (n_components,)
    n_iter : int
    """
    kept = np.arange(len(weights))
    active = responses
    kept_weights = weights
    for n_iter in range(limit + 1):
        gradient = mixture_gradient(active, active @ kept_weights)
        if np.log(gradient.max()) <= tol or n_iter == limit:
            break
        kept_weights = kept_weights * gradient
        if floor and (small := kept_weights < floor).any():
            kept = kept[~small]
            active = active[:, ~small]
            kept_weights = kept_weights[~small] / kept_weights[~small].sum()
    full = np.zeros(len(weights))
    full[kept] = kept_weights
    return full / full.sum(), n_iter


def scout(responses, weights, tol):
    """Take accelerated steps as long as they save more of Newton's work than they cost.

    In the logarithms of the weights the update is a fixed-point iteration, log q + log D, which
    Anderson's method extrapolates. A step that lowers the likelihood is taken back and replaced
    by the plain update, which never does.

    Parameters
    ----------
    responses : array or sparse array of shape (n_samples, n_components)
    weights : ndarray of shape (n_components,)
        Where to start; non-negative, with sum 1.
    tol : float
        Duality gap at which there is nothing left to do.

    Returns
    -------
    weights : ndarray of shape (n_components,)
    gradient : ndarray of shape (n_components,)
        At these weights.
    working : ndarray of shape (n_components,)
        Whether the component still matters.
    n_iter : int

    References
    ----------
    Walker, H. and Ni, P. (2011). Anderson acceleration for fixed-point iterations. SIAM Journal
    on Numerical Analysis.
    """
    point = np.log(np.maximum(weights, np.exp(_LOG_FLOOR)))
    plain = point
    history = []
    best = -np.inf
    reach = _REACH
    checked = 0
    least_cost = np.inf
    for n_iter in count():
        weights = np.exp(point)
        total = weights.sum()
        weights = weights / total
        point = point - np.log(total)
        mixture = responses @ weights
        with np.errstate(divide="ignore"):
            objective = np.log(mixture).mean()
        if objective < best - 1e-13:  # lower by more than rounding
            point = plain
            history = history[-1:]
            best = -np.inf
            reach = max(reach / 4, 1.0)
            continue
        best = objective
        reach = min(2 * reach, _LONGEST_REACH)
        gradient = mixture_gradient(responses, mixture)
        gap = np.log(gradient.max())
        if n_iter == 0:
            least_gap = gap
        if gap <= tol:
            working = weights > 0
            break
        if n_iter >= checked + _BLOCK:
            # A gradient this near to 1 may yet become 1, as it is where weights stay positive;
            # far from the optimum that would be said of most.
            near = 1 - min(gap, 0.1)
            working = (weights * gradient > 0.3 / len(weights)) | (gradient > near)
            # Newton on these columns, in multiplicative steps on all.
            cost = _LEAST_COST + min(responses.shape) * working.mean() ** 2
            saved = least_cost - cost
            left = cost - _LEAST_COST
            per_step = np.log(least_gap / gap) / (n_iter - checked)
            if min(saved, left) < 2 * _BLOCK and per_step * cost < np.log(gap / tol):
                break
            checked = n_iter
            least_cost = min(cost, least_cost)
            least_gap = min(gap, least_gap)
        move = np.log(np.maximum(gradient, np.exp(_LOG_FLOOR)))
        plain = point + move
        history = [*history, (point, move)][-1 - _MEMORY :]
        point = point + _extrapolate(history, weights, reach)
        point = np.maximum(point - point.max(), _LOG_FLOOR)
    return weights, gradient, working, n_iter


def _extrapolate(history, weights, reach):
    """The step of Anderson's method; where it would turn back, a long plain step.

    It turns back where the last steps grew, as they do while weights move to a few components.
    """
    move = history[-1][1]
    if len(history) == 1:
        return move
    points, moves = np.array(history).swapaxes(0, 1)
    changes = moves[1:] - moves[:-1]
    scaled = changes * weights
    by = np.linalg.lstsq(scaled @ changes.T, scaled @ move, rcond=1e-10)[0]
    step = move - by @ (points[1:] - points[:-1] + changes)
    if weights @ (step * move) <= 0:
        return reach * move
    return step * min(1.0, reach * np.sqrt(weights @ move**2 / (weights @ step**2)))
