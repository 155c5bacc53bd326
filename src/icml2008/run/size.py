"""What a paper takes: trials and their processor time, lines, bytes of evidence; and the budgets.

Times follow from what is declared, the cost of a trial and how many there are: they are the same on
every machine, and known before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from icml2008.catalogue import library
from icml2008.errors import Icml2008Error
from icml2008.harness.experiment import SCALES
from icml2008.store import REFERENCE

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


def size_of(key: str) -> Size:
    """Return what a paper takes.

    Raises
    ------
    Icml2008Error
        If it has no experiments.
    """
    folder = library.folder(key)
    if not library.has_experiments(key):
        msg = f"{key} is planned, it has no experiments yet"
        raise Icml2008Error(msg)
    trials = dict.fromkeys(SCALES, 0)
    seconds = dict.fromkeys(SCALES, 0.0)
    for experiment in library.load_experiments(key).values():
        for scale in SCALES:
            found = experiment.trials(scale)
            trials[scale] += len(found)
            seconds[scale] += sum(experiment.seconds(cell) for cell, _ in found)
    python = set(folder.rglob("*.py"))
    tests = set(folder.rglob("test_*.py"))
    return Size(
        key,
        trials,
        {scale: round(value, 2) for scale, value in seconds.items()},
        yaml=_lines(folder.glob("*.yaml")),
        code=_lines(python - tests),
        tests=_lines(tests),
        evidence=_bytes((REFERENCE / key).rglob("*")),
        figures=_bytes((FIGURES / key).glob("*.svg")),
    )


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())
