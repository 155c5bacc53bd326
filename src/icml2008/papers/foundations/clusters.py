"""k-means: seeds, descent, the knee, and clusters that it cannot find."""

from __future__ import annotations

from math import comb, factorial, log10

import numpy as np
from scipy.spatial.distance import cdist, pdist
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import (
    Array,
    Generator,
    blobs,
    everywhere,
    seed,
)

STARTS = 20


def lloyd(X: Array, centres: Array) -> tuple[Array, Array, list[float]]:
    """Return labels, centres and the objective after each half step; empty clusters stay put."""
    centres = centres.copy()
    labels = None
    path = []
    while True:
        distances = cdist(X, centres, "sqeuclidean")
        nearest = distances.argmin(axis=1)
        path.append(float(distances.min(axis=1).sum()))
        if labels is not None and (nearest == labels).all():
            return labels, centres, path
        labels = nearest
        for k in np.unique(labels):
            centres[k] = X[labels == k].mean(axis=0)
        path.append(float(((X - centres[labels]) ** 2).sum()))


def random_points(X: Array, k: int, rng: Generator) -> Array:
    """Return k different samples."""
    return X[rng.choice(len(X), k, replace=False)]


def anywhere(X: Array, k: int, rng: Generator) -> Array:
    """Return k random places in the box of the samples."""
    return rng.uniform(X.min(axis=0), X.max(axis=0), size=(k, X.shape[1]))


def furthest_first(X: Array, k: int, rng: Generator) -> Array:
    """Return a random sample and, k - 1 times, the one furthest from all before."""
    chosen = [int(rng.integers(len(X)))]
    nearest = np.full(len(X), np.inf)
    while len(chosen) < k:
        nearest = np.minimum(nearest, ((X - X[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(nearest.argmax()))
    return X[chosen]


def plus_plus(X: Array, k: int, rng: Generator) -> Array:
    """Return samples drawn in proportion to their squared distance from those before."""
    return kmeans_plusplus(X, k, random_state=seed(rng), n_local_trials=1)[0]


def seedings(choices):
    """Return the three seedings."""
    plain = anywhere if choices["random-seeds"] == "box" else random_points
    return {
        "random": lambda: plain,
        "furthest-first": lambda: furthest_first,
        "k-means++": lambda: plus_plus,
    }


def grouped(trial: Trial) -> tuple[Array, int]:
    """Return the trial's samples and the number of clusters."""
    rng = trial.rng("samples")
    name = trial.cell["dataset"]
    if name == "digits":
        return rng.permutation(load_digits().data)[:600], 10
    width = {"separated": 0.25, "overlapping": 1.0}[name]
    return blobs(rng, 400, rng.uniform(0, 10, size=(10, 2)), width)[0], 10


@experiment(
    "k-means",
    cells=grid(dataset=["separated", "overlapping", "digits"]),
    quick=grid(dataset=["separated", "overlapping"]),
    smoke=grid(dataset=["separated"]),
    repeats=12,
    cost=0.2,
    methods=seedings,
)
def seeds(trial: Trial) -> None:
    """Where k-means ends from 20 starts of each seeding, against the best of all starts."""
    X, k = grouped(trial)
    ends: dict[str, list[list[float]]] = {}
    for name, make in trial.methods.items():
        rng = trial.rng(name)
        with trial.attempt(name):
            ends[name] = [lloyd(X, make()(X, k, rng))[2] for _ in range(STARTS)]
    best = min(path[-1] for paths in ends.values() for path in paths)
    for name, paths in ends.items():
        final = np.array([path[-1] for path in paths])
        rises = [np.max(np.diff(path), initial=0.0) / path[0] for path in paths]
        trial.measure(name, rise=max(rises), n_test=sum(map(len, paths)))
        trial.measure(
            name,
            ssd=100 * float(np.mean(final / best - 1)),
            stuck=100 * float(np.mean(final > 1.01 * best)),
            spread=100 * float(final.max() / final.min() - 1),
            iterations=float(np.mean([len(path) // 2 for path in paths])),
        )


@experiment(
    "knee",
    cells=everywhere(grid(clusters=[2, 3, 5])),
    repeats=8,
    cost=0.05,
    methods={"k-means": KMeans},
)
def knee(trial: Trial) -> None:
    """The objective for 1 to 8 clusters: the fall to the true number against the next."""
    rng = trial.rng("samples")
    k = trial.cell["clusters"]
    turn = 2 * np.pi * np.arange(k) / k
    centres = 4 * np.column_stack([np.cos(turn), np.sin(turn)]) * max(1, k / 3)
    X = blobs(rng, 60 * k, centres, 1.0)[0]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            inertias = [
                make(n_clusters=j, n_init=10, random_state=seed(rng)).fit(X).inertia_
                for j in range(1, 9)
            ]
            falls = -np.diff(inertias) / inertias[0]
            trial.measure(name, knee=float(falls[k - 2] - falls[k - 1]))
            trial.measure(name, rise=max(0.0, float(-falls.min())), n_test=len(falls))
            if trial.repeat == 0:
                trial.keep("objective", np.array(inertias) / inertias[0])


@experiment(
    "scatter",
    cells=grid(k=[4]),
    repeats=12,
    cost=0.02,
    methods={
        "mean": lambda: (np.mean, 2),
        "median": lambda: (np.median, 1),
    },
)
def centres_of_clusters(trial: Trial) -> None:
    """Means and medians against other centres, and scatter as a sum over pairs."""
    rng = trial.rng("samples")
    X = rng.normal(size=(101, 3))
    labels = rng.permutation(np.arange(101) % trial.cell["k"])
    for name, make in trial.methods.items():
        with trial.attempt(name):
            centre, power = make()
            behind = [0.0]
            scatter = 0.0
            pairs = 0.0
            for k in range(trial.cell["k"]):
                part = X[labels == k]
                at = centre(part, axis=0)
                cost = (np.abs(part - at) ** power).sum()
                for size in 10.0 ** rng.uniform(-4, 0, size=50):
                    moved = at + size * rng.normal(size=3)
                    behind.append((cost - (np.abs(part - moved) ** power).sum()) / cost)
                scatter += cost
                pairs += (pdist(part) ** 2).sum() / len(part)
            trial.measure(name, excess=max(behind), n_test=len(behind) - 1)
            if power == 2:
                trial.measure(name, identity_error=abs(scatter - pairs) / scatter, n_test=1)


@experiment(
    "outliers",
    cells=everywhere(grid(share=[0.0, 0.02, 0.05, 0.1])),
    repeats={"quick": 3, "full": 16},
    cost=0.02,
    methods={"k-means": KMeans},
)
def outliers(trial: Trial) -> None:
    """Agreement on the clean samples of three clusters with some far samples among them."""
    rng = trial.rng("samples")
    X, y = blobs(rng, 300, np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 3.5]]), 0.8)
    far = rng.uniform(-40, 40, size=(round(trial.cell["share"] * len(X)), 2))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(3, n_init=10, random_state=seed(rng)).fit(np.vstack([X, far]))
            trial.measure(name, agreement=adjusted_rand_score(y, model.predict(X)))


def by_recurrence(n: int, k: int) -> int:
    """Return the number of partitions of n objects into k clusters, from smaller ones."""
    if k in (0, n):
        return int(k == n)
    return 0 if k > n else by_recurrence(n - 1, k - 1) + k * by_recurrence(n - 1, k)


def by_formula(n: int, k: int) -> int:
    """Return the number of partitions of n objects into k clusters, by the printed sum."""
    return sum((-1) ** (k - j) * comb(k, j) * j**n for j in range(1, k + 1)) // factorial(k)


@experiment(
    "counting",
    cells=everywhere(grid(n=[10, 19])),
    repeats=2,
    cost=0.01,
    methods={"recurrence": lambda: by_recurrence, "sum": lambda: by_formula},
)
def clusterings(trial: Trial) -> None:
    """How many ways there are to make four clusters."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            number = make()(trial.cell["n"], 4)
            trial.measure(name, clusterings=float(number), digits=log10(number))
