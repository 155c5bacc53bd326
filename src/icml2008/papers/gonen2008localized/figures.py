"""Table 1's support vectors: what localising makes of them on each set."""

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

from .experiments import SETS

PANELS = {
    "P-G": ("polynomial and Gaussian", "MKL", "vectors"),
    "L-L-L": ("linear", "one kernel", "linear-vectors"),
}


@figure("vectors", caption="Support vectors with fixed and with local weights, on ten sets.")
def vectors(results):
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.2), sharey=True)
    names = sorted(SETS, reverse=True)
    for (kernels, (title, rival, claim)), axes in zip(PANELS.items(), panels, strict=True):
        for row, name in enumerate(names):
            cell = {"dataset": name, "kernels": kernels}
            ends = [results.values("benchmark", m, "vectors", **cell) for m in ("MKL", "LMKL")]
            if not all(map(len, ends)):
                continue
            axes.plot([end.mean() for end in ends], [row, row], color="#8c959f", linewidth=1)
            axes.plot(ends[0].mean(), row, "o", color="#8c959f", markersize=4, label=rival)
            axes.plot(ends[1].mean(), row, "o", color="#b3261e", markersize=5, label="LMKL")
            printed = results.printed(claim, dataset=name, method="LMKL")
            if printed is not None:
                axes.plot(printed, row, **PRINTED, label="LMKL as printed")
        axes.set(title=title, xlabel="support vectors, percent of rows", xlim=(0, 100))
        by_label = dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True))
        axes.legend(by_label.values(), by_label.keys(), loc="upper left", fontsize=7)
    panels[0].set_yticks(range(len(names)), names)
    return drawing
