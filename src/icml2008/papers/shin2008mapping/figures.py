"""Least eigenvalues of the kernels that the paper settles."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

KERNELS = {
    "agreement": "agreement subtrees",
    "edit": "tree edit mappings",
    "mismatch": "mismatch strings",
    "refinement": "common refinements",
}


@figure(
    "eigenvalues",
    caption="Least eigenvalue of a Gram matrix of drawn strings or trees, over its largest entry: "
    "a dot a draw. Only the kernel of common refinements falls below 0.",
)
def eigenvalues(results):
    drawing, axes = sheet(figsize=(5.6, 2.3))
    for row, kernel in enumerate(KERNELS):
        least = -results.values("kernels", "mapping", "negative", kernel=kernel)
        if not len(least):
            return None
        spread = np.linspace(-0.25, 0.25, len(least))  # in the order of the draws
        axes.plot(least, row + spread, ".", color="C1" if kernel == "refinement" else "C0", ms=4)
    axes.axvline(0, color="0.5", linewidth=1)
    axes.set_yticks(range(len(KERNELS)), KERNELS.values())
    axes.set(xlabel="least eigenvalue", ylim=(len(KERNELS) - 0.5, -0.5))
    return drawing
