"""Table 1 as differences: what localising changes in accuracy and in support vectors."""

from icml2008.catalogue.figures import PRINTED, figure

from .experiments import SETS

TITLES = {"P-G": "LMKL less MKL, polynomial and Gaussian", "L-L-L": "three local linear less one"}


@figure("differences", caption="LMKL less its rival on ten sets: ours (names) and as printed.")
def differences(results):
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
    claims = {
        "P-G": ("accuracies", "vectors"),
        "L-L-L": ("linear-accuracies", "linear-vectors"),
    }
    for (kernels, title), axes in zip(TITLES.items(), panels, strict=True):
        for name in SETS:
            cell = {"dataset": name, "kernels": kernels}
            ours, printed = [], []
            for metric, claim in zip(("accuracy", "vectors"), claims[kernels], strict=True):
                values = [results.values("benchmark", m, metric, **cell) for m in ("LMKL", "MKL")]
                told = [results.printed(claim, dataset=name, method=m) for m in ("LMKL", "MKL")]
                if len(values[0]) == 0 or None in told:
                    break
                ours.append((values[0] - values[1]).mean())
                printed.append(told[0] - told[1])
            if len(printed) == 2:
                axes.plot(*printed[::-1], **PRINTED)
                axes.plot(*ours[::-1], "o", color="#b3261e", markersize=4)
                axes.annotate(name, ours[::-1], xytext=(3, 3), textcoords="offset points", size=7)
        axes.axhline(0, color="#59636e", linewidth=0.8)
        axes.axvline(0, color="#59636e", linewidth=0.8)
        axes.set(title=title, xlabel="support vectors, points")
    panels[0].set(ylabel="accuracy, points")
    return drawing
