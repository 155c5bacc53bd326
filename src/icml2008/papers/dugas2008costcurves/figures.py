"""Figures 2, 3 and 5 anew: coverage over operating conditions."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure

STRATIFIED, FULL, WILSON = "stratified", "full", "wilson"
LINES = {
    "stratified": (STRATIFIED, "default", {"color": "C0"}),
    "full": (FULL, "default", {"color": "C1"}),
    "full, binomial class counts": (FULL, "class-counts=binomial", {"color": "C1", "ls": ":"}),
    "Wilson's limits": (WILSON, "default", {"color": "C2"}),
}


def panels(results, experiment, lines, titles):
    """Draw the curves that the cells of an experiment kept, a panel for each cell."""
    import matplotlib.pyplot as plt

    cells = results.cells(experiment)
    if not cells:
        return None
    n = len(cells)
    drawing, grid = plt.subplots(
        (n + 1) // 2, 2, figsize=(5.8, 1.1 + 0.95 * n), sharex=True, sharey=True, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for axes, cell in zip(grid.flat, cells, strict=False):
        for label, (method, universe, style) in lines.items():
            curve = results.kept(experiment, method, universe=universe, **cell)
            if curve is not None:
                w = np.arange(1, len(curve) + 1) / (len(curve) + 1)
                axes.plot(w, curve, label=label if axes is grid[0, 0] else None, lw=1.2, **style)
        axes.axhline(90, color="0.5", lw=0.8, ls="--")
        axes.set_title(titles.format(**cell), fontsize="medium")
    drawing.supxlabel("operating condition w")
    drawing.supylabel("coverage, %")
    drawing.legend(loc="outside upper center", ncols=2)
    return drawing


@figure(
    "coverage-over-spreads",
    caption="Figures 2 and 5 anew, 1,000 simulations: the 90 % intervals of a cost. Full sampling "
    "covers all or nothing but too much at the ends unless class counts vary from set to set.",
)
def coverage_over_spreads(results):
    return panels(results, "spread", LINES, "theta = {theta:g}")


@figure(
    "coverage-over-sizes",
    caption="Figure 3 anew: theta = 3 and n instances of each class, with Wilson's limits beside.",
)
def coverage_over_sizes(results):
    lines = {label: LINES[label] for label in ("stratified", "Wilson's limits")}
    return panels(results, "size", lines, "n = {n:,}")
