"""Two hands on the same sentences: how far they agree, and what became of each difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from icml2008.catalogue.model import Paper
from icml2008.catalogue.second import Measured, SecondHand, Sentence, combined
from icml2008.harness.choices import DEFAULT
from icml2008.report.lessons import kind
from icml2008.report.results import Verdict
from icml2008.store import Shelf

Row = dict[str, Any]

MOMENTS = ("first", "now")
"""When the two were first laid side by side, and by the verdicts of today."""

"""What is left of each sentence today, in words."""

# Two-sided 5 %: of numbers that differ by chance alone, one in twenty is further apart.
_APART = 1.96


# Why ours does not decide as the second hand does, where `second.yaml` gives no cause: by what
# stands in the way of our verdict.
_DEPENDS = ("reading", "Ours depends: of our readings some confirm and some refute.")
_IN_THE_WAY = {
    "reading": ("reading", "Ours is open: readings differ, or too few were tried."),
    "gauge": ("reading", "Ours is open: a number that is not the method's misses its print, too."),
    "search": ("repeats", "Ours is open: the repeats share one search for settings."),
    "coarse": ("threshold", "Ours is open: the tolerance says too little."),
    "between": ("threshold", "Ours is open: the number lies between two lines."),
    "hedge": ("threshold", "Ours is open: the paper's own word softens the sentence."),
    "skew": ("threshold", "Ours is open: single runs were printed, and repeats are skewed."),
    "degenerate": ("measure", "Ours is open: a compared method does not work."),
    "cap": ("measure", "Ours is open: runs were broken off."),
}
_REPEATS = ("repeats", "Ours is open: the repeats do not decide.")


@dataclass(frozen=True)
class Numbers:
    """A number of the second hand beside the same of ours.

    `noise` is the standard error of the difference, `apart` the difference in units of it.
    """

    what: str
    claim: str
    theirs: float
    ours: float
    noise: float

    @property
    def apart(self) -> float:
        """How far the two are apart, in standard errors of their difference."""
        return abs(self.theirs - self.ours) / self.noise

    @property
    def differ(self) -> bool:
        """Whether they are apart by more than noise."""
        return self.apart > _APART


@dataclass(frozen=True)
class Pair:
    """A sentence of a paper with the verdicts of both hands.

    Attributes
    ----------
    paper, hand, name : str
        The paper, the file of the second hand without its suffix, the sentence's key.
    sentence : Sentence
    kind : str
        What kind of assertion it is, a key of `icml2008.report.lessons.KINDS`: that of the first
        claim that judges it; empty without one.
    first, now : str or None
        Our verdict in the second hand's words, then and today; None where nothing was judged.
    numbers : tuple of Numbers
    listed : frozenset of str
        Those of its claims that nothing decides yet.
    derived : pair of str or None
        Cause and answer by what stands in the way of our verdict today.
    """

    paper: str
    hand: str
    name: str
    sentence: Sentence
    kind: str
    first: str | None
    now: str | None
    numbers: tuple[Numbers, ...] = ()
    listed: frozenset[str] = frozenset()
    derived: tuple[str, str] | None = None

    @property
    def cause(self) -> str | None:
        """Why the two differ: what `second.yaml` says, else what stands in our verdict's way."""
        return self.sentence.cause or (self.derived[0] if self.derived else None)

    @property
    def answer(self) -> str | None:
        """What was done about it, or follows from our rules."""
        if self.derived and not self.sentence.cause:
            return " ".join(filter(None, [self.derived[1], self.sentence.answer]))
        return self.sentence.answer

    @property
    def theirs(self) -> str:
        """What the second hand found."""
        return self.sentence.verdict

    @property
    def standing(self) -> str | None:
        """What is left today, a key of `STANDINGS`; None where ours is no verdict."""
        if self.now is None:
            return None
        if not self.differs("now"):
            return "agree"
        decided = self.sentence.decided
        return "decided" if decided is not None and decided.ours == self.now else "open"

    @property
    def decided(self) -> str | None:
        """Why the two differ by the text, where it decides today's difference."""
        return self.sentence.decided.why if self.standing == "decided" else None

    def differs(self, moment: str) -> bool:
        """Return whether the two hands differ at a moment, one of `MOMENTS`."""
        return getattr(self, moment) not in (None, self.theirs)

    def opposite(self, moment: str) -> bool:
        """Return whether one hand says that the sentence holds and the other that it fails."""
        return {self.theirs, getattr(self, moment)} == {"holds", "fails"}

    def to_json(self) -> Row:
        """Return the pair as plain data, a row of a table."""
        return {
            "paper": self.paper,
            "hand": self.hand,
            "sentence": self.name,
            "says": self.sentence.says,
            "page": self.sentence.page,
            "kind": self.kind,
            "theirs": self.theirs,
            "depends_on": self.sentence.depends_on,
            "first": self.first,
            "now": self.now,
            "claims": list(self.sentence.claims),
            "cause": self.cause,
            "answer": self.answer,
            "standing": self.standing,
            "decided": self.decided,
        }


def read_pairs(shelves: Iterable[Shelf]) -> list[Pair]:
    """Return the sentences that second hands judged, with our verdicts of a folder of results."""
    pairs = []
    for shelf in shelves:
        if hands := shelf.entry.hands:
            rows = shelf.rows(more=False)
            paper = shelf.entry.paper
            for name, hand in hands.items():
                pairs += pairs_of(paper, name, hand, rows)
    return pairs


def pairs_of(paper: Paper, name: str, hand: SecondHand, rows: Iterable[Verdict]) -> list[Pair]:
    """Return the sentences of one attempt beside our verdicts on the paper."""
    verdicts = {
        " / ".join(filter(None, [row["claim"], row["part"]])): row
        for row in rows
        if row.get("universe", DEFAULT) == DEFAULT
    }
    pairs = []
    for key, sentence in hand.sentences.items():
        there = [verdicts[claim] for claim in sentence.claims if claim in verdicts]
        names = dict.fromkeys(claim.partition(" / ")[0] for claim in sentence.claims)
        claims = [paper.claims[claim] for claim in names]
        now = combined(row["verdict"] for row in there)
        pairs.append(
            Pair(
                paper=paper.key,
                hand=name,
                name=key,
                sentence=sentence,
                kind=next(filter(None, map(kind, claims)), ""),
                first=sentence.first,
                now=now,
                numbers=tuple(_beside(sentence.measured, verdicts)),
                listed=frozenset(name for name in names if paper.claims[name].status is None),
                derived=_derived(now, there) if now != sentence.verdict else None,
            )
        )
    return pairs


def _derived(now: str | None, rows: Iterable[Verdict]) -> tuple[str, str] | None:
    """Return cause and answer of a difference in which ours decides nothing."""
    if now == "depends":
        return _DEPENDS
    if now != "open":
        return None
    hindrances = [row.get("hindrance") for row in rows if row["verdict"] == "inconclusive"]
    known = [_IN_THE_WAY[name] for name in hindrances if name in _IN_THE_WAY]
    return known[0] if known else _REPEATS


def _beside(measured: Iterable[Measured], verdicts: Mapping[str, Verdict]) -> Iterator[Numbers]:
    """Yield the numbers that both hands have with a standard error."""
    for number in measured:
        row = verdicts.get(number.claim or "", {})
        if number.se is None or row.get("effect") is None or row.get("se") is None:
            continue
        noise = math.hypot(float(number.se), row["se"])
        if noise > 0:
            yield Numbers(number.what, number.claim, float(number.value), row["effect"], noise)
