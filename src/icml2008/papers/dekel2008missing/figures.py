"""Figures 1 and 2 anew."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import DELETED, DIGITS, SPAM

METHODS = ["LP", "perceptron", "SVM", "majority"]
TITLES = {
    "spam-uniform": "SPAM, equal values",
    "spam-information": "SPAM, by information",
    DIGITS: "MNIST, by information",
}


@figure(
    "adversary",
    caption="Figure 2 anew: error under the greedy adversary over what it may delete, means of six "
    "folds with 95 % intervals, and a constant answer.",
)
def adversary(results):
    """Draw the three panels."""
    drawing, panels = sheet(1, 3, figsize=(7.2, 2.8))
    for axes, panel in zip(panels, (*SPAM, DIGITS), strict=True):
        if not results.cells("adversary", panel=panel):
            return None
        style = {"methods": METHODS, "axes": axes, "band": True, "panel": panel}
        results.curve("adversary", "error", x="n", **style)
        axes.set(title=TITLES[panel], xlabel="N", ylabel="")
        if axes.get_legend():
            axes.get_legend().remove()
    panels[0].set(ylabel="error, %")
    legend_above(drawing, panels[0], 4)
    return drawing


@figure(
    "random",
    caption="Figure 1 anew, with Globerson and Roweis's program (GR) re-run: error after features "
    "were deleted at random, of one split into 50 training examples and others.",
)
def at_random(results):
    """Draw both panels from what the first repeat kept."""
    drawing, panels = sheet(1, 2, figsize=(7.2, 2.8))
    for axes, (dataset, deleted) in zip(panels, DELETED.items(), strict=True):
        if not results.cells("random", dataset=dataset):
            return None
        for name in ("LP", "GR", "SVM"):
            errors = np.asarray(results.kept("random", name, dataset=dataset))
            axes.plot(deleted, errors, "o-", markersize=4, label=name)
        axes.set(title=dataset.upper(), xlabel="deleted features", ylim=(0, None))
    panels[0].set(ylabel="error, %")
    panels[0].legend()
    return drawing
