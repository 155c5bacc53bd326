"""Figures 1 to 5 and Table 1 as curves."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

TABLE = {
    "convex clustering": [-6.3356, -6.1269, -5.8705, -5.5813, -5.2780, -4.9779],
    "INFEX": [-5.1370, -4.7424, -4.3796, -4.0499, -3.7499, -3.4788],
    "EM best": [-5.1442, -4.7486, -4.3823, -4.0507, -3.7502, -3.4789],
    "EM mean": [-5.1485, -4.7503, -4.3834, -4.0520, -3.7512, -3.4795],
}


@figure(
    "ring-exemplars",
    caption="Figure 1: exemplars chosen among the points (left) and on a grid of 900 (right).",
)
def ring_exemplars(results):
    """Draw the first repeat's points and exemplars."""
    points = results.kept("ring", "points", per_axis=30)
    if points is None:
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.9), sharey=True)
    titles = {"samples": "among the points", "grid": "on the grid"}
    for axes, (name, title) in zip(panels, titles.items(), strict=True):
        exemplars = results.kept("ring", name, per_axis=30)
        axes.plot(*points.T, ".", color="0.6", markersize=4)
        axes.plot(*exemplars.T, "x", color="C3", markersize=7, markeredgewidth=2)
        axes.set(title=title, xlim=(-2.5, 7.5), ylim=(-2.5, 7.5), aspect="equal")
    return drawing


@figure(
    "grid-density",
    caption=(
        "Figure 2: log-likelihood with candidates on ever finer grids, among the points (dashed) "
        "and anywhere (dotted); mean of all draws, band: two standard errors of the grid's lead "
        "over the points."
    ),
)
def grid_density(results):
    """Draw the curve of Figure 2."""
    cells = results.cells("ring")
    if not cells:
        return None
    sizes = [cell["per_axis"] for cell in cells]
    curves = {
        name: [results.values("ring", name, "loglik", **cell) for cell in cells]
        for name in ("grid", "samples", "INFEX")
    }
    mean = np.array([values.mean() for values in curves["grid"]])
    leads = [a - b for a, b in zip(curves["grid"], curves["samples"], strict=True)]
    error = np.array([2 * lead.std(ddof=1) / np.sqrt(len(lead)) for lead in leads])
    drawing, axes = sheet(figsize=(5.6, 3.2))
    axes.fill_between(sizes, mean - error, mean + error, alpha=0.25, color="C0", linewidth=0)
    axes.plot(sizes, mean, "-o", color="C0", markersize=3, label="grid")
    axes.axhline(curves["samples"][0].mean(), color="C1", linestyle="--", label="points")
    axes.axhline(curves["INFEX"][0].mean(), color="C2", linestyle=":", label="anywhere")
    axes.axvline(8, color=PRINTED["color"], linewidth=0.8)
    axes.annotate(
        "printed: about 8",
        (8, 0.03),
        (4, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        color=PRINTED["color"],
    )
    span = curves["INFEX"][0].mean() - curves["samples"][0].mean()
    axes.set(
        xlabel="candidates an axis",
        ylabel="log-likelihood a sample",
        ylim=(curves["samples"][0].mean() - 2 * span, curves["INFEX"][0].mean() + 0.3 * span),
    )
    axes.legend(frameon=False, loc="center right")
    return drawing


@figure(
    "codebooks",
    caption=(
        "Figures 3 and 4: margin and number of codebook vectors against the largest distortion "
        "that is allowed."
    ),
)
def codebooks(results):
    """Draw margin and size for both methods."""
    if not results.cells("codebook"):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.9))
    names = {"margin": "margin", "vectors": "codebook vectors"}
    for axes, (metric, label) in zip(panels, names.items(), strict=True):
        results.curve("codebook", metric, x="distortion", methods=["KVQ", "INFEX"], axes=axes)
        axes.set(xlabel="largest distortion", title=label)
        axes.set_xticks([800, 1200, 1600, 2000])
    panels[0].set_yscale("log")
    panels[1].legend(frameon=False)
    return drawing


@figure(
    "lead-of-infex",
    caption=("Table 1 as what a column lacks to INFEX's, in nats a sample; diamonds: printed."),
)
def lead_of_infex(results):
    """Draw how far the best and the mean of EM and convex clustering are below INFEX."""
    cells = results.cells("mixture")
    if not cells:
        return None
    sigmas = [cell["sigma"] for cell in cells]
    drawing, axes = sheet(figsize=(5.6, 3.4))
    for index, name in enumerate(("convex clustering", "EM mean", "EM best")):
        lacks = [
            (
                results.values("mixture", "INFEX", "loglik", **cell)
                - results.values("mixture", name, "loglik", **cell)
            ).mean()
            for cell in cells
        ]
        axes.plot(sigmas, lacks, "-o", color=f"C{index}", markersize=4, label=name)
        printed = np.subtract(TABLE["INFEX"], TABLE[name])
        axes.plot(range(440, 541, 20), printed, **PRINTED | {"color": f"C{index}"})
    axes.set(yscale="log", xlabel="sigma", ylabel="nats a sample below INFEX")
    axes.legend(frameon=False)
    return drawing


@figure(
    "modes",
    caption=(
        "Figure 5: the ten highest modes of the subproblem in the first three rounds, by rows; in "
        "the first two they lie close together on one hill."
    ),
)
def modes(results):
    """Draw modes as images."""
    rows = [results.kept("modes", f"round-{number}", h=1500) for number in (1, 2, 3)]
    if any(row is None for row in rows):
        return None
    width = max(len(row) for row in rows)
    drawing, panels = sheet(3, width, figsize=(5.6, 1.9))
    for row, axes_of_row in zip(rows, panels, strict=True):
        for axes in axes_of_row:
            axes.axis("off")
        for image, axes in zip(row, axes_of_row, strict=False):
            axes.imshow(image.reshape(16, 16), cmap="gray_r", vmin=0, vmax=255)
    return drawing
