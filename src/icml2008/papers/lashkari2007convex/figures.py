"""Figures 1 to 4 of the paper, and the last two comparisons on real data."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

SHOWN = [0.1, 0.5, 1.0, 1.2, 1.6, 1.7]


@figure(
    "rate-distortion",
    caption=(
        "Figure 1: the rate-distortion curve of 400 points, its chord of slope -beta_o (dotted) "
        "and the point with that slope (cross); number of hard clusters, exponential of the rate."
    ),
)
def rate_distortion(results):
    """Draw both panels of Figure 1."""
    curve = results.kept("path", "curve", points=400)
    if curve is None:
        return None
    ratios, distortions, rates, counts = curve.T
    reference = results.kept("path", "reference", points=400)[0]
    drawing, (left, right) = sheet(1, 2, figsize=(5.6, 2.9))
    left.plot(distortions, rates / np.log(2), "-", color="C0")
    top = np.log(400)
    left.plot([0, top / reference], [top / np.log(2), 0], ":", color="0.4")
    at = int(np.argmin(np.abs(ratios - 1)))
    left.plot(distortions[at], rates[at] / np.log(2), "x", color="C3", markeredgewidth=2)
    left.set(xlabel="average distortion", ylabel="rate (bits)")
    right.step(ratios, counts, where="mid", color="C0", label="hard clusters")
    right.plot(ratios, np.exp(rates), ":", color="C1", label="exp(rate)")
    right.set(xlabel="beta / beta_o")
    right.legend(frameon=False)
    return drawing


@figure("clusters", caption="Figure 2: hard clusters and their exemplars at six values of beta.")
def clusters(results):
    """Draw the clusters of the first repeat."""
    points = results.kept("path", "points", points=400)
    if points is None:
        return None
    drawing, panels = sheet(2, 3, figsize=(5.6, 3.9), sharex=True, sharey=True)
    for ratio, axes in zip(SHOWN, panels.ravel(), strict=True):
        labels = results.kept("path", f"labels-{ratio}", points=400)
        exemplars = results.kept("path", f"exemplars-{ratio}", points=400)
        axes.scatter(*points.T, c=labels, cmap="tab20", s=3)
        axes.plot(*exemplars.T, "x", color="black", markersize=6, markeredgewidth=1.8)
        axes.set_title(f"{ratio} beta_o", fontsize="small")
        axes.set(xticks=[], yticks=[], aspect="equal")
    return drawing


@figure(
    "start-from-exemplars",
    caption=(
        "Figure 3: what random starts and k-means++ starts of soft k-means lack to the one start "
        "from exemplars (negative: they are better), mean and range over data sets; right of the "
        "line the paper's sizes."
    ),
)
def start_from_exemplars(results):
    """Draw the lead of the exemplars for each cell."""
    cells = results.cells("likelihood")
    if not cells:
        return None
    drawing, axes = sheet(figsize=(5.6, 3.4))
    rivals = [("random", "mean_loglik"), ("random", "loglik"), ("k-means++", "loglik")]
    labels = ["mean of random", "best of 50 random", "best of 5 k-means++"]
    for index, ((name, metric), label) in enumerate(zip(rivals, labels, strict=True)):
        for place, cell in enumerate(cells):
            lead = results.values("likelihood", "exemplars", "loglik", **cell)
            lead = lead - results.values("likelihood", name, metric, **cell)
            x = place + 0.2 * (index - 1)
            axes.plot([x, x], [lead.min(), lead.max()], color=f"C{index}", linewidth=1)
            axes.plot(
                x,
                lead.mean(),
                "o",
                color=f"C{index}",
                markersize=4,
                label=label if place == 0 else None,
            )
    small = sum(cell["per_cluster"] == 25 for cell in cells)
    if small < len(cells):
        axes.axvline(small - 0.5, color="0.6", linewidth=0.8)
    axes.axhline(0, color="0.3", linewidth=0.8)
    axes.set_xticks(range(len(cells)))
    axes.set_xticklabels([f"{50 * c['per_cluster']}\n{c['ratio']:g}" for c in cells])
    axes.set(xlabel="points, beta / beta_o", ylabel="lead of exemplars (nats a sample)")
    axes.legend(frameon=False, fontsize="small")
    return drawing


@figure(
    "distortion",
    caption=(
        "Figure 4: mean squared distance from the cluster means, against points per cluster (50 "
        "clusters) and number of clusters (100 points each); bands: 95 % intervals of the mean."
    ),
)
def distortions(results):
    """Draw both panels of Figure 4."""
    panels_of = {"per_cluster": {"clusters": 50}, "clusters": {"per_cluster": 100}}
    if not results.cells("distortion", per_cluster=100):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 3.1))
    labels = {"per_cluster": "points per cluster", "clusters": "clusters"}
    methods = ["exemplars", "mixture", "k-means++"]
    for axes, (along, fixed) in zip(panels, panels_of.items(), strict=True):
        where = {"x": along, "axes": axes, **fixed}
        results.curve("distortion", "distortion", methods=methods, band=True, **where)
        axes.set(xlabel=labels[along])
    panels[0].set(ylabel="distortion")
    panels[1].legend(frameon=False)
    return drawing


@figure(
    "real-data",
    caption=(
        "Carried over to parts of 500 samples of real data: the lead in log-likelihood of the "
        "start from exemplars (left), and distortions divided by that of k-means++ (right); mean "
        "and range over six parts."
    ),
)
def real_data(results):
    """Draw both comparisons for each data set."""
    cells = results.cells("real-likelihood")
    if not cells or not results.cells("real-distortion"):
        return None
    drawing, (left, right) = sheet(1, 2, figsize=(5.6, 3.1))

    def spread(axes, place, index, values, label):
        x = place + 0.2 * (index - 0.5)
        axes.plot([x, x], [values.min(), values.max()], color=f"C{index}", linewidth=1)
        dot = label if place == 0 else None
        axes.plot(x, values.mean(), "o", color=f"C{index}", markersize=4, label=dot)

    for place, cell in enumerate(cells):
        first = results.values("real-likelihood", "exemplars", "loglik", **cell)
        for index, (name, label) in enumerate(
            [("random", "best of 50 random"), ("k-means++", "best of 5 k-means++")]
        ):
            rival = results.values("real-likelihood", name, "loglik", **cell)
            spread(left, place, index, 1000 * (first - rival), label)
        base = results.values("real-distortion", "k-means++", "distortion", **cell)
        for index, name in enumerate(("exemplars", "mixture")):
            values = results.values("real-distortion", name, "distortion", **cell)
            spread(right, place, index, values / base, name)
    for axes, level in ((left, 0), (right, 1)):
        axes.axhline(level, color="0.3", linewidth=0.8)
        axes.set_xticks(range(len(cells)), [cell["dataset"] for cell in cells])
        axes.set_xlim(-0.5, len(cells) - 0.5)
        axes.legend(frameon=False, fontsize="small")
    left.set(ylabel="lead (1/1000 nats a sample)")
    right.set(ylabel="distortion / that of k-means++")
    return drawing
