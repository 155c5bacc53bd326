"""Would it hold on other test cases? Repeats crossed with the stored outcomes of test cases."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .estimates import Array, Mean, mean_of
from .formula import Formula


def case_variances(outcomes: ArrayLike) -> Array:
    """Return what test cases, and cases within repeats, add to the variance of the mean.

    Parameters
    ----------
    outcomes : array_like of shape (n_repeats, n_cases)
        What each test case adds to the statistic; the statistic is their mean.

    Returns
    -------
    ndarray of shape (2,)
        The variance of the cases' means, and that of what neither repeat nor case explains, both
        over their number.
    """
    x = np.asarray(outcomes, dtype=float)
    n, cases = x.shape
    by_case = x.mean(axis=0)
    rest = x - by_case - x.mean(axis=1, keepdims=True) + x.mean()
    freedom = max((n - 1) * (cases - 1), 1)
    return np.array([by_case.var(ddof=1) / cases, (rest**2).sum() / freedom / (n * cases)])


def over_cases(values: ArrayLike, variances: ArrayLike, cases: int, formula: Formula) -> Mean:
    """Estimate a mean over new repeats and new test cases.

    With r and c the variances of the means of repeats and of cases over their numbers, and e that
    of the rest, r + c - e is unbiased for the variance of the overall mean (both r and c contain
    e); degrees of freedom are Satterthwaite's.

    Parameters
    ----------
    values : array_like of shape (n_repeats,)
        The statistic in each repeat.
    variances : array_like of shape (2,)
        c and e, from `case_variances`.
    cases : int
        Test cases.
    formula : Formula
        The statistic.

    References
    ----------
    Satterthwaite (1946). An approximate distribution of estimates of variance components.
    Biometrics Bulletin 2, 110-114.
    """
    repeats = mean_of(values)
    r = float(np.nan_to_num(repeats.se)) ** 2
    (c, e) = np.asarray(variances, dtype=float)
    variance = max(r + c - e, r, c)
    parts = r**2 / max(repeats.df, 1) + c**2 / (cases - 1)
    low, high = formula.bounds
    return Mean(
        repeats.effect,
        np.asarray(math.sqrt(variance)),
        repeats.n,
        formula.range,
        case=high - low,
        shares=formula.of_shares,
        overlap=1 / cases - 1 / repeats.n,
        freedom=(r + c) ** 2 / parts if parts > 0 else float(cases - 1),
    )
