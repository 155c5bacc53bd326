"""The reason of a verdict: its decision in a sentence, with the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .cells import part_label
from .verdict import CONFIRMED, DEPENDS, INCONCLUSIVE, REFUTED, UNTESTED, Verdict, number

if TYPE_CHECKING:
    from .evidence import Evidence
    from .printings import PrintedSide

# Beyond this skewness of the repeats, either way, Student's t errs visibly on one side.
SKEWED = 2
_DIGITS = 1e-6


def reason_of_part(verdict: Verdict, evidence: Evidence) -> str:
    """Return the reason of a part's verdict."""
    rules = {"never_violated": _never, "exactly": _exactly, "near": _near, "holds": _lines}
    sentence = rules.get(verdict.comparison, _bound)(verdict, evidence)
    if verdict.hindrance == "repeats":
        sentence += f"; {_few(verdict, evidence)}"
    if verdict.hindrance == "hedge":
        sentence += f'; the text says "{evidence.hedge}", which a number of ours cannot refute'
    if verdict.hindrance == "degenerate":
        names = " and ".join(evidence.degenerate)
        sentence += f"; {names} told nothing apart, or did not end, in most repeats, "
        sentence += "which earns nobody a win"
    if verdict.capped:
        sentence += f"; {verdict.capped} runs were broken off, so that they say 'at least' alone"
    if verdict.hindrance == "search":
        sentence += "; all repeats run at settings of one search, whose own spread is not known"
    elif evidence.search:
        sentence += f"; {evidence.search} repeats share a search and count as one"
    if warning := of_skewness(vars(verdict)):
        sentence += f"; {warning}"
    if verdict.failed:
        kinds = "; ".join(evidence.errors)
        sentence += f"; {verdict.failed} of {verdict.failed + verdict.n} trials failed ({kinds})"
        if verdict.hindrance == "failures":
            sentence += ", which could turn it"
    power = outlook(vars(verdict))
    return f"{sentence}; {power}" if power else sentence


def interval(low: float | None, high: float | None, level: float, how: str | None) -> str:
    """Return an interval as text, with how it comes about."""
    ends = ", ".join(number(end, missing="unbounded") for end in (low, high))
    text = f"{100 * level:.0f} % interval [{ends}]"
    return f"{text} ({how})" if how else text


def _few(verdict: Verdict, evidence: Evidence) -> str:
    if evidence.deterministic and verdict.n > 1:
        return "declared deterministic, but repeats differ"
    if evidence.deterministic:
        return "a second repeat is missing"
    return f"{verdict.n} repeats, six are needed"


def _lines(verdict: Verdict, evidence: Evidence) -> str:
    span = interval(verdict.low, verdict.high, verdict.level, verdict.how)
    holds = verdict.floor
    fails = verdict.fails
    rising = holds > fails
    if verdict.low >= holds if rising else verdict.high <= holds:
        lies = "lies where nobody would deny it"
    elif verdict.high <= fails if rising else verdict.low >= fails:
        lies = "lies where nobody could uphold it"
    elif verdict.hindrance == "between":
        lies = "lies between the lines"
    else:
        lies = "reaches across a line"
    return (
        f"{_effect(verdict)}: {span} {lies}: it holds from {number(holds, 6)} on, "
        f"fails from {number(fails, 6)} on"
    )


def _bound(verdict: Verdict, evidence: Evidence) -> str:
    span = interval(verdict.low, verdict.high, verdict.level, verdict.how)
    lies = "does not exclude"
    if verdict.low > verdict.floor:
        lies = "lies above"
    elif verdict.high < verdict.floor:
        lies = "lies below"
    return f"{_effect(verdict)}: {span} {lies} {number(verdict.floor, 6)}"


def _near(verdict: Verdict, evidence: Evidence) -> str:
    printed = evidence.printed
    value = printed.value
    limit = verdict.tolerance
    if printed.margin is not None:
        made = "the claim's margin"
    else:
        made = f"{number(printed.half_unit)} + 3 × {_error(limit, printed)}"
    text = (
        f"{_effect(verdict)} is {number(abs(verdict.effect - value))} from "
        f"the printed {printed.text}, tolerance {number(limit)} ({made}): "
    )
    bottom = value - limit
    top = value + limit
    narrow = interval(verdict.confirm_low, verdict.confirm_high, 0.90, verdict.confirm_how)
    wide = interval(verdict.low, verdict.high, verdict.level, verdict.how)
    span = f"[{number(bottom)}, {number(top)}]"
    surprising = verdict.verdict == REFUTED and printed.spread is None and printed.margin is None
    if verdict.verdict == CONFIRMED or verdict.hindrance == "coarse":
        text += f"{narrow} lies within {span}"
    elif surprising and verdict.p_refute > 0:
        text += f"{wide}; a run like ours is so far off with p = {number(verdict.p_refute, 2)}"
    elif verdict.low > top or verdict.high < bottom:
        text += f"{wide} lies outside of {span}"
    else:
        text += f"{wide} is not outside, {narrow} not within {span}"
    if verdict.hindrance == "coarse":
        text += "; too coarse to judge: "
        if printed.gap is None:
            text += "one run is printed, and no gap says which difference matters"
        else:
            text += f"half the printed gap is {number(printed.gap / 2)}"
    return text


def _error(limit: float, printed: PrintedSide) -> str:
    """Return how the standard error of a printed mean comes about."""
    error = (limit - printed.half_unit) / 3
    if printed.sd_of == "folds":
        return f"{number(error)}, our spread of whole runs; what is printed is of their parts"
    if printed.sd_of == "starts" and printed.spread is not None:
        starts = printed.spread / math.sqrt(printed.n)
        ours = math.sqrt(max(error**2 - starts**2, 0.0))
        return (
            f"sqrt({number(ours)}^2 + {number(printed.spread)}^2 / {printed.n}), our spread "
            f"of draws and the printed one of starts"
        )
    spread = error * math.sqrt(printed.n)
    whose = "printed" if printed.spread is not None else "our"
    if whose == "printed" and spread > printed.spread * (1 + _DIGITS):
        whose = "our larger"
    return f"{number(spread)} / sqrt({printed.n}), {whose} spread"


def _effect(verdict: Verdict) -> str:
    return f"{number(verdict.effect)} {verdict.unit}".rstrip()


def _never(verdict: Verdict, evidence: Evidence) -> str:
    text = (
        f"largest violation {number(verdict.effect)} of {evidence.instances} instances, "
        f"tolerance {number(evidence.tolerance)}"
    )
    if verdict.loose:
        text += "; the bound is loose: none came near it"
    if verdict.rate_bound is not None:
        text += f", which excludes a rate of {number(100 * verdict.rate_bound, 2)} % or more"
    short = evidence.instances < evidence.due
    return text + (f"; {evidence.due} instances are needed" if short else "")


def _exactly(verdict: Verdict, evidence: Evidence) -> str:
    return (
        f"found {number(verdict.low, 10)} to {number(verdict.high, 10)} in {verdict.n} repeats, "
        f"printed {evidence.printed.text} ± {number(verdict.half_unit)}"
    )


def outlook(verdict: Mapping[str, Any]) -> str:
    """Return what an inconclusive verdict could have seen, and how many repeats would decide.

    Repeats help neither against failures nor against a coarse tolerance. Empty if the verdict is
    another one or has no such numbers.

    Examples
    --------
    >>> outlook({"verdict": "inconclusive", "comparison": "above", "floor": 0.0, "unit": "points",
    ...          "could_see": 3.1, "repeats_needed": 120})
    'could have seen 3.1 points; about 120 repeats would decide'
    """
    seen = verdict.get("could_see")
    needed = verdict.get("repeats_needed")
    if verdict["verdict"] != INCONCLUSIVE or seen is None or not math.isfinite(seen):
        return ""
    text = f"could have seen {number(seen)} {verdict['unit']}".rstrip()
    if verdict["comparison"] == "near":
        text += " from the printed value"
    elif verdict["floor"]:
        text += f" from {number(verdict['floor'], 6)}"
    if needed and verdict.get("hindrance") in (None, "repeats"):
        text += f"; about {needed} repeats would decide"
    return text


def over_readings(verdict: Verdict) -> str:
    """Return the reason of a verdict over readings: the default's, and what the others come to."""
    text = verdict.reason
    others = {
        word: [name for name in names if name != "default"]
        for word, names in verdict.readings.items()
    }
    if verdict.verdict == DEPENDS:
        sides = [f"{word} under {_listed(verdict.readings[word])}" for word in (CONFIRMED, REFUTED)]
        return f"{'; '.join(sides)}. Under the default reading: {text}"
    named = [
        f"{word} under {_listed(names)}"
        for word, names in others.items()
        if names and word != verdict.finding
    ]
    text += f"; {'; '.join(named)}" if named else ""
    if verdict.hindrance == "reading" and verdict.barred == "reading":
        text += "; no other reading of what the text leaves open was tried"
    if verdict.hindrance == "gauge":
        text += (
            "; numbers of the experiment that are not the method's miss their print, too, "
            "so that it is not the paper's"
        )
    return text


def _listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and how many more there are."""
    listed = ", ".join(names[:most])
    return f"{listed} and {len(names) - most} more" if len(names) > most else listed


def of_skewness(verdict: Mapping[str, Any]) -> str:
    """Return a warning where the repeats are so skewed that Student's t errs on one side.

    Examples
    --------
    >>> of_skewness({"skewness": 4.23}), of_skewness({"skewness": -1.0})
    ('repeats are skewed (skewness 4.2)', '')
    """
    skewness = verdict.get("skewness")
    skewed = skewness is not None and abs(skewness) > SKEWED
    return f"repeats are skewed (skewness {number(skewness, 2)})" if skewed else ""


def of_choices(verdict: Mapping[str, Any]) -> str:
    """Return how robust a verdict is, and on how many choices that rests.

    Examples
    --------
    >>> of_choices({"robustness": "turns on: ties", "tried": ["mode", "order", "ties"],
    ...             "turned_by": ["ties"], "choices": ["mode", "order", "start", "ties"]})
    'turns on: ties; 3 of 4 choices tried'
    """
    word = verdict.get("robustness")
    choices = verdict.get("choices")
    phrases = [word] if word else []
    if choices:
        plural = "choice" if len(choices) == 1 else "choices"
        phrases.append(f"{len(verdict['tried'])} of {len(choices)} {plural} tried")
    return "; ".join(phrases)


def reason_of_whole(
    word: str, parts: list[dict[str, Any]], notes: list[str], *, skewed: bool = False
) -> str:
    """Return the reason of a whole claim's verdict."""
    if word == UNTESTED:
        return "; ".join(notes)
    words = [part["verdict"] for part in parts]
    counts = [f"{words.count(w)} {w}" for w in dict.fromkeys(words)]
    text = f"{len(parts)} {'part' if len(parts) == 1 else 'parts'}: {', '.join(counts)}"
    tested = [p for p in parts if p["verdict"] != UNTESTED and not p.get("copy_of")]
    smallest = min(tested, key=lambda part: part["p"])
    if "refuted" in words:
        p = smallest["p"]
        m = len(tested)
        sign = "<" if p * m < 0.025 else "≥"
        corrected = f" × {m} parts (Holm)" if m > 1 else ""
        text += f"; {part_label(smallest['part'])}: p = {number(p)}{corrected} {sign} 0.025"
    if skewed:
        text += "; single printed runs refute no table whose repeats are skewed or heavy-tailed"
    if notes:
        text += f" ({'; '.join(notes)})"
    return text
