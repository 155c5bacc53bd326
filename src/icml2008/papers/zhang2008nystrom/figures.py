"""Figure 1 and Table 3 anew, and Figure 2 by scheme."""

from __future__ import annotations

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import legend_above, sheet

NAMES = {"ICD": "incomplete Cholesky", "Drineas": "norms", "random": "random rows"} | {
    name: name for name in ("k-means", "SVD")
}
COLOURS = dict(zip(NAMES, ("C2", "C3", "C1", "C0", "black"), strict=True))
SETS = ["german", "splice", "adult1a", "dna", "segment", "w1a", "svmguide1a", "satimage"]
TABLE_3 = {"k-means": "kmeans", "random": "random", "Drineas": "norms", "ICD": "icd"}  # claims


@figure(
    "misalignment",
    caption="Table 3 anew: misalignment of kernel PCA, 5 % of the rows as landmarks. Dots: ours, "
    "means and ranges; diamonds: printed. w1a is another draw of rows.",
)
def misalignment(results):
    """Draw ours beside the printed means."""
    if not results.cells("kpca", dataset="satimage"):
        return None
    drawing, axes = sheet(figsize=(7.2, 3.2))
    for shift, (name, claim) in zip((-0.24, -0.08, 0.08, 0.24), TABLE_3.items(), strict=True):
        for place, dataset in enumerate(SETS):
            values = results.values("kpca", name, "misalignment", dataset=dataset)
            if not len(values):  # a set that is not there
                continue
            at = place + shift
            label = NAMES[name] if place == 0 else None
            axes.plot([at, at], [values.min(), values.max()], color=COLOURS[name], lw=1)
            axes.plot([at], [values.mean()], "o", color=COLOURS[name], ms=4, label=label)
            printed = results.printed(f"kpca-{claim}", dataset=dataset)
            if printed is None:  # w1a
                printed = results.printed("kpca-w1a", method=name)
            axes.plot([at], [printed], **PRINTED)
    axes.set(yscale="log", xticks=range(8), xticklabels=SETS, ylabel="misalignment")
    axes.tick_params(axis="x", labelsize=8)
    legend_above(drawing, axes, 4)
    return drawing


@figure("errors", caption="Figure 1 anew: relative error of the kernel matrix over the rank.")
def errors(results):
    """Draw errors over the percentage of rows, a panel for each set."""
    if not results.cells("matrix", dataset="satimage"):
        return None
    drawing, panels = sheet(2, 4, figsize=(7.2, 4.4), sharex=True)
    for axes, dataset in zip(panels.flat, SETS, strict=True):
        if not results.cells("matrix", dataset=dataset):
            continue
        for name, label in NAMES.items():
            means = [
                10 ** logs.mean()
                for m in (1, 5, 10)
                if len(logs := results.values("matrix", name, "error", dataset=dataset, percent=m))
            ]
            axes.plot((1, 5, 10), means, ".-", color=COLOURS[name], lw=1.2, label=label)
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        steps = (1, 2, 5) if high < 20 * low else (1,)  # a decade has hardly a power of ten
        ticks = [step * 10.0**power for power in range(-6, 1) for step in steps]
        axes.set_yticks([tick for tick in ticks if low < tick < high])
        axes.set_yticks([], minor=True)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xticks((1, 5, 10))
        axes.set_title(dataset, fontsize=9)
        axes.tick_params(labelsize=7)
    drawing.supxlabel("landmarks, % of the rows", fontsize=9)
    drawing.supylabel("relative error", fontsize=9)
    drawing.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=5, fontsize=8
    )
    return drawing
