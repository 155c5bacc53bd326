"""The Bolasso's selections over 100 values of mu, against plain loops over scikit-learn.

All solve the Lasso on the same bootstrap samples. ``lasso_path`` runs coordinate descent along the
100 values; ``lars_path`` and ``LassoLarsIC`` follow the exact path, the latter to choose one value
by BIC; ours follows the exact path on second moments. Every number is the processor time of the
best of up to three runs, which take turns in one process on one thread; "agreement" is the share of
selections (sample, value of mu, variable) that are ours. Coordinate descent stops at its default
tolerance and so keeps some variables that the exact path drops.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
from sklearn.linear_model import LassoLarsIC, lars_path, lasso_path

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.bolasso._data import bootstrap_counts
from icml2008.methods.bolasso.paths import bolasso_path

PACKAGES = ("icml2008", "numba", "numpy", "scikit-learn", "scipy")
SIZES = {
    "Figures 1 to 3": (1000, 16, 8),
    "Table 1": (58, 32, 8),
    "Figure 4": (512, 64, 8),
}
DRAWS = 8
PATIENCE = 1.5  # seconds; after that a solver is not run again


def generated(n, p, r, seed=0):
    """Section 4.1: a square Wishart covariance of unit diagonal, noise of a tenth."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(p, p))
    Q = G @ G.T
    Q /= np.sqrt(np.outer(np.diag(Q), np.diag(Q)))
    w = np.zeros(p)
    w[:r] = rng.uniform(1 / 3, 1, r) * rng.choice([-1, 1], r)
    X = rng.normal(size=(n, p)) @ np.linalg.cholesky(Q).T
    return X, X @ w + 0.1 * np.sqrt(w @ Q @ w) * rng.normal(size=n)


def resampled(X, y):
    for count in bootstrap_counts(len(X), DRAWS, 0):
        rows = np.repeat(np.arange(len(X)), count)
        yield X[rows] - X[rows].mean(axis=0), y[rows] - y[rows].mean()


def ours(X, y, mus):
    return bolasso_path(X, y, mus=mus, n_bootstraps=DRAWS, random_state=0).selected


def with_lasso_path(X, y, mus):
    return np.stack([lasso_path(*data, alphas=mus)[1].T != 0 for data in resampled(X, y)])


def with_lars_path(X, y, mus):
    selected = []
    for data in resampled(X, y):
        knots, _, coefs = lars_path(*data, method="lasso", alpha_min=mus[-1])
        at = [np.interp(mus, knots[::-1], row[::-1]) for row in coefs]
        selected.append(np.stack(at, axis=1) != 0)
    return np.stack(selected)


def with_lars_ic(X, y, mus):
    for data in resampled(X, y):
        LassoLarsIC("bic", noise_variance=0.01).fit(*data)


SOLVERS = {
    "icml2008": ours,
    "lars_path": with_lars_path,
    "LassoLarsIC": with_lars_ic,
    "lasso_path": with_lasso_path,
}


def compare(name, n, p, r, runs=3):
    X, y = generated(n, p, r)
    mus = np.geomspace(1, 1e-3, 100) * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n
    tasks = {solver: partial(solve, X, y, mus) for solver, solve in SOLVERS.items()}
    timed = least_seconds(tasks, runs, PATIENCE)
    fastest, ours = timed["icml2008"]
    for solver, (seconds, same) in timed.items():
        yield {
            "data": name,
            "n": n,
            "p": p,
            "draws": DRAWS,
            "solver": solver,
            "seconds": f"{seconds:.4g}",
            "times_icml2008": f"{seconds / fastest:.3g}",
            "agreement": "" if same is None else f"{np.mean(same == ours):.4f}",
        }


def rows():
    """Yield the rows of the table."""
    warnings.simplefilter("ignore")  # early stops of peers on resamples with equal rows
    for name, size in SIZES.items():
        yield from compare(name, *size)


def draw(rows, path):
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "bolasso"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 2.8), layout="constrained")
    for index, solver in enumerate(SOLVERS):
        milliseconds = [1e3 * float(r["seconds"]) / DRAWS for r in rows if r["solver"] == solver]
        axes.plot(
            milliseconds, range(len(milliseconds)), "osd^"[index], color=f"C{index}", label=solver
        )
    labels = [f"{name}: n = {n}, p = {p}" for name, (n, p, _) in SIZES.items()]
    axes.set(xscale="log", xlabel="processor milliseconds a draw", yticks=range(len(labels)))
    axes.set_yticklabels(labels)
    axes.invert_yaxis()
    axes.margins(y=0.15)
    figure.legend(frameon=False, fontsize="small", loc="outside upper center", ncols=4)
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
