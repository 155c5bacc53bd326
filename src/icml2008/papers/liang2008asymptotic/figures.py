"""Figures of the asymptotic analysis: Figure 1 anew, and the sign in Theorem 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.catalogue.panels import legend_above, sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = {
    "generative": {"color": "C0", "marker": "o"},
    "discriminative": {"color": "C1", "marker": "s"},
    "pseudolikelihood": {"color": "C2", "marker": "^"},
}
# Student's t at 97.5 % for 19 degrees of freedom, by 20 repeats
WIDE = 2.09


@figure(
    "rates",
    caption="Figure 1(a)-(f) anew: the standard deviation of the estimation error times n (left, "
    "the model is right) and times the root of n (right, gamma* = 0.5). Level: that rate.",
)
def rates(results: Measured) -> Figure | None:
    """Draw the scaled spread of the estimation error against the sample size."""
    if not results.cells("rates"):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.9))
    for axes, gamma, power in zip(panels, (0.0, 0.5), (1.0, 0.5), strict=True):
        cells = results.cells("rates", gamma=gamma)
        sizes = np.array([cell["n"] for cell in cells])
        for name, style in STYLES.items():
            logs = [np.mean(results.values("rates", name, "log-size", **cell)) for cell in cells]
            axes.plot(sizes, sizes**power * np.exp(logs), **style, markersize=4, label=name)
        axes.set(xscale="log", xlabel="n", ylim=(0, None))
        axes.set_xticks([1000, 10000], ["1000", "10000"])
        axes.margins(y=0.08)
    panels[0].set(ylabel="n x spread", title="gamma* = 0")
    panels[1].set(ylabel="root of n x spread", title="gamma* = 0.5")
    legend_above(drawing, panels[0], 3)
    return drawing


@figure(
    "sign-of-theorem-1",
    caption="Simulated variance of the estimates at n = 20000, over that of Theorem 1 as printed "
    "(diamonds) and over the sandwich (circles), with 95 % intervals. 1 is agreement.",
)
def sign_of_theorem_1(results: Measured) -> Figure | None:
    """Draw the ratio of simulated to stated variance, for each estimator."""
    rows = [
        (f"{name}, {word}", name, gamma)
        for name in STYLES
        for gamma, word in ((0.0, "right"), (0.5, "wrong"))
    ]
    drawing, axes = sheet(figsize=(5.6, 3.2))
    labels = []
    circles = {"color": "C1", "marker": "o", "markersize": 4}
    for label, name, gamma in rows:
        for metric, style in (("over-printed", PRINTED), ("over-sandwich", circles)):
            values = results.values("large-sample", name, metric, gamma=gamma)
            if len(values) < 2:
                continue
            if not labels or labels[-1] != label:
                labels.append(label)
            half = WIDE * values.std(ddof=1) / np.sqrt(len(values))
            shown = {**style, "linestyle": "none"}
            axes.errorbar(values.mean(), len(labels) - 1, xerr=half, **shown, capsize=2)
    if not labels:
        return None
    axes.axvline(1, color="0.6", linewidth=0.8, zorder=0)
    axes.set(yticks=range(len(labels)), yticklabels=labels, xlabel="simulated / stated variance")
    axes.set_xlim(0, 1.15)
    axes.invert_yaxis()
    return drawing


@figure(
    "model-parameters",
    caption="Figure 1(g) and (h) anew at n = 20000: total error as the left-out gamma* grows, and "
    "n times the total error as the edge alpha* does.",
)
def model_parameters(results: Measured) -> Figure | None:
    """Draw total errors against gamma and alpha."""
    panels = (
        ("misspecification", "gamma", "total-error"),
        ("edge-strength", "alpha", "scaled-error"),
    )
    if not results.cells("misspecification"):
        return None
    drawing, both = sheet(1, 2, figsize=(5.6, 2.9))
    for axes, (experiment, coordinate, metric) in zip(both, panels, strict=True):
        results.curve(experiment, metric, methods=STYLES, x=coordinate, axes=axes)
        axes.set(xlabel=f"{coordinate}*")
    both[0].set(ylabel="total error (nats)")
    both[1].set(ylabel="n x total error", ylim=(0, None))
    legend_above(drawing, both[0], 3)
    return drawing
