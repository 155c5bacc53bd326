"""From claims and records to verdicts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from . import decide
from .claims import Claim
from .estimates import Estimate, Mean
from .evidence import ClaimError, Evidence, Missing, gather
from .models import Metric, Resampling
from .reasons import reason_of_part, reason_of_whole
from .records import RecordError, Records, part_name
from .verdict import CONFIRMED, INCONCLUSIVE, REFUTED, UNTESTED, Verdict

WORDS = {decide.CONFIRMED: CONFIRMED, decide.REFUTED: REFUTED, decide.INCONCLUSIVE: INCONCLUSIVE}
_CODES = {word: code for code, word in WORDS.items()}
# Failures are tried at the bounds of the metric, in every combination of this many series.
_MOST_FAILING_SERIES = 6


def judge_claim(
    paper: str,
    claim_id: str,
    claim: Claim,
    records: Mapping[str, Records],
    *,
    metrics: Mapping[str, Metric],
    resampling: Mapping[str, Resampling],
    scale: str = "full",
    universe: str = "default",
) -> list[Verdict]:
    """Judge a claim: the whole first, then its parts.

    Parameters
    ----------
    paper, claim_id : str
        Their keys.
    claim : Claim
        The claim.
    records : mapping of str to Records
        By experiment; an experiment that has not been run is absent.
    metrics, resampling : mapping
        By metric and by experiment.
    scale, universe : str
        Where the records come from; below ``full``, verdicts are preliminary.

    Returns
    -------
    list of Verdict
        The whole (``part == ""``), then one per part of a claim that has ``each``.

    Raises
    ------
    ClaimError, RecordError
        If claim and records do not fit; the message names the claim.
    """
    about: dict[str, Any] = {
        "paper": paper,
        "claim": claim_id,
        "says": claim.says,
        "page": claim.page,
        "experiment": claim.statistic.experiment if claim.statistic else "",
        "comparison": claim.comparison,
        "statistic": str(claim.statistic or ""),
        "metric": claim.statistic.metric if claim.statistic else "",
        "unit": "",
        "preliminary": scale != "full",
        "stand_in": claim.stand_in,
        "scale": scale,
        "universe": universe,
        "rulebook": decide.RULEBOOK,
    }
    if claim.untested or not claim.statistic:
        reason = claim.untested.reason if claim.untested else "not yet"
        note = claim.untested.note if claim.untested else claim.note
        return [Verdict(part="", verdict=UNTESTED, reason=_because(reason, note), **about)]
    verdicts = []
    for part in claim.parts():
        try:
            found = gather(claim, part, records, metrics, resampling)
        except (ClaimError, RecordError) as error:
            msg = f"{paper}: claim {claim_id!r}: {error}"
            raise type(error)(msg) from None
        about["unit"] = metrics[claim.statistic.metric].unit
        about["statistic"] = str(claim.statistic).replace("{method}", part.get("method", ""))
        name = part_name(part.items())
        if isinstance(found, Missing):
            reason = _because(found.reason, found.note)
            verdicts.append(Verdict(part=name, verdict=UNTESTED, reason=reason, **about))
        else:
            verdicts.append(judge_part(found, part=name, **about))
    if not claim.each:
        return verdicts
    about["statistic"] = str(claim.statistic)
    listed = [{"part": v.part, "verdict": v.verdict, "p": v.p_refute} for v in verdicts]
    notes = sorted({v.reason for v in verdicts if v.verdict == UNTESTED})
    return [_whole(listed, notes, part="", **about), *verdicts]


def rejudge(plain: Mapping[str, Any]) -> Verdict:
    """Compute a verdict again from what it stores.

    Parameters
    ----------
    plain : mapping
        What `Verdict.to_json` returned.

    Returns
    -------
    Verdict
        Equal to the stored one if that was made by this rule book.
    """
    stored = Verdict.from_json(plain)
    about = {name: getattr(stored, name) for name in _ABOUT}
    if stored.parts:
        again = _whole(stored.parts, stored.inputs["notes"], **about)
    elif stored.inputs:
        again = judge_part(Evidence.from_json(stored.inputs), **about)
    else:
        return stored
    return replace(again, robustness=stored.robustness)


_ABOUT = (
    *("paper", "claim", "part", "says", "page", "experiment", "comparison", "statistic", "metric"),
    *("unit", "preliminary", "stand_in", "scale", "universe", "rulebook"),
)


def _because(reason: str, note: str | None) -> str:
    return f"{reason}: {note}" if note else reason


def _whole(parts: list[dict[str, Any]], notes: list[str], **about: Any) -> Verdict:
    """Combine parts: an untested one stands in the way of a confirmation, not of a refutation."""
    tested = [p for p in parts if p["verdict"] != UNTESTED]
    if not tested:
        word = UNTESTED
    else:
        codes = [_CODES[p["verdict"]] for p in tested]
        word = WORDS[int(decide.whole(codes, [p["p"] for p in tested]))]
        if word == CONFIRMED and len(tested) < len(parts):
            word = INCONCLUSIVE
    reason = reason_of_whole(word, parts, notes)
    return Verdict(verdict=word, reason=reason, parts=parts, inputs={"notes": notes}, **about)


def judge_part(evidence: Evidence, **about: Any) -> Verdict:
    """Decide one part from its evidence; `about` are the fields that say what it is about."""
    numbers: dict[str, Any] = {
        "n": len(evidence.complete),
        "failed": evidence.failed,
        "inputs": evidence.to_json(),
        "p_refute": 1.0,
        "level": decide.LEVEL,
    }
    if evidence.reference:
        numbers |= {
            "printed": evidence.reference.text,
            "printed_sd": evidence.reference.spread,
            "half_unit": evidence.reference.half_unit,
            "floor": evidence.reference.value if about["comparison"] in _BOUNDS else None,
        }
    if not numbers["n"]:
        why = f"all {evidence.failed} trials failed ({'; '.join(evidence.errors)})"
        why = why if evidence.failed else "no repeat has all the measurements"
        return Verdict(verdict=INCONCLUSIVE, reason=why, **about, **numbers)
    judge = _judge_values if about["comparison"] in (*_BOUNDS, "near") else _judge_instances
    word, more = judge(evidence)
    numbers |= more
    draft = Verdict(verdict=word, reason="", **about, **numbers)
    return Verdict.from_json(replace(draft, reason=reason_of_part(draft, evidence)).to_json())


_BOUNDS = {"above": decide.above, "below": decide.below}


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
    if evidence.comparison == "never_violated":
        code = decide.never(values, evidence.tolerance, evidence.instances, evidence.wanted)
        effect, tolerance = values.max(), evidence.tolerance
    else:
        reference = evidence.reference
        code = decide.exactly(values, reference.value, reference.half_unit)
        effect, tolerance = values.mean(), reference.half_unit
        if len(values) < 2:
            hindrance = "repeats"
    if code == decide.CONFIRMED and evidence.failed:
        hindrance = "failures"
    code = decide.INCONCLUSIVE if hindrance else code
    return WORDS[code], {
        "hindrance": hindrance,
        "effect": effect,
        "low": values.min(),
        "high": values.max(),
        "level": None,
        "tolerance": tolerance,
        "values": values.tolist(),
        "p_refute": 0.0 if code == decide.REFUTED else 1.0,
    }


def _judge_values(evidence: Evidence) -> tuple[str, dict[str, Any]]:
    """Apply `above`, `below` or `near`, which look at an interval."""
    values, formula = evidence.complete, evidence.formula
    n = len(values)
    agree = evidence.deterministic and n >= 2 and _agree(values)
    estimate = _point(formula.effect(values), n) if agree else formula.estimate(values)
    spread = float(getattr(estimate, "se", np.nan)) * math.sqrt(n)
    limit = _tolerance(evidence, 0.0 if agree else spread)
    code, p = _decide(evidence, estimate, limit)
    low, high = estimate.ends(decide.LEVEL)
    more = {
        "effect": float(estimate.effect),
        "low": float(low),
        "high": float(high),
        "se": getattr(estimate, "se", None),
        "df": getattr(estimate, "df", None),
        "method": estimate.how(decide.LEVEL),
        "tolerance": limit,
        "printed_n": evidence.reference.n if evidence.comparison == "near" else None,
        "values": [] if _functional(evidence) else formula.per_repeat(values)[..., 0].tolist(),
    }
    if evidence.comparison == "near":
        more["confirm_low"], more["confirm_high"] = map(float, estimate.ends(decide.CONFIRM_LEVEL))
        more["confirm_method"] = estimate.how(decide.CONFIRM_LEVEL)
    enough = agree or n >= decide.MIN_REPEATS
    hindrance = None
    if not enough:
        hindrance = "repeats"
    elif code != decide.INCONCLUSIVE and evidence.failed and _could_turn(evidence, code, limit):
        hindrance = "failures"
    elif code == decide.CONFIRMED and _too_coarse(evidence, limit):
        hindrance = "coarse"
    if hindrance:
        code, p = decide.INCONCLUSIVE, 1.0
        more["hindrance"] = hindrance
    if code == decide.INCONCLUSIVE and math.isfinite(spread):
        more |= _outlook(evidence, float(estimate.effect), spread, n, limit)
    more |= {"p_refute": float(p)} | _generalises(evidence, estimate, limit, enough)
    return WORDS[int(code)], more


def _functional(evidence: Evidence) -> bool:
    """Whether there is no single number a repeat."""
    formula = evidence.formula
    several = formula.reduced != "mean"
    return formula.over_all_repeats or formula.kind == "ratio" or several


def _agree(values: np.ndarray) -> bool:
    return bool(np.all(np.abs(values - values[0]) <= 1e-9 * np.maximum(np.abs(values[0]), 1.0)))


def _point(effect: np.ndarray, n: int) -> Mean:
    return Mean(effect, np.zeros_like(effect), n, case=0.0)


def _tolerance(evidence: Evidence, spread: float) -> float | None:
    if evidence.comparison != "near":
        return None
    reference = evidence.reference
    printed = spread if reference.spread is None else reference.spread
    # A statistic without a spread of single repeats (a count) is given the rounding alone.
    printed = printed if math.isfinite(printed) else 0.0
    return float(decide.tolerance(reference.half_unit, printed, reference.n, reference.margin))


def _too_coarse(evidence: Evidence, limit: float | None) -> bool:
    """Return whether the tolerance exceeds half the printed gap, so that meeting it says little."""
    gap = evidence.reference.gap
    return limit is not None and gap is not None and limit > gap / 2


def _decide(evidence: Evidence, estimate: Estimate, limit: float | None) -> tuple[int, float]:
    value = evidence.reference.value
    if evidence.comparison == "near":
        code, p = decide.near(estimate, value, limit)
    else:
        code, p = _BOUNDS[evidence.comparison](estimate, value)
    return int(code), float(p)


def _could_turn(evidence: Evidence, code: int, limit: float | None) -> bool:
    """Return whether failed repeats could have changed a decision.

    Each series takes all its failures at the lower or at the upper bound of the metric, in every
    combination; a metric without both bounds could have had any value.
    """
    bounds, gone = evidence.formula.bounds, np.isnan(evidence.values)
    failing = np.argwhere(gone.any(axis=0))
    if not np.isfinite(bounds).all() or len(failing) > _MOST_FAILING_SERIES:
        return True
    for fills in itertools.product(bounds, repeat=len(failing)):
        values = evidence.values.copy()
        for place, fill in zip(failing, fills, strict=True):
            series = values[:, *place]
            series[np.isnan(series)] = fill
        if _decide(evidence, evidence.formula.estimate(values), limit)[0] != code:
            return True
    return False


def _outlook(
    evidence: Evidence, effect: float, spread: float, n: int, limit: float | None
) -> dict[str, Any]:
    """Say what could have been seen, and how many repeats decide the distance found."""
    distance = abs(effect - evidence.reference.value)
    if limit is None:
        needed = decide.repeats_needed(spread, distance)
        return {"could_see": decide.detectable(spread, n), "repeats_needed": needed}
    inside = distance <= limit
    level = decide.CONFIRM_LEVEL if inside else decide.LEVEL
    needed = decide.repeats_needed(spread, abs(limit - distance), level)
    return {"could_see": limit + decide.detectable(spread, n), "repeats_needed": needed}


def _generalises(
    evidence: Evidence, estimate: Estimate, limit: float | None, enough: bool
) -> dict[str, Any]:
    """Ask the same of new data of the kind, with the standard error that goes with it."""
    values, n = evidence.complete, len(evidence.complete)
    if evidence.resampling == "fresh":
        wide, method = estimate, "fresh data in each repeat, as above"
    elif evidence.resampling in ("resplit", "folds"):
        wide = evidence.formula.estimate(values, overlap=evidence.overlap)
        method = (
            f"overlapping data, variance x (1 + {n} x {evidence.overlap:.4g}): "
            f"{wide.how(decide.LEVEL)}"
        )
    elif evidence.resampling == "fixed" and evidence.case_ends:
        se, *ends, cases = evidence.case_ends
        wide, method = _CaseInterval(estimate.effect, se, ends), f"bootstrap of {cases:.0f} cases"
    else:
        return {}
    code, _ = _decide(evidence, wide, limit)
    if not enough or evidence.failed and _could_turn(evidence, code, limit):
        code = decide.INCONCLUSIVE
    low, high = wide.ends(decide.LEVEL)
    return {
        "generalises": WORDS[code],
        "generalises_low": float(low),
        "generalises_high": float(high),
        "generalises_se": getattr(wide, "se", None),
        "generalises_method": method,
    }


class _CaseInterval:
    """The interval over test cases, as stored with the evidence."""

    def __init__(self, effect: np.ndarray, se: float, ends: list[float]) -> None:
        self.effect, self.se = effect, se
        self._ends = {decide.LEVEL: ends[:2], decide.CONFIRM_LEVEL: ends[2:]}

    def ends(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = self._ends[level]
        return np.asarray(low), np.asarray(high)

    def p_above(self, value: float) -> np.ndarray:
        return np.where(self.ends(decide.LEVEL)[0] > value, 0.0, 1.0)

    def p_below(self, value: float) -> np.ndarray:
        return np.where(self.ends(decide.LEVEL)[1] < value, 0.0, 1.0)
