"""The numbers of a drawn figure as a table: what a reader would have to read off it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from icml2008.catalogue.figures import PRINTED
from icml2008.harness.records import write_atomically
from icml2008.report.drawing import drawings
from icml2008.report.results import PaperResults
from icml2008.report.style import house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = {
    "panel": ("string", "Title of the panel, or its place from 1 on."),
    "series": ("string", "Name in the legend."),
    "what": ("string", "Whether a number is ours, printed in the paper, or of a control."),
    "label": ("string", "What an axis says at this place, where it names things."),
    "x": ("number", "Place on the horizontal axis."),
    "y": ("number", "Value on the vertical axis."),
    "low": ("number", "Lower end of its bar of error, on the axis along which that lies."),
    "high": ("number", "Upper end of its bar of error."),
}
# More points of a series, or pixels of a picture, are nothing that anybody would read off.
_MOST = 400


def write_data(results: PaperResults, folder: Path) -> None:
    """Write ``<name>.csv`` of each figure of a paper's own into a folder; others are removed."""
    written = set()
    for drawing in drawings(results):
        with house_style(drawing.style or {}):
            figure = drawing.build()
        if figure is None:
            continue
        text = figure_csv(figure)
        if "matplotlib.pyplot" in sys.modules:  # which keeps its figures until they are closed
            sys.modules["matplotlib.pyplot"].close(figure)
        if text:
            written.add(folder / f"{drawing.name}.csv")
            write_atomically(folder / f"{drawing.name}.csv", text)
    for old in set(folder.glob("*.csv")) - written:
        old.unlink()


def figure_csv(figure: Figure) -> str:
    """Return lines, bars, points and small matrices of a figure as CSV; empty if it has none."""
    rows = [
        [panel.get_title() or place, *row]
        for place, panel in enumerate(figure.axes, 1)
        for row in _rows(panel, _legend(figure))
    ]
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_text(value) for value in row])
    return out.getvalue()


def _rows(axes: Axes, legend: dict[Any, str]) -> Iterator[list[Any]]:
    from matplotlib.colors import to_rgba
    from matplotlib.container import BarContainer, ErrorbarContainer

    names = (_names(axes.xaxis), _names(axes.yaxis))
    seen = set()

    def series_of(label: str, colour: Any) -> str:
        # Matplotlib's own names of what has none begin so.
        return legend.get(to_rgba(colour), "") if label.startswith("_") else label

    for drawn in axes.containers:
        if isinstance(drawn, ErrorbarContainer) and drawn.lines[0] is not None:
            line, _, bars = drawn.lines
            seen.add(line)
            series = series_of(str(drawn.get_label()), line.get_color())
            ends = _ends(bars, len(line.get_xdata()), along=1 if drawn.has_yerr else 0)
            yield from _points(line.get_xydata(), names, series, _what(line), ends)
        elif isinstance(drawn, BarContainer):
            for bar in drawn.patches:
                series = series_of(str(drawn.get_label()), bar.get_facecolor())
                x = bar.get_x() + bar.get_width() / 2
                y = bar.get_height()
                yield from _points([[x, y]], names, series, "ours")
    for line in axes.lines:
        # Lines across a panel have places of the panel, not of its data.
        if line not in seen and line.get_transform() == axes.transData:
            series = series_of(str(line.get_label()), line.get_color())
            yield from _points(line.get_xydata(), names, series, _what(line))
    for points in axes.collections:
        if points.get_offset_transform() == axes.transData and len(points.get_facecolor()):
            series = series_of(str(points.get_label()), points.get_facecolor()[0])
            yield from _points(points.get_offsets(), names, series, "ours")
    for image in axes.images:
        matrix = np.asarray(image.get_array())
        if matrix.ndim == 2 and matrix.size <= _MOST:
            across, down = names
            for (row, column), value in np.ndenumerate(matrix):
                series = down.get(row, f"row {row + 1}")
                yield [series, "ours", across.get(column, ""), column, value, "", ""]


def _points(
    points: Sequence[Sequence[float]],
    names: tuple[dict[int, str], dict[int, str]],
    series: str,
    what: str,
    ends: Sequence[tuple[float, float]] | None = None,
) -> Iterator[list[Any]]:
    if len(points) > _MOST:
        return
    for place, (x, y) in enumerate(np.asarray(points, dtype=float)):
        if np.isfinite([x, y]).all():
            low, high = ends[place] if ends else ("", "")
            label = names[0].get(round(x)) or names[1].get(round(y), "")
            yield [series, what, label, x, y, low, high]


def _ends(bars: Sequence[Any], count: int, along: int) -> list[tuple[float, float]] | None:
    """Return the ends of bars of error; none where they are not one for each point."""
    segments = [segment for bar in bars for segment in bar.get_segments()][-count:]
    ends = [tuple(end[along] for end in segment) for segment in segments]
    return ends if len(ends) == count else None


def _what(line: Any) -> str:
    if line.get_label() == "_control":
        return "control"
    marked = (line.get_marker(), line.get_linestyle().lower())
    return "printed" if marked == (PRINTED["marker"], "none") else "ours"


def _legend(figure: Figure) -> dict[Any, str]:
    """Return what labelled lines of a colour are called, whichever panel has the label."""
    from matplotlib.colors import to_rgba

    names: dict[Any, str] = {}
    for line in (line for axes in figure.axes for line in axes.lines):
        if not str(line.get_label()).startswith("_") and _what(line) == "ours":
            names.setdefault(to_rgba(line.get_color()), str(line.get_label()))
    return names


def _names(axis: Any) -> dict[int, str]:
    """Return what an axis writes at whole numbers, where it names things."""
    from matplotlib.ticker import FixedLocator

    if not isinstance(axis.get_major_locator(), FixedLocator):
        return {}
    ticks = axis.get_major_ticks()
    texts = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    labels = zip(axis.get_majorticklocs(), texts, strict=False)
    return {round(at): text for at, text in labels if text} if ticks else {}


def _text(value: Any) -> Any:
    return f"{value:.5g}" if isinstance(value, float | np.floating) else value
