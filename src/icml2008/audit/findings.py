"""What a check finds: how certain it is, and the arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from icml2008.audit.numbers import CONVENTIONS, MIXED, NEAREST

IMPOSSIBLE = "impossible"
OVERSTATED = "overstated"
UNLIKELY = "unlikely"
CONSISTENT = "consistent"

CERTAINTIES = (IMPOSSIBLE, OVERSTATED, UNLIKELY, CONSISTENT)

Text = Annotated[StrictStr, Field(min_length=1)]
Numbers = Annotated[dict[Text, Text], Field(min_length=1)]


@dataclass(frozen=True)
class Outcome:
    """How certain, and why."""

    certainty: str
    evidence: str


@dataclass(frozen=True)
class Finding:
    """The outcome of one entry of a paper's ``audit``."""

    paper: str
    name: str
    rule: str
    certainty: str
    where: str
    evidence: str
    note: str = ""


class Declaration(BaseModel):
    """An entry of ``audit``: what is printed, and what the text says that it must fulfil.

    Attributes
    ----------
    where : str
        The table, the row, the section.
    note : str
        What could explain the finding, or what it means.
    prose : str
        The words of the text that say more than the numbers.
    unless : str
        A reading that the text leaves open, under which the numbers agree.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    where: Text
    note: Text | None = None
    prose: Text | None = None
    unless: Text | None = None

    def check(self) -> Outcome:
        """Apply the rule."""
        raise NotImplementedError

    def weigh(self) -> Outcome:
        """Apply the rule, and accuse no more than `prose` and `unless` allow."""
        outcome = self.check()
        if outcome.certainty not in (IMPOSSIBLE, OVERSTATED):
            return outcome
        certainty = outcome.certainty
        evidence = outcome.evidence
        if self.prose:
            certainty = OVERSTATED
            evidence = f'{evidence} The text: "{self.prose}".'
        if self.unless:
            certainty = UNLIKELY
            evidence = f"{evidence} Unless {self.unless}."
        return Outcome(certainty, evidence)


def settle(holds: Callable[[str], bool]) -> tuple[str, str]:
    """Try the rounding conventions and return how certain it is, and by which convention.

    Parameters
    ----------
    holds : callable
        Takes a convention and returns whether every printed number can be explained by it.

    Returns
    -------
    certainty : str
        ``consistent`` if one convention explains all numbers, ``unlikely`` if only a mixture of
        conventions does, else ``impossible``.
    convention : str
        The one that explains them; empty if none does.
    """
    for convention in CONVENTIONS:
        if holds(convention):
            return CONSISTENT, convention
    return (UNLIKELY, MIXED) if holds(MIXED) else (IMPOSSIBLE, "")


def how(convention: str) -> str:
    """Return the end of a sentence that says by which rounding something holds."""
    if convention in ("", NEAREST):
        return ""
    return " (only by mixed rounding)" if convention == MIXED else f" (if {convention})"
