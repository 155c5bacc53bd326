"""Figures 2 and 3: excess risks and probabilities of error over the number of examples."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

FLIPPED = {"model": "flipped", "bayes": 1.7}
RIGHT = {"model": "right", "bayes": 6.3}
METHODS = ["logistic", "weighted"]


@figure(
    "simulation",
    caption="Excess risk with flipped labels, and error with a right model: means of 12 problems.",
)
def simulation(results):
    """Draw both measures over the number of examples, with intervals over problems."""
    drawing, (risks, errors) = sheet(1, 2, figsize=(7.2, 3.0))
    results.curve(
        "simulation", "log_risk", x="n", methods=METHODS, axes=risks, band=True, **FLIPPED
    )
    results.curve("simulation", "error", x="n", methods=METHODS, axes=errors, band=True, **RIGHT)
    risks.set(xscale="log", xlabel="examples", ylabel="log of n times the excess risk")
    errors.set(xscale="log", xlabel="examples", ylabel="probability of error, %")
    risks.set(title="three labels flipped, Bayes error 1.7 %")
    errors.set(title="right model, Bayes error 6.3 %")
    risks.legend(fontsize=8)
    return drawing


@figure(
    "boxes",
    caption="Figures 2 and 3 on the first problem that was drawn: medians and quartiles of 200 "
    "samples of each size, by the best penalty.",
)
def boxes(results):
    """Draw the middle halves of the samples of one problem."""
    if not results.cells("simulation", **RIGHT):
        return None
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.0))
    sides = (
        (FLIPPED, "risk", "n times the excess risk"),
        (RIGHT, "error", "probability of error, %"),
    )
    for axes, (problem, measure, label) in zip(panels, sides, strict=True):
        cells = results.cells("simulation", **problem)
        sizes = np.array([cell["n"] for cell in cells])
        for name, colour, shift in zip(METHODS, ("C0", "C1"), (0.93, 1.07), strict=True):
            kept = [results.kept("simulation", f"{name}-{measure}", **cell) for cell in cells]
            low, middle, high = np.transpose(kept)
            whiskers = [middle - low, high - middle]
            style = {"fmt": "o", "ms": 3.5, "capsize": 2.5, "color": colour}
            axes.errorbar(sizes * shift, middle, whiskers, label=name, **style)
        axes.set(xscale="log", xlabel="examples", ylabel=label)
        axes.legend(fontsize=8)
    panels[0].set(title="three labels flipped, Bayes error 1.7 %")
    panels[1].set(title="right model, Bayes error 6.3 %")
    return drawing
