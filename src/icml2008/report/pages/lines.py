"""Claims and verdicts as rows of a page: plain data, in words and numbers as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icml2008.judge.cells import part_label, part_name
from icml2008.judge.measures import METHOD
from icml2008.judge.reasons import of_choices, of_skewness, outlook
from icml2008.judge.standing import LABELS
from icml2008.report import wording
from icml2008.report.pages.open_choices import in_words, questions
from icml2008.report.pages.sides import printed_means, sides
from icml2008.report.results import PaperResults, ShownClaim, Verdict


def claim_rows(results: PaperResults) -> dict[str, dict[str, Any]]:
    """Return what the pages say of each claim, by name; its parts are rows of their own."""
    paper = results.paper
    choices = getattr(paper, "choices", {})  # which a digest has not
    means = printed_means(results.shown())
    rows = {}
    for entry in results.shown_claims():
        declared = paper.claims.get(entry.claim)
        labels = part_labels(declared)
        if entry.part:
            label = labels.get(entry.part) or part_label(entry.part)
            part = {"part": label} | line(entry) | {"sides": sides(entry.shown, means)}
            part["reason"] = _reason(part | {"readings": entry.shown.get("readings")}, choices)
            rows[entry.claim]["parts"].append(part)
        else:
            rows[entry.claim] = {"part": "", **line(entry), **_stated(entry)}
            rows[entry.claim]["sides"] = sides(entry.shown, means)
            rows[entry.claim]["turns"] = questions(entry.shown.get("turned_by") or (), choices)
            rows[entry.claim]["response"] = declared and declared.author_response
            rows[entry.claim]["reason"] = _reason(rows[entry.claim], choices)
            rows[entry.claim]["listed"] = declared and listed(declared.printed)
    return rows


def part_labels(claim: Any) -> dict[str, str]:
    """Return what to call each part of a claim: the values of its coordinates."""
    parts = claim.parts() if claim else []
    return {part_name(part.items()): ", ".join(map(str, part.values())) for part in parts if part}


def line(entry: ShownClaim) -> dict[str, Any]:
    """Return a verdict as a row shows it."""
    verdict = entry.shown
    beside = entry.beside
    power = outlook(verdict)
    return {
        "verdict": verdict["verdict"],
        "preliminary": verdict.get("preliminary", False),
        "reason": verdict["reason"].removesuffix(f"; {power}"),  # which stands beside it
        "choices": _tried(verdict),
        "outlook": "; ".join(filter(None, [power, of_skewness(verdict)])),
        "printed": wording.printed(verdict),
        **numbers(verdict),
        "repeats": wording.repeats(verdict),
        "generalises": verdict.get("generalises"),
        "generalises_interval": wording.interval(verdict, "generalises_"),
        "generalises_method": verdict.get("generalises_method"),
        "beyond": verdict.get("generalises")
        and (verdict["generalises"], wording.interval(verdict, "generalises_"))
        != (verdict["verdict"], wording.interval(verdict)),
        # A run is worth a word only where it says something else.
        "beside": _beside(beside) if beside and beside["verdict"] != verdict["verdict"] else None,
    }


def _reason(row: Mapping[str, Any], choices: Mapping[str, Any]) -> str:
    """Return a reason with the readings that it names in words."""
    universes = [name for names in (row["readings"] or {}).values() for name in names]
    return in_words(row["reason"], universes, choices) if choices else row["reason"]


def _tried(verdict: Verdict) -> str:
    """Return on how many choices a verdict rests; on which it turns is said in words beside it."""
    turns = bool(verdict.get("turned_by"))
    return of_choices({**verdict, "robustness": None} if turns else verdict)


def numbers(verdict: Verdict) -> dict[str, str]:
    """Return our number, the interval that decides, and what kind of interval that is."""
    if verdict.get("effect") is None:
        return {"ours": "", "interval": "", "level": ""}
    level = f"{100 * verdict['level']:.0f} %" if verdict.get("level") else "range"
    value = wording.number(verdict["effect"], wording.decimals(verdict))
    return {"ours": value, "interval": wording.interval(verdict), "level": level}


def _beside(verdict: Verdict) -> dict[str, Any]:
    facts = [verdict.get("scale"), verdict.get("n") and f"{verdict['n']} repeats"]
    return {
        "verdict": verdict["verdict"],
        "label": ", ".join(filter(None, facts)),
        **numbers(verdict),
        "reason": verdict["reason"],
    }


def _stated(entry: ShownClaim) -> dict[str, Any]:
    """Return what a whole claim says, and of itself."""
    verdict = entry.shown
    return {
        "name": entry.claim,
        "group": entry.group,
        "says": verdict.get("says") or entry.claim,
        "page": verdict.get("page"),
        "status": verdict.get("status"),
        "standing": LABELS.get(verdict.get("status"), ""),
        "same_as": verdict.get("same_as"),
        "part_of": verdict.get("part_of"),
        "cause": verdict.get("cause"),
        "misprint": verdict.get("misprint"),
        "hindrance": verdict.get("hindrance"),
        "readings": verdict.get("readings") or {},
        "disputed": verdict.get("disputed", False),
        "quote": verdict.get("quote"),
        "note": verdict.get("note"),
        "arithmetic": verdict.get("arithmetic"),
        "kind": _kind(verdict),
        "experiment": verdict.get("experiment"),
        "statistic": _statistic(verdict),
        "turned_by": [
            universe.replace("+", " with ") for universe in verdict.get("turned_by") or ()
        ],
        "parts": [],
    }


def _kind(verdict: Verdict) -> str:
    """Return what the number beside ours is: printed, claimed, or the most that is allowed."""
    comparison = verdict.get("comparison")
    ours = verdict.get("status") == "ours"
    if comparison == "never_violated":
        return "allowed"
    # No paper prints the 0 that an error of its theorem has to be.
    if comparison in ("above", "below", "holds") or ours or verdict.get("printed") == "0":
        return "claimed"
    return "printed"


def _statistic(verdict: Verdict) -> str:
    texts = [(verdict.get("statistic") or "").replace(METHOD, "the method"), verdict.get("metric")]
    unit = verdict.get("unit")
    shows_unit = unit and unit not in texts
    return ", ".join(text for text in texts if text) + (f" ({unit})" if shows_unit else "")


def listed(printed: Any) -> str:
    """Return printed numbers of a claim that is only listed, as text.

    Examples
    --------
    >>> listed({"iris": ["4.6", "0.3"], "wine": "2.1"})
    'iris 4.6, 0.3; wine 2.1'
    """
    if isinstance(printed, Mapping):
        return "; ".join(f"{name} {listed(value)}" for name, value in printed.items())
    if isinstance(printed, list):
        return ", ".join(map(listed, printed))
    return "" if printed is None else str(printed)
