"""What noise gains in the search and on each draw (Table 1), and filters at rising noise."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

PROBLEMS = ["basic", "rot", "bg-rand", "rect", "convex"]


@figure(
    "search",
    caption=(
        "Validation errors of the 20 settings of the search, in percent: below the line noise "
        "helps. Filled are the settings with the least error of either method."
    ),
)
def search(results):
    from matplotlib.ticker import MaxNLocator, NullLocator

    drawing, row = sheet(1, len(PROBLEMS), figsize=(7.2, 1.9))
    for axes, problem in zip(row, PROBLEMS, strict=True):
        errors = np.array(
            [
                results.values("search", name, "validation", problem=problem)
                for name in ("SAA-3", "SdA-3")
            ]
        )
        if errors.size != 40:
            return None
        plain, noisy = np.maximum(errors, 0.3)
        best = {int(plain.argmin()), int(noisy.argmin())}
        for at in range(20):
            face = "C0" if at in best else "none"
            axes.plot(plain[at], noisy[at], "o", mec="C0", mfc=face, ms=4)
        ends = np.array([0.8 * min(plain.min(), noisy.min()), 1.2 * max(plain.max(), noisy.max())])
        axes.plot(ends, ends, color="0.5", lw=0.8)
        axes.set(xscale="log", yscale="log", title=problem, xlim=ends, ylim=ends)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(3))
            axis.set_major_formatter("{x:g}")
            axis.set_minor_locator(NullLocator())
    row[0].set_ylabel("SdA-3")
    drawing.supxlabel("SAA-3")
    return drawing


@figure(
    "gain",
    caption=(
        "Test error without noise less that with noise, in points, each at the setting that its "
        "search chose: six draws of each problem and their mean. Above 0 noise helps."
    ),
)
def gain(results):
    drawing, axes = sheet(figsize=(5.2, 3.0))
    for place, problem in enumerate(PROBLEMS):
        noisy, plain = (
            np.array(results.values("table-1", name, "error", problem=problem))
            for name in ("SdA-3", "SAA-3")
        )
        if len(noisy) == 0:
            return None
        gains = plain - noisy
        axes.plot([place] * len(gains), gains, "o", color="C0", ms=4, alpha=0.6)
        axes.plot([place - 0.2, place + 0.2], [gains.mean()] * 2, color="C1", lw=2)
    axes.axhline(0, color="0.5", lw=0.8)
    axes.set_xticks(range(len(PROBLEMS)), PROBLEMS)
    axes.set(ylabel="SAA-3 less SdA-3, points")
    return drawing


@figure(
    "filters",
    caption=(
        "Twelve filters of 2,000 after ten passes over 10,000 digits, without noise, with 25 and "
        "with 50 %, from one start; each scaled to its largest weight."
    ),
)
def filters(results):
    drawing, rows = sheet(3, 1, figsize=(5.2, 1.8))
    for axes, noise in zip(rows, ("none", "25 %", "50 %"), strict=True):
        W = results.kept("filters", noise, problem="digits")
        if W is None:
            return None
        tiles = np.pad(W[:, :12].T.reshape(12, 28, 28), ((0, 0), (1, 1), (1, 1)))
        shown = 20 * np.rint(np.hstack(list(tiles)) / 20)
        axes.imshow(shown, cmap="gray", vmin=-100, vmax=100, interpolation="none")
        axes.set_ylabel(noise)
        axes.grid(visible=False)
        axes.set(xticks=[], yticks=[])
    return drawing
