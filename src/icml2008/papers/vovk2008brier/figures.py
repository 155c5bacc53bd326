"""Figures 1 and 2, and what the game of Theorem 1 costs."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet


@figure(
    "excess-losses",
    caption=(
        "Figures 1 and 2: by how much each bookmaker's total loss exceeds Algorithm 1's. Blue: the"
        " bound of Theorem 1, -ln K."
    ),
)
def excess_losses(results):
    cells = results.cells("matches")
    if not cells:
        return None
    drawing, panels = sheet(1, len(cells), figsize=(5.6, 3.0), squeeze=False)
    for axes, cell in zip(panels[0], cells, strict=True):
        at, gaps = (results.kept("matches", name, **cell) for name in ("matches", "excess losses"))
        axes.plot(at[::2], gaps.T[::2], color="0.45", linewidth=0.8)
        axes.axhline(-np.log(len(gaps)), color="#0b5cad")
        axes.axhline(0, color="black", linewidth=1.6)
        axes.set(title=f"{cell['sport']}: {len(gaps)} bookmakers", xlabel="matches")
    drawing.axes[0].set_ylabel("excess loss")
    return drawing


@figure(
    "worst-sequences",
    caption=(
        "Two outcomes, eight experts who never change their forecasts: regret in ln K after the"
        " sequence that is worst for each learner, and the least that any learner can guarantee"
        " (minimax). Theorem 1 draws the line at 1."
    ),
)
def worst_sequences(results):
    methods = ["weighted-average", "hedge", "aggregating", "minimax"]
    drawing = results.curve("game", "share", x="rounds", methods=methods, experts=8)
    if drawing is not None:
        axes = drawing.axes[0]
        axes.set(xscale="log", yscale="log", ylabel="regret, in ln K")
        axes.axhline(1, color="#0b5cad", linewidth=1)
    return drawing
