"""Figures of the paper redrawn from records: preference regions, and hulls between sweeps."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

READINGS = {
    "never": "never ends",
    "return": "ends on returns",
    "return-and-attack": "ends on returns, attacks",
}
WORLD = {"world": "resource-gathering"}


def _around(corners):
    """Return the corners of a convex region in order around it."""
    x, y = (corners - corners.mean(axis=0)).T
    return corners[np.argsort(np.arctan2(y, x))]


@figure(
    "regions",
    caption=(
        "Regions of preference, as in Figure 6: which policy of Table 1 is optimal for weights of "
        "R1 and R2 (the enemy's is the rest), for three readings of when an episode ends. Grey: a "
        "policy that the table does not have. The printed table fits the last reading."
    ),
)
def regions(results):
    kept_of = {}
    for ending, title in READINGS.items():
        kept = {
            name: results.kept("table-1", f"{name} {ending}", **WORLD)
            for name in ("lines", "corners", "touches")
        }
        if all(array is not None for array in kept.values()):
            kept_of[title] = kept
    if not kept_of:
        return None
    drawing, axes = sheet(1, len(kept_of), figsize=(5.6, 2.4), sharey=True, squeeze=False)
    for panel, (title, kept) in zip(axes[0], kept_of.items(), strict=True):
        for i, line in enumerate(kept["lines"].astype(int)):
            corners = _around(kept["corners"][kept["touches"][:, i] > 0][:, 1:])
            colour = f"C{line - 1}" if line else "0.6"
            panel.fill(*corners.T, color=colour, alpha=0.45, linewidth=0)
            panel.plot(*np.vstack([corners, corners[:1]]).T, color="white", linewidth=0.8)
            middle = corners.mean(axis=0)
            panel.text(*middle, str(line) if line else "–", ha="center", va="center", fontsize=8)
        panel.set(title=title, xlabel="weight of R1", xticks=[0, 0.5, 1], aspect="equal")
        panel.title.set_fontsize(8)
    axes[0, 0].set_ylabel("weight of R2")
    return drawing


@figure(
    "vectors-between-sweeps",
    caption=(
        "Vectors in the hull of a state, on average, after each sweep of convex-hull value "
        "iteration in the resource world. Diamond: the policies printed as optimal from home."
    ),
)
def vectors_between_sweeps(results):
    drawing, axes = sheet(figsize=(4.4, 2.8))
    last = 0
    for number, (ending, title) in enumerate(READINGS.items()):
        sizes = results.kept("section-8", f"sizes {ending}", **WORLD)
        if sizes is not None:
            last = len(sizes)
            axes.plot(1 + np.arange(last), sizes, color=f"C{number}", label=title)
    if not last:
        return None
    axes.plot([last], [6], **PRINTED, label="printed, at home")
    axes.set(xlabel="sweeps", ylabel="vectors a state", yscale="log")
    ticks = [1, 2, 5, 10, 20, 50]
    axes.set_yticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False)
    return drawing
