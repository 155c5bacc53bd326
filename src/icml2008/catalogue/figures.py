"""Figures of a paper's own: declared in its ``figures.py``, drawn from records alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from icml2008.catalogue.model import PaperError
from icml2008.errors import nearest
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import Cell
from icml2008.harness.records import Line, canonical

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# How a printed value is marked, in every figure: keyword arguments of ``Axes.plot``.
PRINTED = {
    "color": "#0b5cad",
    "linestyle": "none",
    "marker": "D",
    "markersize": 4.5,
    "markerfacecolor": "none",
    "markeredgewidth": 1.3,
}

Verdict = Mapping[str, Any]


class Measured:
    """What a figure is drawn from: measurements, kept arrays and verdicts of one scale.

    Parameters
    ----------
    cells : mapping of str to sequence of dict
        The grid of each experiment, in its order.
    read : callable
        Takes experiment and universe and returns the lines of their records and kept arrays; none
        if there are none.
    verdicts : sequence of dict
        Of all universes.
    """

    def __init__(
        self,
        cells: Mapping[str, Sequence[Cell]],
        read: Callable[[str, str], Sequence[Line]],
        verdicts: Sequence[Verdict] = (),
    ) -> None:
        self._cells = cells
        self._verdicts = {(v["claim"], v["part"], v["universe"]): v for v in verdicts}
        self._index = cache(lambda experiment, universe: _index(read(experiment, universe)))

    def cells(
        self, experiment: str, /, *, universe: str = DEFAULT, **coordinates: Any
    ) -> list[Cell]:
        """Return the cells that have records, in the experiment's order, at given coordinates."""
        if experiment not in self._cells:
            msg = f"figure: no experiment {experiment!r}{nearest(experiment, self._cells)}"
            raise PaperError(msg)
        found = self._index(experiment, universe)
        return [
            cell
            for cell in self._cells[experiment]
            if canonical(dict(cell)) in found
            and all(cell.get(name) == value for name, value in coordinates.items())
        ]

    def values(
        self,
        experiment: str,
        method: str,
        metric: str,
        /,
        *,
        universe: str = DEFAULT,
        **cell: Any,
    ) -> np.ndarray:
        """Return a metric of a method in one cell, a value for each repeat, nan where it failed.

        Empty where the cell has no such record.
        """
        found = self._index(experiment, universe).get(canonical(cell), {})
        values = found.get((method, metric), {})
        failed = found.get((method, None), {})
        repeats = sorted({*values, *failed}) if values else []
        return np.array([values.get(repeat, np.nan) for repeat in repeats], dtype=float)

    def kept(
        self,
        experiment: str,
        name: str,
        /,
        *,
        repeat: int = 0,
        universe: str = DEFAULT,
        **cell: Any,
    ) -> np.ndarray | None:
        """Return an array that a trial kept, or None where there is none."""
        found = self._index(experiment, universe).get(canonical(cell), {})
        array = found.get(("keep", name), {}).get(repeat)
        return None if array is None else np.asarray(array, dtype=float)

    def verdict(self, claim: str, part: str = "", universe: str = DEFAULT) -> Verdict | None:
        """Return the verdict on a claim or on a part of it, ``dataset=x``; None without one."""
        return self._verdicts.get((claim, part, universe))


def _index(lines: Sequence[Line]) -> dict[str, dict[tuple, dict[int, Any]]]:
    found: dict[str, dict[tuple, dict[int, Any]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        here, repeat = found[canonical(line["cell"])], line["repeat"]
        if "keep" in line:
            here["keep", line["keep"]][repeat] = line["array"]
        elif "metric" in line:
            value = line["value"]
            here[line["method"], line["metric"]][repeat] = np.nan if value is None else value
        elif "method" in line and "cases" not in line:
            here[line["method"], None][repeat] = np.nan
    return found


@dataclass(frozen=True)
class OwnFigure:
    """A figure of a paper's own: name, caption and the function that draws it from `Measured`."""

    name: str
    caption: str
    draw: Callable[[Measured], Figure | None]


def figure(name: str, *, caption: str) -> Callable[[Callable[[Measured], Any]], OwnFigure]:
    """Declare the decorated function to draw a figure of the paper.

    The function takes `Measured` and returns a Matplotlib figure, or None if it lacks the records.

    Parameters
    ----------
    name : str
        Lower case with hyphens: the name of the file.
    caption : str
        What is to be seen, in a sentence or two.
    """

    def declare(function: Callable[[Measured], Any]) -> OwnFigure:
        return OwnFigure(name, caption, function)

    return declare
