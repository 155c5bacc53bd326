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
    d, q = points.shape
    nearest = np.empty(q)
    here = np.empty(_BLOCK)
    squares = np.zeros(_BLOCK)
    for start in range(0, q, _BLOCK):
        n = min(_BLOCK, q - start)
        row = points[d - 1, start : start + n]
        here[:] = np.inf
        for j in range(len(X)):
            _square_leading(points[:, start : start + n], X[j], squares)
            centre = X[j, d - 1]
            for i in range(n):
                square = squares[i] + (row[i] - centre) ** 2
                here[i] = square if square < here[i] else here[i]
        nearest[start : start + n] = here[:n]
    return np.sqrt(nearest)


@njit(cache=True)
def _weighted(points, X, weights):
    d, q = points.shape
    total = np.empty(q)
    here = np.empty(_BLOCK)
    squares = np.zeros(_BLOCK)
    for start in range(0, q, _BLOCK):
        n = min(_BLOCK, q - start)
        row = points[d - 1, start : start + n]
        here[:] = 0.0
        for j in range(len(X)):
            _square_leading(points[:, start : start + n], X[j], squares)
            centre = X[j, d - 1]
            weight = weights[j]
            for i in range(n):
                here[i] += weight * np.sqrt(squares[i] + (row[i] - centre) ** 2)
        total[start : start + n] = here[:n]
    return total


@njit(cache=True, inline="always")
def _square_leading(points, x, squares):
    """Write the squared distances of a block of points to x in all dimensions but the last.

    The last is added where the sum is used, which spares a pass over the block. In one dimension
    nothing is written.
    """
    for axis in range(len(x) - 1):
        row = points[axis]
        centre = x[axis]
        for i in range(len(row)):
            square = (row[i] - centre) ** 2
            squares[i] = squares[i] + square if axis else square
