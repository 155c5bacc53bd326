"""The Lasso's exact path from second moments, and the loops over resampled data, compiled.

With Q = X'X / n and r = X'y / n, the Lasso minimises w'Qw / 2 - r'w + mu |w|_1. While the signs s
of the active variables A stay as they are, its solution is the line

    w_A(mu) = u - mu v,   Q_AA u = r_A,   Q_AA v = s_A,

and the correlations of the others are c(mu) = b + mu a, b = r - Q_.A u, a = Q_.A v. Since |c| < mu
on the current piece, a line c can meet +mu further down only if b > 0, and -mu only if b < 0; a
coefficient can meet 0 only if the sign of u is not its own. So each variable has at most one next
event, which follows from u, v, a and b, solved anew on each piece: nothing drifts along the path.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Of a variable's own variance, what the active ones must leave unexplained for it to join them.
INDEPENDENT = 1e-11
# A path ends where mu has fallen to this share of its start: the least-squares end of it.
END = 1e-10


@njit(cache=True, error_model="numpy")
def trace(Q, r, mu_end, most_active, knots, changes, coefs):
    """Follow the path from mu = max |r| down to `mu_end`; return the number of knots.

    Parameters
    ----------
    Q : ndarray of shape (p, p)
    r : ndarray of shape (p,)
    mu_end : float
        The last value of mu; raised to `END` times the first one.
    most_active : int
        The path also ends at the knot where one variable more than this would be active.
    knots : ndarray of shape (n_knots,)
        Output: descending values of mu at which the active set changes, and the last value.
    changes : ndarray of int of shape (n_knots,)
        Output: j + 1 where variable j joins at a knot, -(j + 1) where it leaves; 0 at the end.
    coefs : ndarray of shape (n_knots, p)
        Output: the solution at each knot; between knots it is linear.

    Returns
    -------
    int
        The number of knots written, 0 if there was no room for all of them.
    """
    p = r.size
    coefs[0] = 0.0
    first, mu = -1, 0.0
    for j in range(p):
        if abs(r[j]) > mu:
            first, mu = j, abs(r[j])
    knots[0] = max(mu, mu_end)
    changes[0] = 0
    if first < 0 or mu <= mu_end:
        return 1
    mu_end = max(mu_end, END * mu)
    L, U = np.empty((p, p)), np.empty((p, p))  # Q_AA = L L' = U'U, both kept for rows in memory
    active = np.empty(p, np.int64)
    signs = np.empty(p)
    inside = np.zeros(p, np.bool_)
    dependent = np.zeros(p, np.bool_)
    # forward solutions: L half_u = r_A, L half_v = s_A
    half_u, half_v = np.empty(p), np.empty(p)
    u, v = np.empty(p), np.empty(p)
    a, b = np.empty(p), np.empty(p)
    size, n = 0, 0
    joining, sign = first, 1.0 if r[first] > 0 else -1.0
    while True:
        if joining >= 0:
            if not _append(L, U, Q, active, size, joining):
                dependent[joining] = True  # in the span of the active ones: it adds nothing
            else:
                if size == most_active:
                    knots[n], changes[n] = mu, 0
                    return n + 1
                active[size], signs[size] = joining, sign
                _forward(L, r, active, signs, size, half_u, half_v)
                inside[joining] = True
                size += 1
                changes[n] = joining + 1
                n += 1
        if n == knots.size:
            return 0
        _backward(L, half_u, size, u)
        _backward(L, half_v, size, v)
        leaving, joining, mu_next = -1, -1, mu_end
        for i in range(size):
            if u[i] * signs[i] < 0.0:
                at = u[i] / v[i]
                if at > mu_next:
                    leaving, mu_next = i, at
        a[:] = 0.0
        b[:] = r
        for i in range(size):
            _add(a, v[i], Q[active[i]], p)
            _add(b, -u[i], Q[active[i]], p)
        for j in range(p):
            if inside[j] or dependent[j]:
                continue
            at = b[j] / (1.0 - a[j]) if b[j] > 0.0 else -b[j] / (1.0 + a[j])
            if at > mu_next:
                joining, leaving, mu_next = j, -1, at
        mu = min(mu_next, mu)
        knots[n] = mu
        coefs[n] = 0.0
        for i in range(size):
            coefs[n, active[i]] = u[i] - mu * v[i]
        if leaving >= 0:
            j = active[leaving]
            coefs[n, j] = 0.0
            changes[n] = -(j + 1)
            n += 1
            inside[j] = False
            dependent[:] = False
            for i in range(leaving, size - 1):
                active[i], signs[i] = active[i + 1], signs[i + 1]
            size -= 1
            _remove(L, U, leaving, size, u)
            for i in range(leaving, size):
                _forward(L, r, active, signs, i, half_u, half_v)
        elif joining >= 0:
            sign = 1.0 if b[joining] > 0.0 else -1.0
        else:
            changes[n] = 0
            return n + 1


@njit(cache=True, error_model="numpy")
def _add(total, factor, row, size):
    """Add a multiple of a row: sums in this order use the processor's vectors, dot products not."""
    for k in range(size):
        total[k] += factor * row[k]


@njit(cache=True, error_model="numpy")
def _append(L, U, Q, active, size, j):
    """Add variable j to the Cholesky factor; return whether it is independent of the others."""
    row = L[size]
    for i in range(size):
        row[i] = Q[j, active[i]]
    left = Q[j, j]
    for i in range(size):
        row[i] /= L[i, i]
        left -= row[i] * row[i]
        for k in range(i + 1, size):
            row[k] -= row[i] * U[i, k]
    if left <= INDEPENDENT * Q[j, j]:
        return False
    row[size] = np.sqrt(left)
    for i in range(size + 1):
        U[i, size] = row[i]
    return True


@njit(cache=True, error_model="numpy")
def _remove(L, U, gone, size, x):
    """Take variable `gone` of size + 1 out of the Cholesky factor; x is room for work.

    The rows after it gain the square of the column that goes: an update of rank one, which is
    stable since it adds.
    """
    for i in range(gone, size):
        x[i] = L[i + 1, gone]
        for k in range(gone):
            L[i, k] = L[i + 1, k]
        for k in range(gone, i + 1):
            L[i, k] = L[i + 1, k + 1]
    for i in range(size):
        for k in range(max(i, gone), size):
            U[i, k] = L[k, i]
    for k in range(gone, size):
        root = np.hypot(U[k, k], x[k])
        c, s = root / U[k, k], x[k] / U[k, k]
        U[k, k] = root
        for i in range(k + 1, size):
            U[k, i] = (U[k, i] + s * x[i]) / c
            x[i] = c * x[i] - s * U[k, i]
        for i in range(k, size):
            L[i, k] = U[k, i]


@njit(cache=True, error_model="numpy")
def _forward(L, r, active, signs, i, half_u, half_v):
    """Write the entries i of the forward solutions, given those before."""
    x, y = r[active[i]], signs[i]
    for k in range(i):
        x -= L[i, k] * half_u[k]
        y -= L[i, k] * half_v[k]
    half_u[i], half_v[i] = x / L[i, i], y / L[i, i]


@njit(cache=True, error_model="numpy")
def _backward(L, half, size, x):
    """Solve L'x = half."""
    x[:size] = half[:size]
    for i in range(size - 1, -1, -1):
        x[i] /= L[i, i]
        _add(x, -x[i], L[i], i)


@njit(cache=True, error_model="numpy")
def moments(X, y, counts, centre, Q, r, means):
    """Write the second moments of a resample that holds row i of the data counts[i] times.

    `means` gets the means of the columns of X and of y, zeros without centring; the moments are
    those about them.
    """
    n, p = X.shape
    used, total = 0, 0
    for i in range(n):
        if counts[i] > 0:
            used += 1
            total += counts[i]
    rows = np.empty((used, p + 2))
    k = 0
    for i in range(n):
        if counts[i] > 0:
            weight = np.sqrt(counts[i])
            for j in range(p):
                rows[k, j] = weight * X[i, j]
            rows[k, p] = weight * y[i]
            rows[k, p + 1] = weight
            k += 1
    G = np.dot(rows.T, rows) / total
    for i in range(p + 1):
        means[i] = G[i, p + 1] if centre else 0.0
    for i in range(p):
        r[i] = G[i, p] - means[i] * means[p]
        for j in range(p):
            Q[i, j] = G[i, j] - means[i] * means[j]
    for i in range(p):
        # What is left of a constant column is rounding, which must not enter the path.
        if Q[i, i] <= 1e-14 * G[i, i]:
            Q[i, :] = 0.0
            Q[:, i] = 0.0
            r[i] = 0.0
