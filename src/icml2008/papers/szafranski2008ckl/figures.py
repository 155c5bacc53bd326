"""Table 1 on data that stand in, by both solvers."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

NAMES = ["SVM", "MKL", "CKL 1/2", "CKL 1"]
UNIVERSES = {"default": "Algorithm 1", "solver=equation-12": "Equation 12"}
KERNELS = {"electrodes": 117, "digits": 64, "channels": 48}
GROUPS = {"electrodes": 39, "digits": 8, "channels": 12}


@figure("kept", caption="Share of groups and of kernels kept, means and values of six splits.")
def kept(results):
    drawing, panels = sheet(2, 3, figsize=(7.2, 3.8), sharey=True)
    for metric, sizes, row in zip(("groups", "kernels"), (GROUPS, KERNELS), panels, strict=True):
        for (data, size), axes in zip(sizes.items(), row, strict=True):
            for shift, universe in enumerate(UNIVERSES):
                for at, name in enumerate(NAMES):
                    counts = 100 * results.values(
                        "sparsity", name, metric, universe=universe, data=data
                    )
                    if not counts.size:
                        continue
                    place = at + 0.24 * (shift - 0.5)
                    colour = f"C{shift}"
                    axes.plot([place] * len(counts / size), counts / size, ".", color=colour, ms=3)
                    axes.plot(place, counts.mean() / size, "_", color=colour, ms=11, mew=2)
            axes.set(xticks=range(len(NAMES)), ylim=(0, 105), title=f"{data}, {size} {metric}")
            axes.set_xticklabels(NAMES, fontsize=7)
        row[0].set_ylabel("percent kept")
    for shift, label in enumerate(UNIVERSES.values()):
        axes.plot([], [], "_", color=f"C{shift}", ms=11, mew=2, label=label)
    drawing.legend(loc="outside upper center", ncols=2)
    return drawing
