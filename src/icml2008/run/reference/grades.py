"""How far a mean may move before it is called moved: the rule of ``docs/check.md``."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from icml2008.catalogue.model import Paper
from icml2008.harness import records

Line = records.Line
At = tuple[str, str, str]
"""Cell in its canonical text, method and metric."""

SAME = "same"
ARITHMETIC = "arithmetic"
MOVED = "moved"

# A shift below this share of the spread of the repeats is far inside it.
FAR_INSIDE = 0.1
# Of the largest value, what its digits do not tell; and the least that is told at all: other
# arithmetics shift residuals by less.
DIGITS = 1e-6
LEAST = 1e-9
# Chance shifts stay within this many standard deviations.
DEVIATIONS = 3.0


@dataclass(frozen=True)
class Shift:
    """What became of a mean.

    Attributes
    ----------
    experiment : str
    at : tuple of str
        Cell, method and metric.
    old, new : tuple of float or None
        The values of the repeats that both sides ran, None where there is none.
    resolution : float
        What a test case in each repeat, either way, makes of a mean; or the rounding of its digits.
    spread : float
        Standard deviation of the old side's repeats, all of them.
    """

    experiment: str
    at: At
    old: tuple[float | None, ...]
    new: tuple[float | None, ...]
    resolution: float
    spread: float

    @property
    def complete(self) -> bool:
        """Whether both sides have a value in every repeat."""
        return None not in self.old + self.new

    @property
    def change(self) -> float:
        """The shift of the mean."""
        return statistics.fmean(self.new) - statistics.fmean(self.old)

    @property
    def largest(self) -> float:
        """The largest shift of a repeat."""
        return max(abs(b - a) for a, b in zip(self.old, self.new, strict=True))

    @property
    def rms(self) -> float:
        """The root of the mean square of the shifts of the repeats."""
        apart = (b - a for a, b in zip(self.old, self.new, strict=True))
        return math.hypot(*apart) / math.sqrt(len(self.old))

    def to_json(self) -> dict[str, Any]:
        """Return where it is, old and new, and the sizes of the shift, as plain data."""
        cell, method, metric = self.at
        where = {"experiment": self.experiment, "cell": cell, "method": method, "metric": metric}
        if self.complete:
            old = statistics.fmean(self.old)
            new = statistics.fmean(self.new)
            sizes = {"change": self.change, "largest": self.largest, "rms": self.rms}
            return {**where, "old": old, "new": new, **sizes}
        counts = [f"{sum(v is not None for v in side)} values" for side in (self.old, self.new)]
        return {**where, "old": counts[0], "new": counts[1], "change": None}


def grade(shift: Shift, recorded: Mapping[str, float] | None, chaotic: bool) -> str:
    """Return ``same``, ``arithmetic`` or ``moved``.

    Parameters
    ----------
    shift : Shift
    recorded : mapping or None
        What other arithmetics did to this mean: its ``change`` without a sign, and ``largest`` and
        ``rms`` of the repeats' shifts.
    chaotic : bool
        Whether another rounding is declared to give other repeats altogether.
    """
    if shift.old == shift.new:
        return SAME
    if not shift.complete:
        return MOVED
    if abs(shift.change) <= shift.resolution:
        return SAME
    n = len(shift.old)
    allowed = [FAR_INSIDE * shift.spread]
    if recorded:
        of_repeats = max(recorded["largest"], DEVIATIONS * recorded["rms"])
        allowed += [recorded["change"], of_repeats / math.sqrt(n)]
    if chaotic:
        allowed.append(DEVIATIONS * shift.spread * math.sqrt(2 / n))
    return ARITHMETIC if abs(shift.change) <= max(allowed) else MOVED


def shifts(paper: Paper, old: Sequence[Line], new: Sequence[Line]) -> Iterator[Shift]:
    """Yield what became of each mean of an experiment, over the trials that both sides ran."""
    both = ran(old) & ran(new)
    sides = [_series(lines) for lines in (old, new)]
    for at in sorted(sides[0].keys() | sides[1].keys(), key=str):
        cell, _, metric = at
        was, now = (side.get(at, {}) for side in sides)
        repeats = sorted(r for r in was.keys() | now.keys() if (cell, r) in both)
        if not repeats:
            continue
        old_values, new_values = (
            tuple(side.get(r, {}).get("value") for r in repeats) for side in (was, now)
        )
        bounds = paper.metrics[metric].bounds if metric in paper.metrics else None
        every = [line["value"] for line in was.values() if line.get("value") is not None]
        yield Shift(
            old[0]["experiment"],
            at,
            old_values,
            new_values,
            _resolution(next(iter((was or now).values())), every, bounds, len(repeats)),
            statistics.stdev(every) if len(every) > 1 else 0.0,
        )


def ran(lines: Sequence[Line]) -> set[tuple[str, int]]:
    """Return the (cell, repeat) of the trials that had their data."""
    return {
        (records.canonical(line["cell"]), line["repeat"])
        for line in lines[1:]
        if line["kind"] != "no data"
    }


def _series(lines: Sequence[Line]) -> dict[At, dict[int, Line]]:
    by_repeat: dict[At, dict[int, Line]] = defaultdict(dict)
    for line in lines[1:]:
        if line["kind"] != "cases":
            at = records.canonical(line["cell"]), line.get("method", ""), line.get("metric", "")
            by_repeat[at][line["repeat"]] = line
    return by_repeat


def _resolution(
    line: Line, values: Sequence[float], bounds: Sequence[float | None] | None, n: int
) -> float:
    """Return the shift of a mean that says nothing: a test case, either way, in each of n repeats.

    These add up like chance does. Where no test case is known, it is rounding.
    """
    if line.get("n_test") and bounds and None not in bounds:
        return (bounds[1] - bounds[0]) / line["n_test"] / math.sqrt(n)
    return max(LEAST, DIGITS * max(map(abs, values))) if values else 0.0


def is_chaotic(paper: Paper, experiment: str, at: At) -> bool:
    """Return whether the paper's file declares a mean to be chaotic."""
    _, method, metric = at
    declared = paper.experiments[experiment].chaotic if experiment in paper.experiments else []
    return any(
        method in declaration.methods and metric in declaration.metrics for declaration in declared
    )
