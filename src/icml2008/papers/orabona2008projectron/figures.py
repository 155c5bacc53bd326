"""Figures 1 to 3 anew, and what is stored for how many mistakes."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

COLOURS = {
    "Perceptron": "black",
    "PA-I": "C4",
    "Projectron": "C0",
    "Projectron++": "C3",
    "Forgetron": "C2",
    "RBP": "C1",
    "Stoptron": "C5",
}
CELL = {"dataset": "adult", "budget": "quarter"}


@figure(
    "mistakes-and-memory",
    caption="Mistakes in one pass over what is stored at its end, means of 20 orders, for the "
    "smaller and the larger budget.",
)
def mistakes_and_memory(results):
    """Draw mistakes over stored examples of every method, a panel for each data set."""
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.4))
    for axes, dataset in zip(panels, ("adult", "gaussians"), strict=True):
        for name, colour in COLOURS.items():
            points = []
            for budget in ("quarter", "half"):
                cell = {"dataset": dataset, "budget": budget}
                sizes = results.values("online", name, "stored", **cell)
                if len(sizes):
                    mistakes = results.values("online", name, "mistakes", **cell)
                    points.append([np.mean(sizes), np.mean(mistakes)])
            if points:
                axes.plot(*np.transpose(points), color=colour, marker="o", ms=4.5, label=name)
        axes.set(xscale="log", title=dataset, xlabel="stored examples")
    panels[0].set_ylabel("mistakes, %")
    if not panels[1].lines:
        return None
    legend_above(drawing, panels[1], 4)
    return drawing


@figure(
    "adult-over-time",
    caption="Figures 1 and 2 anew: mistakes and stored examples; Adult9, B = 1500, one order. What "
    "Forgetron, RBP and Stoptron store is one line.",
)
def adult_over_time(results):
    """Draw the curves that the first order kept."""
    if results.kept("online", "Perceptron error", **CELL) is None:
        return None
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.4))
    for axes, what in zip(panels, ("error", "stored"), strict=True):
        for name, colour in COLOURS.items():
            curve = results.kept("online", f"{name} {what}", **CELL)
            rows = 32_561 * np.arange(1, len(curve) + 1) / len(curve) / 1000
            axes.plot(rows, curve, color=colour, lw=1.3, label=name)
        axes.set_xlabel("rows seen, thousands")
    panels[0].set(ylabel="mistakes so far, %", ylim=(17.5, 27))
    panels[1].set(ylabel="stored examples", ylim=(0, 4000))
    legend_above(drawing, panels[0], 4)
    return drawing
