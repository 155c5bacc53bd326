"""The Lasso's exact path from second moments, compiled.

With Q = X'X / n and r = X'y / n, the Lasso minimises w'Qw / 2 - r'w + mu |w|_1. While the signs s
of the active variables A stay as they are, its solution is the line

    w_A(mu) = u - mu v,   Q_AA u = r_A,   Q_AA v = s_A,

and the correlations of the others are c(mu) = b + mu a, b = r - Q_.A u, a = Q_.A v. Since |c| < mu
on the current piece, a line c can meet +mu further down only if b > 0, and -mu only if b < 0; a
coefficient can meet 0 only if the sign of u is not its own. So each variable has at most one next
event. All of u, v, b and -a stand in two columns of the tableau [Q r s] after principal pivots on
A, and an event is one more pivot: p rows of p + 2 numbers.
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
    joining = -1
    mu = 0.0
    for j in range(p):
        if abs(r[j]) > mu:
            joining = j
            mu = abs(r[j])
    knots[0] = max(mu, mu_end)
    changes[0] = 0
    if joining < 0 or mu <= mu_end:
        return 1
    mu_end = max(mu_end, END * mu)
    T = np.zeros((p, p + 2))
    T[:, :p] = Q
    T[:, p] = r
    signs = np.zeros(p)  # 0 for those that are not active
    dependent = np.zeros(p, np.bool_)
    size = 0
    n = 0
    while True:
        if joining >= 0:
            if T[joining, joining] <= INDEPENDENT * Q[joining, joining]:
                dependent[joining] = True  # in the span of the active ones: it adds nothing
            else:
                if size == most_active:
                    knots[n] = mu
                    changes[n] = 0
                    return n + 1
                signs[joining] = 1.0 if T[joining, p] > 0.0 else -1.0
                T[joining, p + 1] += signs[joining]
                pivot(T, joining)
                size += 1
                changes[n] = joining + 1
                n += 1
        if n == knots.size:
            return 0
        joining = -1
        leaving = -1
        mu_next = mu_end
        for j in range(p):
            # u and v, or b and -a
            flat = T[j, p]
            tilt = T[j, p + 1]
            if signs[j] != 0.0:
                if flat * signs[j] < 0.0 and flat / tilt > mu_next:
                    joining = -1
                    leaving = j
                    mu_next = flat / tilt
            elif not dependent[j]:
                at = flat / (1.0 + tilt) if flat > 0.0 else -flat / (1.0 - tilt)
                if at > mu_next:
                    joining = j
                    leaving = -1
                    mu_next = at
        mu = min(mu_next, mu)
        knots[n] = mu
        for j in range(p):
            coefs[n, j] = T[j, p] - mu * T[j, p + 1] if signs[j] != 0.0 else 0.0
        if leaving >= 0:
            coefs[n, leaving] = 0.0
            changes[n] = -(leaving + 1)
            n += 1
            pivot(T, leaving)
            T[leaving, p + 1] -= signs[leaving]
            signs[leaving] = 0.0
            dependent[:] = False
            size -= 1
        elif joining < 0:
            changes[n] = 0
            return n + 1


@njit(cache=True, error_model="numpy")
def pivot(T, j):
    """Exchange variable j in the tableau, in place; a second pivot on it takes the first back.

    Where Q_jj is a Schur complement of a positive definite matrix, or the inverse of one, it is
    positive: no row need be sought.
    """
    row = T[j]
    scale = 1.0 / row[j]
    row *= scale
    row[j] = scale
    for k in range(len(T)):
        if k != j:
            other = T[k]
            factor = other[j]
            other[j] = 0.0
            for c in range(row.size):
                other[c] -= factor * row[c]


@njit(cache=True, error_model="numpy")
def moments(X, y, counts, centre, Q, r, means):
    """Write the second moments of a resample that holds row i of the data counts[i] times.

    `means` gets the means of the columns of X and of y, zeros without centring; the moments are
    those about them.
    """
    n, p = X.shape
    used = 0
    total = 0
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
