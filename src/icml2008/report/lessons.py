"""What the papers claim themselves, each claim with what it can be grouped by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from icml2008.catalogue.model import Paper
from icml2008.catalogue.parts import Choice
from icml2008.judge.claims import Claim
from icml2008.judge.measures import PLACES, TRENDS
from icml2008.judge.standing import stated
from icml2008.judge.totals import counted
from icml2008.report.results import Verdict
from icml2008.store import Shelf, read_json

DECIDED = ("confirmed", "depends", "refuted")

KINDS = {
    "theorem": "Theorems and invariants",
    "order": "Orders of methods",
    "trend": "Trends and factors",
    "limit": "Limits",
    "value": "Printed values",
}
STANDINGS = {"headline": "Headline claims", "supporting": "Supporting claims"}
FORMS = {
    "number": "Numbers left open",
    "whether": "Steps that may be taken or not",
    "way": "Ways of doing something",
}

_TREND = (*TRENDS, *PLACES, "crosses", "ratio")
_TESTED = re.compile(
    r"\bsignifican|\bp-value|\bp\s*[<=>]\s*0?\.|\bt-test|\bsign test\b|wilcoxon", re.I
)


@dataclass(frozen=True)
class Told:
    """A claim that a paper of the proceedings makes itself, and its verdict.

    Attributes
    ----------
    paper, claim, topic, verdict : str
    standing : {"headline", "supporting"}
    kind : str
        A key of `KINDS`; empty for a claim that has no statistic.
    tested, spread, repeats : str or None
        Whether the paper speaks of a test, prints a spread, and a number of repeats: ``yes``,
        ``no``, None where that cannot be known or does not matter.
    robustness : str or None
        ``robust`` or ``turns on``.
    misprint : bool
        Whether it was judged as corrected.
    hindrance : str or None
        What stands in the way of an open one.
    tried, turned_by : tuple of str
        Choices.
    """

    paper: str
    claim: str
    topic: str
    verdict: str
    standing: str
    kind: str
    tested: str | None
    spread: str | None
    repeats: str | None
    robustness: str | None
    misprint: bool
    hindrance: str | None
    tried: tuple[str, ...]
    turned_by: tuple[str, ...]

    @property
    def decided(self) -> bool:
        """Whether it holds, hangs on a reading, or does not hold."""
        return self.verdict in DECIDED

    @property
    def holds(self) -> bool:
        """Whether it is confirmed."""
        return self.verdict == "confirmed"


def own_claims(shelves: Iterable[Shelf]) -> list[Told]:
    """Return the claims that papers of the proceedings make themselves.

    Each sentence and each cause once, and none that an author disputes; of papers of which anything
    was judged.
    """
    claims = []
    for shelf in shelves:
        rows = [row for row in shelf.rows(more=False) if not row["part"]]
        if rows and (paper := shelf.entry.paper).proceedings:
            claims += told(paper, rows)
    return claims


def told(paper: Paper, rows: Iterable[Verdict]) -> list[Told]:
    """Return the own claims of one paper from the verdicts on its whole claims."""
    return [
        Told(
            paper=paper.key,
            claim=row["claim"],
            topic=paper.topic,
            verdict=row["verdict"],
            standing=row["status"],
            kind=kind(claim),
            **_evidence(paper, claim),
            robustness=(row["robustness"] or "").partition(":")[0] or None,
            misprint=row["misprint"] is not None,
            hindrance=row["hindrance"],
            tried=tuple(row["tried"]),
            turned_by=tuple(row["turned_by"]),
        )
        for row in counted(stated(row, paper.claims) for row in rows)
        if (claim := paper.claims.get(row["claim"]))
    ]


def kind(claim: Claim) -> str:
    """Return what kind of assertion a claim is, a key of `KINDS`; empty if it has no statistic.

    What must never be violated is a theorem; slopes, rank correlations, crossings and ratios are
    trends and factors whatever they are compared with; what must be near or exactly a printed
    number is a value; a difference of methods above a limit is an order; the rest are limits.
    """
    if claim.statistic is None:
        return ""
    if claim.comparison == "never_violated":
        return "theorem"
    if claim.statistic.kind in _TREND:
        return "trend"
    if claim.comparison in ("near", "exactly"):
        return "value"
    return "order" if claim.statistic.kind in ("difference", "lead") else "limit"


def _evidence(paper: Paper, claim: Claim) -> Mapping[str, str | None]:
    """Return what is printed as evidence of a claim that chance has a part in."""
    if claim.comparison not in ("above", "below", "near", "holds") or claim.deterministic:
        return dict.fromkeys(("tested", "spread", "repeats"))
    its = claim.statistic
    printed = [
        other
        for other in paper.claims.values()
        if other.comparison == "near"
        and (other.statistic.metric, other.statistic.experiment) == (its.metric, its.experiment)
    ]
    words = f"{claim.quote or ''} {claim.says}"
    return {
        "tested": _word(bool(_TESTED.search(words))),
        "spread": _word(any(map(_prints_spread, printed))) if printed else None,
        "repeats": _word(any(map(_prints_repeats, printed))) if printed else None,
    }


def _word(known: bool) -> str:
    return "yes" if known else "no"


def _prints_spread(claim: Claim) -> bool:
    return any(claim.printed_side(part).spread is not None for part in claim.parts())


def _prints_repeats(claim: Claim) -> bool:
    values = claim.near.values() if isinstance(claim.near, Mapping) else [claim.near]
    return claim.n is not None or any(getattr(value, "n", None) is not None for value in values)


def form(choice: Choice) -> str:
    """Return what a choice leaves open, a key of `FORMS`, told by its values."""
    values = [choice.default, *choice.alternatives]
    if set(values) <= {"yes", "no"}:
        return "whether"
    return "number" if any(map(_is_number, values)) else "way"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def arithmetic(shelves: Iterable[Shelf]) -> dict[str, int | list[str]]:
    """Return what other arithmetics did to papers: what was compared, and what came out otherwise.

    Means and verdicts count once, under however many arithmetics they moved.
    """
    counts = {"papers": 0, "verdicts": 0, "flipped": 0, "means": 0, "moved": 0}
    names = set()
    scales = set()
    for shelf in shelves:
        recorded = read_json(shelf.arithmetic_file) or {}
        if not (runs := recorded.get("runs")):
            continue
        at = ("experiment", "cell", "method", "metric")
        counts["papers"] += 1
        counts["verdicts"] += max(run["judged"] for run in runs.values())
        counts["flipped"] += len({(flip["claim"], flip["part"]) for flip in recorded["flips"]})
        counts["means"] += max(
            run["equal"] + run["within"] + run["beyond"] for run in runs.values()
        )
        counts["moved"] += len({tuple(mean[name] for name in at) for mean in recorded["means"]})
        names |= runs.keys()
        scales |= {run["scale"] for run in runs.values()}
    return counts | {"names": sorted(names), "scales": sorted(scales)}
