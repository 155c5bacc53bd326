"""All claims of a paper: every claim a panel, every part a row, the printed value in the plot."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icml2008.judge.measures import METHOD, Statistic
from icml2008.report import wording
from icml2008.report.entries import Entry, PaperResults, Verdict
from icml2008.report.style import (
    BAND,
    COLOURS,
    INK,
    MARKERS,
    MUTED,
    PAPER,
    PRINTED,
    RULE,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches. As wide as a telephone shows without scaling it down much.
WIDTH, RIGHT, ROW, LINE, TICKS, GAP = 4.4, 1.05, 0.36, 0.155, 0.23, 0.18
_CHARACTER = 0.072
_TITLE_CHARACTERS, _LABEL_CHARACTERS = 52, 20
# Where the tolerances of a claim's parts differ by more, an axis in the metric's unit shows
# nothing of the parts with the smaller ones.
_MOST_UNLIKE = 10
# A taller figure is read by nobody: the tables of the page have every number.
_MOST_PANELS = 80


@dataclass(frozen=True)
class _Panel:
    """A claim's rows: its parts, or the whole of a claim without parts.

    Attributes
    ----------
    relative : bool
        Whether the axis shows distances from the floor or the printed value, in units of what
        decides, in place of the numbers themselves.
    """

    title: list[str]
    entries: list[Entry]
    labels: list[str]
    xlabel: str
    relative: bool

    @property
    def plot_height(self) -> float:
        lines = max(label.count("\n") + 1 for label in self.labels)
        return len(self.entries) * max(ROW, lines * LINE + 0.05)

    def under(self, left: float) -> list[str]:
        """Return the lines under an axis that begins so far from the left."""
        return textwrap.wrap(self.xlabel, int((WIDTH - left) / _CHARACTER))

    def height(self, left: float) -> float:
        texts = len(self.title) + len(self.under(left))
        return texts * LINE + self.plot_height + TICKS + GAP

    def at(self, verdict: Verdict, value: float) -> float:
        """Return where a part's number stands on the axis."""
        return (value - _centre(verdict)) / _reach(verdict) if self.relative else value


def _panels(results: PaperResults) -> list[_Panel]:
    rows: dict[str, list[Entry]] = {}
    for entry in results.entries():
        rows.setdefault(entry.claim, []).append(entry)
    panels = []
    for claim, entries in rows.items():
        entries = [entry for entry in entries if entry.part] or entries
        measured = [e.shown for e in entries if e.shown.get("effect") is not None]
        if measured:
            panels.append(_panel(results.paper.claims[claim].statistic, entries, measured))
    return panels


def _panel(statistic: Statistic | None, entries: list[Entry], measured: list[Verdict]) -> _Panel:
    reaches = [_reach(verdict) for verdict in measured]
    relative = max(reaches) > _MOST_UNLIKE * min(reaches)
    labels = []
    for entry in entries:
        # A universe that changes several choices may break between them.
        name = wording.part_label(entry.part).replace("+", " + ")
        label = textwrap.fill(name, _LABEL_CHARACTERS)
        if relative and (printed := wording.printed(entry.shown)):
            label = f"{label}\n{printed}"
        labels.append(label)
    return _Panel(
        title=textwrap.wrap(entries[0].shown.get("says") or entries[0].claim, _TITLE_CHARACTERS),
        entries=entries,
        labels=labels,
        xlabel=_xlabel(statistic, measured, relative),
        relative=relative,
    )


def _left(labels: Sequence[str]) -> float:
    lines = [line for label in labels for line in label.split("\n")]
    return 0.2 + _CHARACTER * max(map(len, lines))


def _centre(verdict: Verdict) -> float:
    """Return the number that a part is compared with: the floor, or the printed value."""
    if verdict.get("floor") is not None:
        return verdict["floor"]
    return wording.printed_value(verdict) or 0.0


def _reach(verdict: Verdict) -> float:
    """Return the distance that decides: the tolerance, else half the interval."""
    if verdict.get("tolerance"):
        return verdict["tolerance"]
    low, high = verdict.get("low"), verdict.get("high")
    return (high - low) / 2 if None not in (low, high) and high > low else 1.0


def _xlabel(statistic: Statistic | None, measured: list[Verdict], relative: bool) -> str:
    verdict = measured[0]
    metric, unit = verdict.get("metric") or "", verdict.get("unit") or ""
    text = verdict.get("statistic") or metric
    if statistic and len({one.get("statistic") for one in measured}) > 1:
        text = str(statistic).replace(METHOD, "the method")
    if metric not in text:
        text = f"{text}, {metric}"
    if not relative:
        return f"{text} ({unit})" if unit not in ("", metric) else text
    if verdict.get("tolerance"):
        return f"{text}: distance from the printed value, in tolerances"
    return f"{text}: distance from the floor, in half-widths of the interval"


def _draw_printed(axes: Axes, panel: _Panel, verdict: Verdict, y: float) -> None:
    line = verdict.get("floor")
    if verdict.get("comparison") == "never_violated":
        line = verdict.get("tolerance")
    value = wording.printed_value(verdict) if line is None else None
    if value is not None:
        reach = verdict.get("tolerance") or verdict.get("half_unit") or 0.0
        ends = [panel.at(verdict, value - reach), panel.at(verdict, value + reach)]
        axes.fill_between(ends, y - 0.38, y + 0.38, color=BAND, linewidth=0, zorder=1)
        line = value
    if line is not None:
        at = panel.at(verdict, line)
        half = 0.38 if value is not None else 0.5
        axes.plot([at, at], [y - half, y + half], color=PRINTED, linewidth=1.6, zorder=3)


def _draw_repeats(axes: Axes, panel: _Panel, verdict: Verdict, y: float) -> None:
    values = [value for value in verdict.get("values") or () if value is not None]
    # Multiples of the golden ratio spread any number of dots evenly over the row's height.
    heights = [y - 0.06 + 0.44 * (0.618034 * k % 1 - 0.5) for k in range(len(values))]
    places = [panel.at(verdict, value) for value in values]
    axes.plot(places, heights, color=MUTED, alpha=0.45, zorder=2, **_DOTS)


_DOTS = {"linestyle": "none", "marker": "o", "markersize": 2.6, "markeredgewidth": 0}


def _draw_interval(axes: Axes, panel: _Panel, entry: Entry, verdict: Verdict, y: float) -> None:
    low, high = verdict.get("low"), verdict.get("high")
    own = verdict is entry.shown
    inner = _confirming(panel, verdict)
    colour = COLOURS[verdict["verdict"]] if own else MUTED
    if None not in (low, high) and math.isfinite(high - low):
        # Both runs of a row share one scale, that of the shown verdict.
        ends = [panel.at(entry.shown, low), panel.at(entry.shown, high)]
        axes.plot(ends, [y, y], color=colour, linewidth=1.6 if own else 1, zorder=4)
    if own and inner is not None:
        axes.plot(inner, [y, y], color=colour, linewidth=3.2, zorder=4)
    hollow = verdict["verdict"] == "inconclusive"
    look = {
        "marker": MARKERS[verdict["verdict"]],
        "markersize": 5.6,
        "markeredgecolor": colour if hollow else PAPER,
        "markerfacecolor": PAPER if hollow else colour,
        "markeredgewidth": 1.5 if hollow else 0.7,
    }
    if not own:
        look = {"marker": "|", "markersize": 5, "markeredgecolor": MUTED}
    axes.plot([panel.at(entry.shown, verdict["effect"])], [y], zorder=5, **look)


def _confirming(panel: _Panel, verdict: Verdict) -> list[float] | None:
    """Return the ends of the interval that confirms a printed value; None where there is none."""
    ends = [verdict.get("confirm_low"), verdict.get("confirm_high")]
    return None if None in ends else [panel.at(verdict, end) for end in ends]


def _draw_panel(axes: Axes, panel: _Panel) -> None:
    for y, entry in enumerate(panel.entries):
        verdict = entry.shown
        if verdict.get("effect") is not None:
            _draw_printed(axes, panel, verdict, y)
            _draw_repeats(axes, panel, verdict, y)
            _draw_interval(axes, panel, entry, verdict, y)
            if entry.beside and entry.beside.get("effect") is not None:
                _draw_interval(axes, panel, entry, entry.beside, y + 0.3)
        axes.text(
            1.04,
            y,
            wording.verdict_text(verdict).replace(", ", ",\n"),
            transform=axes.get_yaxis_transform(),
            verticalalignment="center",
            color=COLOURS[verdict["verdict"]],
        )
    axes.set_yticks(range(len(panel.entries)), panel.labels)
    axes.set_ylim(len(panel.entries) - 0.5, -0.5)
    axes.margins(x=0.04)
    long_numbers = max(len(f"{end:.3g}") for end in axes.get_xlim()) > 6
    axes.locator_params(axis="x", nbins=2 if long_numbers else 5)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", wording.MINUS))
    axes.grid(axis="x", color=RULE, linewidth=0.5)


def _legend(entries: list[Entry]) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shown = [entry.shown for entry in entries]
    bar = {"color": PRINTED, "linewidth": 1.6}
    handles: list[Artist] = [
        Line2D([], [], color=INK, marker="o", markersize=5, linewidth=1.6, label="95 % interval")
    ]
    if any(verdict.get("confirm_low") is not None for verdict in shown):
        handles.append(Line2D([], [], color=INK, linewidth=3.2, label="90 % interval"))
    if any(verdict.get("values") for verdict in shown):
        handles.append(Line2D([], [], color=MUTED, alpha=0.5, label="single repeats", **_DOTS))
    if any(entry.beside for entry in entries):
        handles.append(
            Line2D([], [], color=MUTED, marker="|", markersize=5, linewidth=1, label="this run")
        )
    comparisons = {verdict.get("comparison") for verdict in shown}
    if comparisons & {"above", "below", "never_violated"}:
        handles.append(Line2D([], [], label="limit", **bar))
    if comparisons & {"near", "exactly"}:
        handles.append(Line2D([], [], label="printed value", **bar))
        handles.append(Patch(facecolor=BAND, label="its tolerance"))
    return handles


def claims_figure(results: PaperResults) -> Figure | None:
    """Return the figure of a paper's claims; None if they are too many for one.

    Each claim that was measured is a panel, each part a row in the order of ``paper.yaml``: the
    estimate with its interval, the repeats as faint dots, the floor or the printed value with its
    tolerance, and the verdict in words.
    """
    from matplotlib.figure import Figure

    panels = _panels(results)
    if not panels:
        figure = Figure(figsize=(WIDTH, 0.6))
        figure.text(0.04, 0.5, "No claim has been measured.", color=MUTED, va="center")
        return figure
    if len(panels) > _MOST_PANELS:
        return None
    handles = _legend([entry for panel in panels for entry in panel.entries])
    columns = 3
    bottom = 0.12 + LINE * math.ceil(len(handles) / columns)
    left = max(_left(panel.labels) for panel in panels)
    height = sum(panel.height(left) for panel in panels) + bottom
    figure = Figure(figsize=(WIDTH, height))
    top = height - 0.04
    for panel in panels:
        figure.text(0.08 / WIDTH, top / height, "\n".join(panel.title), va="top", weight="bold")
        floor = top - len(panel.title) * LINE - 0.06 - panel.plot_height
        size = ((WIDTH - left - RIGHT) / WIDTH, panel.plot_height / height)
        _draw_panel(figure.add_axes((left / WIDTH, floor / height, *size)), panel)
        under = (floor - TICKS) / height
        text = "\n".join(panel.under(left))
        figure.text(left / WIDTH, under, text, va="top", color=MUTED, size=8)
        top -= panel.height(left)
    figure.legend(handles=handles, loc="lower left", ncols=columns, bbox_to_anchor=(0.01, 0))
    return figure
