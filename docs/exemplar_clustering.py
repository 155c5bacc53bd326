"""Draw the picture of exemplar-clustering.md: ``python docs/exemplar_clustering.py``."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from sklearn.cluster import KMeans

from icml2008.methods import ConvexClustering, convex_clustering_path
from icml2008.report.svg import compact

PICTURE = Path(__file__).with_name("exemplar-clustering.svg")


def sample() -> np.ndarray:
    """Return the points of the page, (500, 2)."""
    centres = 8.0 * np.stack(np.meshgrid(np.arange(5), np.arange(4)), axis=-1).reshape(-1, 2)
    return np.repeat(centres, 25, axis=0) + np.random.default_rng(0).normal(size=(500, 2))


def draw() -> Figure:
    """Return the three panels."""
    X = sample()
    figure = Figure(figsize=(9.6, 2.9), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    means = KMeans(20, init="random", n_init=1, random_state=0).fit(X)
    model = ConvexClustering(1 / 8).fit(X)
    exemplars = model.exemplars_[model.cluster_exemplars_]
    for axes, labels, places, title in (
        (left, means.labels_, means.cluster_centers_, "k-means, one random start"),
        (middle, model.labels_, exemplars, "convex clustering, beta = 1/8"),
    ):
        # Neighbouring numbers get colours that differ.
        axes.scatter(*X.T, c=labels * 7 % 20, cmap="tab20", s=4)
        axes.plot(*places.T, "x", color="black", markersize=6, markeredgewidth=1.8)
        axes.set(title=title, xticks=[], yticks=[], aspect="equal")
    betas = np.geomspace(1e-3, 3, 25)
    counts = [len(found.cluster_exemplars_) for found in convex_clustering_path(X, betas)]
    right.step(betas, counts, where="mid")
    right.axhline(20, color="0.6", linewidth=0.8)
    right.set(xscale="log", yscale="log", xlabel="beta", title="clusters along beta")
    return figure


if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "exemplar-clustering"
    out = io.StringIO()
    draw().savefig(out, format="svg", metadata={"Date": None})
    PICTURE.write_text(compact(out.getvalue()))
