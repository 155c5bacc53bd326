"""Figures of Multiple Instance Ranking: its Figure 4, Table 1 and the widths of synthetic data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.catalogue.panels import sheet
from icml2008.papers.bergeron2008mirank.boxes import SYNTHETIC

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What is shown, from the method and the universe of its records.
SERIES = {
    "MIRank": ("MIRank", "default"),
    "MIC, balanced, vertex": ("MIC", "mic=balanced+solution=vertex"),
    "MIC, balanced": ("MIC", "mic=balanced"),
    "MIC": ("MIC", "default"),
}
# Where a printed mean stands in its group of rows: below MIRank's, and below the first of MIC.
PRINTED_AT = {"MIRank": -0.27, "MIC": -0.05}
# Printed for all sets of Table 1; the data of two are not available.
SETS = ("cyp3a4", *SYNTHETIC, "census-16h", "census-16l", "census-8l")


@figure(
    "sliding-line",
    caption="Figure 4 anew: five training boxes of synthetic-4. Circles are items of the preferred "
    "bags, dots those of other bags. MIRank's line slides from box to box.",
)
def sliding_line(results: Measured) -> Figure | None:
    """Draw items of five boxes, and in each MIRank's line between the best item and the rest."""
    kept = results.kept("accuracy", "MIRank in five boxes", dataset="synthetic-4")
    if kept is None:
        return None
    X = kept[:, :2]
    boxes = kept[:, 2]
    preferred = kept[:, 3] == 1
    scores = kept[:, 4]
    design = np.column_stack([X, np.ones(len(X))])
    *direction, offset = np.linalg.lstsq(design, scores, rcond=None)[0]
    w = np.array(direction)
    along = np.array([-w[1], w[0]]) / np.hypot(*w)
    drawing, axes = sheet(figsize=(4.0, 4.0))
    for box in np.unique(boxes):
        inside = boxes == box
        height = (scores[inside & preferred].max() + scores[inside & ~preferred].max()) / 2
        middle = X[inside].mean(axis=0)
        foot = middle + w * (height - offset - w @ middle) / (w @ w)
        ends = foot + 0.3 * np.outer([-1, 1], along)
        axes.plot(*ends.T, color="C0", label="MIRank's line" if box == boxes[0] else None)
    others = {"color": "C5", "linestyle": "none", "marker": ".", "markersize": 4}
    circles = {"color": "C1", "linestyle": "none", "marker": "o", "markersize": 4.5}
    axes.plot(*X[~preferred].T, **others, label="other bags")
    axes.plot(*X[preferred].T, **circles, markerfacecolor="none", label="preferred bag")
    axes.set(aspect="equal", xlabel="feature 1", ylabel="feature 2")
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing


def printed_accuracies() -> dict[tuple[str, str], tuple[float, float]]:
    """Return mean and standard deviation of Table 1 by set and method."""
    from icml2008.catalogue.library import load_paper

    claims = load_paper("bergeron2008mirank").claims
    accuracies = {}
    for method in ("MIRank", "MIC"):
        claim = claims[f"{method.lower()}-accuracy"]
        for part in claim.parts():
            printed = claim.printed_side(part)
            accuracies[part["dataset"], method] = (printed.value, printed.spread)
    for name in ("cyp3a4", "census-16l"):
        mic, mic_sd, mirank, mirank_sd = map(float, claims[f"{name}-accuracy"].printed[name])
        accuracies[name, "MIC"] = (mic, mic_sd)
        accuracies[name, "MIRank"] = (mirank, mirank_sd)
    return accuracies


@figure(
    "accuracies",
    caption="Table 1 anew: mean accuracy with two guesses, and a standard deviation over splits to "
    "either side. Diamonds: printed. The data of cyp3a4 and census-16l are not to be had; "
    "census-8l stands in for the latter. Balanced MIC weighs the preferred bags up (choice mic); a "
    "vertex is another solution of its program than the interior one (choice solution).",
)
def accuracies(results: Measured) -> Figure | None:
    """Draw ours and the printed means and spreads, a group of rows for each set."""
    if not results.cells("accuracy"):
        return None
    printed = printed_accuracies()
    drawing, axes = sheet(figsize=(4.4, 6.2))
    for place, name in enumerate(SETS):
        for k, (method, universe) in enumerate(SERIES.values()):
            height = place + 0.22 * (k - 1.5)
            values = results.values("accuracy", method, "accuracy", universe=universe, dataset=name)
            values = values[np.isfinite(values)]
            if len(values) > 1:
                style = {"color": f"C{k}", "marker": "o", "markersize": 4, "linewidth": 1.2}
                spread = values.std(ddof=1)
                axes.errorbar(values.mean(), height - 0.04, xerr=spread, **style)
        for method, below in PRINTED_AT.items():
            if (name, method) in printed:
                mean, spread = printed[name, method]
                ends = [mean - spread, mean + spread]
                axes.plot(ends, 2 * [place + below], color=PRINTED["color"], linewidth=0.8)
                axes.plot(mean, place + below, **PRINTED)
    for k, label in enumerate(SERIES):
        axes.plot([], [], "o-", color=f"C{k}", markersize=4, label=label)
    axes.plot([], [], **PRINTED, label="printed")
    axes.set(yticks=range(len(SETS)), yticklabels=SETS, ylim=(len(SETS) - 0.4, -0.6))
    axes.set(xlim=(0, 105), xlabel="test boxes hit, percent")
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing


@figure(
    "widths",
    caption="Accuracy in percent over A, the half-width of the bags' distribution, and B, that of "
    "the items': means over draws of synthetic data. Bold: the paper's four sets.",
)
def widths(results: Measured) -> Figure | None:
    """Draw a heat map of the accuracy over A and B for each method."""
    cells = results.cells("sensitivity")
    if not cells:
        return None
    a, b = (sorted({cell[name] for cell in cells}) for name in ("a", "b"))
    drawing, panels = sheet(2, 2, figsize=(4.4, 4.4), sharex=True, sharey=True)
    for axes, (label, (method, universe)) in zip(panels.flat, SERIES.items(), strict=True):
        values = np.full((len(a), len(b)), np.nan)
        for cell in cells:
            measured = results.values("sensitivity", method, "accuracy", universe=universe, **cell)
            if len(measured):
                values[a.index(cell["a"]), b.index(cell["b"])] = np.nanmean(measured)
        axes.imshow(values, cmap="cividis", vmin=20, vmax=100, origin="lower")
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                # not the ink of the page, which turns light on a dark one
                colour = "#111111" if value > 65 else "#fdfdfd"
                weight = "bold" if (a[i], b[j]) in SYNTHETIC.values() else "normal"
                style = {"color": colour, "weight": weight, "ha": "center", "va": "center"}
                axes.text(j, i, f"{value:.0f}", **style)
        axes.set(title=label, xticks=range(len(b)), xticklabels=b)
        axes.set(yticks=range(len(a)), yticklabels=a)
        axes.grid(visible=False)
        axes.tick_params(labelsize=7)
    for axes in panels[-1]:
        axes.set_xlabel("B")
    for axes in panels[:, 0]:
        axes.set_ylabel("A")
    return drawing
