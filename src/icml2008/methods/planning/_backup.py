"""One back-up of convex hulls, without ever writing down a sum of hulls.

The hulls of all states stand one after the other in `vectors`; those of state s at
`offsets[s]:offsets[s + 1]`. Row s * n_actions + a of the model is action a in state s.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from icml2008.methods.planning._envelope import (
    dot,
    first_corners,
    insert,
    lasting,
    region_centres,
)


@njit(cache=True)
def best_response(weight, first, last, model, vectors, offsets, out):
    """Write the best vector of rows first..last-1 for a weight to `out`; return value and row."""
    indptr, indices, probabilities, rewards = model
    best = -np.inf
    chosen = first
    for row in range(first, last):
        value = dot(weight, rewards[row])
        for j in range(indptr[row], indptr[row + 1]):
            value += probabilities[j] * _top(weight, indices[j], vectors, offsets)[0]
        if value > best:
            best = value
            chosen = row
    for c in range(len(out)):
        out[c] = rewards[chosen, c]
    for j in range(indptr[chosen], indptr[chosen + 1]):
        _, k = _top(weight, indices[j], vectors, offsets)
        for c in range(len(out)):
            out[c] += probabilities[j] * vectors[k, c]
    return best, chosen


@njit(cache=True)
def _top(weight, state, vectors, offsets):
    """Return the value and the place of the best vector of a state."""
    best = -np.inf
    place = 0
    for k in range(offsets[state], offsets[state + 1]):
        value = dot(weight, vectors[k])
        if value > best:
            best = value
            place = k
    return best, place


@njit(cache=True)
def hull_of_rows(first, last, model, vectors, offsets, guesses, tol, max_vectors):
    """Return the hull of what rows first..last-1 can reach.

    Parameters
    ----------
    first, last : int
        All actions of a state for its V, one of them for a Q.
    model : tuple
        CSR arrays of the discounted transitions (indptr, indices, data), and rewards (rows, d).
    vectors, offsets : ndarray
        The hulls of the next states.
    guesses : ndarray of shape (n_guesses, d)
        Weights to ask for first: those of the last back-up save most of the work.
    tol : float
        A vector that is nowhere better by more is left out.
    max_vectors : int
        Where a hull has more, it is given up.

    Returns
    -------
    hull : ndarray of shape (n, d)
    rows : ndarray of shape (n,)
        The row that each vector begins with.
    centres : ndarray of shape (n, d)
        A weight within the region of each.
    complete : bool
        False if it was given up.
    """
    d = guesses.shape[1]
    hull = np.empty((8, d))
    rows = np.empty(8, dtype=np.int64)
    _, rows[0] = best_response(guesses[0], first, last, model, vectors, offsets, hull[0])
    weights, heights, tight = first_corners(hull[0])
    n = 1
    asked = 1
    checked = 0
    while asked < len(guesses) or checked < len(weights):
        if n == len(hull):
            more = np.empty((2 * n, d))
            more_rows = np.empty(2 * n, dtype=np.int64)
            more[:n] = hull
            more_rows[:n] = rows
            hull = more
            rows = more_rows
        if asked < len(guesses):
            weight = guesses[asked]
            height = -np.inf
            for i in range(n):
                height = max(height, dot(weight, hull[i]))
            asked += 1
        else:
            weight = weights[checked]
            height = heights[checked]
            checked += 1
        best, rows[n] = best_response(weight, first, last, model, vectors, offsets, hull[n])
        if best <= height + tol:
            continue
        if n == max_vectors:
            return hull[:0], rows[:0], hull[:0], False
        # Corners that stay keep their order: those already checked come first, and need no second
        # look.
        staying = 0
        for i in range(checked):
            staying += dot(weights[i], hull[n]) <= heights[i] + tol
        weights, heights, tight = insert(weights, heights, tight, hull[n], n, tol)
        checked = staying
        n += 1
    centres = region_centres(weights, tight, n)
    # A vector may be best nowhere once later ones are there. The tolerance is a hundredth, so
    # that what goes here adds nothing to the error of what was never taken in.
    keep = lasting(hull[:n], centres, tol / 100)
    at = 0
    for i in range(n):
        if keep[i]:
            hull[at] = hull[i]
            rows[at] = rows[i]
            centres[at] = centres[i]
            at += 1
    return hull[:at], rows[:at], centres[:at], True


@njit(cache=True)
def sweep(n_actions, model, vectors, offsets, guesses, tol, max_vectors):
    """Back up the hulls of all states; return hulls, offsets, guesses, change and the state left.

    The change is the Hausdorff distance between the old and the new hulls' vertices, in the maximum
    norm: no weight's value changes by more. The last is -1, or a state whose hull was given up.
    """
    n_states = len(offsets) - 1
    d = vectors.shape[1]
    new_offsets = np.zeros(n_states + 1, dtype=np.int64)
    new_vectors = np.empty((2 * len(vectors), d))
    new_guesses = np.empty((2 * len(vectors), d))
    change = 0.0
    at = 0
    for s in range(n_states):
        hull, _, centres, complete = hull_of_rows(
            s * n_actions,
            (s + 1) * n_actions,
            model,
            vectors,
            offsets,
            guesses[offsets[s] : offsets[s + 1]],
            tol,
            max_vectors,
        )
        if not complete:
            return new_vectors[:0], new_offsets, new_guesses[:0], change, s
        n = len(hull)
        if at + n > len(new_vectors):
            more = np.empty((2 * (at + n), d))
            more_guesses = np.empty((2 * (at + n), d))
            more[:at] = new_vectors[:at]
            more_guesses[:at] = new_guesses[:at]
            new_vectors = more
            new_guesses = more_guesses
        new_vectors[at : at + n] = hull
        new_guesses[at : at + n] = centres
        change = max(change, _distance(vectors[offsets[s] : offsets[s + 1]], hull))
        at += n
        new_offsets[s + 1] = at
    return new_vectors[:at], new_offsets, new_guesses[:at], change, -1


@njit(cache=True)
def _distance(a, b):
    """Return the Hausdorff distance of two sets of points in the maximum norm."""
    far = 0.0
    for left, right in ((a, b), (b, a)):
        for i in range(len(left)):
            near = np.inf
            for j in range(len(right)):
                gap = 0.0
                for coordinate in range(left.shape[1]):
                    gap = max(gap, abs(left[i, coordinate] - right[j, coordinate]))
                near = min(near, gap)
            far = max(far, near)
    return far
