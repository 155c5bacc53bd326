"""What is wrong with a run, in words for the terminal and the page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from icml2008.judge.cells import part_name

# In the order in which they are told: what may explain others comes first.
KINDS = {
    "job": ("job failed", "jobs failed"),
    "corrupt": ("data set is corrupt", "data sets are corrupt"),
    "unavailable": ("data set is not available", "data sets are not available"),
    "missing": ("result is missing", "results are missing"),
    "flipped": ("verdict flipped", "verdicts flipped"),
    "moved": ("mean moved", "means moved"),
    "unchecked": ("comparison judged nothing", "comparisons judged nothing"),
}


@dataclass(frozen=True)
class Problem:
    """One thing that makes a run fail.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    what : str
    paper : str
        Key of the paper that it is about; empty if it is about none or several.
    """

    kind: str
    what: str
    paper: str = ""

    def __str__(self) -> str:
        return f"{self.paper}: {self.what}" if self.paper else self.what


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes
    ----------
    problems : sequence of Problem
    compared : int
        How many values were compared with the reference.
    explained : sequence of Problem
        Means that moved by no more than other arithmetic explains.
    """

    problems: Sequence[Problem] = ()
    compared: int = 0
    explained: Sequence[Problem] = ()

    @property
    def summary(self) -> str:
        """The problems counted by kind.

        Examples
        --------
        >>> Outcome([Problem("moved", ""), Problem("moved", ""), Problem("job", "")]).summary
        '1 job failed, 2 means moved'
        """
        counts = Counter(problem.kind for problem in self.problems)
        return ", ".join(
            f"{counts[kind]} {words[counts[kind] > 1]}"
            for kind, words in KINDS.items()
            if counts[kind]
        )


NOTHING_WRONG = Outcome()


def of_check(check: Mapping[str, Any]) -> Outcome:
    """Return what a comparison with the reference says, as ``check.json`` holds it."""
    entries = {key: entry for key, entry in check.items() if entry}
    listed = {kind: [] for kind in ("missing", "flipped", "moved", "arithmetic")}
    for key, entry in entries.items():
        for kind, group in listed.items():
            group += [Problem(kind, _line(item), key) for item in entry.get(kind, ())]
    explained = listed.pop("arithmetic")
    problems = [problem for group in listed.values() for problem in group]
    if entries and not any(entry["judged"] for entry in entries.values()):
        problems.append(Problem("unchecked", "no claim was judged both here and in the reference"))
    return Outcome(problems, sum(entry["compared"] for entry in entries.values()), explained)


def _line(item: str | Mapping[str, Any]) -> str:
    if isinstance(item, str):
        return item
    if "claim" in item:
        where = f"{item['claim']}[{item['part']}]" if item["part"] else item["claim"]
    else:
        cell = item["cell"] if isinstance(item["cell"], dict) else json.loads(item["cell"])
        names = [item.get(name) for name in ("experiment", "method", "metric")]
        where = ", ".join(filter(None, names)) + f" at {part_name(cell.items())}"
    if "universe" in item:
        where = f"{where}, {item['universe']}"
    return f"{where}: {_short(item['old'])} became {_short(item['new'])}"


def _short(value: float | str | None) -> str:
    return f"{value:.8g}" if isinstance(value, float) else str(value)
