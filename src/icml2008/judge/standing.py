"""Whose claim it is, where the paper says it, and what exactly is judged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from .claims import Claim

OWN = ("headline", "supporting")
LABELS = {
    "headline": "headline claim",
    "supporting": "supporting claim",
    "ours": "ours",
    "stand_in": "stand-in data",
}

# What a claim says of itself: rows of verdicts carry it, and it needs no new evidence to change.
FACTS = (
    *("status", "page", "quote", "note", "same_as", "part_of", "cause", "misprint", "unsaid"),
    *("hedge", "disputed"),
)

_JUDGED = {
    *("statistic", "each", "above", "below", "near", "never_violated", "exactly", "holds", "fails"),
    *("n", "spread", "margin", "gap", "sd_of", "deterministic", "best_obtained"),
}


# Words that soften a sentence: a number of ours does not refute it.
HEDGES = re.compile(
    r"\b(?:usually|generally|in general|typically|often|tends?|tended|seems?|seemed|about"
    r"|approximately|roughly|nearly|proper|assuming)\b|\bO\(",
)


def softened(claim: Claim) -> str | None:
    """Return the word by which a quoted sentence of the paper is softened; None if there is none.

    Two lines (``holds``, ``fails``) do justice to such a word, and ``hedge: none: ...`` says why it
    does not soften.

    Examples
    --------
    >>> from icml2008.judge import Claim
    >>> softened(Claim(says="A wins.", status="headline", quote="A usually wins"))
    'usually'
    """
    if claim.status not in OWN or claim.hedge or claim.comparison == "holds":
        return None
    word = HEDGES.search(claim.quote or "")
    return word and word.group()


def facts(claim: Claim) -> dict[str, Any]:
    """Return what a claim says of itself."""
    return {name: getattr(claim, name) for name in FACTS}


def stated(verdict: Mapping[str, Any], claims: Mapping[str, Claim]) -> dict[str, Any]:
    """Return a stored verdict with what its claim says of itself today.

    A verdict on a claim that is no longer among `claims` keeps what was stored.
    """
    row = dict(verdict)
    # The first rows had a flag for the one status that there was.
    former = "stand_in" if row.pop("stand_in", False) else None
    known = claims.get(row["claim"])
    return row | (facts(known) if known else {"status": row.get("status") or former})


def lacks(claim: Claim, *, quoted: bool) -> str | None:
    """Return what a claim fails to say of itself; None if nothing is missing.

    Parameters
    ----------
    claim : Claim
    quoted : bool
        Whether the paper's own claims must quote it.
    """
    if claim.statistic is None and claim.untested is None:
        return None
    if claim.status is None:
        return "`status` is missing: headline, supporting, ours or stand_in"
    missing = [name for name in ("page", "quote") if getattr(claim, name) is None]
    if quoted and claim.status in OWN and missing:
        names = " and ".join(f"`{name}`" for name in missing)
        return f"{names} missing; what the paper itself claims ({claim.status}) is quoted"
    return None


def judged_hash(claim: Claim) -> str:
    """Return a hash of what is judged: statistic, parts, comparison, numbers; not the wording."""
    content = claim.model_dump(mode="json", include=_JUDGED, exclude_defaults=True)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
