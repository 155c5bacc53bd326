"""Loops over resampled data: second moments, exact path, and what is wanted of it; compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from ._homotopy import moments, trace


def room(p: int) -> int:
    """Return for how many knots there is room; paths of p variables have some 2 p of them."""
    return 100 + 30 * p


@njit(cache=True, error_model="numpy")
def interpolate(knots, coefs, n, mus, out):
    """Write the solution at descending values of mu, shape (n_mus, p)."""
    k = 0
    for i in range(mus.size):
        mu = mus[i]
        while k < n and knots[k] >= mu:
            k += 1
        if k == 0:
            out[i] = 0.0
        elif k == n:
            out[i] = coefs[n - 1]
        else:
            share = (knots[k - 1] - mu) / (knots[k - 1] - knots[k])
            for j in range(out.shape[1]):
                # a variable that is not active on this piece has exact zeros at both its ends
                out[i, j] = coefs[k - 1, j] + share * (coefs[k, j] - coefs[k - 1, j])


@njit(cache=True, error_model="numpy")
def on_grid(X, y, counts, centre, mus, n_knots, selected, mean):
    """Write who is selected in each resample, (m, n_mus, p), and the mean solution, (n_mus, p + 1).

    The last column of the mean solution is the intercept. Return the first resample whose path had
    no room, or -1.
    """
    p = X.shape[1]
    Q = np.empty((p, p))
    r = np.empty(p)
    means = np.empty(p + 1)
    knots = np.empty(n_knots)
    changes = np.empty(n_knots, np.int64)
    coefs = np.empty((n_knots, p))
    at = np.empty((mus.size, p))
    mean[:] = 0.0
    for k in range(len(counts)):
        moments(X, y, counts[k], centre, Q, r, means)
        n = trace(Q, r, mus[-1], p, knots, changes, coefs)
        if n == 0:
            return k
        interpolate(knots, coefs, n, mus, at)
        for i in range(mus.size):
            mean[i, p] += means[p]
            for j in range(p):
                selected[k, i, j] = at[i, j] != 0.0
                mean[i, j] += at[i, j]
                # Paths are of centred variables: the intercept is what their means leave.
                mean[i, p] -= means[j] * at[i, j]
    mean /= len(counts)
    return -1


@njit(cache=True, error_model="numpy")
def events(X, y, counts, centre, mu_end, most_active, knots, changes):
    """Write knots and changes of each resample's path, (m, n_knots); unused ones are 0.

    Return the first resample whose path had no room, or -1.
    """
    p = X.shape[1]
    n_knots = knots.shape[1]
    Q = np.empty((p, p))
    r = np.empty(p)
    means = np.empty(p + 1)
    coefs = np.empty((n_knots, p))
    for k in range(len(counts)):
        moments(X, y, counts[k], centre, Q, r, means)
        n = trace(Q, r, mu_end, most_active, knots[k], changes[k], coefs)
        if n == 0:
            return k
        knots[k, n:] = 0.0
        changes[k, n:] = 0
    return -1


@njit(cache=True, error_model="numpy")
def all_moments(X, y, counts, centre, Qs, rs):
    """Write the second moments of each resample, (m, p, p) and (m, p)."""
    means = np.empty(X.shape[1] + 1)
    for k in range(len(counts)):
        moments(X, y, counts[k], centre, Qs[k], rs[k], means)


@njit(cache=True, error_model="numpy")
def solutions(Qs, rs, mu, n_knots, out):
    """Write the solutions at one mu for many second moments; return one without room, or -1."""
    p = rs.shape[1]
    knots = np.empty(n_knots)
    changes = np.empty(n_knots, np.int64)
    coefs = np.empty((n_knots, p))
    mus = np.full(1, mu)
    for k in range(len(rs)):
        n = trace(Qs[k], rs[k], mu, p, knots, changes, coefs)
        if n == 0:
            return k
        interpolate(knots, coefs, n, mus, out[k : k + 1])
    return -1
