"""The answer of a paper's page in one line, and the sharpest thing to be said against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def counted(rows: Sequence[Row]) -> list[Row]:
    """Return the claims that a paper is scored by: its own, each once, none that is disputed."""
    return [
        row for row in rows if row["group"] == "own" and not (row["same_as"] or row["disputed"])
    ]


def answer(rows: Sequence[Row]) -> str:
    """Return in one line whether a paper's claims hold.

    Parameters
    ----------
    rows : sequence of mapping
        Of all its claims, as `claim_rows` returns them.

    Examples
    --------
    >>> row = {"group": "own", "same_as": None, "disputed": False, "status": "headline",
    ...        "turned_by": []}
    >>> answer([row | {"verdict": "confirmed"}, row | {"verdict": "refuted"}])
    '1 of 2 judged claims holds, 1 does not.'
    """
    own = counted(rows)
    words = [row["verdict"] for row in own]
    holds, fails, open_, untested = (
        words.count(word) for word in ("confirmed", "refuted", "inconclusive", "untested")
    )
    judged = len(own) - untested
    if not judged:
        waits = untested + sum(row["status"] is None for row in rows)
        return "Nothing is judged yet" + (f"; {_claims(waits)} wait." if waits > 1 else ".")
    if holds == judged:
        text = "The one judged claim holds" if judged == 1 else f"All {judged} judged claims hold"
    else:
        text = (
            f"{holds or 'None'} of {_claims(judged, 'judged ')} {'holds' if holds < 2 else 'hold'}"
        )
        text += f", {fails} {'does' if fails == 1 else 'do'} not" if fails else ""
        text += f", {open_} {_are(open_)} undecided" if open_ else ""
    text += f"; {untested} could not be tested" if untested else ""
    turned = dict.fromkeys(
        choice for row in own if row["status"] == "headline" for choice in row["turned_by"]
    )
    if turned:
        text += f"; a headline turns on what the text does not say ({', '.join(turned)})"
    return f"{text}."


def caveat(rows: Sequence[Row], *, stale: bool = False) -> dict[str, Any] | None:
    """Return the sharpest thing to be said against the answer: a lead, and the claim it is about.

    In this order: evidence of other code, a headline that fails whatever the choices, one that
    fails by default, turns on a choice or is undecided, another claim that fails, a headline that
    could not be tested, another claim that could not.
    """
    if stale:
        return {"lead": "The evidence was made by other code than today's", "claim": None}
    own = counted(rows)
    headlines = [row for row in own if row["status"] == "headline"]

    def fails(row: Row) -> bool:
        return row["verdict"] == "refuted"

    def turns(row: Row) -> bool:
        return bool(row["turned_by"])

    tests = (
        ("A headline claim does not hold", headlines, lambda row: fails(row) and not turns(row)),
        ("A headline claim does not hold by default", headlines, fails),
        ("A headline claim turns on a choice", headlines, turns),
        (
            "A headline claim is undecided",
            headlines,
            lambda row: row["verdict"] == "inconclusive",
        ),
        ("A claim does not hold", own, fails),
        (
            "A headline claim could not be tested",
            headlines,
            lambda row: row["verdict"] == "untested",
        ),
        ("A claim could not be tested", own, lambda row: row["verdict"] == "untested"),
    )
    for lead, among, wanted in tests:
        if found := [row for row in among if wanted(row)]:
            return {"lead": lead, "claim": found[0], "more": len(found) - 1}
    return None


def _claims(count: int, kind: str = "") -> str:
    return f"{count} {kind}{'claim' if count == 1 else 'claims'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
