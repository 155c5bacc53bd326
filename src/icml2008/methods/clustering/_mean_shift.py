"""Weighted mean shift: all modes of a weighted kernel sum that hill-climbing finds, at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._kernels import GAUSSIAN_CURVATURE, pull, response, squared_distances

# Every so many steps, starts that have met go on as one.
_MERGE_EVERY = 5
# Mean shift is a short step for the Gaussian kernel: after each that led up, the next is longer.
_STRETCH = 1.5


def find_modes(starts, points, weights, kernel, h, *, radius=1e-3, tol=1e-7, max_iter=5000):
    """Climb sum_i w_i k_z(x_i) in z from every start; return the distinct ends, highest first.

    With weights of one sign the step is mean shift (Nowozin and Bakir, 2008, eq. 14), which never
    descends. Negative weights, which their objectives 3 and 4 can produce, shorten the step by
    a bound on the kernel's curvature, and a step that still descends is halved.

    Parameters
    ----------
    starts : ndarray of shape (n_starts, n_features)
    points : ndarray of shape (n_samples, n_features)
    weights : ndarray of shape (n_samples,)
    kernel : {"gaussian", "epanechnikov"}
    h : float
        Bandwidth, in the units of the points.
    radius : float
        Ends closer than this fraction of h are one mode.
    tol : float
        Fraction of h by which a last step may still move.
    max_iter : int
        Most steps from one start; what has not settled is returned as it is.

    Returns
    -------
    modes : ndarray of shape (n_modes, n_features)
    values : ndarray of shape (n_modes,)
        The sum at each mode.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [10.0]])
    >>> modes, values = find_modes(points, points, np.ones(3), "gaussian", 1.0)
    >>> modes.ravel().round(3), values.round(3)
    (array([ 0.5, 10. ]), array([1.765, 1.   ]))
    """
    # About the origin, where products of coordinates lose the least to rounding.
    origin = points.mean(axis=0)
    points = points - origin
    squares = np.einsum("ij,ij->i", points, points)
    climbers = _Climbers.at(starts - origin)
    settled = []
    for n_iter in range(1, max_iter + 1):
        anchors, heights, trials, stretch = climbers
        squared = (-2 * trials) @ points.T
        squared += np.einsum("ij,ij->i", trials, trials)[:, None] + squares
        np.maximum(squared, 0, out=squared)
        reached = response(kernel, squared, h) @ weights
        better = reached > heights
        # Halfway back where the step led down; else a new step from here.
        steps = (anchors - trials) / 2
        ahead = _steps(trials[better], points, weights, kernel, squared[better], h)
        steps[better] = stretch[better, None] * ahead
        if kernel == "gaussian":
            stretch = np.where(better, _STRETCH * stretch, 1.0)
        anchors = np.where(better[:, None], trials, anchors)
        trials = trials + steps
        climbers = _Climbers(anchors, np.where(better, reached, heights), trials, stretch)
        moving = np.linalg.norm(trials - anchors, axis=1) > tol * h
        settled.append(climbers.take(~moving))
        climbers = climbers.take(moving)
        if not len(climbers.anchors):
            break
        if n_iter % _MERGE_EVERY == 0:
            climbers = climbers.take(_distinct(climbers.anchors, climbers.heights, radius * h))
    ends = [*settled, climbers]
    modes = np.concatenate([end.anchors for end in ends])
    values = np.concatenate([end.heights for end in ends])
    kept = _distinct(modes, values, radius * h)
    return modes[kept] + origin, values[kept]


class _Climbers(NamedTuple):
    """Where each climber stands, how high that is, where it looks next, and how far it dares."""

    anchors: np.ndarray
    heights: np.ndarray
    trials: np.ndarray
    stretch: np.ndarray

    @classmethod
    def at(cls, starts):
        return cls(starts, np.full(len(starts), -np.inf), starts, np.ones(len(starts)))

    def take(self, chosen):
        return _Climbers(*(part[chosen] for part in self))


def _steps(places, points, weights, kernel, squared, h):
    pulls = pull(kernel, squared, h) * weights
    if weights.min() >= 0:
        total = pulls.sum(axis=1)
        force = pulls @ points
    else:
        total = np.maximum(pulls, 0).sum(axis=1)
        if kernel == "gaussian":
            total -= GAUSSIAN_CURVATURE * weights[weights < 0].sum()
        force = pulls @ points + (total - pulls.sum(axis=1))[:, None] * places
    # Where no sample pulls, the sum is flat: stay.
    total = total[:, None]
    return np.divide(force, total, out=places.copy(), where=total > 0) - places


def _distinct(places, heights, radius):
    """Indices of places farther than radius from every higher one that is kept."""
    kept = []
    order = np.argsort(-heights, kind="stable")
    close = squared_distances(places, places) <= radius**2
    free = np.ones(len(places), dtype=bool)
    for index in order:
        if free[index]:
            kept.append(index)
            free &= ~close[index]
    return np.array(kept, dtype=int)
