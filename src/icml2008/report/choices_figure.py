"""The specification curve of a claim: what every universe makes of it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icml2008.harness.choices import DEFAULT, changed_in, projected
from icml2008.judge.cells import part_name
from icml2008.report import wording
from icml2008.report.entries import PaperResults, Verdict
from icml2008.report.style import BAND, COLOURS, INK, MARKERS, MUTED, PAPER, PRINTED, RULE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches.
WIDTH, RIGHT, CURVE, ROW, TITLE, GAP = 4.4, 0.1, 1.0, 0.155, 0.2, 0.16
_CHARACTER = 0.068
_TITLE_CHARACTERS = 60


@dataclass(frozen=True)
class _Panel:
    """One part of a claim.

    Attributes
    ----------
    universes : list of (changed choices, verdict)
        Sorted by effect.
    rows : list of (choice, alternative)
        The alternatives that some universe takes.
    """

    title: str
    universes: list[tuple[Mapping[str, str], Verdict]]
    rows: list[tuple[str, str]]

    @property
    def height(self) -> float:
        return TITLE + CURVE + ROW * len(self.rows) + 0.05 + GAP


def choices_figure(results: PaperResults, claim: str) -> Figure | None:
    """Return the specification curve of a claim, a panel for each part; None without universes."""
    from matplotlib.figure import Figure

    panels = _panels(results, claim)
    if not panels:
        return None
    labels = [_label(row) for panel in panels for row in panel.rows]
    left = 0.25 + _CHARACTER * max(map(len, labels))
    title = textwrap.wrap(results.paper.claims[claim].says, _TITLE_CHARACTERS)
    top = 0.08 + 0.155 * len(title) + 0.08
    height = top + sum(panel.height for panel in panels)
    figure = Figure(figsize=(WIDTH, height))
    figure.text(0.08 / WIDTH, 1 - 0.06 / height, "\n".join(title), va="top", weight="bold")
    at = height - top
    for panel in panels:
        figure.text(0.08 / WIDTH, at / height, panel.title, va="top", color=INK)
        curve, matrix = at - TITLE - CURVE, ROW * len(panel.rows)
        width = (WIDTH - left - RIGHT) / WIDTH
        upper = figure.add_axes((left / WIDTH, curve / height, width, CURVE / height))
        _draw_curve(upper, panel)
        under = (curve - 0.05 - matrix) / height
        lower = figure.add_axes((left / WIDTH, under, width, matrix / height), sharex=upper)
        _draw_matrix(lower, panel)
        at -= panel.height
    return figure


def _panels(results: PaperResults, claim: str) -> list[_Panel]:
    declared = results.paper.claims[claim]
    found: dict[str, dict[str, Verdict]] = {}
    for verdict in results.shown():
        if verdict["claim"] == claim and verdict.get("effect") is not None:
            found.setdefault(verdict["part"], {})[verdict["universe"]] = verdict
    panels = []
    for part, verdicts in found.items():
        touching = _touching(results, declared, part, verdicts)
        if DEFAULT not in touching or len(touching) < 2:
            continue
        universes = [
            (changed_in(name, results.paper.choices), verdict) for name, verdict in touching.items()
        ]
        universes.sort(key=lambda pair: (pair[1]["effect"], sorted(pair[0].items())))
        rows = sorted({item for changed, _ in universes for item in changed.items()})
        title = wording.part_label(part) or "all"
        panels.append(_Panel(title, universes, rows))
    return panels


def _touching(results, declared, part: str, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """Return the universes that can change the part: one of those with the same records."""
    coordinates = next((c for c in declared.parts() if part_name(c.items()) == part), {})
    experiment = declared.statistic.experiment
    cells = [
        cell
        for cell in results.cells.get(experiment, [])
        if all(cell.get(name, value) == value for name, value in coordinates.items())
    ]
    distinct: dict[tuple[str, ...], str] = {}
    for universe in sorted(verdicts, key=lambda name: (name != DEFAULT, len(name), name)):
        seen = tuple(
            projected(universe, results.paper.choices, experiment, cell) for cell in cells or [None]
        )
        distinct.setdefault(seen, universe)
    return {universe: verdicts[universe] for universe in distinct.values()}


def _label(row: tuple[str, str]) -> str:
    return f"{row[0]}: {row[1]}"


def _draw_curve(axes: Axes, panel: _Panel) -> None:
    reference = panel.universes[0][1]
    line = reference.get("floor")
    if reference.get("comparison") == "never_violated":
        line = reference.get("tolerance")
    elif line is None and (value := wording.printed_value(reference)) is not None:
        reach = reference.get("tolerance") or reference.get("half_unit") or 0.0
        axes.axhspan(value - reach, value + reach, color=BAND, linewidth=0)
        line = value
    if line is not None:
        axes.axhline(line, color=PRINTED, linewidth=1.4)
    size = 5.0 if len(panel.universes) <= 40 else 2.5
    for x, (changed, verdict) in enumerate(panel.universes):
        if not changed:
            axes.axvspan(x - 0.5, x + 0.5, color=RULE, alpha=0.45, linewidth=0)
        colour = COLOURS[verdict["verdict"]]
        low, high = verdict.get("low"), verdict.get("high")
        if None not in (low, high) and math.isfinite(high - low):
            axes.plot([x, x], [low, high], color=colour, linewidth=1.6)
        hollow = verdict["verdict"] == "inconclusive"
        axes.plot(
            [x],
            [verdict["effect"]],
            marker=MARKERS[verdict["verdict"]],
            markersize=size,
            markeredgecolor=colour if hollow else PAPER,
            markerfacecolor=PAPER if hollow else colour,
            markeredgewidth=1.4 if hollow else 0.6,
        )
    axes.set_xlim(-0.6, len(panel.universes) - 0.4)
    axes.set_xticks([])
    axes.locator_params(axis="y", nbins=4)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", wording.MINUS))
    axes.tick_params(axis="y", labelsize=7.5, labelcolor=MUTED)
    axes.grid(axis="y", color=RULE, linewidth=0.5)


def _draw_matrix(axes: Axes, panel: _Panel) -> None:
    size = 3.6 if len(panel.universes) <= 40 else 1.6
    for x, (changed, _) in enumerate(panel.universes):
        if not changed:
            axes.axvspan(x - 0.5, x + 0.5, color=RULE, alpha=0.45, linewidth=0)
    for y, (name, value) in enumerate(panel.rows):
        axes.axhline(y, color=RULE, linewidth=0.5)
        taken = [x for x, (changed, _) in enumerate(panel.universes) if changed.get(name) == value]
        axes.plot(taken, [y] * len(taken), linestyle="none", marker="o", markersize=size, color=INK)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.set_yticks(range(len(panel.rows)), [_label(row) for row in panel.rows])
    axes.tick_params(axis="y", labelsize=7.5)
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
    axes.spines["bottom"].set_visible(False)
