"""Figures of Section 4's construction and of the boosters along the noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.catalogue.panels import sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure(
    "minimiser",
    caption="The exponential potential of the four examples with noise 0.1, over the votes of the "
    "two base classifiers (its excess over the minimum, on a log scale). The minimum lies beyond "
    "the diagonal, where the two penalizers are misclassified.",
)
def minimiser(results: Measured) -> Figure | None:
    """Draw the noisy potential over the plane of votes, its minimum and the line to errors."""
    cell = {"potential": "exponential", "noise": 0.1}
    kept = [results.kept("construction", name, **cell) for name in ("axis", "surface", "minimiser")]
    if any(array is None for array in kept):
        return None
    axis, surface, minimum = kept
    drawing, axes = sheet(figsize=(4.6, 4.0))
    excess = np.log10(surface - surface.min() + 1e-3)
    lightened = excess.min() - 1.5 * np.ptp(excess)
    axes.contourf(axis, axis, excess, levels=14, cmap="Greys_r", vmin=lightened)
    axes.plot(axis, axis, color="C1", linewidth=1.4)
    axes.text(0.3, 1.9, "penalizers\nmisclassified", color="C1", ha="center")
    axes.plot(*minimum, color="C0", marker="o", markersize=6)
    axes.annotate("minimum", minimum, xytext=(26, -34), textcoords="offset points", color="C0")
    limits = {"xlim": (-0.5, 2.5), "ylim": (-0.5, 2.5)}
    axes.set(aspect="equal", xlabel="vote of the first", ylabel="vote of the second", **limits)
    return drawing


@figure(
    "gamma-against-noise",
    caption="The margin of the sample that defeats a potential, against the noise. Potentials with "
    "a bounded slope (all but the exponential and the squared hinge) need a margin as small as the "
    "noise; at much noise all need the same, 0.0785. Dashed: the printed bound 1/6.",
)
def gamma_against_noise(results: Measured) -> Figure | None:
    """Draw the solution of Equation 9 for the named potentials."""
    cells = results.cells("construction")
    potentials = dict.fromkeys(cell["potential"] for cell in cells if cell["potential"] != "drawn")
    if len(cells) < 2 * len(potentials):
        return None
    drawing, axes = sheet(figsize=(5.2, 3.2))
    for name in potentials:
        style = {"label": name}
        where = {"x": "noise", "axes": axes, "potential": name}
        results.curve("construction", "gamma", methods={"B_phi": style}, **where)
    axes.axhline(1 / 6, color=PRINTED["color"], linestyle="--", linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel="noise", ylabel="margin γ")
    drawing.legend(loc="outside upper center", ncols=3)
    return drawing


TOLERANT = {"color": "0.75", "linewidth": 3}
STYLES = {
    "AdaBoost": {"color": "C0"},
    "LogitBoost": {"color": "C1"},
    "MadaBoost": {"color": "C2"},
    "AdaBoostClassifier": {"color": "C0", "linestyle": ":"},
    "GradientBoosting": {"color": "C3", "linestyle": ":"},
    "HistGradientBoosting": {"color": "C4", "linestyle": ":"},
    "branching program": {"color": "C5"},
}


@figure(
    "error-against-noise",
    caption="Errors on Section 6's examples against their true labels. Solid: the boosters of "
    "then; dotted: scikit-learn's, AdaBoostClassifier with stumps, the others with trees. Below "
    "the grey line a booster tolerates the noise.",
)
def error_against_noise(results: Measured) -> Figure | None:
    """Draw the clean error of each booster along the noise."""
    cells = results.cells("noise")
    if len(cells) < 2:
        return None
    drawing, axes = sheet(figsize=(5.6, 3.9))
    axes.plot(
        [cell["noise"] for cell in cells], [100 * cell["noise"] for cell in cells], **TOLERANT
    )
    results.curve("noise", "clean_error", x="noise", methods=STYLES, axes=axes)
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g}")
    axes.set(xlabel="noise, %", ylabel="error, true labels, %")
    drawing.legend(loc="outside upper center", ncols=3, fontsize="small")
    return drawing
