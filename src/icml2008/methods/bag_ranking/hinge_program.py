"""The linear program behind multiple instance ranking and classification.

With the convex combinations of the preferred bags fixed, both methods minimise a weighted sum of
hinge losses plus a weighted 1-norm,

    min_w  sum_i cost_i max(0, 1 - rows_i' w) + sum_k penalty_k |w_k|.

There are far more rows than coefficients, so the dual is what is solved: one bounded variable for
each row and one two-sided constraint for each coefficient,

    max_a  sum_i a_i   subject to   0 <= a <= cost,   -penalty <= rows' a <= penalty,

whose multipliers are w. New costs leave an optimal basis dual feasible, so that along a path of
costs each program starts from the optimum of the one before.
"""

from __future__ import annotations

import highspy
import numpy as np
from numpy.typing import NDArray

from icml2008.silent import SilentHighs

_OPTIONS = {
    "output_flag": False,  # of older versions, too
    "threads": 1,
    "presolve": "off",  # costs more than it saves with so few constraints, and forgets the basis
    # losses are multiplied by costs of up to 1e6, and so are infeasibilities
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
# how far from its bounds, relative to their distance, a basic variable must be to count as inside
_MARGIN = 1e-7
_ROUNDING = 1e-11


def objective(
    rows: NDArray[np.float64],
    penalty: NDArray[np.float64],
    w: NDArray[np.float64],
    cost: NDArray[np.float64],
) -> float:
    """Return the weighted sum of hinge losses and 1-norm at w."""
    return float(cost @ np.maximum(0.0, 1.0 - rows @ w) + penalty @ np.abs(w))


class HingeProgram:
    """Linear programs of the same rows and penalty, at one cost after the other.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_coefs)
    penalty : ndarray of shape (n_coefs,)
        Weight of each coefficient's absolute value; 0 for an intercept.
    start : highspy.HighsBasis or None
        The `basis` of a program of the same shape, to start from.
    """

    def __init__(
        self,
        rows: NDArray[np.float64],
        penalty: NDArray[np.float64],
        start: highspy.HighsBasis | None = None,
    ):
        self.rows = np.ascontiguousarray(rows)
        self.penalty = penalty
        self._largest = np.abs(rows).max(axis=0)
        n_rows, n_coefs = rows.shape
        self._columns = np.arange(n_rows, dtype=np.int32)
        self._warm = start is not None
        self._highs = SilentHighs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.passModel(
            n_rows,
            n_coefs,
            rows.size,
            int(highspy.MatrixFormat.kColwise),
            int(highspy.ObjSense.kMaximize),
            0.0,
            np.ones(n_rows),
            np.zeros(n_rows),
            np.ones(n_rows),
            -penalty,
            penalty,
            np.arange(0, rows.size, n_coefs, dtype=np.int32),
            np.tile(np.arange(n_coefs, dtype=np.int32), n_rows),
            self.rows.ravel(),
            np.zeros(n_rows, dtype=np.int32),
        )
        if start is not None:
            self._highs.setBasis(start)

    @property
    def basis(self) -> highspy.HighsBasis:
        """The optimal basis of the last program."""
        return self._highs.getBasis()

    def solve(self, cost: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a minimiser w.

        What was solved before makes this faster and does not change the result: unless the optimal
        basis is the only one, the program is solved again from scratch.

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
            If the solver stops without an optimum, which only numerical trouble can cause: w = 0 is
            feasible and the objective is bounded below by 0.
        """
        self._highs.changeColsBounds(len(cost), self._columns, np.zeros(len(cost)), cost)
        w, unique = self._run(cost)
        if self._warm and not unique:
            self._highs.clearSolver()
            w, _ = self._run(cost)
        self._warm = True
        return w

    def objective(self, w: NDArray[np.float64], cost: NDArray[np.float64]) -> float:
        """Return the value of the objective at w."""
        return objective(self.rows, self.penalty, w, cost)

    def _run(self, cost: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
        """Return a minimiser, and whether no other basis is optimal."""
        if self._highs.run() == highspy.HighsStatus.kError:
            # HiGHS keeps one pool of threads a process and refuses any other number than the one
            # it was first asked for, by whomever; 0 takes the pool as it is
            self._highs.setOptionValue("threads", 0)
            self._highs.run()
        status = self._highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            msg = (
                f"the linear program ended with {self._highs.modelStatusToString(status)!r}; "
                "bring the features to similar scales (unit variance, say)"
            )
            raise FloatingPointError(msg)
        basic = np.sort(np.asarray(self._highs.getBasicVariables()[1]))
        columns = basic[basic >= 0]
        zero = -1 - basic[basic < 0]  # coefficients whose constraint is slack
        free = np.setdiff1d(np.arange(len(self.penalty)), zero)

        # Rows of basic variables hold with equality. Solving for w anew gives the same bits for the
        # same basis, whatever way led there, and is exact to rounding rather than to a tolerance.
        w = np.zeros(len(self.penalty))
        w[free] = np.linalg.solve(self.rows[np.ix_(columns, free)], np.ones(len(columns)))
        # what no product can feel next to 1 is a zero that was rounded
        w[np.abs(w) * self._largest < _ROUNDING] = 0.0

        solution = self._highs.getSolution()
        duals = np.array(solution.col_value)
        activity = np.array(solution.row_value)
        slack = np.abs(1.0 - self.rows @ w)
        slack[columns] = np.inf
        share = duals[columns] / cost[columns]
        unique = (
            slack.min(initial=np.inf) > _MARGIN
            and np.abs(w[free]).min(initial=np.inf) > _MARGIN * np.abs(w).max()
            and np.minimum(share, 1.0 - share).min(initial=1.0) > _MARGIN
            and (self.penalty - np.abs(activity))[zero].min(initial=1.0) > _MARGIN
        )
        return w, bool(unique)
