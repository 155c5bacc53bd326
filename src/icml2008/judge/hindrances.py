"""What keeps an interval that would decide from deciding."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from . import decide
from .estimates import Estimate
from .evidence import Evidence
from .tolerances import is_too_coarse, surprise_of

# Failures are tried at the bounds of the metric, in every combination of this many series.
_MOST_FAILING_SERIES = 6

BOUNDS = {"above": decide.above, "below": decide.below}


def hindrance_of(
    evidence: Evidence, code: int, limit: float | None, enough: bool, overlap: float = 0.0
) -> str | None:
    """Return what keeps an interval that would decide from deciding."""
    if not enough:
        return "repeats"
    if code == decide.INCONCLUSIVE:
        return None
    if evidence.degenerate:
        return "degenerate"
    if evidence.search == "shared":
        return "search"
    if evidence.capped and not _holds_at_least(evidence, code):
        return "cap"
    if evidence.failed and _could_turn(evidence, code, limit, overlap):
        return "failures"
    if code == decide.CONFIRMED and is_too_coarse(evidence, limit):
        return "coarse"
    if code == decide.REFUTED and evidence.hedge:
        return "hedge"
    return None


def _holds_at_least(evidence: Evidence, code: int) -> bool:
    """Whether a decision stands however long the runs that were broken off would have taken.

    A measurement at its cap is a floor. What it is more can move the effect one way alone in a
    mean, difference, lead or ratio; elsewhere nothing is known.
    """
    sign = evidence.formula.sign
    kind = evidence.formula.kind
    if kind not in ("mean", "difference", "lead", "ratio"):
        return False
    first = 1 if kind == "mean" else sign
    moves = {first if place == 0 else -sign for place, hit in enumerate(evidence.capped) if hit}
    if len(moves) > 1:
        return False
    its = evidence.printed
    if evidence.comparison == "near":
        beyond = np.sign(evidence.formula.effect(evidence.complete) - its.value)
        return code == decide.REFUTED and moves == {int(beyond)}
    rising = evidence.comparison == "above" or (its.fails is not None and its.value > its.fails)
    favours = 1 if rising else -1
    return moves == {favours * code}


def lies_between(evidence: Evidence, low: Any, high: Any) -> bool:
    """Whether the interval lies between the two lines, where more repeats decide nothing."""
    its = evidence.printed
    if evidence.comparison != "holds":
        return False
    return min(its.value, its.fails) < low and high < max(its.value, its.fails)


def decision_of(evidence: Evidence, estimate: Estimate, limit: float | None) -> tuple[int, float]:
    its = evidence.printed
    if evidence.comparison == "near":
        code, p = decide.near(estimate, its.value, limit, surprise_of(evidence, estimate))
    elif evidence.comparison == "holds":
        code, p = decide.lines(estimate, its.value, its.fails)
    else:
        code, p = BOUNDS[evidence.comparison](estimate, its.value)
    return int(code), float(p)


def _could_turn(evidence: Evidence, code: int, limit: float | None, overlap: float = 0.0) -> bool:
    """Return whether failed repeats could have changed a decision.

    Each series takes all its failures at the lower or at the upper bound of the metric, in every
    combination; a metric without both bounds could have had any value.
    """
    bounds = evidence.formula.bounds
    gone = np.isnan(evidence.values)
    failing = np.argwhere(gone.any(axis=0))
    if not np.isfinite(bounds).all() or len(failing) > _MOST_FAILING_SERIES:
        return True
    for fills in itertools.product(bounds, repeat=len(failing)):
        values = evidence.values.copy()
        for place, fill in zip(failing, fills, strict=True):
            series = values[:, *place]
            series[np.isnan(series)] = fill
        estimate = evidence.formula.estimate(values, overlap=overlap)
        if decision_of(evidence, estimate, limit)[0] != code:
            return True
    return False
