"""The reason of a verdict: its decision in a sentence, with the numbers."""

from __future__ import annotations

import math
from typing import Any

from .evidence import Evidence
from .verdict import CONFIRMED, UNTESTED, Verdict, number


def reason_of_part(verdict: Verdict, evidence: Evidence) -> str:
    """Return the reason of a part's verdict."""
    rules = {"never_violated": _never, "exactly": _exactly, "near": _near}
    sentence = rules.get(verdict.comparison, _bound)(verdict, evidence)
    if verdict.hindrance == "repeats":
        sentence += f"; {_few(verdict, evidence)}"
    if verdict.failed:
        kinds = "; ".join(evidence.errors)
        sentence += f"; {verdict.failed} of {verdict.failed + verdict.n} trials failed ({kinds})"
        if verdict.hindrance == "failures":
            sentence += ", which could turn it"
    return sentence + _outlook(verdict)


def interval(low: float | None, high: float | None, level: float, how: str | None) -> str:
    """Return an interval as text, with how it comes about."""
    ends = ", ".join(number(end, missing="unbounded") for end in (low, high))
    text = f"{100 * level:.0f} % interval [{ends}]"
    return f"{text} ({how})" if how else text


def _few(verdict: Verdict, evidence: Evidence) -> str:
    if evidence.deterministic and verdict.n > 1:
        return "declared deterministic, but repeats differ"
    if evidence.deterministic or verdict.comparison == "exactly":
        return "a second repeat is missing"
    return f"{verdict.n} repeats, six are needed"


def _bound(verdict: Verdict, evidence: Evidence) -> str:
    span = interval(verdict.low, verdict.high, verdict.level, verdict.how)
    lies = "does not exclude"
    if verdict.low > verdict.floor:
        lies = "lies above"
    elif verdict.high < verdict.floor:
        lies = "lies below"
    return f"{_effect(verdict)}: {span} {lies} {number(verdict.floor, 6)}"


def _near(verdict: Verdict, evidence: Evidence) -> str:
    reference = evidence.reference
    printed, limit = reference.value, verdict.tolerance
    if reference.margin is not None:
        made = "the claim's margin"
    else:
        spread = (limit - reference.half_unit) / 3 * math.sqrt(reference.n)
        whose = "printed" if reference.spread is not None else "our"
        made = (
            f"{number(reference.half_unit)} + 3 x {number(spread)} / sqrt({reference.n}), "
            f"{whose} spread"
        )
    text = (
        f"{_effect(verdict)} is {number(abs(verdict.effect - printed))} from "
        f"the printed {reference.text}, tolerance {number(limit)} ({made}): "
    )
    bottom, top = printed - limit, printed + limit
    narrow = interval(verdict.confirm_low, verdict.confirm_high, 0.90, verdict.confirm_how)
    wide = interval(verdict.low, verdict.high, verdict.level, verdict.how)
    span = f"[{number(bottom)}, {number(top)}]"
    if verdict.verdict == CONFIRMED or verdict.hindrance == "coarse":
        text += f"{narrow} lies within {span}"
    elif verdict.low > top or verdict.high < bottom:
        text += f"{wide} lies outside of {span}"
    else:
        text += f"{wide} is not outside, {narrow} not within {span}"
    if verdict.hindrance == "coarse":
        text += f"; too coarse to judge: half the printed gap is {number(reference.gap / 2)}"
    return text


def _effect(verdict: Verdict) -> str:
    return f"{number(verdict.effect)} {verdict.unit}".rstrip()


def _never(verdict: Verdict, evidence: Evidence) -> str:
    text = (
        f"largest violation {number(verdict.effect)} of {evidence.instances} instances, "
        f"tolerance {number(evidence.tolerance)}"
    )
    short = evidence.instances < evidence.wanted
    return text + (f"; {evidence.wanted} instances are needed" if short else "")


def _exactly(verdict: Verdict, evidence: Evidence) -> str:
    return (
        f"found {number(verdict.low, 10)} to {number(verdict.high, 10)} in {verdict.n} repeats, "
        f"printed {evidence.reference.text} -+ {number(verdict.half_unit)}"
    )


def _outlook(verdict: Verdict) -> str:
    if verdict.could_see is None or not math.isfinite(verdict.could_see):
        return ""
    what = "the printed value" if verdict.comparison == "near" else number(verdict.floor, 6)
    text = (
        f"; these repeats decide a distance of {number(verdict.could_see)} from {what} 4 times in 5"
    )
    if verdict.repeats_needed:
        text += f", the one found takes {verdict.repeats_needed}"
    return text


def reason_of_whole(word: str, parts: list[dict[str, Any]], notes: list[str]) -> str:
    """Return the reason of a whole claim's verdict."""
    words = [part["verdict"] for part in parts]
    counts = [f"{words.count(w)} {w}" for w in dict.fromkeys(words)]
    text = f"{len(parts)} parts: {', '.join(counts)}"
    if word == UNTESTED:
        return "; ".join(notes)
    tested = [part for part in parts if part["verdict"] != UNTESTED]
    smallest = min(tested, key=lambda part: part["p"])
    if "refuted" in words:
        p, m = smallest["p"], len(tested)
        sign = "<" if p * m < 0.025 else ">="
        text += f"; {smallest['part']}: p = {number(p)} x {m} parts (Holm) {sign} 0.025"
    if notes:
        text += f" ({'; '.join(notes)})"
    return text
