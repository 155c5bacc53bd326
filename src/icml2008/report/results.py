"""What a report is made of: a paper, its verdicts of this run and of the reference, and the run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from icml2008.harness.choices import DEFAULT
from icml2008.judge.cells import part_name
from icml2008.judge.standing import OWN, facts
from icml2008.judge.totals import counted

if TYPE_CHECKING:
    from icml2008.audit.findings import Finding
    from icml2008.catalogue.digest import Digest
    from icml2008.catalogue.figures import Measured, OwnFigure
    from icml2008.catalogue.model import Paper
    from icml2008.catalogue.second import SecondHand
    from icml2008.harness.experiment import Cell

Verdict = Mapping[str, Any]

# Whose claims are shown together, in this order.
GROUPS = {"own": "The paper's claims", "ours": "Beyond the paper", "stand_in": "On stand-in data"}


@dataclass(frozen=True)
class ShownClaim:
    """A claim, or one part of it, with the verdict that the page shows.

    Attributes
    ----------
    shown : mapping
        The reference's verdict where there is one, else this run's.
    beside : mapping or None
        This run's verdict where the reference's is shown.
    """

    shown: Verdict
    beside: Verdict | None = None

    @property
    def claim(self) -> str:
        """Name of the claim."""
        return self.shown["claim"]

    @property
    def part(self) -> str:
        """Name of the part; empty for the whole claim."""
        return self.shown["part"]

    @property
    def group(self) -> str:
        """Whose claim it is, a key of `GROUPS`."""
        status = self.shown.get("status")
        # A claim that waits has none yet; it is listed because the paper makes it.
        return "own" if status in OWN or status is None else status


@dataclass(frozen=True)
class PaperResults:
    """What is known about one paper.

    Attributes
    ----------
    paper : Paper or Digest
        The latter where verdicts are only listed.
    current : list of dict
        Verdicts of this run, of all universes.
    reference : list of dict
        Committed verdicts at full scale; empty where there are none yet.
    provenance : dict or None
        How the reference came about.
    stale : bool
        Whether the reference comes from other code than today's.
    data : dict of str to dict
        State of each data set: ``status`` (``available``, ``unavailable``, ``corrupt``) and
        ``reasons`` by file.
    failed_jobs : list of str
        Jobs of this run that ended without a result, and why.
    cells : dict of str to list
        The grid of each experiment at full scale.
    measured : Measured or None
        What the paper's own figures are drawn from: the reference's where there is one.
    figures : list of OwnFigure
    audit : list of Finding
    arithmetic : dict
        What other arithmetics did to the reference: ``runs`` by name, ``means`` that shifted beyond
        their resolution, ``flips`` of verdicts.
    hands : dict of str to SecondHand
        What second hands found, by the names of their files.
    """

    paper: Paper | Digest
    current: list[dict[str, Any]]
    reference: list[dict[str, Any]] = field(default_factory=list)
    provenance: dict[str, Any] | None = None
    stale: bool = False
    data: dict[str, dict[str, Any]] = field(default_factory=dict)
    failed_jobs: list[str] = field(default_factory=list)
    cells: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    measured: Measured | None = None
    figures: list[OwnFigure] = field(default_factory=list)
    audit: list[Finding] = field(default_factory=list)
    arithmetic: Mapping[str, Any] = field(default_factory=dict)
    hands: Mapping[str, SecondHand] = field(default_factory=dict)

    @property
    def missing_data(self) -> dict[str, dict[str, Any]]:
        """The states of the data sets that cannot be used."""
        return {name: state for name, state in self.data.items() if state["status"] != "available"}

    def shown_claims(self) -> list[ShownClaim]:
        """Return whole claims, each before its parts, in the order of ``paper.yaml``.

        Only the default universe; a claim that nothing was judged of is there as untested.
        """
        reference = _by_part(self.reference)
        current = _by_part(self.current)
        by_key = {(name, ""): self._unjudged(name) for name in self.paper.claims}
        by_key |= current | reference
        # Declared ones first; claims that only an older reference knows come last.
        keys = list(dict.fromkeys([*self._declared(), *sorted(reference), *sorted(current)]))
        claims = list(dict.fromkeys(claim for claim, _ in keys))
        keys.sort(key=lambda key: claims.index(key[0]))
        return [
            ShownClaim(by_key[key], current.get(key) if key in reference else None)
            for key in keys
            if key in by_key
        ]

    def universes(self) -> list[str]:
        """Return the universes that were judged besides the default, sorted."""
        return sorted({v.get("universe", DEFAULT) for v in self.shown()} - {DEFAULT})

    def turned(self) -> list[Verdict]:
        """Return the whole claims whose verdict differs from the default, sorted by universe."""
        default = _by_part(self.shown())
        return [
            verdict
            for universe in self.universes()
            for key, verdict in sorted(_by_part(self.shown(), universe).items())
            if not key[1] and key in default and verdict["verdict"] != default[key]["verdict"]
        ]

    def shown(self) -> list[dict[str, Any]]:
        """Return the verdicts that count: the reference's, or else this run's."""
        return self.reference or self.current

    def counts(self, group: str = "own") -> Counter[str]:
        """Return how many whole claims of a group have each verdict, without disputed ones.

        Of the paper's own, each sentence and each cause counts once.
        """
        rows = [entry.shown for entry in self.grouped().get(group, ()) if not entry.part]
        if group == "own":
            return Counter(row["verdict"] for row in counted(rows))
        return Counter(
            row["verdict"] for row in rows if not (row.get("same_as") or row.get("disputed"))
        )

    def disputed(self) -> Counter[str]:
        """Return how many whole claims that an author disputes have each verdict."""
        return Counter(
            entry.shown["verdict"]
            for entry in self.shown_claims()
            if entry.shown.get("disputed") and not entry.part
        )

    def grouped(self) -> dict[str, list[ShownClaim]]:
        """Return the entries by whose claims they are, as `GROUPS` orders them, empty ones out."""
        return self._grouped

    @cached_property
    def _grouped(self) -> dict[str, list[ShownClaim]]:
        groups = defaultdict(list)
        for entry in self.shown_claims():
            groups[entry.group].append(entry)
        return {group: groups[group] for group in GROUPS if group in groups}

    def _declared(self) -> Iterator[tuple[str, str]]:
        for name, claim in self.paper.claims.items():
            yield name, ""
            for part in claim.parts():
                yield name, part_name(part.items())

    def _unjudged(self, name: str) -> Verdict:
        claim = self.paper.claims[name]
        return {
            "paper": self.paper.key,
            "claim": name,
            "part": "",
            "says": claim.says,
            **facts(claim),
            "verdict": "untested",
            "reason": claim.untested.reason if claim.untested else "not yet",
        }


def _by_part(
    verdicts: Iterable[Verdict], universe: str = DEFAULT
) -> dict[tuple[str, str], Verdict]:
    return {
        (verdict["claim"], verdict["part"]): verdict
        for verdict in verdicts
        if verdict.get("universe", DEFAULT) == universe
    }


@dataclass(frozen=True)
class RunFacts:
    """What was run, when, where and how.

    Attributes
    ----------
    scale : str
    date : str
        As it shall be read.
    commit : str
    versions : dict of str to str
        Of the package and the libraries that results depend on.
    arithmetic : str
        What computed, as far as it is known.
    cores : int
    command : str
        Repeats the run.
    rulebook : str
        Version of the rules of judgement.
    """

    scale: str
    date: str
    commit: str
    versions: dict[str, str]
    arithmetic: str
    cores: int
    command: str
    rulebook: str
