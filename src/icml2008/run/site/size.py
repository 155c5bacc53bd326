"""What a paper takes: trials and their processor time, lines, bytes of evidence; and the budgets.

Times follow from what is declared, the cost of a trial and how many there are: they are the same on
every machine, and known before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.harness.experiment import SCALES
from icml2008.store import Shelf

# For each paper, so that 160 of them run on two cores in minutes and can be read: seconds of a
# processor at the scales that everybody runs and in its tests; lines of YAML, code and tests
# together; bytes that are committed.
SECONDS: Mapping[str, float] = {"smoke": 2.0, "quick": 6.0}
SECONDS_OF_TESTS = 4.0
LINES = 600
EVIDENCE_BYTES = 200_000
FIGURES_BYTES = 60_000

FIGURES = Path("figures")


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
    evidence, figures : int
        Bytes of its reference and of its published figures.
    """

    key: str
    trials: Mapping[str, int]
    seconds: Mapping[str, float]
    yaml: int
    code: int
    tests: int
    evidence: int
    figures: int

    @property
    def lines(self) -> int:
        """Lines of YAML, code and tests."""
        return self.yaml + self.code + self.tests

    @property
    def over(self) -> dict[str, float]:
        """What exceeds its budget, by its name in `to_json`."""
        budgets = {f"{scale}_s": most for scale, most in SECONDS.items()}
        budgets |= {"lines": LINES, "evidence": EVIDENCE_BYTES, "figures": FIGURES_BYTES}
        found = self.to_json(over=False)
        return {name: found[name] for name, most in budgets.items() if found[name] > most}

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
        names = ("yaml", "code", "tests", "lines", "evidence", "figures")
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
        evidence=_bytes(Shelf.of_reference(entry).folder.rglob("*")),
        figures=_bytes((FIGURES / entry.key).glob("*.svg")),
    )


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())
