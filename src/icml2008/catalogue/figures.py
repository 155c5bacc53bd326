"""Figures of a paper's own: declared in its ``figures.py``, drawn from records alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from icml2008.catalogue.controls_drawn import draw_control
from icml2008.catalogue.paper_error import PaperError
from icml2008.errors import nearest
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import Cell
from icml2008.harness.records import Line, canonical
from icml2008.judge.controls import SIDES, Constant, Controls
from icml2008.judge.printed import parse

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
    controls : mapping of str to sequence of Controls
        Of each experiment that has some.
    """

    def __init__(
        self,
        cells: Mapping[str, Sequence[Cell]],
        read: Callable[[str, str], Sequence[Line]],
        verdicts: Sequence[Verdict] = (),
        controls: Mapping[str, Sequence[Controls]] = MappingProxyType({}),
    ) -> None:
        self._cells = cells
        self._controls = controls
        self._verdicts = {(v["claim"], v["part"], v["universe"]): v for v in verdicts}
        self._index = cache(lambda experiment, universe: _index(read(experiment, universe)))

    def cells(
        self, experiment: str, /, *, universe: str = DEFAULT, **coordinates: Any
    ) -> list[Cell]:
        """Return the cells that have records, in the experiment's order, at given coordinates."""
        if experiment not in self._cells:
            msg = f"figure: no experiment {experiment!r}{nearest(experiment, self._cells)}"
            raise PaperError(msg)
        recorded = self._index(experiment, universe)
        return [
            cell
            for cell in self._cells[experiment]
            if canonical(dict(cell)) in recorded
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
        measured = self._index(experiment, universe).get(canonical(cell), {})
        values = measured.get((method, metric), {})
        failed = measured.get((method, None), {})
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
        measured = self._index(experiment, universe).get(canonical(cell), {})
        array = measured.get(("keep", name), {}).get(repeat)
        return None if array is None else np.asarray(array, dtype=float)

    def verdict(self, claim: str, part: str = "", universe: str = DEFAULT) -> Verdict | None:
        """Return the verdict on a claim or on a part of it, ``dataset=x``; None without one."""
        return self._verdicts.get((claim, part, universe))

    def printed(self, claim: str, /, **coordinates: Any) -> float | None:
        """Return the number that a claim prints at some coordinates, the method's among them.

        Coordinates that the claim does not tell apart are left out; None where nothing is printed.
        """
        texts = [f"{name}={coordinates[name]}" for name in sorted(coordinates)]
        for size in range(len(texts), -1, -1):
            for part in combinations(texts, size):
                verdict = self.verdict(claim, ",".join(part))
                if verdict is not None and verdict.get("printed") is not None:
                    return parse(verdict["printed"]).value
        return None

    def limits(
        self, experiment: str, metric: str, /, *, universe: str = DEFAULT, **cell: Any
    ) -> dict[str, tuple[str, float]]:
        """Return the floor and the ceiling of a metric in a cell, as far as it has them.

        By side, the method that it is (empty for a constant) and its number.
        """
        limits = {}
        for declared in self._controls.get(experiment, ()):
            for side in SIDES if metric in declared.metrics else ():
                control = getattr(declared, side)
                if isinstance(control, Constant):
                    name = ""
                    number = control.at(cell)
                elif control:
                    values = self.values(experiment, control, metric, universe=universe, **cell)
                    name = control
                    number = _mean_and_half(values)[0]
                else:
                    continue
                if number is not None and np.isfinite(number):
                    limits[side] = name, float(number)
        return limits

    def curve(
        self,
        experiment: str,
        metric: str,
        /,
        *,
        x: str,
        methods: Sequence[str] | Mapping[str, Mapping[str, Any]],
        axes: Axes | None = None,
        universe: str = DEFAULT,
        printed: str = "",
        band: bool = False,
        **cell: Any,
    ) -> Figure | None:
        """Draw the mean of a metric over a coordinate of the cells, a line for each method.

        Floor and ceiling of the metric are thin lines, unless they are among the methods.

        Parameters
        ----------
        experiment, metric : str
        x : str
            The coordinate.
        methods : list of str, or dict of str to dict
            Which methods, or what `Axes.plot` takes besides for each of them.
        axes : Axes, optional
            Where to draw; by default a figure of its own, with labels and a legend.
        universe : str
        printed : str, optional
            The claim whose printed numbers are marked, in the colours of the lines.
        band : bool
            Whether the 95 % intervals of the means are shaded.
        **cell
            The other coordinates that tell cells apart.

        Returns
        -------
        Figure or None
            None if there are no records of these cells.

        Raises
        ------
        PaperError
            If the cells differ in another coordinate than `x`.
        """
        cells = self.cells(experiment, universe=universe, **cell)
        if not cells:
            return None
        others = sorted({name for c in cells for name in c} - {x})
        if mixed := [name for name in others if len({c.get(name) for c in cells}) > 1]:
            msg = f"figure: cells of {experiment} differ in {', '.join(mixed)}, too: give a value"
            raise PaperError(msg)
        own = axes is None
        if own:
            from matplotlib.figure import Figure

            axes = Figure(figsize=(5.2, 3.2), layout="constrained").subplots()
            axes.set(xlabel=x, ylabel=metric)
        styles = methods if isinstance(methods, Mapping) else dict.fromkeys(methods, {})
        places = [c[x] for c in cells]
        for name, style in styles.items():
            repeats = [self.values(experiment, name, metric, universe=universe, **c) for c in cells]
            means, halves = np.transpose([_mean_and_half(values) for values in repeats])
            style = {"marker": "o", "markersize": 4, "label": name, **style}
            (line,) = axes.plot(places, means, **style)
            colour = {"color": line.get_color()}
            if band:
                ends = means - halves, means + halves
                axes.fill_between(places, *ends, alpha=0.2, linewidth=0, **colour)
            if printed:
                marks = [self.printed(printed, method=name, **c) for c in cells]
                axes.plot(places, np.array(marks, dtype=float), **PRINTED | colour)
        limits = [self.limits(experiment, metric, universe=universe, **c) for c in cells]
        for side in SIDES:
            ends = [by_side.get(side, ("", np.nan)) for by_side in limits]
            numbers = np.array([number for _, number in ends])
            if not np.isnan(numbers).all() and not {name for name, _ in ends} & set(styles):
                draw_control(axes, places, numbers, side)
        if own and len(styles) > 1:
            axes.legend()
        return axes.figure


def _mean_and_half(values: np.ndarray) -> tuple[float, float]:
    """Return the mean of what did not fail and half of its 95 % interval, 0 of a single value."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return (values[0] if len(values) else np.nan), 0.0
    from icml2008.judge.estimates import mean_of

    low, high = mean_of(values).ends(0.95)
    return values.mean(), (high - low) / 2


def _index(lines: Sequence[Line]) -> dict[str, dict[tuple, dict[int, Any]]]:
    by_cell: dict[str, dict[tuple, dict[int, Any]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        here = by_cell[canonical(line["cell"])]
        repeat = line["repeat"]
        if line["kind"] == "array":
            here["keep", line["keep"]][repeat] = line["array"]
        elif line["kind"] == "measurement":
            value = line["value"]
            here[line["method"], line["metric"]][repeat] = np.nan if value is None else value
        elif line["kind"] == "failure":
            here[line["method"], None][repeat] = np.nan
    return by_cell


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
