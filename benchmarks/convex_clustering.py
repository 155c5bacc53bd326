"""Convex clustering: its master problem to a duality gap of 1e-8, and its cost as data grow.

The master problem, on dense 1100 x 1100 matrices: the interior point of
`icml2008.methods.clustering.mixture_weights` against the multiplicative update of Lashkari and
Golland, the same with their pruning (which may end above the gap, since a pruned sample never comes
back), and Clarabel through cvxpy. They take turns, and the median of five runs counts where one
takes less than a second. The gap of every answer is computed from its weights alone by one
function. A solver that does not arrive within its steps has a lower bound on its seconds.

The whole clustering, on planar clusters of 20 samples: the variant with 50 neighbours against
scikit-learn's KMeans, spherical GaussianMixture (both told the true number of clusters) and
AffinityPropagation. Ours comes first and in order of size, so that the largest resident memory of
the process so far is its own.

All seconds are processor time on one thread. Run with ``python benchmarks/convex_clustering.py``;
writes convex_clustering.csv and convex_clustering.svg to results/ beside it. The digits are read
from the cache or mirror of data files (data set `usps-roweis`) and left out where they are not.
"""

from __future__ import annotations

import os
import resource
import time
import warnings
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import cvxpy
import numpy as np
from sklearn.cluster import AffinityPropagation, KMeans
from sklearn.mixture import GaussianMixture

from icml2008.data import load
from icml2008.errors import Icml2008Error
from icml2008.harness.benchmarks import write
from icml2008.methods import ConvexClustering, reference_beta
from icml2008.methods.clustering._mixture import mixture_weights

RESULTS = Path(__file__).parent / "results"
TOL = 1e-8
STEPS = 15_000  # of the multiplicative update
REPEATS = 5  # of what takes less than a second; the median counts
PATIENCE = 9.0  # seconds; after that a method is not asked for the next size
FIELDS = (
    "part",
    "problem",
    "samples",
    "beta_ratio",
    "support",
    "method",
    "seconds",
    "times_icml2008",
    "gap",
    "arrived",
    "peak_mb",
)
PACKAGES = ("icml2008", "numpy", "scipy", "scikit-learn", "cvxpy", "clarabel")


def clusters(n_clusters, size, n_features, spread, seed=0):
    rng = np.random.default_rng(seed)
    centres = spread * rng.normal(size=(n_clusters, n_features))
    noise = rng.normal(size=(n_clusters * size, n_features))
    return np.repeat(centres, size, axis=0) + noise


def problems():
    """Name, squared distances, width as a multiple of the reference."""
    data = {
        "plane": (clusters(44, 25, 2, 10.0), (0.2, 10, 1e5)),
        "50 dimensions": (clusters(22, 50, 50, 1.5), (0.2, 1.5, 1.7, 3)),
    }
    try:
        # Images 1, 11, ..., 1091 of each class: the sample of Nowozin and Bakir (2008).
        digits = load("usps-roweis", offline=True).images.reshape(11_000, -1)[::10].astype(float)
        data["digits"] = digits, None
    except Icml2008Error as reason:
        warnings.warn(f"without the digits: {reason}", stacklevel=1)
    for name, (X, ratios) in data.items():
        reference = reference_beta(X)
        if ratios is None:
            sigmas = np.array([1000, 540, 490, 150])
            ratios = 1 / (2 * sigmas**2) / reference
        squared = ((X[:, None] - X) ** 2).sum(-1) if X.shape[1] < 10 else distances(X)
        for ratio in ratios:
            yield name, np.exp(-ratio * reference * squared), ratio


def distances(X):
    squares = (X**2).sum(axis=1)
    return np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0)


def clarabel(responses):
    weights = cvxpy.Variable(responses.shape[1], nonneg=True)
    value = cvxpy.sum(cvxpy.log(responses @ weights)) / len(responses)
    program = cvxpy.Problem(cvxpy.Maximize(value), [cvxpy.sum(weights) == 1])
    program.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    solution = np.maximum(weights.value, 0)
    return solution / solution.sum()


SOLVERS = {
    "icml2008": lambda K: mixture_weights(K, tol=TOL).weights,
    "multiplicative": lambda K: (
        mixture_weights(K, method="multiplicative", tol=TOL, max_iter=STEPS).weights
    ),
    "multiplicative, pruned": lambda K: (
        mixture_weights(K, method="multiplicative", tol=TOL, max_iter=STEPS, prune=1e-3).weights
    ),
    "cvxpy + Clarabel": clarabel,
}


def certificate(responses, weights):
    return float(np.log((responses.T @ (1 / (responses @ weights))).max() / len(responses)))


def timed(run, *args):
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = run(*args)
    return answer, time.process_time() - start


def compare_masters():
    for name, responses, ratio in problems():
        ours = support = None
        runs = {method: [timed(solve, responses)] for method, solve in SOLVERS.items()}
        for _ in range(REPEATS - 1):  # by turns, so that a busy while of the machine hits all
            for method, solve in SOLVERS.items():
                if runs[method][0][1] < 1:
                    runs[method].append(timed(solve, responses))
        for method, repeated in runs.items():
            weights = repeated[0][0]
            seconds = float(np.median([run[1] for run in repeated]))
            gap = certificate(responses, weights)
            if method == "icml2008":
                ours = seconds
                support = np.count_nonzero(weights)
            yield {
                "part": "master",
                "problem": name,
                "samples": len(responses),
                "beta_ratio": f"{ratio:.4g}",
                "support": support,
                "method": method,
                "seconds": f"{seconds:.4g}",
                "times_icml2008": f"{seconds / ours:.3g}",
                "gap": f"{max(gap, 0):.1e}",
                "arrived": "yes" if gap <= TOL * 1.01 else "no",
                "peak_mb": "",
            }


def cluster_with(method, X):
    n_clusters = len(X) // 20
    if method == "icml2008":
        # The components' true width: beta = 1 / (2 sigma^2) with sigma = 1.
        return ConvexClustering(0.5, n_nearest=50).fit(X)
    if method == "KMeans":
        return KMeans(n_clusters, n_init=1, random_state=0).fit(X)
    if method == "GaussianMixture":
        return GaussianMixture(n_clusters, covariance_type="spherical", random_state=0).fit(X)
    return AffinityPropagation(random_state=0).fit(X)


def compare_growth(sizes=(1000, 3000, 10_000, 30_000, 100_000)):
    ours = {}
    for method in ("icml2008", "KMeans", "GaussianMixture", "AffinityPropagation"):
        for size in sizes:
            # Spread such that the density of clusters is the same at every size.
            rng = np.random.default_rng(0)
            centres = rng.uniform(high=6 * np.sqrt(size / 20), size=(size // 20, 2))
            X = np.repeat(centres, 20, axis=0) + rng.normal(size=(size, 2))
            model, seconds = timed(cluster_with, method, X)
            ours.setdefault(size, seconds)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            is_ours = method == "icml2008"
            yield {
                "part": "growth",
                "problem": "plane",
                "samples": size,
                "beta_ratio": "",
                "support": len(model.weights_) if is_ours else "",
                "method": method,
                "seconds": f"{seconds:.4g}",
                "times_icml2008": f"{seconds / ours[size]:.3g}",
                "gap": f"{model.duality_gap_:.1e}" if is_ours else "",
                "arrived": "",
                "peak_mb": f"{peak:.0f}" if is_ours else "",
            }
            # The next size costs three times as much at least.
            if not is_ours and seconds > PATIENCE / 3:
                break


def draw(rows, path):
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "convex-clustering"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4.6), layout="constrained")
    masters = [row for row in rows if row["part"] == "master"]
    styles = {"multiplicative": "s", "multiplicative, pruned": "v", "cvxpy + Clarabel": "^"}
    for index, (method, marker) in enumerate(styles.items(), start=1):
        of_method = [row for row in masters if row["method"] == method]
        share = [int(row["support"]) / int(row["samples"]) for row in of_method]
        factor = [float(row["times_icml2008"]) for row in of_method]
        arrived = np.array([row["arrived"] == "yes" for row in of_method])
        colours = np.where(arrived, f"C{index}", "white")
        axes[0].scatter(share, factor, c=colours, edgecolors=f"C{index}", marker=marker)
        axes[0].plot([], [], marker, color=f"C{index}", label=method)
    axes[0].plot([], [], "o", markerfacecolor="white", color="0.3", label="hollow: gap above 1e-8")
    axes[0].axhline(1, color="0.3", linewidth=0.8)
    axes[0].set(
        xscale="log",
        yscale="log",
        xlabel="share of the samples in the support",
        ylabel="processor time / that of interior point",
        title="Master problem to a gap of 1e-8,\n1100 samples",
    )
    growth = [row for row in rows if row["part"] == "growth"]
    methods = dict.fromkeys(row["method"] for row in growth)
    for index, method in enumerate(methods):
        of_method = [row for row in growth if row["method"] == method]
        sizes = [int(row["samples"]) for row in of_method]
        axes[1].plot(
            sizes, [float(r["seconds"]) for r in of_method], "-o", color=f"C{index}", label=method
        )
        if method == "icml2008":
            axes[2].plot(sizes, [float(row["peak_mb"]) for row in of_method], "-o", color="C0")
    axes[1].set(
        xscale="log",
        yscale="log",
        xlabel="samples",
        ylabel="processor seconds",
        title="Clustering, 20 samples per cluster,\n50 neighbours",
    )
    axes[2].set(
        xscale="log",
        yscale="log",
        xlabel="samples",
        ylabel="largest resident memory (MB)",
        title="Memory of the process,\nlibraries included",
    )
    axes[2].yaxis.set_major_formatter("{x:g}")
    axes[2].yaxis.set_minor_formatter("{x:g}")
    for axis in axes[:2]:
        axis.legend(
            frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.2)
        )
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def measure():
    yield from compare_growth()
    yield from compare_masters()


if __name__ == "__main__":
    RESULTS.mkdir(exist_ok=True)
    table = write(measure(), RESULTS / "convex_clustering.csv", PACKAGES, FIELDS)
    draw(table, RESULTS / "convex_clustering.svg")
