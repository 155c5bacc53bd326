"""What Equations 11 and 30 make of a distance of curves."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

EQUATIONS = {"grid": "Equation 11", "root": "Equation 30, as corrected"}


@figure(
    "distances",
    caption="Relative error of the squared distance of two posterior means, the largest of ten "
    "pairs: a dot a draw. Equations 11 and 30, its root transposed, err by rounding.",
)
def distances(results):
    drawing, axes = sheet(figsize=(5.6, 1.7))
    for row, metric in enumerate(EQUATIONS):
        errors = results.values("identities", "distance", metric, kernel="exponential")
        if not len(errors):
            return None
        spread = np.linspace(-0.25, 0.25, len(errors))  # in the order of the draws
        axes.plot(errors, row + spread, ".", color=f"C{row}", ms=4)
    axes.set_yticks(range(len(EQUATIONS)), EQUATIONS.values())
    axes.set(xscale="log", xlabel="relative error", ylim=(len(EQUATIONS) - 0.5, -0.5))
    return drawing
