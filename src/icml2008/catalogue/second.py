"""What a second hand found from a paper's text alone: `second.yaml`, beside our own claims."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from icml2008.catalogue.model import Paper
from icml2008.judge.cells import part_name

Found = Literal["holds", "fails", "depends", "open"]
Ours = Literal["confirmed", "refuted", "depends", "inconclusive", "untested"]
Cause = Literal["threshold", "reading", "repeats", "measure", "ours", "theirs"]

FOUND = get_args(Found)
CAUSES = {
    "threshold": "another line between holding and failing",
    "reading": "another reading of what the text leaves open",
    "repeats": "more or fewer repeats",
    "measure": "another statistic of the same sentence",
    "ours": "a mistake of our hand",
    "theirs": "a mistake of the second hand",
}
"""Why two hands differ, in words."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class OtherReading(_Strict):
    """Something that the text leaves unsaid, and how the second hand read it.

    Either it is a `choice` of ours, by its name, or `answer` says why it is none.
    """

    what: _Text
    considered: list[_Text] = []
    choice: _Text | None = None
    answer: _Text | None = None


class Measured(_Strict):
    """A number that the second hand measured.

    `claim` names a claim of ours, among those of its sentence, whose effect is the same number in
    the same unit; the two are laid side by side where both have a standard error.
    """

    what: _Text
    value: _Text
    se: _Text | None = None
    repeats: Annotated[int, Field(ge=1)] | None = None
    claim: _Text | None = None


class Decision(_Strict):
    """What the text says of a difference that stays.

    Attributes
    ----------
    ours : {"holds", "fails", "depends", "open"}
        Our verdict that it speaks of, in the second hand's words: under another it lapses.
    why : str
        By which words or printed numbers of the paper.
    """

    ours: Found
    why: _Text


class Sentence(_Strict):
    """A sentence of the paper as the second hand judged it.

    Attributes
    ----------
    says, quote, page
        The sentence in their words and, in fewer than 20 words, in the paper's.
    hedge : str
        The paper's words that soften it.
    printed : str
        The number that it prints.
    measured : list of Measured
    under : str
        The reading behind the verdict.
    verdict : {"holds", "fails", "depends", "open"}
    depends_on : str
        On what, where it depends.
    claims : dict of str
        The claims of ours, or parts of them (``claim / part``), that judge this sentence, each with
        our verdict when the two hands were first laid side by side. That verdict is never changed;
        it is None for a claim that came later.
    gone : dict of str
        The same for claims that were compared then and are no more.
    cause : str
        Why the two differ, or differed at first: a key of `CAUSES`.
    answer : str
        What was done about the difference; or why the sentence is no claim of ours.
    decided : Decision
        By what the text decides a difference that stays; without it such a difference is open.
    """

    says: _Text
    quote: _Text
    page: int
    hedge: _Text | None = None
    printed: _Text | None = None
    measured: list[Measured] = []
    under: _Text | None = None
    verdict: Found
    depends_on: _Text | None = None
    claims: dict[str, Ours | None] = {}
    gone: dict[str, Ours] = {}
    cause: Cause | None = None
    answer: _Text | None = None
    decided: Decision | None = None

    @property
    def first(self) -> str | None:
        """Our verdict on the sentence at first, in the second hand's words."""
        return combined([*self.claims.values(), *self.gone.values()])


class SecondHand(_Strict):
    """One attempt at a paper by somebody who had its text alone.

    `by` says whose it is, in a file of its own name (``second-NAME.yaml``); `limits` are those of
    the whole attempt, `readings` and `sentences` what was read and found.
    """

    by: _Text | None = None
    limits: list[_Text] = Field(min_length=1)
    readings: list[OtherReading] = []
    sentences: dict[str, Sentence] = Field(min_length=1)


def combined(verdicts: Iterable[str | None]) -> str | None:
    """Return the verdict on a sentence that several claims or parts judge.

    It holds if all of them are confirmed, fails if any is refuted, depends if any depends, and is
    open else. Untested claims, and those that were not there, have no say.

    Examples
    --------
    >>> combined(["confirmed", "untested"]), combined(["depends", "refuted"]), combined([None])
    ('holds', 'fails', None)
    """
    words = {word for word in verdicts if word not in (None, "untested")}
    if not words:
        return None
    if words == {"confirmed"}:
        return "holds"
    for word, verdict in (("refuted", "fails"), ("depends", "depends")):
        if word in words:
            return verdict
    return "open"


def claim_names(paper: Paper) -> list[str]:
    """Return the names of a paper's claims and of their parts, ``claim / part``."""
    names = list(paper.claims)
    for name, claim in paper.claims.items():
        parts = claim.parts() if claim.each else []
        names += [f"{name} / {part_name(part.items())}" for part in parts]
    return names
