"""Table 1 and Figures 1 to 3 anew."""

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

METHODS = ["Indefinite SVM", "Denoise", "Flip", "Shift", "SVM"]
SETS = ["sonar", "ionosphere", "heart", "diabetes", "breast-cancer", "usps-3-5"]


@figure(
    "accuracies",
    caption="Table 1 anew: mean test accuracy in percent, and its 95 % interval over splits. "
    "Diamonds: printed.",
)
def accuracies(results):
    if not results.cells("table-1"):
        return None
    drawing, panels = sheet(2, 3, figsize=(7.2, 3.8), sharey=True)
    for name, axes in zip(SETS, panels.flat, strict=True):
        for row, method in enumerate(METHODS):
            values = results.values("table-1", method, "accuracy", dataset=name)
            if len(values):
                half = 2 * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0
                axes.errorbar(values.mean(), row, xerr=half, color=f"C{row}", marker="o", ms=4)
            printed = results.printed("accuracies", dataset=name, method=method)
            if printed is not None:
                axes.plot([printed], [row + 0.25], **PRINTED)
        axes.set(title=name, yticks=range(len(METHODS)), yticklabels=METHODS)
    panels[0, 0].invert_yaxis()
    return drawing


@figure(
    "convergence",
    caption="Figures 1 to 3 anew: one split of Sonar. The gap of the bounds, the number of kernels "
    "and the test accuracy over rounds. Dotted: the printed gaps at the printed rounds.",
)
def convergence(results):
    if results.kept("convergence", "pruned", samples=208) is None:
        return None
    drawing, panels = sheet(1, 3, figsize=(7.2, 2.6))
    for method, style in (("unpruned", "C1--"), ("pruned", "C0-")):
        rounds, lower, upper, kernels = results.kept("convergence", method, samples=208).T
        panels[0].plot(rounds, upper - lower, style, label=method)
        panels[1].plot(rounds, kernels, style)
        right = results.kept("convergence", f"{method} accuracy", samples=208)
        panels[2].plot(np.arange(1, len(right) + 1), right, style)
    for at, gap in ((150, 1e-2), (600, 1e-5)):
        panels[0].plot([0, at, at], [gap, gap, 1e-5], color="#0b5cad", ls="dotted", lw=1)
    panels[0].set(yscale="log", xlabel="round", title="gap of the bounds")
    panels[1].set(xlabel="round", title="kernels", yscale="log")
    panels[2].set(xlabel="round", title="accuracy, %")
    drawing.legend(loc="outside upper center", ncols=2)
    return drawing
