"""What a claim says beside its numbers: whose it is, why it is untested, what an author answers."""

from __future__ import annotations

from datetime import date
from typing import Literal

from .measures import Strict, Text

Status = Literal["headline", "supporting", "ours", "stand_in"]


class Untested(Strict):
    """Why a claim is not tested."""

    reason: Literal[
        "data not available", "private", "licensed", "needs hardware", "seconds of 2008", "not yet"
    ]
    note: Text | None = None


class AuthorResponse(Strict):
    """What an author of the paper answers, in the author's own words."""

    author: Text
    date: date
    text: Text
