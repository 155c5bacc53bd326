"""What the pages of data sets and methods know of a paper: what each claim reads and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from icml2008.judge.cells import part_name
from icml2008.judge.claims import Claim
from icml2008.judge.standing import LABELS
from icml2008.judge.totals import VERDICTS
from icml2008.report.results import PaperResults, ShownClaim

Row = dict[str, Any]
MARKS = ("disputed", "preliminary", "turned_by", "arithmetic", "misprint", "same_as", "part_of")
Reading = tuple[Mapping[str, str], Sequence[str]]
"""The coordinates of a cell as text, and the names of the data sets that its trials read."""


@dataclass(frozen=True)
class Shelved:
    """A paper, what its experiments read and what code stands behind their methods.

    Attributes
    ----------
    results : PaperResults
    state : str
        One of `icml2008.catalogue.library.STATES`.
    reads : dict of str to list
        The cells of each experiment.
    code : dict of str to dict
        Of each experiment, by method and under the empty name for the trials themselves: the full
        names of the estimators and functions that are run.
    """

    results: PaperResults
    state: str = "planned"
    reads: Mapping[str, Sequence[Reading]] = field(default_factory=dict)
    code: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def shelf(self) -> Row:
        """Return what the pages need, as plain data.

        Under ``reads`` by data set, and under ``runs`` by full name of an estimator or function,
        stand the experiments with it and the claims that rest on it; under ``named`` the full names
        of what is run under a method's name that a claim has.
        """
        paper = self.results.paper
        by_claim = {
            name: (claim.statistic.experiment, self._read_by(claim), self._run_by(claim))
            for name, claim in paper.claims.items()
            if claim.statistic is not None
        }
        reading = {
            experiment: {name for _, names in cells for name in names}
            for experiment, cells in self.reads.items()
        }
        running = {
            experiment: {full for names in methods.values() for full in names}
            for experiment, methods in self.code.items()
        }
        run = [full for _, _, by_part in by_claim.values() for full in by_part.values()]
        return {
            "key": paper.key,
            "title": paper.title,
            "state": self.state,
            "today": paper.today,
            "counts": {word: self.results.counts()[word] for word in VERDICTS},
            "data": {name: data.model_dump() for name, data in paper.data.items()},
            "reads": self._by_thing(reading, {name: needs[1] for name, needs in by_claim.items()}),
            "runs": self._by_thing(running, {name: needs[2] for name, needs in by_claim.items()}),
            "named": sorted(set().union(*run)),
        }

    def _by_thing(
        self, by_experiment: Mapping[str, set[str]], by_claim: Mapping[str, Mapping[str, set[str]]]
    ) -> dict[str, Row]:
        """Return the experiments and the claims with each of the things that they have."""
        rows: dict[str, Row] = {}
        for thing in sorted(set().union(*by_experiment.values())):
            experiments = [
                experiment for experiment, things in by_experiment.items() if thing in things
            ]
            claims = []
            for name, by_part in by_claim.items():
                here = [part for part, things in by_part.items() if thing in things]
                if here:
                    claims.append(self._row(name, here if len(here) < len(by_part) else ()))
            rows[thing] = {
                "experiments": [
                    {
                        "name": experiment,
                        "feeds": ", ".join(self.results.paper.experiments[experiment].feeds),
                    }
                    for experiment in experiments
                ],
                "claims": claims,
            }
        return rows

    def _read_by(self, claim: Claim) -> dict[str, set[str]]:
        """Return the data sets that each part of a claim rests on, by the part's name."""
        statistic = claim.statistic
        by_part = {}
        cells = self.reads.get(statistic.experiment, ())
        across = {
            at: set(map(str, values)) for at, values in statistic.across.items() if values != "all"
        }
        for name, part in _parts(claim).items():
            fixed = {at: {str(value)} for at, value in {**statistic.where, **part}.items()}
            conditions = {
                at: values for at, values in {**fixed, **across}.items() if at != "method"
            }
            by_part[name] = {
                dataset
                for cell, names in cells
                if all(cell.get(at) in values for at, values in conditions.items())
                for dataset in names
            }
        return by_part

    def _run_by(self, claim: Claim) -> dict[str, set[str]]:
        """Return what is run under the methods that each part of a claim compares."""
        behind = self.code.get(claim.statistic.experiment, {})
        return {
            name: {
                full
                for method in claim.statistic.method_names(part.get("method"))
                for full in behind.get(method, ())
            }
            for name, part in _parts(claim).items()
        }

    @cached_property
    def _entries(self) -> Mapping[tuple[str, str], ShownClaim]:
        return {(entry.claim, entry.part): entry for entry in self.results.shown_claims()}

    def _row(self, claim: str, parts: Iterable[str]) -> Row:
        """Return a claim as tables show it, with how those of its parts fare that are given."""
        entry = self._entries[claim, ""]
        shown = entry.shown
        words = [self._entries.get((claim, part), entry).shown["verdict"] for part in parts]
        return {
            "paper": self.results.paper.key,
            "name": claim,
            "says": shown["says"],
            "verdict": shown["verdict"],
            "standing": LABELS.get(shown["status"], ""),
            **{mark: shown.get(mark) for mark in MARKS},
            "stale": self.results.stale,
            "counted": entry.group == "own"
            and not (shown["same_as"] or shown["part_of"] or shown["disputed"]),
            "of_parts": {word: words.count(word) for word in VERDICTS if word in words},
        }


def _parts(claim: Claim) -> dict[str, Mapping[str, str]]:
    """Return the coordinates of a claim's parts by name; an empty one where it has none."""
    return {part_name(part.items()): part for part in claim.parts()}


def tally(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many of the papers' own claims have each verdict, each claim once."""
    counts = Counter(row["verdict"] for row in rows if row["counted"])
    return {word: counts[word] for word in VERDICTS}


def key_of(name: str) -> str:
    """Return what is left of a name without case and separators.

    Examples
    --------
    >>> key_of("20-Newsgroups")
    '20newsgroups'
    """
    return "".join(letter for letter in name.lower() if letter.isalnum())


def size(number: int) -> str:
    """Return a number of bytes as people read it.

    Examples
    --------
    >>> size(812), size(47040016)
    ('812 bytes', '47.0 MB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= factor:
            return f"{number / factor:.1f} {unit}"
    return f"{number} bytes"
