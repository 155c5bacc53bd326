"""Methods side by side: every cell a row, every method a mark, printed values beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from icml2008.catalogue.controls_drawn import CONTROL
from icml2008.catalogue.figures import PRINTED, Measured
from icml2008.catalogue.model import Paper
from icml2008.judge.cells import part_label, part_name
from icml2008.judge.controls import SIDES
from icml2008.judge.estimates import mean_of
from icml2008.report.style import RULE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Inches.
WIDTH = 4.4
ROW = 0.16
AROUND = 1.0
_LABEL_CHARACTERS = 20
MARKERS = "osv^P*hX"
_NAMED = {"color": CONTROL["color"], "fontsize": 6.5, "ha": "center", "va": "bottom"}


def methods_figure(
    paper: Paper, measured: Measured, experiment: str, metric: str, methods: Sequence[str]
) -> Figure:
    """Return a figure of a metric of several methods: means with their 95 % intervals.

    Printed means, where the paper's claims have them, are hollow diamonds at their method's height;
    floors and ceilings that are no methods are dotted lines across all methods.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    cells = measured.cells(experiment)
    height = AROUND + ROW * len(cells) * (len(methods) + 1)
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    labels = []
    sides = dict.fromkeys(SIDES, ("", None))
    for row, cell in enumerate(cells):
        for side, (name, number) in measured.limits(experiment, metric, **cell).items():
            if name not in methods:
                axes.plot([number, number], [row - 0.5, row + 0.5], **CONTROL)
                if number != sides[side][1]:
                    axes.annotate(side, (number, row - 0.5), **_NAMED)
            sides[side] = name, number
        labels.append(textwrap.fill(part_label(part_name(cell.items())), _LABEL_CHARACTERS))
        for place, method in enumerate(methods):
            y = row + 0.8 * ((place + 0.5) / len(methods) - 0.5)
            values = measured.values(experiment, method, metric, **cell)
            values = values[~np.isnan(values)]
            if len(values):
                _draw_mean(axes, values, y, f"C{place}", MARKERS[place % len(MARKERS)])
            if (printed := _printed(paper, experiment, metric, method, cell)) is not None:
                axes.plot([printed], [y], **PRINTED)
    axes.set_yticks(range(len(cells)), labels)
    axes.set_ylim(len(cells) - 0.5, -0.5)
    unit = paper.metrics[metric].unit
    axes.set_xlabel(f"{metric} ({unit})" if unit else metric)
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    roles = {name: f"{name} ({side})" for side, (name, _) in sides.items()}
    handles = [
        Line2D(
            *([], []), color=f"C{k}", marker=MARKERS[k % len(MARKERS)], markersize=4,
            label=roles.get(method, method),
        )
        for k, method in enumerate(methods)
    ]  # fmt: skip
    handles.append(Line2D([], [], label="printed", **PRINTED))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _draw_mean(axes: Any, values: np.ndarray, y: float, colour: str, marker: str) -> None:
    mean = float(np.mean(values))
    if len(values) > 1:
        low, high = (float(end) for end in mean_of(values).ends(0.95))
        axes.plot([low, high], [y, y], color=colour, linewidth=1.6)
    axes.plot([mean], [y], color=colour, marker=marker, markersize=4)


def _printed(
    paper: Paper, experiment: str, metric: str, method: str, cell: Mapping[str, Any]
) -> float | None:
    for claim in paper.claims.values():
        statistic = claim.statistic
        if statistic is None or claim.near is None or claim.status == "stand_in":
            continue
        if (statistic.experiment, statistic.metric, statistic.mean) != (experiment, metric, method):
            continue
        for part in claim.parts():
            if all(str(cell.get(name)) == value for name, value in part.items()):
                return claim.printed_side(part).value
    return None
