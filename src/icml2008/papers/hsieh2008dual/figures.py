"""Table 2 and Figure 1 anew, in passes over the data, and how they grow with C."""

from __future__ import annotations

from icml2008.catalogue.figures import figure

COLOURS = {
    "DCDL1": "C3",
    "DCDL1-S": "C1",
    "Pegasos": "C0",
    "SVM-perf": "C2",
    "DCDL2": "C3",
    "DCDL2-S": "C1",
    "PCD": "C0",
    "TRON": "C2",
}
LOSSES = {
    "L1-SVM": ("DCDL1", "DCDL1-S", "Pegasos", "SVM-perf"),
    "L2-SVM": ("DCDL2", "DCDL2-S", "PCD", "TRON"),
}
NAMES = {"a9a": "a9a", "w8a": "w8a", "newsgroups": "20 newsgroups", "documents": "documents"}


@figure(
    "passes-to-one-percent",
    caption="Table 2 in work: passes over the training data until within 1 % of the optimum, means "
    "and ranges of 6 splits; only a9a is the paper's. A triangle: not there when stopped.",
)
def passes_to_one_percent(results):
    """Draw work at C = 1, a panel for each loss."""
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained", sharey=True)
    drawn = False
    for axes, (loss, methods) in zip(panels, LOSSES.items(), strict=True):
        for shift, name in zip((-0.24, -0.08, 0.08, 0.24), methods, strict=True):
            for place, dataset in enumerate(NAMES):
                work = results.values("race", name, "work", dataset=dataset, C=1)
                if not len(work):
                    continue
                drawn, stopped = True, work.max() >= (300 if dataset == "a9a" else 100)
                axes.plot([place + shift] * 2, [work.min(), work.max()], color=COLOURS[name])
                label = name if place == 3 else None
                marker = "^" if stopped else "o"
                axes.plot(
                    [place + shift], [work.mean()], marker, color=COLOURS[name], ms=5, label=label
                )
        axes.set(yscale="log", title=loss, xticks=range(4), xticklabels=NAMES.values())
        axes.tick_params(axis="x", labelsize=8)
        axes.legend(fontsize=7, ncols=2, loc="best")
    panels[0].set_ylabel("passes over the data")
    if not drawn:
        plt.close(drawing)
        return None
    return drawing


@figure(
    "error-over-passes",
    caption="Figure 1 anew: relative error (20) over passes, one split, C = 1. Dotted: 1 %. "
    "20 newsgroups stand for the lost sets of documents.",
)
def error_over_passes(results):
    """Draw the curves that the first split kept, by data set and loss."""
    import matplotlib.pyplot as plt

    if results.kept("race", "DCDL1", dataset="a9a", C=1) is None:
        return None
    drawing, panels = plt.subplots(2, 2, figsize=(7.2, 5), layout="constrained", sharey=True)
    for row, dataset in zip(panels, ("a9a", "newsgroups"), strict=True):
        for axes, (loss, methods) in zip(row, LOSSES.items(), strict=True):
            for name in methods:
                passes, errors = results.kept("race", name, dataset=dataset, C=1).T
                axes.plot(passes, errors, color=COLOURS[name], lw=1.2, label=name)
            axes.axhline(0.01, color="black", ls=":", lw=0.8)
            axes.set(xscale="log", yscale="log", ylim=(5e-5, 5), title=f"{NAMES[dataset]}, {loss}")
            axes.legend(fontsize=7, loc="lower left")
    for axes in panels[1]:
        axes.set_xlabel("passes over the data")
    for axes in panels[:, 0]:
        axes.set_ylabel("relative error")
    return drawing


@figure(
    "work-over-c", caption="Passes until within 1 % on a9a over C; 300 where not there by then."
)
def work_over_c(results):
    """Draw how work grows with C."""
    methods = ["DCDL1", "Pegasos", "SVM-perf", "DCDL2", "PCD", "TRON"]
    drawing = results.curve("penalty", "work", x="C", methods=methods, dataset="a9a")
    if drawing is not None:
        (axes,) = drawing.axes
        axes.set(xscale="log", yscale="log", ylabel="passes over the data")
        axes.legend(loc="upper left", ncols=2, fontsize="small")
        axes.set_ylim(top=3000)
    return drawing
