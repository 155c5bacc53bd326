"""Sums over distances to all samples, without a table of the distances."""

from __future__ import annotations

import numpy as np
from numba import njit

# Points in a block: its squares stay in the first cache while all samples pass by. Loops run over
# points, which are independent, so that a processor may take several at once and round the same.
_BLOCK = 256


def nearest_distances(points, X):
    """Return the distance of each point, shape (q, d), to the nearest sample of X, shape (n, d)."""
    return _nearest(np.ascontiguousarray(points.T), np.ascontiguousarray(X))


def weighted_distances(points, X, weights):
    """Return, for points of shape (q, d), the sum of weights, shape (n,), times distances to X."""
    return _weighted(np.ascontiguousarray(points.T), np.ascontiguousarray(X), weights)


@njit(cache=True)
def _nearest(points, X):
    q = points.shape[1]
    nearest = np.full(q, np.inf)
    squares = np.empty(_BLOCK)
    for start in range(0, q, _BLOCK):
        out = nearest[start : start + _BLOCK]
        for j in range(len(X)):
            _squares(points[:, start : start + _BLOCK], X[j], squares)
            for i in range(len(out)):
                if squares[i] < out[i]:
                    out[i] = squares[i]
    return np.sqrt(nearest)


@njit(cache=True)
def _weighted(points, X, weights):
    q = points.shape[1]
    total = np.zeros(q)
    squares = np.empty(_BLOCK)
    for start in range(0, q, _BLOCK):
        out = total[start : start + _BLOCK]
        for j in range(len(X)):
            _squares(points[:, start : start + _BLOCK], X[j], squares)
            weight = weights[j]
            for i in range(len(out)):
                out[i] += weight * np.sqrt(squares[i])
    return total


@njit(cache=True, inline="always")
def _squares(points, x, squares):
    """Write the squared distances of a block of points, shape (d, size), to the sample x."""
    row, centre = points[0], x[0]
    for i in range(len(row)):
        squares[i] = (row[i] - centre) ** 2
    for axis in range(1, len(x)):
        row, centre = points[axis], x[axis]
        for i in range(len(row)):
            squares[i] += (row[i] - centre) ** 2
