"""The same linear programs by Clarabel, an interior point method that is an extra."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def largest_by_clarabel(costs, matrix, sides, free=0):
    """Maximise costs' x over x >= 0 but for the last `free` ones, lower <= matrix x <= upper.

    Parameters and results are those of `largest`.

    Raises
    ------
    ImportError
        Without Clarabel.
    RuntimeError
        If Clarabel finds no optimum.
    """
    try:
        import clarabel
    except ModuleNotFoundError:
        msg = "solver='clarabel' needs clarabel; install: pip install 'icml2008[clarabel]'"
        raise ImportError(msg, name="clarabel") from None

    matrix = sparse.csr_array(matrix)
    lower, upper = sides
    n = len(costs)
    equal = lower == upper
    above = ~equal & np.isfinite(lower)
    below = ~equal & np.isfinite(upper)
    signs = sparse.eye_array(n - free, n)
    rows = sparse.vstack([matrix[equal], -matrix[above], matrix[below], -signs], format="csc")
    ends = np.concatenate([lower[equal], -lower[above], upper[below], np.zeros(n - free)])
    n_equal = int(equal.sum())
    cones = [clarabel.ZeroConeT(n_equal), clarabel.NonnegativeConeT(len(ends) - n_equal)]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    nothing = sparse.csc_matrix((n, n))
    program = clarabel.DefaultSolver(
        nothing, -np.asarray(costs), sparse.csc_matrix(rows), ends, cones, settings
    )
    solution = program.solve()
    if solution.status != clarabel.SolverStatus.Solved:
        msg = f"Clarabel ended with: {solution.status}"
        raise RuntimeError(msg)
    return np.array(solution.x), solution.iterations
