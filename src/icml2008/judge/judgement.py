"""From claims and records to verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from . import decide
from .cells import part_name
from .claims import Claim
from .evidence import ClaimError, Evidence, Missing, gather
from .measures import Metric, Resampling
from .reasons import reason_of_whole
from .rules import WORDS, judge_part
from .series import RecordError, Records
from .standing import FACTS, facts
from .verdict import CONFIRMED, INCONCLUSIVE, UNTESTED, Verdict

_CODES = {word: code for code, word in WORDS.items()}


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
    verdicts = []
    for part in claim.parts():
        try:
            found = gather(claim, part, records, metrics, resampling)
        except (ClaimError, RecordError) as error:
            msg = f"{paper}: claim {claim_id!r}: {error}"
            raise type(error)(msg) from None
        about["unit"] = claim.statistic.unit(metrics[claim.statistic.metric].unit)
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
    listed = [
        {
            "part": v.part,
            "verdict": v.verdict,
            "p": v.p_refute,
            "generalises": v.generalises,
            "generalises_p": v.generalises_p,
        }
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
    stored = Verdict.from_json(plain)
    about = {name: getattr(stored, name) for name in _ABOUT} | {"rulebook": decide.RULEBOOK}
    if stored.parts:
        again = _whole(stored.parts, stored.inputs["notes"], **about)
    elif stored.inputs:
        again = judge_part(Evidence.from_json(stored.inputs), **about)
    else:
        return stored
    return replace(again, **{name: getattr(stored, name) for name in _OF_OTHER_UNIVERSES})


_ABOUT = (
    *("paper", "claim", "part", "says", "experiment", "comparison", "statistic", "metric"),
    *("unit", "preliminary", "scale", "universe", *FACTS),
)


_OF_OTHER_UNIVERSES = ("robustness", "tried", "turned_by", "choices")


def _because(reason: str, note: str | None) -> str:
    return f"{reason}: {note}" if note else reason


def _whole(parts: list[dict[str, Any]], notes: list[str], **about: Any) -> Verdict:
    """Combine parts: an untested one stands in the way of a confirmation, not of a refutation."""
    tested = [p for p in parts if p["verdict"] != UNTESTED]
    word = _combine(tested, "verdict", "p") if tested else UNTESTED
    new = None
    if tested and all(p["generalises"] for p in tested):
        new = _combine(tested, "generalises", "generalises_p")
    if len(tested) < len(parts):
        word, new = (INCONCLUSIVE if w == CONFIRMED else w for w in (word, new))
    reason = reason_of_whole(word, parts, notes)
    return Verdict(
        verdict=word,
        reason=reason,
        generalises=new,
        parts=parts,
        inputs={"notes": notes},
        **about,
    )


def _combine(parts: list[dict[str, Any]], word: str, p: str) -> str:
    codes = [_CODES[part[word]] for part in parts]
    return WORDS[int(decide.whole(codes, [part[p] for part in parts]))]
