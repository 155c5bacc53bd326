"""Tasks of the benchmark of growth: methods on data of a size, and what theory has of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from newer_peers import sparse_rows

from icml2008 import methods
from icml2008.papers.barrett2008chvi.benchmark import treasure_grid
from icml2008.papers.bergeron2008mirank.benchmark import synthetic


class Growth(NamedTuple):
    """What grows, four sizes of it, the exponent that theory has, and what makes the call."""

    size_of: str
    sizes: tuple[int, int, int, int]
    theory: str
    make: Callable[[int], Callable[[], object]]


def doubled(least: int) -> tuple[int, int, int, int]:
    """Return a size and three that are twice the one before."""
    return least, 2 * least, 4 * least, 8 * least


def _normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape)


def _fit(name: str, data: Callable, **options) -> Callable[[int], Callable[[], object]]:
    def make(size):
        arguments = data(size)
        return lambda: getattr(methods, name)(**options).fit(*arguments)

    return make


def _call(name: str, data: Callable, **options) -> Callable[[int], Callable[[], object]]:
    def make(size):
        arguments = data(size)
        return lambda: getattr(methods, name)(*arguments, **options)

    return make


def _linear(n: int, p: int = 10) -> tuple:
    X = _normal(n, p)
    return X, X @ np.linspace(1, 0, p) + 0.5 * np.random.default_rng(1).normal(size=n)


def _classes(n: int) -> tuple:
    X, y = _linear(n)
    return X, y > 0


def _digits(n: int) -> tuple:
    return ((_normal(n, 784) > 0.5).astype(np.float32),)


def _pictures(n: int) -> tuple:
    (X,) = _digits(n)
    return X, np.arange(n) % 10


def _lists(n: int) -> tuple:
    X = _normal(20 * n, 20)
    scores = X @ np.linspace(1, 0, 20) + 2 * np.random.default_rng(1).normal(size=20 * n)
    grades = scores.reshape(n, 20).argsort(axis=1).argsort(axis=1)
    return X, grades.ravel(), np.repeat(np.arange(n), 20)


def _series(n: int) -> tuple:
    rng = np.random.default_rng(0)
    X = rng.laplace(size=(n, 5))
    X[:, 1] += 0.8 * X[:, 0]
    X[1:] += 0.4 * X[:-1]
    return (X,)


def _masses(n: int) -> np.ndarray:
    return np.abs(_normal(n, 20))


def _boxes(n: int) -> Callable[[], object]:
    X, y, labels = synthetic(0.1, 0.1, n_boxes=n)
    return lambda: methods.MIRank(nu=1.0).fit(X, y, **labels)


def _extreme(n: int) -> tuple:
    points = np.abs(_normal(n, 3))
    return (points / np.linalg.norm(points, axis=1)[:, None],)


def _heaps(n: int) -> tuple:
    centres = np.array([(0, 0), (6, 0), (0, 6)])
    return (_normal(n, 2) + centres[np.arange(n) % 3],)


def _presentations(n: int) -> Callable[[], object]:
    clicks = np.random.default_rng(0).random((50, n)) < 0.1

    def run():
        bandits = methods.RankedBandits(n, 5, bandit="ucb1", random_state=0)
        return bandits.simulate(clicks, 20 * n)

    return run


def _clouds(n: int) -> Callable[[], object]:
    rng = np.random.default_rng(0)
    edges = [(i, i + 1) for i in range(7)]
    graphs = [methods.PointCloudGraph(rng.normal(size=(8, 2)), edges) for _ in range(n)]
    return lambda: methods.PointCloudKernel(1, 1).pairwise(graphs)


def _tasks(n: int) -> Callable[[], object]:
    X = _normal(20 * n, 10)
    y = np.where(X[:, 0] + np.random.default_rng(1).normal(size=len(X)) > 0, 1, -1)
    task = np.repeat(np.arange(n), 20)
    return lambda: methods.CovariateShiftMatching(cross_fit=None).fit(X, y, task=task)


def _plan(name: str) -> Callable[[int], Callable[[], object]]:
    def make(size):
        mdp, _ = treasure_grid(round(size**0.5))
        return lambda: getattr(methods, name)().fit(mdp)

    return make


GROWTHS = {
    "Bolasso": Growth(
        "variables of 500 rows", doubled(16), "2 to 3: Gram matrices, paths of p steps of p^2",
        _fit("Bolasso", lambda p: _linear(500, p), n_bootstraps=8, random_state=0),
    ),
    "MIRank": Growth("boxes", doubled(20), "1 a row and simplex step, more steps", _boxes),
    "ListMLE": Growth("lists of 20", doubled(100), "1", _fit("ListMLE", _lists, random_state=0)),
    "RankedBandits": Growth(
        "documents, and presentations", doubled(50), "2: an index a document a presentation",
        _presentations,
    ),
    "OrdinaryKriging": Growth("rows", doubled(100), "3", _fit("OrdinaryKriging", _linear)),
    "OptimisticLinearSupport": Growth(
        "states", (36, 64, 144, 256), "1 a backup, backups with depth: 1.5",
        _plan("OptimisticLinearSupport"),
    ),
    "upper_envelope": Growth(
        "extreme vectors, 3 criteria", doubled(100), "1 and a logarithm",
        _call("upper_envelope", _extreme),
    ),
    "ConvexClustering": Growth(
        "rows", doubled(100), "2 a step, 3 for dense supports", _fit("ConvexClustering", _heaps)
    ),
    "CovariateShiftMatching": Growth("tasks of 20", doubled(4), "1 to 3", _tasks),
    "PointCloudKernel": Growth("graphs of 8 points", doubled(8), "2: pairs", _clouds),
    "KernelQuantilePath": Growth(
        "rows", doubled(50), "3: n steps of n^2 at most",
        _fit("KernelQuantilePath", _linear, random_state=0),
    ),
    "SMOClassifier": Growth("rows", doubled(100), "2 to 3", _fit("SMOClassifier", _classes)),
    "DualCoordinateDescentSVC": Growth(
        "sparse rows of 50", doubled(1000), "1 a sweep, more sweeps",
        _fit("DualCoordinateDescentSVC", lambda n: sparse_rows(n, 50), tol=0.1, random_state=0),
    ),
    "ConfidenceWeighted": Growth(
        "sparse rows of 50", doubled(2000), "1",
        _fit("ConfidenceWeighted", lambda n: sparse_rows(n, 50), max_iter=1),
    ),
    "project_l1_ball": Growth(
        "components", doubled(125_000), "1", _call("project_l1_ball", lambda n: (_normal(n), 10.0))
    ),
    "project_simplex": Growth(
        "components", doubled(125_000), "1", _call("project_simplex", lambda n: (_normal(n), 10.0))
    ),
    "ward_tree": Growth(
        "points, 3 columns", doubled(500), "2", _call("ward_tree", lambda n: (_normal(n, 3),))
    ),
    "LandmarkNystroem": Growth(
        "rows, 50 landmarks", doubled(1000), "1",
        _fit("LandmarkNystroem", lambda n: (_normal(n, 10),), n_landmarks=50, random_state=0),
    ),
    "RestrictedBoltzmannMachine": Growth(
        "rows of 784", doubled(500), "1",
        _fit("RestrictedBoltzmannMachine", _digits, n_components=50, n_iter=1, random_state=0),
    ),
    "FeedForwardClassifier": Growth(
        "rows of 784", doubled(500), "1",
        _fit(
            "FeedForwardClassifier", _pictures, hidden_layer_sizes=(50,), n_iter=1, random_state=0
        ),
    ),
    "VARLiNGAM": Growth(
        "times of 5 series", doubled(1000), "1 a step", _fit("VARLiNGAM", _series, random_state=0)
    ),
    "tsallis_kernels": Growth(
        "distributions of 20 outcomes", doubled(50), "2: pairs",
        _call("tsallis_kernels", lambda n: (_masses(n), _masses(n), [1.0])),
    ),
}  # fmt: skip
