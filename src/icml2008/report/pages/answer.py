"""The answer of a paper's page: the sentence written of it, the count, the sharpest caveat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.catalogue.parts import Answer
from icml2008.judge.totals import VERDICTS, counted
from icml2008.judge.verdict import CONFIRMED, DEPENDS, INCONCLUSIVE, REFUTED, UNTESTED

Row = Mapping[str, Any]


def written(answer: Answer | None, rows: Sequence[Row]) -> str | None:
    """Return the sentence that was written of a paper; None if it has none, or another verdict.

    Parameters
    ----------
    answer : Answer or None
        The sentence, with the verdicts for which it was written.
    rows : sequence of mapping
        Of all claims of the paper, as `claim_rows` returns them.

    Examples
    --------
    >>> answer = Answer(says="A beats B.", claims={"a-beats-b": "confirmed"})
    >>> written(answer, [{"name": "a-beats-b", "verdict": "confirmed"}])
    'A beats B.'
    >>> written(answer, [{"name": "a-beats-b", "verdict": "refuted"}]) is None
    True
    """
    if answer is None:
        return None
    verdicts = {row["name"]: row["verdict"] for row in rows}
    changed = any(verdicts.get(name) != word for name, word in answer.claims.items())
    return None if changed else answer.says


def answer(rows: Sequence[Row]) -> str:
    """Return in one line whether a paper's claims hold.

    Parameters
    ----------
    rows : sequence of mapping
        Of all its claims, as `claim_rows` returns them.

    Examples
    --------
    >>> row = {"status": "headline", "turned_by": []}
    >>> answer([row | {"name": "a", "verdict": "confirmed"},
    ...         row | {"name": "b", "verdict": "refuted"}])
    '1 of 2 judged claims holds, 1 does not under any reading tried.'
    """
    own = counted(rows, "name")
    words = [row["verdict"] for row in own]
    holds, hangs, fails, open_, untested = (words.count(word) for word in VERDICTS)
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
        text += f", {hangs} {'hangs' if hangs == 1 else 'hang'} on a reading" if hangs else ""
        does = "does" if fails == 1 else "do"
        text += f", {fails} {does} not under any reading tried" if fails else ""
        text += f", {open_} {_are(open_)} undecided" if open_ else ""
    text += f"; {untested} could not be tested" if untested else ""
    return f"{text}."


def caveat(rows: Sequence[Row], *, stale: bool = False) -> dict[str, Any] | None:
    """Return the sharpest thing to be said against the answer: a lead, and the claim it is about.

    In this order: evidence of other code, a headline that no reading upholds, one that is
    undecided, another claim that fails, a headline that could not be tested, another
    claim that could not.
    """
    if stale:
        return {"lead": "The evidence was made by other code than today's", "claim": None}
    own = counted(rows, "name")
    headlines = [row for row in own if row["status"] == "headline"]

    def fails(row: Row) -> bool:
        return row["verdict"] == "refuted"

    tests = (
        ("A headline claim does not hold under any reading tried", headlines, fails),
        (
            "A headline claim is undecided",
            headlines,
            lambda row: row["verdict"] == "inconclusive",
        ),
        ("A claim does not hold under any reading tried", own, fails),
        (
            "A headline claim could not be tested",
            headlines,
            lambda row: row["verdict"] == "untested",
        ),
        ("A claim could not be tested", own, lambda row: row["verdict"] == "untested"),
    )
    for lead, among, test in tests:
        if claims := [row for row in among if test(row)]:
            return {"lead": lead, "claim": claims[0], "more": len(claims) - 1}
    return None


def headlines(rows: Sequence[Row]) -> list[Row]:
    """Return the headline claims that count, those that hold first."""
    order = (CONFIRMED, DEPENDS, INCONCLUSIVE, REFUTED, UNTESTED)
    own = [row for row in counted(rows, "name") if row["status"] == "headline"]
    return sorted(own, key=lambda row: order.index(row["verdict"]))


def _claims(count: int, kind: str = "") -> str:
    return f"{count} {kind}{'claim' if count == 1 else 'claims'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
