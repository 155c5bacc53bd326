"""The linear program of hinge losses and 1-norm, solved as an interior-point method leaves it.

A simplex method ends at a vertex. An interior-point method follows the central path, on which every
product of a variable and its multiplier is the same number mu, and stops where the duality gap is
small: what it returns lies in the middle of the optimal solutions, and a coefficient that is 0 at
the optimum is tiny but has a sign. The point of a given gap on the path is unique, whatever solver
follows it.

With w = u - v the program of :mod:`icml2008.methods.bag_ranking.hinge_program` is

    min  cost' xi + penalty' (u + v)   subject to   rows w + xi - s = 1,   xi, s, u, v >= 0,

and the pairs are s and a, xi and b = cost - a, u and penalty - rows' a, v and penalty + rows' a, a
being the multipliers of the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.bag_ranking.hinge_program import objective

Array = NDArray[np.float64]

# of the objective: where interior-point solvers stop by default
_GAP = 1e-8
# how far products may be from mu, and equations from their right-hand side, relative to it
_CENTRED = 1e-3
_FEASIBLE = 1e-8
# of mu in one step, and of the way to the boundary, which no step may reach
_DECREASE = 0.1
_SHORT = 0.99
_MAX_STEPS = 300


class CentralProgram:
    """Programs of the same rows and penalty, each solved to its point on the central path.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_coefs)
    penalty : ndarray of shape (n_coefs,)
        Weight of each coefficient's absolute value; 0 for an intercept.
    start : None
        There is no basis to start from.
    """

    basis = None

    def __init__(self, rows: Array, penalty: Array, start: None = None):
        self.rows = np.ascontiguousarray(rows)
        self.penalty = penalty
        self._columns = np.ascontiguousarray(rows.T)

    def objective(self, w: Array, cost: Array) -> float:
        """Return the value of the objective at w."""
        return objective(self.rows, self.penalty, w, cost)

    def solve(self, cost: Array) -> Array:
        """Return the w whose duality gap is 1e-8 of the objective.

        Parameters
        ----------
        cost : ndarray of shape (n_rows,)
            Positive.

        Returns
        -------
        ndarray of shape (n_coefs,)

        Raises
        ------
        FloatingPointError
            If the path cannot be followed that far, which only numerical trouble can cause.
        """
        rows = self.rows
        columns = self._columns
        penalty = self.penalty
        free = penalty == 0
        # w = 0 and small multipliers satisfy all equations but those of free coefficients
        reach = np.abs(columns).sum(axis=1)[~free]
        room = np.min(penalty[~free] / np.where(reach > 0, reach, 1.0), initial=np.inf)
        a = np.minimum(cost, room) / 2
        b = cost - a
        s = np.ones_like(cost)
        xi = np.full_like(cost, 2.0)
        g = columns @ a
        below = np.where(free, 1.0, penalty - g)
        above = np.where(free, 1.0, penalty + g)
        u = np.ones_like(penalty)
        v = np.ones_like(penalty)
        intercept = np.zeros_like(penalty)
        n_pairs = 2 * (len(cost) + np.sum(~free))
        equations = _Equations(rows, columns)
        for _ in range(_MAX_STEPS):
            w = np.where(free, intercept, u - v)
            g = columns @ a
            missed = 1.0 - rows @ w - xi + s
            missed_below = np.where(free, -g, penalty - g - below)
            missed_above = np.where(free, 0.0, penalty + g - above)
            of_s = s * a
            of_xi = xi * b
            of_u = np.where(free, 0.0, u * below)
            of_v = np.where(free, 0.0, v * above)
            now = (of_s.sum() + of_xi.sum() + of_u.sum() + of_v.sum()) / n_pairs
            last = _GAP * float(cost @ xi + penalty @ (u + v)) / n_pairs
            pairs = np.concatenate([of_s, of_xi, of_u[~free], of_v[~free]])
            if np.abs(pairs - last).max() <= _CENTRED * last:
                rounding = np.maximum(1.0, np.abs(columns) @ a)  # of the sums in g
                off = np.maximum(np.abs(missed_below), np.abs(missed_above)) / rounding
                if max(np.abs(missed).max(), off.max()) <= _FEASIBLE:
                    return w

            mu = max(last, _DECREASE * now)
            r_s = mu - of_s
            r_xi = mu - of_xi
            r_u = mu - of_u
            r_v = mu - of_v
            weight = 1.0 / (xi / b + s / a)
            give = np.where(free, np.inf, u / below + v / above)
            own = (r_u - u * missed_below) / below - (r_v - v * missed_above) / above
            q = missed - r_xi / b + r_s / a
            right = np.where(free, -missed_below, own / give)
            dw, da = equations.solve(weight, 1.0 / give, q, right)
            dg = columns @ da
            ds = (r_s - s * da) / a
            dxi = (r_xi + xi * da) / b
            dbelow = np.where(free, 0.0, missed_below - dg)
            dabove = np.where(free, 0.0, missed_above + dg)
            du = (r_u - u * dbelow) / below
            dv = (r_v - v * dabove) / above
            # a quotient by what is nearly 0 is inexact, and follows from the other one
            near_below = below < above
            exact_du = np.where(near_below, dw + dv, du)
            dv = np.where(near_below, dv, du - dw)
            du = exact_du
            du = np.where(free, 0.0, du)
            dv = np.where(free, 0.0, dv)

            t = _longest((s, ds), (xi, dxi), (u, du), (v, dv))
            s = s + t * ds
            xi = xi + t * dxi
            u = u + t * du
            v = v + t * dv
            intercept = intercept + np.where(free, t * dw, 0.0)
            t = _longest((a, da), (b, -da), (below, dbelow), (above, dabove))
            a = a + t * da
            b = b - t * da
            below = below + t * dbelow
            above = above + t * dabove
        msg = (
            f"the central path was lost after {_MAX_STEPS} steps; "
            "bring the features to similar scales (unit variance, say)"
        )
        raise FloatingPointError(msg)


class _Equations:
    """Equations rows dw + da / weight = q and keep dw - rows' da = right of one step.

    Putting da of the first into the second leaves as many equations as coefficients. Near the end
    of a degenerate program these round to a singular matrix, weights being 1 / mu for rows at the
    margin; from there on da of such rows stays an unknown, which takes longer and loses nothing.
    """

    def __init__(self, rows: Array, columns: Array):
        self._rows = rows
        self._columns = columns
        self._rounds = False

    def solve(self, weight: Array, keep: Array, q: Array, right: Array) -> tuple[Array, Array]:
        rows = self._rows
        columns = self._columns
        if not self._rounds:
            root = columns * np.sqrt(weight)
            try:
                dw = np.linalg.solve(root @ root.T + np.diag(keep), columns @ (weight * q) + right)
            except np.linalg.LinAlgError:
                self._rounds = True
            else:
                return dw, weight * (q - rows @ dw)

        heavy = weight > 1.0
        light = columns[:, ~heavy] * weight[~heavy]
        matrix = np.block(
            [
                [np.diag(keep) + light @ rows[~heavy], -columns[:, heavy]],
                [rows[heavy], np.diag(1.0 / weight[heavy])],
            ]
        )
        dw, da_heavy = np.split(
            np.linalg.solve(matrix, np.concatenate([right + light @ q[~heavy], q[heavy]])),
            [len(keep)],
        )
        da = weight * (q - rows @ dw)
        da[heavy] = da_heavy
        return dw, da


def _longest(*pairs: tuple[Array, Array]) -> float:
    """Return how far positive numbers can change, at most once, and stay positive."""
    shrink = max(float(np.max(-change / value)) for value, change in pairs)
    return min(1.0, _SHORT / shrink) if shrink > 0 else 1.0
