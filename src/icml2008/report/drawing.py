"""The figures of a paper's own, which Matplotlib draws."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icml2008.harness.records import write_atomically
from icml2008.report.results import PaperResults
from icml2008.report.style import GRID, INK, house_style
from icml2008.report.svg import compact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Drawing:
    """A figure that can be drawn.

    Attributes
    ----------
    name : str
        Of its file.
    caption : str
    build : callable
        Returns a Matplotlib figure, or None where there is nothing to draw.
    style : mapping
        Parameters of Matplotlib besides those of the house.
    """

    name: str
    caption: str
    build: Callable[[], Figure | None]
    style: Mapping[str, Any] | None = None

    def svg(self) -> str | None:
        """Return the figure as SVG, the same bytes each time; what is black has the ink's colour.

        Pages lighten the ink in the dark, where black could not be seen.
        """
        (saved,) = self.saved("svg")
        return None if saved is None else _as_svg(saved)

    def png(self) -> bytes | None:
        """Return the figure as PNG, the same bytes each time."""
        (saved,) = self.saved("png")
        return saved

    def saved(self, *kinds: str) -> list[bytes | None]:
        """Return the figure as Matplotlib saves it, built once for all kinds of file."""
        with house_style(self.style or {}):
            figure = self.build()
            if figure is None:
                return [None] * len(kinds)
            _plain_powers(figure)
            files = [_saved(figure, kind) for kind in kinds]
            if "matplotlib.pyplot" in sys.modules:  # which keeps its figures until they are closed
                sys.modules["matplotlib.pyplot"].close(figure)
            return files


# What would say when, and by which version, a file was made.
_LEFT_OUT = {"svg": ("Date", "Creator"), "png": ("Software",)}


def _saved(figure: Figure, kind: str) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format=kind, metadata=dict.fromkeys(_LEFT_OUT[kind]))
    return out.getvalue()


def _as_svg(saved: bytes) -> str:
    return compact(saved.decode("utf-8")).replace("#000000", INK)


def _plain_powers(figure: Figure) -> None:
    """Write the ticks of logarithmic axes as numbers: texts are never formulas here."""
    from matplotlib.ticker import LogFormatter, NullFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), LogFormatter):
                axis.set_major_formatter(lambda value, _: _number(value))
            if isinstance(axis.get_minor_formatter(), LogFormatter):
                axis.set_minor_formatter(NullFormatter())


def _number(value: float) -> str:
    """Write a number in digits, from 100,000 on and below 0.0001 as a power of ten."""
    factor, _, power = f"{value:.5g}".partition("e")
    if not power:
        return factor
    power = "10" + str(int(power)).translate(_RAISED)
    return power if factor == "1" else f"{factor}·{power}"


def drawings(results: PaperResults) -> Iterator[Drawing]:
    """Yield the figures of a paper's own."""
    for own in results.figures if results.measured else ():
        yield Drawing(own.name, own.caption, partial(own.draw, results.measured), style=GRID)


def write_figures(results: PaperResults, folder: str | Path, *, png: bool = False) -> list[Path]:
    """Write ``<name>.svg`` of each figure into a folder; return the files.

    Figures that are there and no longer drawn are removed.

    Parameters
    ----------
    results : PaperResults
    folder : path
    png : bool
        Whether to write ``<name>.png`` beside it.
    """
    folder = Path(folder)
    written = []
    for drawing in drawings(results):
        svg, *more = drawing.saved("svg", *(["png"] if png else []))
        if svg is None:
            continue
        written.append(folder / f"{drawing.name}.svg")
        write_atomically(written[-1], _as_svg(svg))
        for content in more:
            write_atomically(written[-1].with_suffix(".png"), content)
    for old in folder.glob("*.svg"):
        if old not in written:
            old.unlink()
            old.with_suffix(".png").unlink(missing_ok=True)
    return written
