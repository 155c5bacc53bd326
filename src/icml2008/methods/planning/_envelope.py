"""The upper envelope of linear functions of the weights, by double description.

Vectors q stand for the functions w . q of weights w on the simplex (w >= 0, sum w = 1). The region
above all of them, {(w, h): h >= w . q}, is a polyhedron; its vertices are the *corners* of the
envelope. Each corner carries the set of constraints that are tight there, as bits: bit l < d stands
for w_l = 0, bit d + i for the i-th vector.

A vector is not given but asked for: the best one for a weight. The envelope is complete once no
corner has a better one, since the maximum of functions that are convex in w, less a function that
is linear between corners, is greatest at a corner.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def dot(a, b):
    """Return the inner product of two short vectors."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@njit(cache=True)
def popcount(word):
    """Return the number of bits of an unsigned 64-bit word."""
    n = 0
    while word:
        word &= word - np.uint64(1)
        n += 1
    return n


@njit(cache=True)
def bit(number):
    """Return the mask of a bit within its word."""
    return np.uint64(1) << np.uint64(number % 64)


@njit(cache=True)
def first_corners(vector):
    """Return the corners of the envelope of one vector: the unit weights."""
    d = len(vector)
    weights = np.zeros((d, d))
    heights = np.empty(d)
    tight = np.zeros((d, 1 + d // 64), dtype=np.uint64)
    for corner in range(d):
        weights[corner, corner] = 1.0
        heights[corner] = vector[corner]
        for constraint in range(d + 1):
            if constraint != corner:
                tight[corner, constraint // 64] |= bit(constraint)
    return weights, heights, tight


@njit(cache=True)
def _adjacent(tight, n, a, b, d):
    """Tell whether two corners share an edge: no third one has all constraints that both have."""
    words = tight.shape[1]
    shared = 0
    for k in range(words):
        shared += popcount(tight[a, k] & tight[b, k])
    # An edge is a line: it needs d - 1 of the d constraints that a corner has.
    if shared < d - 1:
        return False
    for c in range(n):
        if c in (a, b):
            continue
        inside = True
        for k in range(words):
            both = tight[a, k] & tight[b, k]
            if both & tight[c, k] != both:
                inside = False
                break
        if inside:
            return False
    return True


@njit(cache=True)
def _is_unit(tight, corner, d):
    """Tell whether a corner lies at a unit weight: all other weights are held at 0."""
    zeros = 0
    for coordinate in range(d):
        if tight[corner, coordinate // 64] & bit(coordinate):
            zeros += 1
    return zeros == d - 1


@njit(cache=True)
def insert(weights, heights, tight, vector, number, tol):
    """Return the corners of the envelope that has `vector` as its `number`-th.

    A vector that is nowhere better than the envelope by more than `tol` leaves it as it is.
    Corners that stay do so in their order, in front of the new ones.
    """
    n, d = weights.shape
    slack = np.empty(n)
    n_raised = 0
    for i in range(n):
        slack[i] = dot(weights[i], vector) - heights[i]
        n_raised += slack[i] > tol
    if n_raised == 0:
        return weights, heights, tight
    words = max(1 + (d + number) // 64, tight.shape[1])
    room = n + n_raised * (n - n_raised + 1)
    out_weights = np.empty((room, d))
    out_heights = np.empty(room)
    out_tight = np.zeros((room, words), dtype=np.uint64)
    own = (d + number) // 64
    at = 0
    for i in range(n):
        if slack[i] <= tol:
            out_weights[at] = weights[i]
            out_heights[at] = heights[i]
            for k in range(tight.shape[1]):
                out_tight[at, k] = tight[i, k]
            if slack[i] >= -tol:
                out_tight[at, own] |= bit(d + number)
            at += 1
    kept = at
    for o in range(n):
        if slack[o] <= tol:
            continue
        for k in range(-1, n):
            if k < 0:  # the edge upwards from a unit weight
                if not _is_unit(tight, o, d):
                    continue
                share = 0.0
                end = o
            elif slack[k] < -tol and _adjacent(tight, n, o, k, d):
                share = slack[o] / (slack[o] - slack[k])
                end = k
            else:
                continue
            for c in range(d):
                out_weights[at, c] = weights[o, c] + share * (weights[end, c] - weights[o, c])
            # Edges that meet in one place give it as often as there are edges.
            place = at
            for other in range(kept, at):
                gap = 0.0
                for c in range(d):
                    gap = max(gap, abs(out_weights[other, c] - out_weights[at, c]))
                if gap <= 1e-13:
                    place = other
                    break
            for w in range(tight.shape[1]):
                out_tight[place, w] |= tight[o, w] & tight[end, w]
            if k < 0:
                for i in range(d, d + number):  # the vectors below are no longer best
                    out_tight[place, i // 64] &= ~bit(i)
            if place == at:
                out_heights[at] = dot(out_weights[at], vector)
                out_tight[at, own] |= bit(d + number)
                at += 1
    return out_weights[:at].copy(), out_heights[:at].copy(), out_tight[:at].copy()


@njit(cache=True)
def region_centres(weights, tight, n):
    """Return the mean corner of each vector's region, shape (n, d); nan where it has none."""
    d = weights.shape[1]
    centres = np.zeros((n, d))
    for i in range(n):
        count = 0
        for corner in range(len(weights)):
            if tight[corner, (d + i) // 64] & bit(d + i):
                count += 1
                for c in range(d):
                    centres[i, c] += weights[corner, c]
        for c in range(d):
            centres[i, c] = centres[i, c] / count if count else np.nan
    return centres


@njit(cache=True)
def lasting(vectors, centres, tol):
    """Tell which vectors are better than all others somewhere, shape (n,).

    It suffices to look at the middle of a region: a vector that only touches the envelope has no
    advantage there.
    """
    n = len(vectors)
    keep = np.ones(n, dtype=np.bool_)
    for i in range(n):
        if np.isnan(centres[i, 0]):
            keep[i] = False
            continue
        value = dot(vectors[i], centres[i])
        for j in range(n):
            if j != i and keep[j] and value - dot(vectors[j], centres[i]) <= tol:
                keep[i] = False
                break
    return keep
