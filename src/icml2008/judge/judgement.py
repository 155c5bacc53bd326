"""From claims and records to verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from . import decide
from .cells import part_name
from .claims import Claim
from .evidence import Evidence
from .gathering import gather
from .grid import ClaimError, Missing
from .measures import Metric, Resampling
from .readings import with_readings
from .reasons import reason_of_whole
from .recorded import RecordError, Records
from .rules import WORDS, judge_part
from .shape import is_normal, shape
from .standing import FACTS, facts
from .verdict import CONFIRMED, INCONCLUSIVE, REFUTED, UNTESTED, Verdict

_CODES = {word: code for code, word in WORDS.items()}


def judge_claim(
    paper: str,
    claim_id: str,
    claim: Claim,
    records: Mapping[str, Records],
    *,
    metrics: Mapping[str, Metric],
    resampling: Mapping[str, Resampling],
    controls: Mapping[str, Collection[str]] = MappingProxyType({}),
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
    metrics, resampling, controls : mapping
        By metric and by experiment; the methods that are floors or ceilings of an experiment.
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
        **facts(claim),
        "experiment": claim.statistic.experiment if claim.statistic else "",
        "comparison": claim.comparison,
        "statistic": str(claim.statistic or ""),
        "metric": claim.statistic.metric if claim.statistic else "",
        "unit": "",
        "preliminary": scale != "full",
        "scale": scale,
        "universe": universe,
        "rulebook": decide.RULEBOOK,
    }
    if claim.untested or not claim.statistic:
        reason = claim.untested.reason if claim.untested else "not yet"
        note = claim.untested.note if claim.untested else claim.note
        return [Verdict(part="", verdict=UNTESTED, reason=_because(reason, note), **about)]
    at_ends = controls.get(claim.statistic.experiment, ())
    verdicts: list[Verdict] = []
    copies: dict[str, str] = {}
    single: set[str] = set()
    curves: dict[tuple[Any, ...], str] = {}
    for part in claim.parts():
        try:
            evidence = gather(claim, part, records, metrics, resampling, at_ends)
        except (ClaimError, RecordError) as error:
            msg = f"{paper}: claim {claim_id!r}: {error}"
            raise type(error)(msg) from None
        about["unit"] = claim.statistic.unit(metrics[claim.statistic.metric].unit)
        about["statistic"] = str(claim.statistic).replace("{method}", part.get("method", ""))
        name = part_name(part.items())
        if isinstance(evidence, Missing):
            reason = _because(evidence.reason, evidence.note)
            verdicts.append(Verdict(part=name, verdict=UNTESTED, reason=reason, **about))
        else:
            verdicts.append(judge_part(evidence, part=name, **about))
            first = curves.setdefault(_curve(evidence), name)
            if first != name:
                copies[name] = first
            if _is_single_run(evidence):
                single.add(name)
    if not claim.each:
        return verdicts
    about["statistic"] = str(claim.statistic)
    listed = [
        {
            "part": v.part,
            "verdict": v.verdict,
            "p": v.p_refute,
            "generalises": v.generalises,
            "generalises_p": v.generalises_p,
        }
        | ({"hindrance": v.hindrance} if v.hindrance else {})
        | ({"copy_of": first} if (first := copies.get(v.part)) else {})
        | ({"single": shape(v.values)} if v.part in single else {})
        for v in verdicts
    ]
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
    verdict = Verdict.from_json(plain)
    about = {name: getattr(verdict, name) for name in _ABOUT} | {"rulebook": decide.RULEBOOK}
    if verdict.parts:
        again = _whole(verdict.parts, verdict.inputs["notes"], **about)
    elif verdict.inputs:
        again = judge_part(Evidence.from_json(verdict.inputs), **about)
    else:
        return verdict
    again = replace(again, **{name: getattr(verdict, name) for name in _OF_OTHER_UNIVERSES})
    if not verdict.readings:
        return again
    others = {
        word: [name for name in names if name != verdict.universe]
        for word, names in verdict.readings.items()
    }
    others[again.finding] = [verdict.universe, *others.get(again.finding, ())]
    return with_readings(
        again, {word: names for word, names in others.items() if names}, verdict.barred
    )


_ABOUT = (
    *("paper", "claim", "part", "says", "experiment", "comparison", "statistic", "metric"),
    *("unit", "preliminary", "scale", "universe", *FACTS),
)


_OF_OTHER_UNIVERSES = ("robustness", "tried", "turned_by", "choices")


def _because(reason: str, note: str | None) -> str:
    return f"{reason}: {note}" if note else reason


def _curve(evidence: Evidence) -> tuple[Any, ...]:
    """Return by what a part is a copy of another one: its measurements, and what is asked of them.

    To ten digits, as copies may differ by rounding.
    """
    rounded = tuple(f"{value:.10g}" for value in evidence.values.ravel())
    return rounded, evidence.formula, evidence.printed


def _is_single_run(evidence: Evidence) -> bool:
    """Whether a printed value is of one run, and without a spread or a margin."""
    its = evidence.printed
    near = evidence.comparison == "near" and its.margin is None
    return near and its.n == 1 and its.spread is None


def finding_of(parts: Sequence[Mapping[str, Any]], word: str = "verdict", p: str = "p") -> str:
    """Return the finding on a whole from those on its parts.

    An untested one stands in the way of a confirmation, not of a refutation; single printed runs
    beside skewed repeats refute nothing.

    Parameters
    ----------
    parts : sequence of mapping
        As `Verdict.parts`.
    word, p : str
        The fields of the finding and of its p-value.
    """
    tested = [part for part in parts if part["verdict"] != UNTESTED]
    if not tested:
        return UNTESTED
    codes = [_CODES[part[word]] for part in tested]
    distinct = [part[p] for part in tested if not part.get("copy_of")]
    finding = WORDS[int(decide.whole(codes, distinct))]
    lacking = finding == CONFIRMED and len(tested) < len(parts)
    return INCONCLUSIVE if lacking or (finding == REFUTED and _are_skewed(tested)) else finding


def hindrance_of(parts: Sequence[Mapping[str, Any]], word: str) -> str | None:
    """Return what stands in the way of an open whole: what most of its open parts have.

    None where repeats alone would decide one of them.
    """
    if word != INCONCLUSIVE:
        return None
    hindrances = [part.get("hindrance") for part in parts if part["verdict"] == INCONCLUSIVE]
    if None in hindrances or not hindrances:
        return None
    return Counter(hindrances).most_common(1)[0][0]


def _are_skewed(parts: Sequence[Mapping[str, Any]]) -> bool:
    return not is_normal([part["single"] for part in parts if "single" in part])


def _whole(parts: list[dict[str, Any]], notes: list[str], **about: Any) -> Verdict:
    word = finding_of(parts)
    tested = [part for part in parts if part["verdict"] != UNTESTED]
    new = None
    if tested and all(part["generalises"] for part in tested):
        new = finding_of(parts, "generalises", "generalises_p")
    refuting = any(part["verdict"] == REFUTED for part in tested)
    skewed = refuting and word == INCONCLUSIVE and _are_skewed(tested)
    return Verdict(
        verdict=word,
        finding=None if word == UNTESTED else word,
        reason=reason_of_whole(word, parts, notes, skewed=skewed),
        hindrance="skew" if skewed else hindrance_of(parts, word),
        generalises=new,
        parts=parts,
        inputs={"notes": notes},
        **about,
    )
