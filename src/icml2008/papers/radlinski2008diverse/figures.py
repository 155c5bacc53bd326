"""Figures 1 to 3 anew: curves over presentations and over click noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icml2008.catalogue.figures import Measured, figure
from icml2008.catalogue.panels import sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WINDOW = 25_000
COLORS = {
    "RBA-EXP3": "C0", "REC-1000": "C1", "REC-100": "C2", "REC-10": "C3", "RBA-UCB1": "C4",
}  # fmt: skip


def curve(
    results: Measured, experiment: str, name: str, *, universe: str = "default", **cell: Any
) -> np.ndarray | None:
    """Return the mean over repeats of a kept curve, None if there is none."""
    n = len(results.values(experiment, name.split()[0], "click_rate", universe=universe, **cell))
    curves = [
        results.kept(experiment, name, repeat=repeat, universe=universe, **cell)
        for repeat in range(n)
    ]
    kept = [array for array in curves if array is not None]
    return np.mean(kept, axis=0) if kept else None


def level(axes: Axes, results: Measured, experiment: str, metric: str, **cell: Any) -> None:
    """Draw the best and the static list as horizontal lines, with their names at the left."""
    for name, text in (("Best", "best list"), ("Static", "static list")):
        height = results.values(experiment, name, metric, **cell).mean()
        axes.axhline(height, color="0.55", linewidth=1, linestyle="--")
        axes.annotate(
            text, (0.01, height), xycoords=("axes fraction", "data"), xytext=(0, 3),
            textcoords="offset points", color="0.4", fontsize="small",
        )  # fmt: skip


def middles(values: np.ndarray) -> np.ndarray:
    """Return the middle of each window, in thousands of presentations."""
    return (np.arange(len(values)) + 0.5) * WINDOW / 1000


@figure(
    "clicks-over-time",
    caption="Figure 1 anew: click rate in windows of 25,000 presentations, users who click all "
    "that is relevant.",
)
def clicks_over_time(results: Measured) -> Figure | None:
    """Draw the click rate of REC and RBA along the presentations."""
    cell = {"p_nonrelevant": 0.0}
    names = [name for name in COLORS if name != "RBA-UCB1"]
    curves = {name: curve(results, "no-noise", f"{name} clicks", **cell) for name in names}
    if any(values is None for values in curves.values()):
        return None
    drawing, axes = sheet(figsize=(5.6, 3.6))
    level(axes, results, "no-noise", "click_rate", **cell)
    for name, values in curves.items():
        axes.plot(middles(values), values, color=COLORS[name], marker=".", label=name)
    axes.set(xlabel="presentations, thousands", ylabel="clicks, %", ylim=(None, 102))
    drawing.legend(loc="outside upper center", ncols=4)
    return drawing


@figure(
    "found-against-noise",
    caption="Figure 2 anew: users who are shown a relevant document at the end, against click "
    "noise; bands are 95 % intervals of the mean.",
)
def found_against_noise(results: Measured) -> Figure | None:
    """Draw the share of users who find something along the noise."""
    cells = results.cells("click-noise")
    if len(cells) < 2:
        return None
    noise = [cell["p_nonrelevant"] for cell in cells]
    drawing, axes = sheet(figsize=(5.2, 3.4))
    styles = {name: {"color": COLORS[name]} for name in ("REC-1000", "RBA-EXP3")}
    styles["Static"] = {"color": "0.55", "linestyle": "--"}
    where = {"x": "p_nonrelevant", "axes": axes}
    results.curve("click-noise", "found_rate", methods=styles, band=True, **where)
    axes.set(xlabel="click noise, p_NR = 1 - p_R", ylabel="found something, %", ylim=(0, 100))
    axes.set_xticks(noise)
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing


@figure(
    "variants-over-time",
    caption="Figure 3 anew, for its clicks: RBA with EXP3 and with UCB1 of three constants c, "
    "p_R = 0.8 and p_NR = 0.2. The published constant is 2.",
)
def variants_over_time(results: Measured) -> Figure | None:
    """Draw EXP3 against UCB1 with the constants that were tried."""
    cell = {"p_nonrelevant": 0.2}
    series = {
        "EXP3": ("RBA-EXP3", "default", "C0"),
        "UCB1, c = 2": ("RBA-UCB1", "default", "C4"),
        "c = 0.5": ("RBA-UCB1", "ucb-constant=0.5", "C3"),
        "c = 0.1": ("RBA-UCB1", "ucb-constant=0.1", "C1"),
    }
    drawing, axes = sheet(figsize=(5.6, 3.4))
    for label, (name, universe, color) in series.items():
        values = curve(results, "variants", f"{name} clicks", universe=universe, **cell)
        if values is not None:
            axes.plot(middles(values), values, color=color, marker=".", label=label)
    if not axes.lines:
        return None
    level(axes, results, "variants", "click_rate", **cell)
    axes.set(xlabel="presentations, thousands", ylabel="clicks, %")
    drawing.legend(loc="outside upper center", ncols=4)
    return drawing


@figure(
    "users-who-change",
    caption="Other users, to whom other documents are relevant, take over after 150,000 "
    "presentations.",
)
def users_who_change(results: Measured) -> Figure | None:
    """Draw click rates before and after the users change."""
    names = ["RBA-EXP3", "RBA-UCB1", "REC-100"]
    curves = [curve(results, "change", f"{name} clicks", p_nonrelevant=0.0) for name in names]
    if any(values is None for values in curves):
        return None
    drawing, axes = sheet(figsize=(5.2, 3.2))
    for name, values in zip(names, curves, strict=True):
        axes.plot(middles(values), values, color=COLORS[name], marker=".", label=name)
    axes.axvline(150, color="0.7", linewidth=1)
    axes.set(xlabel="presentations, thousands", ylabel="clicks, %", ylim=(0, 102))
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing
