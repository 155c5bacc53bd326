"""Figures 1 to 4, and the two tables as factors to the Lasso."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet
from icml2008.papers.bach2008bolasso.experiments import BOOTSTRAPS, CONDITIONS, KAPPAS, MUS
from icml2008.papers.bach2008bolasso.prediction import METHODS
from icml2008.papers.bach2008bolasso.uci import SETS

DEPTH = -np.log(MUS)
TITLES = {"satisfied": "condition (2) satisfied", "violated": "condition (2) violated"}


@figure(
    "selection-maps",
    caption=(
        "How often each variable is selected (white: always, black: never), over -log(mu), in one"
        " distribution of each kind: the first eight variables, above the line, are relevant."
    ),
)
def selection_maps(results):
    """Figures 1 and 2."""
    methods = ("Lasso", "Bolasso")
    kept = {
        (method, condition): results.kept("regions", f"frequency {method}", condition=condition)
        for method in methods
        for condition in CONDITIONS
    }
    if any(array is None for array in kept.values()):
        return None
    drawing, panels = sheet(2, 2, figsize=(5.6, 3.9), sharex=True, sharey=True)
    for row, method in zip(panels, methods, strict=True):
        for axes, condition in zip(row, CONDITIONS, strict=True):
            axes.imshow(
                kept[method, condition].T,
                cmap="gray",
                vmin=0,
                vmax=1,
                aspect="auto",
                extent=(DEPTH[0], DEPTH[-1], 16.5, 0.5),
                interpolation="nearest",
            )
            axes.axhline(8.5, color="C1", linewidth=1)
            axes.grid(visible=False)
            if method == "Lasso":
                axes.set_title(TITLES[condition], fontsize="medium")
            else:
                axes.set_xlabel("-log(mu)")
        row[0].set_ylabel(f"{method}: variable")
    return drawing


@figure(
    "pattern-probability",
    caption=(
        "Probability of selecting exactly the relevant variables over -log(mu), in one distribution"
        " of each kind: the Lasso (black) and the Bolasso with m = 2, 4, ..., 256 (red, darker with"
        " m)."
    ),
)
def pattern_probability(results):
    """Figure 3."""
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.8), sharey=True)
    for axes, condition in zip(panels, CONDITIONS, strict=True):
        lasso = results.kept("regions", "exact Lasso", condition=condition)
        bolasso = results.kept("regions", "exact Bolasso", condition=condition)
        if lasso is None or bolasso is None:
            return None
        for i, curve in enumerate(bolasso):
            shade = 0.2 + 0.8 * i / (len(BOOTSTRAPS) - 1)
            axes.plot(DEPTH, curve, "--", color="#b3202a", alpha=shade, linewidth=1)
        axes.plot(DEPTH, lasso[0], color="black", linewidth=1.4)
        axes.set(xlabel="-log(mu)", ylim=(-0.03, 1.03))
        axes.set_title(TITLES[condition], fontsize="medium")
    panels[0].set_ylabel("P(exact pattern)")
    return drawing


STYLES = {
    "Lasso": {"color": "black", "marker": "o"},
    "Bolasso": {"color": "C2", "marker": "x"},
    "Forward greedy": {"color": "C4", "marker": "d"},
    "Thresholded": {"color": "C3", "marker": "*"},
    "Adaptive Lasso": {"color": "C0", "marker": "+"},
    "Stability": {"color": "C5", "marker": "s"},
}


@figure(
    "selection-error",
    caption=(
        "Variables wrongly selected or missed when each method selects exactly eight of 64: mean of"
        " 32 draws. Stability selection is not the paper's."
    ),
)
def selection_error(results):
    """Figure 4."""
    return _over_n(results, "recovery", "distance", STYLES, "squared distance")


@figure(
    "consistency",
    caption=(
        "Samples in which not exactly the relevant variables are selected, as n grows and m = 4"
        " sqrt(n) with it, at mu = mu0 / sqrt(n)."
    ),
)
def consistency(results):
    """Proposition 3."""
    shown = {method: STYLES[method] for method in ("Lasso", "Bolasso")}
    return _over_n(results, "consistency", "wrong", shown, "wrong selections, %")


def _over_n(results, experiment, metric, styles, label):
    """Draw a metric over the number of samples, a panel for each condition."""
    drawing, panels = sheet(1, 2, figsize=(5.6, 3.4), sharey=True)
    for axes, condition in zip(panels, CONDITIONS, strict=True):
        sizes = [cell["n"] for cell in results.cells(experiment, condition=condition)]
        if not sizes:
            return None
        where = {"axes": axes, "condition": condition}
        results.curve(experiment, metric, x="n", methods=styles, **where)
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, sizes)
        axes.minorticks_off()
        axes.set_xlabel("samples n")
        axes.set_title(TITLES[condition], fontsize="medium")
    panels[0].set_ylabel(label)
    handles, labels = panels[0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return drawing


@figure(
    "prediction",
    caption=(
        "Squared error of each method over that of the Lasso on the same folds (Tables 1 and 2):"
        " mean of the repeats, with the ratio of the printed errors beside it (diamonds)."
    ),
)
def prediction(results):
    """Tables 1 and 2, as factors, since the distributions of Table 1 are not printed."""
    rows = [("synthetic-errors", {"kappa": kappa}, f"kappa {kappa}") for kappa in KAPPAS]
    rows += [("uci-errors", {"dataset": name}, name) for name in SETS]
    rows = [row for row in rows if results.cells(row[0], **row[1])]
    if not rows:
        return None
    shown = [method for method in METHODS if method != "Lasso"]
    drawing, panels = sheet(1, len(shown), figsize=(5.6, 3.2), sharey=True)
    for axes, method in zip(panels, shown, strict=True):
        for height, (experiment, cell, _) in enumerate(rows):
            ours = results.values(experiment, method, "mse", **cell)
            lasso = results.values(experiment, "Lasso", "mse", **cell)
            axes.plot(np.mean(ours / lasso), height, "o", color="C0")
            claim = "synthetic-mse" if experiment == "synthetic-errors" else "uci-mse"
            printed = [results.printed(claim, method=name, **cell) for name in (method, "Lasso")]
            if None not in printed:
                axes.plot(printed[0] / printed[1], height, **PRINTED)
        axes.axvline(1, color="gray", linewidth=0.8)
        axes.set_title(method, fontsize="medium")
        axes.set_xscale("log")
        ticks = [0.7, 1, 2] if method == "Bolasso" else [0.7, 1, 1.5]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
    panels[0].set_yticks(range(len(rows)), [label for _, _, label in rows])
    panels[0].invert_yaxis()
    drawing.supxlabel("error over the Lasso's", fontsize="medium")
    return drawing
