"""The rules at work: from the evidence of one part to its verdict."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import skew

from . import decide
from .cases import over_cases
from .estimates import Estimate, Mean
from .evidence import Evidence
from .hindrances import BOUNDS, decision_of, hindrance_of, lies_between
from .outlook import outlook
from .rates import rate_bound
from .reasons import reason_of_part
from .tolerances import all_agree, own_spread, tolerance_of
from .verdict import CONFIRMED, INCONCLUSIVE, REFUTED, Verdict

WORDS = {decide.CONFIRMED: CONFIRMED, decide.REFUTED: REFUTED, decide.INCONCLUSIVE: INCONCLUSIVE}
_LIMITS = (*BOUNDS, "holds")


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
    agree = evidence.deterministic and n >= 2 and all_agree(values)
    estimate = _point(evidence, values) if agree else formula.estimate(values)
    spread = float(getattr(estimate, "se", np.nan)) * math.sqrt(n)
    limit = tolerance_of(evidence, own_spread(evidence, estimate, n))
    code, p = decision_of(evidence, estimate, limit)
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
    hindrance = hindrance_of(evidence, code, limit, enough)
    if hindrance is None and code == decide.INCONCLUSIVE and lies_between(evidence, low, high):
        hindrance = "between"
    if hindrance:
        code = decide.INCONCLUSIVE
        p = 1.0
        more["hindrance"] = hindrance
    more_would_help = hindrance in (None, "repeats", "failures", "coarse") and not agree
    if code == decide.INCONCLUSIVE and math.isfinite(spread) and more_would_help:
        more |= outlook(evidence, float(estimate.effect), spread, n, limit)
    more |= {"p_refute": float(p)} | _generalises(evidence, estimate, limit, enough)
    return WORDS[int(code)], more


def _functional(evidence: Evidence) -> bool:
    """Whether there is no single number a repeat."""
    formula = evidence.formula
    several = formula.reduced != "mean"
    return formula.over_all_repeats or formula.kind == "ratio" or several


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
    return None if few or all_agree(np.asarray(values)) else float(skew(values, bias=False))


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
    code, p = decision_of(evidence, wide, limit)
    if hindrance_of(evidence, code, limit, enough, overlap):
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
