"""The dual of problem (3) by HiGHS, an active set method for any convex quadratic program."""

from typing import NamedTuple

import highspy
import numpy as np


class Solved(NamedTuple):
    """Dual variables, (n,), their objective and the active set method's iterations."""

    theta: np.ndarray
    objective: float
    iterations: int


def highs(K, y, tau, lambda_):
    """Return the theta of (5), as `Solved`: least theta K theta / 2 - lambda y theta."""
    n = len(y)
    solver = highspy.Highs()
    model = highspy.HighsModel()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    lp = model.lp_
    square = model.hessian_
    lp.num_col_ = n
    lp.num_row_ = 1
    lp.col_cost_ = -lambda_ * y
    lp.col_lower_ = np.full(n, tau - 1)
    lp.col_upper_ = np.full(n, tau)
    lp.row_lower_ = lp.row_upper_ = np.zeros(1)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.arange(n + 1)
    lp.a_matrix_.index_ = np.zeros(n, dtype=int)
    lp.a_matrix_.value_ = np.ones(n)
    columns, rows = np.triu_indices(n)
    square.dim_ = n
    square.format_ = highspy.HessianFormat.kTriangular
    square.start_ = np.concatenate([[0], np.cumsum(np.arange(n, 0, -1))])
    square.index_ = rows
    square.value_ = K[columns, rows]
    solver.passModel(model)
    solver.run()
    theta = np.array(solver.getSolution().col_value)
    objective = theta @ K @ theta / 2 - lambda_ * (y @ theta)
    return Solved(theta, objective, solver.getInfo().qp_iteration_count)
