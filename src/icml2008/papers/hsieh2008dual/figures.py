"""Table 2 and Figure 1 anew, in passes over the data."""

from __future__ import annotations

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

LOSSES = {
    "L1-SVM": ("DCDL1", "DCDL1-S", "Pegasos", "SVM-perf"),
    "L2-SVM": ("DCDL2", "DCDL2-S", "PCD", "TRON"),
}
STYLES = list(zip(("C3", "C1", "C0", "C2"), (-0.24, -0.08, 0.08, 0.24), strict=True))
NAMES = {"a9a": "a9a", "w8a": "w8a", "newsgroups": "20 newsgroups", "documents": "documents"}


@figure(
    "passes-to-one-percent",
    caption="Table 2 in work: passes over the training data until within 1 % of the optimum "
    "(triangles: not there when stopped), means and ranges of 6 splits; only a9a is the paper's.",
)
def passes_to_one_percent(results):
    """Draw work at C = 1, a panel for each loss."""
    if not results.cells("race", C=1):
        return None
    drawing, panels = sheet(1, 2, sharey=True, figsize=(7.2, 3.2))
    for axes, (loss, methods) in zip(panels, LOSSES.items(), strict=True):
        for (colour, shift), name in zip(STYLES, methods, strict=True):
            for place, dataset in enumerate(NAMES):
                work = results.values("race", name, "work", dataset=dataset, C=1)
                if len(work):
                    at = place + shift
                    stopped = work.max() >= (300 if dataset == "a9a" else 100)
                    axes.plot([at, at], [work.min(), work.max()], color=colour)
                    style = {"color": colour, "ms": 5, "label": name if place == 3 else None}
                    axes.plot([at], [work.mean()], "^" if stopped else "o", **style)
        axes.set(yscale="log", title=loss, xticks=range(4), xticklabels=NAMES.values())
        axes.tick_params(axis="x", labelsize=8)
        axes.legend(fontsize=7, ncols=2, loc="best")
    panels[0].set_ylabel("passes over the data")
    return drawing


@figure(
    "error-over-passes",
    caption="Figure 1 anew: relative error (20) over passes, one split, C = 1. Dotted: 1 %. "
    "20 newsgroups stand for the lost sets of documents.",
)
def error_over_passes(results):
    """Draw the curves that the first split kept, by data set and loss."""
    if results.kept("race", "DCDL1", dataset="a9a", C=1) is None:
        return None
    drawing, panels = sheet(2, 2, sharey=True, figsize=(7.2, 5))
    for row, dataset in zip(panels, ("a9a", "newsgroups"), strict=True):
        for axes, (loss, methods) in zip(row, LOSSES.items(), strict=True):
            for (colour, _), name in zip(STYLES, methods, strict=True):
                curve = results.kept("race", name, dataset=dataset, C=1)
                axes.plot(*curve.T, color=colour, lw=1.2, label=name)
            axes.axhline(0.01, color="black", ls=":", lw=0.8)
            axes.set(xscale="log", yscale="log", ylim=(5e-5, 5), title=f"{NAMES[dataset]}, {loss}")
            axes.legend(fontsize=7, loc="lower left")
    for axes in panels[1]:
        axes.set_xlabel("passes over the data")
    for axes in panels[:, 0]:
        axes.set_ylabel("relative error")
    return drawing
