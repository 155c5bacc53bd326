"""Time for choosing the next sample, against refitting Gaussian processes of scikit-learn.

Four functions with n samples each, 1000 fresh candidates, one thread; processor time, so that other
work on the machine counts as little as possible.
"""

from __future__ import annotations

import time
from collections import defaultdict

import matplotlib as mpl
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

from icml2008.methods.active.heuristics import variance_maxvarstraddle
from icml2008.methods.active.models import FunctionModel
from icml2008.methods.active.selection import best_candidate
from icml2008.methods.active.system import KrigingSystem

# slopes: largest gradients
THRESHOLD = -2.0
SLOPES = (5.0, 3.9, 7.9, 4.0)
CANDIDATES = 1000
FUNCTIONS = [  # 4-Sin2D of the paper
    lambda x: np.sin(4 * x[:, 0]) + np.cos(2 * x[:, 1]) - np.cos(3 * x[:, 0]),
    lambda x: np.sin(2 * x[:, 1] - 2) + np.cos(2 * x[:, 0]) - np.cos(3 * x[:, 0]),
    lambda x: np.sin(3 * x[:, 0] * x[:, 1]) + np.cos(2 * x[:, 0]) + 1,
    lambda x: np.cos(x[:, 0] * x[:, 1]) - np.sin(x[:, 0] * x[:, 1]),
]


def scores(means, variances):
    return variance_maxvarstraddle(means, variances, THRESHOLD)


def choose_by_scikit_learn(models, candidates):
    """What a user would write: a kernel that is linear near zero, with fixed parameters."""
    means = []
    variances = []
    for model, slope in zip(models, SLOPES, strict=True):
        process = GaussianProcessRegressor(
            2 * slope * Matern(length_scale=2.0, nu=0.5), alpha=1e-10, optimizer=None
        )
        process.fit(model.system.X, model.system.y)
        mean, std = process.predict(candidates, return_std=True)
        means.append(mean)
        variances.append(std**2)
    return best(means, variances)


def choose_by_dense_solves(models, candidates):
    """Ordinary kriging as in a textbook, from scratch: the plain method."""
    means = []
    variances = []
    for model, slope in zip(models, SLOPES, strict=True):
        X = model.system.X
        y = model.system.y
        n = len(X)
        bordered = np.ones((n + 1, n + 1))
        bordered[:n, :n] = cdist(X, X)
        bordered[n, n] = 0.0
        right = np.vstack([cdist(X, candidates), np.ones(len(candidates))])
        weights = np.linalg.solve(bordered, right)
        means.append(weights[:n].T @ y)
        variances.append(slope * np.sum(weights * right, axis=0))
    return best(means, variances)


def choose_by_all_variances(models, candidates):
    return best([m.mean(candidates) for m in models], [m.variance(candidates) for m in models])


def best(means, variances):
    table = scores(np.stack(means, axis=1), np.stack(variances, axis=1))
    return tuple(int(k) for k in np.unravel_index(np.argmax(table), table.shape))


def choose_by_screening(models, candidates):
    return best_candidate(models, candidates, scores)[:2]


def fitted(points, neighbors):
    models = []
    for function, slope, X in zip(FUNCTIONS, SLOPES, points, strict=True):
        model = FunctionModel(KrigingSystem(2, neighbors=neighbors), slope)
        model.tell_all(X, function(X))
        models.append(model)
    return models


# name: choice, number of nearest samples, largest n, repeats at n = 1000, share of the candidates
METHODS = {
    "scikit-learn, refitted": (choose_by_scikit_learn, None, 2000, 10, 1),
    "textbook solve, from scratch": (choose_by_dense_solves, None, 2000, 10, 1),
    "grown, all variances": (choose_by_all_variances, None, 5000, 10, 1),
    "grown, screened": (choose_by_screening, None, 5000, 20, 1),
    "nearest 1000, screened": (choose_by_screening, 1000, 5000, 1, 0.05),
    "nearest 100, screened": (choose_by_screening, 100, 5000, 3, 0.2),
}
PACKAGES = ("numpy", "scipy", "scikit-learn")
REMARK = f"{len(FUNCTIONS)} functions, {CANDIDATES} candidates, processor seconds"
COLUMNS = ("method", "samples_per_function", "repeats", "median_s", "least_s", "as_textbook")


def measure(n):
    """Yield rows of COLUMNS for n samples of each function.

    Methods that use all samples take turns on the same candidates, so that noise hits all alike.
    The time from nearest samples is in proportion to the candidates: a share of them will do.
    """
    rng = np.random.default_rng(n)
    points = [rng.uniform(0, 2, (n, 2)) for _ in FUNCTIONS]
    whole = fitted(points, None)
    draws = [rng.uniform(0, 2, (CANDIDATES, 2)) for _ in range(20)]
    times = defaultdict(list)
    choices = defaultdict(list)
    for k, candidates in enumerate(draws):
        for name, (choose, neighbors, largest, repeats, _) in METHODS.items():
            if neighbors is None and n <= largest and k < max(2, repeats * 1000 // n):
                start = time.process_time()
                choices[name].append(choose(whole, candidates))
                times[name].append(time.process_time() - start)
    plain = choices["textbook solve, from scratch"]
    for name, (choose, neighbors, largest, repeats, share) in METHODS.items():
        if neighbors and neighbors < n <= largest:
            models = fitted(points, neighbors)
            for candidates in draws[:repeats]:
                start = time.process_time()
                choose(models, candidates[: int(share * CANDIDATES)])
                times[name].append((time.process_time() - start) / share)
        if name in times:
            pairs = list(zip(choices[name], plain, strict=False))
            same = f"{sum(a == b for a, b in pairs)} of {len(pairs)}" if pairs else ""
            seconds = times[name]
            yield name, n, len(seconds), float(np.median(seconds)), min(seconds), same
    samples = rng.uniform(0, 2, (9, 2))
    durations = []
    for x, y in zip(samples, FUNCTIONS[0](samples), strict=True):
        start = time.process_time()
        whole[0].tell(x, y)
        durations.append(time.process_time() - start)
    yield (
        "grown: taking in a sample",
        n,
        len(durations),
        float(np.median(durations)),
        min(durations),
        "",
    )


def rows():
    """Yield the rows of the table."""
    for n in (50, 100, 200, 500, 1000, 2000, 5000):
        for *labels, middle, least, same in measure(n):
            yield *labels, f"{middle:.6f}", f"{least:.6f}", same


def draw(rows, path):
    mpl.rcParams["svg.hashsalt"] = "level_sets"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
    styles = iter(["o-", "s-", "^-", "D-", "v--", "<--", "x:"])
    medians = [(row["method"], row["samples_per_function"], float(row["median_s"])) for row in rows]
    for name in dict.fromkeys(name for name, *_ in medians):
        points = [(n, 1000 * seconds) for of, n, seconds in medians if of == name]
        axes.loglog(*zip(*points, strict=True), next(styles), label=name, markersize=5)
    sizes = sorted({n for _, n, _ in medians})
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.set_xlabel("samples of each of 4 functions")
    axes.set_ylabel("processor time, ms")
    axes.set_title("Choosing one of 1000 candidates")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right center", frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
