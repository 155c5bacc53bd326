"""Kernels between the positions of matched trees: one row graph, all column graphs; compiled.

Arrays are those of :mod:`.recursion`. Each function multiplies the values of pairs of trees, and
works on the matrices of several column trees side by side.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_WIDTH = 32  # matrices factorised side by side: as many as fit the nearest cache


@njit(cache=True, nogil=True)
def multiply_joint(
    begin, end, n_cols, starts, sizes, gram, gram_at, root, root_at,
    gram_cols, gram_cols_at, root_cols, root_cols_at, n_shapes, values,
):  # fmt: skip
    """Multiply by Eq. 2, the kernel between the covariance matrices of whole trees."""
    largest = np.max(sizes)
    work = np.empty((largest * (largest + 1) // 2, _WIDTH))
    determinants = np.empty(_WIDTH)
    for s in range(n_shapes):
        entries = sizes[s] * (sizes[s] + 1) // 2
        n = n_cols[s]
        for t in range(begin[s], end[s]):
            mine = gram[gram_at[s] + t * entries :]
            factor = root[root_at[s] + t]
            for j0 in range(0, n, _WIDTH):
                width = min(_WIDTH, n - j0)
                for e in range(entries):
                    target = work[e]
                    theirs = gram_cols[gram_cols_at[s] + e * n + j0 :]
                    for j in range(width):
                        target[j] = 0.5 * (mine[e] + theirs[j])
                _determinants(work, sizes[s], width, determinants)
                theirs = root_cols[root_cols_at[s] + j0 :]
                value = values[starts[s] + (t - begin[s]) * n + j0 :]
                for j in range(width):
                    value[j] *= factor * theirs[j] / determinants[j]


@njit(cache=True, nogil=True)
def multiply_conditional(
    begin, end, n_cols, starts, sizes, states, slope, slope_at, rest, rest_at, root, root_at,
    slope_cols, slope_cols_at, rest_cols, rest_cols_at, root_cols, root_cols_at, values,
):  # fmt: skip
    """Multiply by Eq. 7, the kernel between the new vertices of families given their states."""
    largest = np.max(sizes)
    work = np.empty((largest * (largest + 1) // 2, _WIDTH))
    gap = np.empty((largest * largest, _WIDTH))
    determinants = np.empty(_WIDTH)
    for s in range(sizes.size):
        if states[s] < 0:
            continue
        old = sizes[states[s]]
        new = sizes[s] - old
        entries = new * (new + 1) // 2
        n = n_cols[s]
        for t in range(begin[s], end[s]):
            mine = slope[slope_at[s] + t * new * old :]
            left_over = rest[rest_at[s] + t * entries :]
            factor = root[root_at[s] + t]
            for j0 in range(0, n, _WIDTH):
                width = min(_WIDTH, n - j0)
                for e in range(new * old):
                    target = gap[e]
                    theirs = slope_cols[slope_cols_at[s] + e * n + j0 :]
                    for j in range(width):
                        target[j] = 0.5 * (mine[e] - theirs[j])
                for a in range(new):
                    for b in range(a + 1):
                        e = a * (a + 1) // 2 + b
                        target = work[e]
                        theirs = rest_cols[rest_cols_at[s] + e * n + j0 :]
                        for j in range(width):
                            target[j] = 0.5 * (left_over[e] + theirs[j])
                        for g in range(old):
                            row = gap[a * old + g]
                            other = gap[b * old + g]
                            for j in range(width):
                                target[j] += row[j] * other[j]
                _determinants(work, new, width, determinants)
                theirs = root_cols[root_cols_at[s] + j0 :]
                value = values[starts[s] + (t - begin[s]) * n + j0 :]
                for j in range(width):
                    value[j] *= factor * theirs[j] / determinants[j]


@njit(cache=True, nogil=True)
def _determinants(work, size, width, out):
    """Determinants of symmetric matrices, lower triangles in work[:, j]; destroys `work`."""
    out[:width] = 1.0
    for pivot in range(size):
        diagonal = work[pivot * (pivot + 3) // 2]
        for j in range(width):
            out[j] *= diagonal[j]
            diagonal[j] = 1.0 / diagonal[j]
        for row in range(pivot + 1, size):
            lead = work[row * (row + 1) // 2 + pivot]
            for column in range(pivot + 1, row + 1):
                other = work[column * (column + 1) // 2 + pivot]
                target = work[row * (row + 1) // 2 + column]
                for j in range(width):
                    target[j] -= lead[j] * other[j] * diagonal[j]
