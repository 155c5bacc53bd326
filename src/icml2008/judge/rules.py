"""The rules at work: from the evidence of one part to its verdict."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import skew

from . import decide
from .cases import over_cases
from .estimates import Estimate, Mean
from .evidence import Evidence
from .rates import rate_bound
from .reasons import reason_of_part
from .verdict import CONFIRMED, INCONCLUSIVE, REFUTED, Verdict

WORDS = {decide.CONFIRMED: CONFIRMED, decide.REFUTED: REFUTED, decide.INCONCLUSIVE: INCONCLUSIVE}
# Failures are tried at the bounds of the metric, in every combination of this many series.
_MOST_FAILING_SERIES = 6
_BOUNDS = {"above": decide.above, "below": decide.below}
_LIMITS = (*_BOUNDS, "holds")


def judge_part(evidence: Evidence, **about: Any) -> Verdict:
    """Decide one part from its evidence; `about` are the fields that say what it is about."""
    numbers: dict[str, Any] = {
        "n": len(evidence.complete),
        "failed": evidence.failed,
        "inputs": evidence.to_json(),
        "p_refute": 1.0,
        "level": decide.LEVEL,
    }
    if evidence.printed:
        numbers |= {
            "printed": evidence.printed.text,
            "printed_sd": evidence.printed.spread,
            "half_unit": evidence.printed.half_unit,
            "floor": evidence.printed.value if about["comparison"] in _LIMITS else None,
            "fails": evidence.printed.fails,
        }
    instances = about["comparison"] == "never_violated" and np.isfinite(evidence.values).any()
    if not numbers["n"] and not instances:
        why = f"all {evidence.failed} trials failed ({'; '.join(evidence.errors)})"
        return Verdict(verdict=INCONCLUSIVE, reason=why, **about, **numbers)
    judge = _judge_values if about["comparison"] in (*_LIMITS, "near") else _judge_instances
    word, more = judge(evidence)
    numbers |= more
    draft = Verdict(verdict=word, finding=word, reason="", **about, **numbers)
    return Verdict.from_json(replace(draft, reason=reason_of_part(draft, evidence)).to_json())


def _judge_instances(evidence: Evidence) -> tuple[str, dict[str, Any]]:
    """Apply `never_violated` or `exactly`, which look at every repeat by itself."""
    if evidence.formula.over_all_repeats or evidence.formula.kind == "ratio":
        values = evidence.formula.effect(evidence.complete)[None]
    elif evidence.formula.reduce != "mean" and evidence.comparison == "exactly":
        values = np.array([evidence.formula.effect(row[None]) for row in evidence.complete])
    else:
        values = evidence.formula.per_repeat(evidence.values)
        values = values[~np.isnan(values)]
    hindrance = None
    bound = None
    closest = None
    loose = None
    if evidence.comparison == "never_violated":
        code = decide.never(values, evidence.tolerance, evidence.instances, evidence.due)
        effect = values.max()
        tolerance = evidence.tolerance
        closest = -float(effect)
        loose = code == decide.CONFIRMED and _is_loose(-values, tolerance)
        # Repeats of fixed data that agree in every digit are the same instances again.
        again = evidence.resampling == "fixed" and np.ptp(values) == 0
        if code != decide.REFUTED and not again:
            bound = rate_bound(evidence.instances)
    else:
        printed = evidence.printed
        code = decide.exactly(values, printed.value, printed.half_unit)
        effect = values.mean()
        tolerance = printed.half_unit
        if len(values) < (2 if evidence.deterministic else decide.MIN_REPEATS):
            hindrance = "repeats"
    if code == decide.CONFIRMED and evidence.failed:
        hindrance = "failures"
    if code == decide.REFUTED and evidence.hedge:
        hindrance = "hedge"
    if code != decide.INCONCLUSIVE and evidence.capped:
        hindrance = "cap"
    code = decide.INCONCLUSIVE if hindrance else code
    return WORDS[code], {
        "hindrance": hindrance,
        "closest": closest,
        "loose": loose,
        "effect": effect,
        "low": values.min(),
        "high": values.max(),
        "level": None,
        "tolerance": tolerance,
        "rate_bound": bound,
        "values": values.tolist(),
        "p_refute": 0.0 if code == decide.REFUTED else 1.0,
    }


def _is_loose(slack: np.ndarray, tolerance: float) -> bool:
    """Whether no instance came near its bound: the nearest is half as far as the middle one."""
    nearest = float(slack.min())
    return nearest > tolerance and 2 * nearest > float(np.median(slack))


def _judge_values(evidence: Evidence) -> tuple[str, dict[str, Any]]:
    """Apply `above`, `below`, two lines or `near`, which look at an interval."""
    values = evidence.complete
    formula = evidence.formula
    n = len(values)
    agree = evidence.deterministic and n >= 2 and _agree(values)
    estimate = _point(evidence, values) if agree else formula.estimate(values)
    spread = float(getattr(estimate, "se", np.nan)) * math.sqrt(n)
    limit = _tolerance(evidence, _own_spread(evidence, estimate, n))
    code, p = _decide(evidence, estimate, limit)
    low, high = estimate.ends(decide.LEVEL)
    more = {
        "effect": float(estimate.effect),
        "low": float(low),
        "high": float(high),
        "se": getattr(estimate, "se", None),
        "df": getattr(estimate, "df", None),
        "how": estimate.how(decide.LEVEL),
        "tolerance": limit,
        "printed_n": evidence.printed.n if evidence.comparison == "near" else None,
        "values": [] if _functional(evidence) else formula.per_repeat(values)[..., 0].tolist(),
        "capped": sum(evidence.capped),
    }
    if not agree:
        more["skewness"] = _skewness(more["values"])
    if evidence.comparison == "near":
        more["confirm_low"], more["confirm_high"] = map(float, estimate.ends(decide.CONFIRM_LEVEL))
        more["confirm_how"] = estimate.how(decide.CONFIRM_LEVEL)
    enough = agree or n >= decide.MIN_REPEATS
    hindrance = _hindrance(evidence, code, limit, enough)
    if hindrance is None and code == decide.INCONCLUSIVE and _lies_between(evidence, low, high):
        hindrance = "between"
    if hindrance:
        code = decide.INCONCLUSIVE
        p = 1.0
        more["hindrance"] = hindrance
    more_would_help = hindrance in (None, "repeats", "failures", "coarse") and not agree
    if code == decide.INCONCLUSIVE and math.isfinite(spread) and more_would_help:
        more |= _outlook(evidence, float(estimate.effect), spread, n, limit)
    more |= {"p_refute": float(p)} | _generalises(evidence, estimate, limit, enough)
    return WORDS[int(code)], more


def _hindrance(
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
    if code == decide.CONFIRMED and _too_coarse(evidence, limit):
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


def _lies_between(evidence: Evidence, low: Any, high: Any) -> bool:
    """Whether the interval lies between the two lines, where more repeats decide nothing."""
    its = evidence.printed
    if evidence.comparison != "holds":
        return False
    return min(its.value, its.fails) < low and high < max(its.value, its.fails)


def _own_spread(evidence: Evidence, estimate: Estimate, n: int) -> float:
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


def _functional(evidence: Evidence) -> bool:
    """Whether there is no single number a repeat."""
    formula = evidence.formula
    several = formula.reduced != "mean"
    return formula.over_all_repeats or formula.kind == "ratio" or several


def _agree(values: np.ndarray) -> bool:
    return bool(np.all(np.abs(values - values[0]) <= 1e-9 * np.maximum(np.abs(values[0]), 1.0)))


def _point(evidence: Evidence, values: np.ndarray) -> Mean:
    """Return a number without uncertainty; one that differs from a limit by rounding is at it."""
    effect = evidence.formula.effect(values)
    limits = (evidence.printed.value, evidence.printed.fails)
    for limit in limits if evidence.comparison in _LIMITS else ():
        if limit is not None and abs(effect - limit) <= evidence.formula.rounding(values):
            effect = np.asarray(limit)
    return Mean(effect, np.zeros_like(effect), len(values), case=0.0)


def _skewness(values: list[float]) -> float | None:
    """Return the skewness of repeats; None where they are few or agree."""
    few = len(values) < decide.MIN_REPEATS
    return None if few or _agree(np.asarray(values)) else float(skew(values, bias=False))


def _tolerance(evidence: Evidence, spread: float) -> float | None:
    if evidence.comparison != "near":
        return None
    its = evidence.printed
    error = decide.printed_error(spread, its.spread, its.n, its.sd_of)
    return float(decide.tolerance(its.half_unit, error, its.margin))


def _too_coarse(evidence: Evidence, limit: float | None) -> bool:
    its = evidence.printed
    one_run = its.margin is None and (its.n == 1 or its.sd_of != "runs")
    return limit is not None and bool(
        decide.too_coarse(limit, its.half_unit, its.gap, one_run=one_run)
    )


def _decide(evidence: Evidence, estimate: Estimate, limit: float | None) -> tuple[int, float]:
    its = evidence.printed
    if evidence.comparison == "near":
        code, p = decide.near(estimate, its.value, limit, _surprise(evidence, estimate))
    elif evidence.comparison == "holds":
        code, p = decide.lines(estimate, its.value, its.fails)
    else:
        code, p = _BOUNDS[evidence.comparison](estimate, its.value)
    return int(code), float(p)


def _surprise(evidence: Evidence, estimate: Estimate) -> float | None:
    """Return how surprising the printed number is if it is a run, or a mean of runs, like ours.

    None where a spread is printed, or a margin of the claim's own takes its place.
    """
    its = evidence.printed
    n = len(evidence.complete)
    se = float(getattr(estimate, "se", np.nan))
    if its.spread is not None or its.margin is not None or n < 2 or not math.isfinite(se):
        return None
    own = _own_spread(evidence, estimate, n)
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
        if _decide(evidence, estimate, limit)[0] != code:
            return True
    return False


def _outlook(
    evidence: Evidence, effect: float, spread: float, n: int, limit: float | None
) -> dict[str, Any]:
    """Say what could have been seen, and how many repeats decide the distance found."""
    value = evidence.printed.value
    level = decide.LEVEL
    floor = 0.0
    room = abs(effect - value)
    if evidence.printed.fails is not None:  # the line that is farther decides
        room = max(room, abs(effect - evidence.printed.fails))
    if limit is not None:
        low, high = evidence.formula.range
        # A bound of the metric guards its side of the tolerance.
        edges = [e for e in (value - limit, value + limit) if low < e < high]
        inside = room <= limit
        floor = limit
        level = decide.CONFIRM_LEVEL if inside else decide.LEVEL
        room = min((abs(effect - edge) for edge in edges), default=math.inf)
    if spread > 0:
        seen = decide.detectable(spread, n)
        needed = decide.repeats_needed(spread, room, level)
    elif evidence.formula.case:
        cases = -math.log((1 - level) / 2) * evidence.formula.case
        seen = cases / n
        needed = max(decide.MIN_REPEATS, math.ceil(cases / room)) if room else None
    else:
        return {}
    return {"could_see": floor + seen, "repeats_needed": needed}


def _generalises(
    evidence: Evidence, estimate: Estimate, limit: float | None, enough: bool
) -> dict[str, Any]:
    """Ask the same of new data of the kind, with the standard error that goes with it."""
    values = evidence.complete
    n = len(evidence.complete)
    overlap = 0.0
    if evidence.resampling == "fresh":
        wide = estimate
        method = "fresh data in each repeat, as above"
    elif evidence.resampling in ("resplit", "folds"):
        overlap = evidence.overlap
        wide = evidence.formula.estimate(values, overlap=overlap)
        method = f"overlapping data, variance × (1 + {n} × {overlap:.4g}): {wide.how(decide.LEVEL)}"
    elif evidence.resampling == "fixed" and evidence.cases_seen:
        *variances, cases = evidence.cases_seen
        each = evidence.formula.per_repeat(values)[..., 0]
        wide = over_cases(each, variances, int(cases), evidence.formula)
        method = f"new repeats and new test cases ({cases:.0f}): {wide.how(decide.LEVEL)}"
    else:
        return {}
    code, p = _decide(evidence, wide, limit)
    if _hindrance(evidence, code, limit, enough, overlap):
        code = decide.INCONCLUSIVE
        p = 1.0
    low, high = wide.ends(decide.LEVEL)
    return {
        "generalises": WORDS[code],
        "generalises_low": float(low),
        "generalises_high": float(high),
        "generalises_se": getattr(wide, "se", None),
        "generalises_method": method,
        "generalises_p": p,
    }
