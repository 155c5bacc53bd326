"""Figure 7 as a figure, errors over the number of examples, and a matched pair of walks."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

BETAS = (1, 2, 4, 6)
PRINTED_WALKS = (11.6, 5.6, 5.4, 5.6)
BASELINES = {"RBF": ("C1", 11.6), "random-walk": ("C2", 8.6), "pyramid-match": ("C3", 10.8)}


@figure(
    "error-against-order",
    caption=(
        "Error of nested cross-validation against the order beta, means and extremes of the"
        " partitions: dots, 50 digits of each class; squares, 100; diamonds, printed."
    ),
)
def error_against_order(results):
    """Figure 7, digits, alpha = 1."""
    if not results.cells("tuned", dataset="mnist", per_class=50):
        return None
    drawing, axes = sheet(figsize=(5.6, 3.2))
    places = np.arange(len(BETAS))
    for n_digits, marker, shift in ((50, "o", -0.1), (100, "s", 0.1)):

        def spread(place, name, colour, n_digits=n_digits, marker=marker, shift=shift):
            values = results.values("tuned", name, "error", dataset="mnist", per_class=n_digits)
            middle = np.nanmean(values)
            ends = [[middle - np.nanmin(values)], [np.nanmax(values) - middle]]
            axes.errorbar(place + shift, middle, ends, fmt=marker, ms=5, capsize=3, color=colour)
            return middle

        means = [spread(n, f"walks-{beta}", "C0") for n, beta in enumerate(BETAS)]
        axes.plot(places + shift, means, color="C0", linewidth=1)
        for n, (name, (colour, _)) in enumerate(BASELINES.items(), start=len(BETAS)):
            spread(n, name, colour)
    axes.plot(places, PRINTED_WALKS, label="printed", **PRINTED)
    for n, (_, printed) in enumerate(BASELINES.values(), start=len(BETAS)):
        axes.plot(n, printed, **PRINTED)
    axes.axvline(len(BETAS) - 0.5, color="0.7", linewidth=0.8)
    names = [*(f"beta {beta}" for beta in BETAS), *(name.replace("-", "\n") for name in BASELINES)]
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylabel("error in percent")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")
    return drawing


@figure(
    "error-against-examples",
    caption=(
        "Error on MNIST against the number of digits of each class (a fifth of them is tested on);"
        " histograms of gradients (HOG) were no part of the paper."
    ),
)
def error_against_examples(results):
    """Which kernel learns from how few digits."""
    sizes = [cell["per_class"] for cell in results.cells("digits", dataset="mnist")]
    if len(sizes) < 2:
        return None
    drawing, axes = sheet(figsize=(5.6, 3.2))
    styles = {"walks-2": {"color": "C0", "label": "walks, beta 2"}, "HOG": {"color": "C4"}}
    styles |= {name: {"color": colour} for name, (colour, _) in BASELINES.items()}
    results.curve("digits", "error", x="per_class", methods=styles, axes=axes, dataset="mnist")
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set(xlabel="digits of each class", ylabel="error in percent")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")
    return drawing


@figure(
    "matched-walks",
    caption=(
        "Two digits, their graphs, and the pair of walks of six vertices (red, from the dot) that"
        " the kernel with beta = 2 finds most alike."
    ),
)
def matched_walks(results):
    """A digit, its graph and its best match."""
    cell = {"alpha": 1, "beta": 2, "per_class": 20}
    names = ("image", "positions", "edges", "walk")
    sides = [[results.kept("sizes", f"{name}-{side}", **cell) for name in names] for side in (0, 1)]
    if any(array is None for side in sides for array in side):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.0, 2.6))
    for axes, (image, positions, edges, walk) in zip(panels, sides, strict=True):
        axes.imshow(image, cmap="gray_r", alpha=0.45, interpolation="nearest")
        for a, b in edges.astype(int):
            axes.plot(*positions[[a, b]].T, color="C0", linewidth=1)
        axes.plot(*positions.T, "o", color="C0", markersize=3.5)
        path = positions[walk.astype(int)]
        axes.plot(*path.T, color="#b3202a", linewidth=2.2)
        axes.plot(*path[0], "o", color="#b3202a", markersize=7)
        axes.set_axis_off()
    return drawing
