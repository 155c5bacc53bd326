"""Figures 2, 3 and 5 anew: coverage over operating conditions."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

COLOURS = {"stratified": "C0", "full": "C1", "wilson": "C2"}


def panels(results, experiment, methods, titles):
    """Draw the curves of methods that an experiment kept, a panel for each cell."""
    cells = results.cells(experiment)
    if not cells:
        return None
    n = len(cells)
    how = {"sharex": True, "sharey": True, "squeeze": False}
    drawing, grid = sheet((n + 1) // 2, 2, figsize=(5.8, 1.1 + 0.95 * n), **how)
    for axes, cell in zip(grid.flat, cells, strict=False):
        for method in methods:
            curve = results.kept(experiment, method, **cell)
            w = np.arange(1, len(curve) + 1) / (len(curve) + 1)
            label = method if axes is grid[0, 0] else None
            axes.plot(w, curve, label=label, lw=1.2, color=COLOURS[method])
        axes.axhline(90, color="0.5", lw=0.8, ls="--")
        axes.set_title(titles.format(**cell), fontsize="medium")
    drawing.supxlabel("operating condition w")
    drawing.supylabel("coverage, %")
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing


@figure(
    "error-over-spreads",
    caption="Distance of coverage from 90 %, mean over w, by 12 blocks of 1,000 simulations. By "
    "full sampling theta has the effect that the text reads off Figure 5 only where class counts "
    "vary from set to set.",
)
def error_over_spreads(results):
    """Draw the error of coverage over theta, of full sampling in two universes."""
    drawing = results.curve("spread", "coverage_error", x="theta", methods={
        name: {"color": colour} for name, colour in COLOURS.items()
    })  # fmt: skip
    if drawing is None:
        return None
    (axes,) = drawing.axes
    style = {"color": COLOURS["full"], "ls": ":", "label": "full, binomial class counts"}
    universe = "class-counts=binomial"
    results.curve(
        "spread", "coverage_error", x="theta", methods={"full": style}, axes=axes, universe=universe
    )
    ticks = [1, 2, 5, 10, 20]
    axes.set(ylabel="error of coverage, points", yscale="log", yticks=ticks, yticklabels=ticks)
    axes.legend()
    return drawing


@figure(
    "coverage-over-spreads",
    caption="Figures 2 and 5 anew, 1,000 simulations: coverage of the 90 % intervals of a cost, "
    "for test sets of 1,000 positives and 1,000 negatives.",
)
def coverage_over_spreads(results):
    """Draw coverage over w for each theta."""
    return panels(results, "spread", COLOURS, "theta = {theta:g}")


@figure(
    "coverage-over-sizes",
    caption="Figure 3 anew: theta = 3 and n instances of each class, with Wilson's limits beside.",
)
def coverage_over_sizes(results):
    """Draw coverage over w for each size."""
    return panels(results, "size", ["stratified", "wilson"], "n = {n:,}")
