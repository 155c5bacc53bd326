"""Exact nearest neighbours of all rows of a dense matrix.

Tiles of products in single precision find more candidates than are needed, for the rows and the
columns of a tile at once; exact distances of the candidates in double precision follow, and a bound
on the rounding errors says whether a row that is no candidate may be nearer. Where it may, all rows
within the bound are looked at.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numba import njit
from scipy.spatial import KDTree

TILE = 256  # rows and columns, so that a tile stays in the cache
FEW_COLUMNS = 4  # up to which a tree is faster
BLOCK = 4_000_000  # distances at a time in the second look
UNIT = 2.0**-24  # half a unit of the last place in single precision


@njit(cache=True)
def _replace_largest(values, labels, value, label):
    """Put a value in place of the largest, which heads the heap."""
    size = len(values)
    place = 0
    child = 1
    while child < size:
        if child + 1 < size and values[child + 1] > values[child]:
            child += 1
        if values[child] <= value:
            break
        values[place] = values[child]
        labels[place] = labels[child]
        place = child
        child = 2 * place + 1
    values[place] = value
    labels[place] = label


@njit(cache=True)
def _keep_nearest(tile, places, top, left, nearest, labels, farthest):
    """Keep those distances of a tile, at these places, that are among the nearest.

    `top` and `left` are the tile's first row and column.
    """
    width = tile.shape[1]
    for place in places:
        row = top + place // width
        column = left + place % width
        value = tile[place // width, place % width]
        if value < farthest[row]:
            _replace_largest(nearest[row], labels[row], value, column)
            farthest[row] = nearest[row, 0]
        if value < farthest[column]:
            _replace_largest(nearest[column], labels[column], value, row)
            farthest[column] = nearest[column, 0]


@njit(cache=True)
def squared_distances(X, rows, columns):
    """Return the squared distance of each pair of rows; the same bits in either order."""
    out = np.empty(len(rows))
    for pair in range(len(rows)):
        a = X[rows[pair]]
        b = X[columns[pair]]
        even = 0.0
        odd = 0.0  # two sums, since an addition has to wait for the last
        for j in range(0, len(a) - 1, 2):
            even += (a[j] - b[j]) ** 2
            odd += (a[j + 1] - b[j + 1]) ** 2
        if len(a) % 2:
            even += (a[-1] - b[-1]) ** 2
        out[pair] = even + odd
    return out


def _factors(X):
    """Return A and B in single precision, (n, n_features + 2): A B' has the squared distances."""
    squares = np.einsum("ij,ij->i", X, X)[:, None]
    ones = np.ones_like(squares)
    left = np.hstack([-2 * X, squares, ones])
    right = np.hstack([X, ones, squares])
    return left.astype(np.float32), right.astype(np.float32)


def _by_tiles(left_factor, right_factor, size):
    """Return candidates by single precision, (n, size), and a floor of all others' distances."""
    n = len(left_factor)
    nearest = np.full((n, size), np.inf, np.float32)
    labels = np.full((n, size), -1)
    edges = np.linspace(0, n, 1 + -(-n // TILE)).astype(int)
    for top, bottom in pairwise(edges):
        tile = left_factor[top:bottom] @ right_factor[top:bottom].T
        np.fill_diagonal(tile, np.inf)
        few = min(size, bottom - top - 1)
        order = np.argpartition(tile, few - 1, axis=1)[:, :few]
        values = np.take_along_axis(tile, order, 1)
        falling = np.argsort(-values, axis=1)  # what falls is a heap
        nearest[top:bottom, -few:] = np.take_along_axis(values, falling, 1)
        labels[top:bottom, -few:] = top + np.take_along_axis(order, falling, 1)
    farthest = nearest[:, 0].copy()
    memory = np.empty(TILE * TILE, np.float32)
    for top, bottom in pairwise(edges):
        rows = left_factor[top:bottom]
        for left, right in pairwise(edges[edges <= top]):
            shape = (bottom - top, right - left)
            tile = memory[: shape[0] * shape[1]].reshape(shape)
            np.matmul(rows, right_factor[left:right].T, out=tile)
            near = tile < farthest[top:bottom, None]
            near |= tile < farthest[left:right]
            places = np.flatnonzero(near)
            _keep_nearest(tile, places, top, left, nearest, labels, farthest)
    return labels, farthest


def _by_tree(X, size):
    """Return candidates by a tree, (n, size), and a floor of all others' squared distances."""
    n = len(X)
    distances, labels = KDTree(X).query(X, size + 1)
    own = labels == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True  # so many are equal to it that it is not among them
    return labels[~own].reshape(n, size), distances[:, -1] ** 2


def _ordered(X, rows, labels, k):
    """Return the k nearest among the candidates of each row, nearest first, ties by number."""
    pairs = np.repeat(rows, labels.shape[1])
    squared = squared_distances(X, pairs, labels.ravel()).reshape(labels.shape)
    order = np.lexsort((labels, squared))[:, :k]
    return np.take_along_axis(labels, order, 1), np.take_along_axis(squared, order, 1)


def _second_look(X, factors, rows, limit, k):
    """Return the k nearest of these rows: all that rounding may have hidden are looked at."""
    indices = np.empty((len(rows), k), int)
    squared = np.empty((len(rows), k))
    step = max(1, BLOCK // len(X))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        values = factors[0][block] @ factors[1].T
        near = values <= limit[start : start + step, None]
        near[np.arange(len(block)), block] = False
        at, columns = np.nonzero(near)
        exact = squared_distances(X, block[at], columns)
        order = np.lexsort((columns, exact, at))
        first = np.searchsorted(at, np.arange(len(block)))  # `at` ascends, and so it does in order
        best = order[first[:, None] + np.arange(k)]
        indices[start : start + step] = columns[best]
        squared[start : start + step] = exact[best]
    return indices, squared


def nearest_rows(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k nearest other rows of each row, nearest first, of equal ones the lower number.

    Parameters
    ----------
    X : ndarray of float64, (n, n_features)
    k : int
        At least 1 and below n.

    Returns
    -------
    indices : ndarray of int, (n, k)
    squared : ndarray, (n, k)
        Squared Euclidean distances.
    """
    n, n_features = X.shape
    rows = np.arange(n)
    middled = X - X.mean(axis=0)  # far from 0 products would round distances away
    norms = np.sqrt(np.einsum("ij,ij->i", middled, middled))
    scale = norms.max() or 1.0
    middled /= scale
    norms /= scale
    factors = _factors(middled)
    size = min(n - 1, k + max(8, k // 2))
    if n_features <= FEW_COLUMNS:
        labels, floor = _by_tree(middled, size)
    else:
        labels, floor = _by_tiles(*factors, size)
    indices, squared = _ordered(X, rows, labels, k)
    last = squared[:, -1] / scale**2
    # A row that may be as near as the last has a norm of at most norms + sqrt(last); a product of
    # such rows is off by the error of a sum of n_features terms, with some more for all else.
    error = (n_features + 16) * UNIT * (2 * norms + np.sqrt(last)) ** 2 + 1e-35
    unsure = np.flatnonzero(floor - error <= last) if size < n - 1 else rows[:0]
    if len(unsure):
        limit = (last + error)[unsure]
        indices[unsure], squared[unsure] = _second_look(X, factors, unsure, limit, k)
    return indices, squared
