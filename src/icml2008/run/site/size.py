"""What a paper takes: trials and their processor time, lines, bytes of evidence; and the budgets.

Times follow from what is declared, the cost of a trial and how many there are: they are the same on
every machine, and known before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from icml2008.catalogue.entry import Entry, rerun_entries
from icml2008.errors import Icml2008Error
from icml2008.harness.code import closure, starts_of
from icml2008.harness.experiment import SCALES
from icml2008.harness.source import source
from icml2008.store import Shelf

# For each paper, so that 160 of them run on two cores in minutes: seconds of a processor at the
# scales that everybody runs and in its tests; bytes that are committed.
SECONDS: Mapping[str, float] = {"smoke": 2.0, "quick": 6.0}
SECONDS_OF_TESTS = 4.0
EVIDENCE_BYTES = 200_000
FIGURES_BYTES = 60_000

# Lines that the median paper takes at most, everything counted: so many, and more for each claim
# that is judged. A goal for the format and for what papers share, no budget of a single one.
LINES = 150
LINES_OF_A_CLAIM = 45

METHODS = "icml2008.methods"


@dataclass(frozen=True)
class Size:
    """What a paper takes.

    Attributes
    ----------
    trials : mapping of str to int
        How many there are, by scale.
    seconds : mapping of str to float
        What they are declared to cost, by scale.
    yaml, code, tests : int
        Lines in its folder.
    shared : int
        Its share of the methods outside of it that its experiments reach: the lines of a module
        over the number of papers that reach it.
    claims : int
        How many of its claims are judged.
    evidence, figures : int
        Bytes of its reference and of its published figures.
    """

    key: str
    trials: Mapping[str, int]
    seconds: Mapping[str, float]
    yaml: int
    code: int
    tests: int
    shared: int
    claims: int
    evidence: int
    figures: int

    @property
    def lines(self) -> int:
        """Lines of YAML, code, tests and its share of methods."""
        return self.yaml + self.code + self.tests + self.shared

    @property
    def beyond(self) -> int:
        """Lines beyond what its number of claims allows; below 0 within it."""
        return self.lines - LINES - LINES_OF_A_CLAIM * self.claims

    @property
    def over(self) -> dict[str, float]:
        """What exceeds its budget, by its name in `to_json`."""
        budgets = {f"{scale}_s": most for scale, most in SECONDS.items()}
        budgets |= {"evidence": EVIDENCE_BYTES, "figures": FIGURES_BYTES}
        sizes = self.to_json(over=False)
        return {name: sizes[name] for name, most in budgets.items() if sizes[name] > most}

    def to_json(self, *, over: bool = True) -> dict[str, Any]:
        """Return one row of a list: trials and seconds by scale, and the names of what exceeds."""
        by_scale = {
            name: value
            for scale in SCALES
            for name, value in (
                (scale, self.trials[scale]),
                (f"{scale}_s", self.seconds[scale]),
            )
        }
        names = ("yaml", "code", "tests", "shared", "lines", "claims", "beyond")
        names += ("evidence", "figures")
        parts = {name: getattr(self, name) for name in names}
        more = {"over": sorted(self.over)} if over else {}
        return {"key": self.key, **by_scale, **parts, **more}


def size_of(entry: Entry) -> Size:
    """Return what a paper takes.

    Raises
    ------
    Icml2008Error
        If it has no experiments.
    """
    folder = entry.folder
    reference = Shelf.of_reference(entry)
    if not entry.is_rerun:
        msg = f"{entry.key} is planned, it has no experiments yet"
        raise Icml2008Error(msg)
    trials = dict.fromkeys(SCALES, 0)
    seconds = dict.fromkeys(SCALES, 0.0)
    for experiment in entry.experiments.values():
        for scale in SCALES:
            of_scale = experiment.trials(scale)
            trials[scale] += len(of_scale)
            seconds[scale] += sum(experiment.seconds(cell) for cell, _ in of_scale)
    python = set(folder.rglob("*.py"))
    tests = set(folder.rglob("test_*.py"))
    return Size(
        entry.key,
        trials,
        {scale: round(value, 2) for scale, value in seconds.items()},
        yaml=_lines(folder.glob("*.yaml")),
        code=_lines(python - tests),
        tests=_lines(tests),
        shared=_share_of_methods(entry),
        claims=sum(bool(claim.statistic) for claim in entry.paper.claims.values()),
        evidence=_bytes(reference.folder.rglob("*")),
        figures=_bytes(reference.published_figures.glob("*.svg")),
    )


def in_words(sizes: Sequence[Size]) -> str:
    """Return the median of papers beside the goal, and the five that are furthest beyond it."""
    goal = f"{LINES} lines and {LINES_OF_A_CLAIM} a judged claim"
    worst = sorted(sizes, key=lambda size: -size.beyond)[:5]
    named = ", ".join(f"{size.key} {size.beyond:+}" for size in worst)
    beyond = round(median(size.beyond for size in sizes))
    of_claim = median(size.lines / size.claims for size in sizes if size.claims)
    return (
        f"lines: {round(median(size.lines for size in sizes))} in the median, "
        f"{of_claim:.0f} a judged claim; {beyond:+} beyond the goal of {goal}\n"
        f"furthest beyond it: {named}"
    )


@cache
def _reached() -> dict[str, list[str]]:
    """Return the papers that reach each module of shared methods."""
    reached: dict[str, list[str]] = {}
    for entry in rerun_entries():
        names = entry.paper.experiments
        starts = [start for name in names for start in starts_of(entry.key, name)]
        for module in closure(starts):
            if module.startswith(f"{METHODS}."):
                reached.setdefault(module, []).append(entry.key)
    return reached


def _share_of_methods(entry: Entry) -> int:
    shares = (
        _lines([Path(source(module))]) / len(keys)
        for module, keys in _reached().items()
        if entry.key in keys
    )
    return round(sum(shares))


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())
