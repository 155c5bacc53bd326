"""How far a number may lie from the printed one, and how spread our repeats are."""

from __future__ import annotations

import math

import numpy as np

from . import decide
from .estimates import Estimate, Mean
from .evidence import Evidence


def own_spread(evidence: Evidence, estimate: Estimate, n: int) -> float:
    """Return the standard deviation of our repeats, no smaller than that of the test cases.

    A statistic without a spread of single repeats (a count) is given the rounding alone. Where
    repeats agree, as those of a constant predictor do, a printed number is of other test cases
    still.
    """
    spread = float(getattr(estimate, "se", np.nan)) * math.sqrt(n)
    spread = spread if math.isfinite(spread) else 0.0
    if evidence.comparison != "near" or evidence.printed.spread is not None:
        return spread
    return max(spread, evidence.formula.binomial_spread(float(estimate.effect)))


def all_agree(values: np.ndarray) -> bool:
    return bool(np.all(np.abs(values - values[0]) <= 1e-9 * np.maximum(np.abs(values[0]), 1.0)))


def tolerance_of(evidence: Evidence, spread: float) -> float | None:
    if evidence.comparison != "near":
        return None
    its = evidence.printed
    error = decide.printed_error(spread, its.spread, its.n, its.sd_of)
    return float(decide.tolerance(its.half_unit, error, its.margin))


def is_too_coarse(evidence: Evidence, limit: float | None) -> bool:
    its = evidence.printed
    one_run = its.margin is None and (its.n == 1 or its.sd_of != "runs")
    return limit is not None and bool(
        decide.too_coarse(limit, its.half_unit, its.gap, one_run=one_run)
    )


def surprise_of(evidence: Evidence, estimate: Estimate) -> float | None:
    """Return how surprising the printed number is if it is a run, or a mean of runs, like ours.

    None where a spread is printed, or a margin of the claim's own takes its place.
    """
    its = evidence.printed
    n = len(evidence.complete)
    se = float(getattr(estimate, "se", np.nan))
    if its.spread is not None or its.margin is not None or n < 2 or not math.isfinite(se):
        return None
    own = own_spread(evidence, estimate, n)
    if own == 0:  # a number without chance: what differs from it does so for certain
        return None
    known = own > se * math.sqrt(n) * (1 + 1e-9)
    # The spread of the test cases is known, that of our repeats is estimated from n.
    df = math.inf if known else n - 1
    exact = isinstance(estimate, Mean) and estimate.case == 0
    ours = 0.0 if exact else max(se, own / math.sqrt(n))
    error = decide.printed_error(own, its.spread, its.n, its.sd_of)
    distance = abs(float(estimate.effect) - its.value) - its.half_unit
    return float(decide.surprise(distance, ours, error, df))
