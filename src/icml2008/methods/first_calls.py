"""A first call of each method that compiles kernels: they are kept, and later calls find them.

``python -m icml2008.methods.first_calls`` compiles all of them, once after an installation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

from icml2008 import methods


def _rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    return X, X @ [2.0, 1.0, 0.0, 0.0] + 0.1 * rng.normal(size=40)


def _classes():
    X, y = _rows()
    return X, (y > 0).astype(int)


def _fit(name, data, **options):
    def call():
        getattr(methods, name)(**options).fit(*data())

    return call


def _rank(name):
    def call():
        X, _ = _rows()
        grades = np.tile(np.arange(5), 8)
        getattr(methods, name)().fit(X, grades, np.repeat(np.arange(8), 5))

    return call


def _selections(name):
    return lambda: getattr(methods, name)(*_rows(), n_bootstraps=4)


def _planner(name):
    def call():
        moves = np.array([[[0.5, 0.5], [1.0, 0.0]], [[0.0, 1.0], [0.5, 0.5]]])
        rewards = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.6], [0.0, 0.0]]])
        mdp = methods.MultiObjectiveMDP(moves, rewards, 0.5)
        if name == "value_iteration":
            methods.value_iteration(mdp, [0.5, 0.5])
        else:
            getattr(methods, name)().fit(mdp)

    return call


def _upper_envelope():
    methods.upper_envelope(np.random.default_rng(0).random((20, 3)))


def _clicks():
    return np.random.default_rng(0).random((20, 6)) < 0.3


def _ranked_bandits():
    for options in ({"gamma": 0.1}, {"bandit": "ucb1"}):
        methods.RankedBandits(6, 2, random_state=0, **options).simulate(_clicks(), 20)


def _exploration():
    methods.RankedExploreAndCommit(6, 2, 2, random_state=0).simulate(_clicks(), 20)


def _level_set():
    model = methods.CompositeLevelSet([(0, 1), (0, 1)], 2, 0.5, random_state=0)
    for _ in range(12):
        point, function = model.ask()
        model.tell(point, function, float(np.sum(point)))
    model.predict(np.full((1, 2), 0.5))


def _point_clouds():
    places = np.random.default_rng(0).normal(size=(4, 2))
    edges = [(0, 1), (1, 2), (2, 3)]
    graphs = [methods.PointCloudGraph(scale * places, edges) for scale in (1, 2)]
    methods.PointCloudKernel(1, 2).pairwise(graphs)


def _machine():
    X = np.random.default_rng(0).integers(2, size=(40, 6)).astype(float)
    return methods.RestrictedBoltzmannMachine(3, batch_size=10, n_iter=1, random_state=0).fit(X)


def _annealing():
    methods.annealed_importance_sampling(_machine(), betas=[0, 0.5, 1], n_runs=4, random_state=0)


def _sampler():
    X, y = _classes()
    sampler = methods.ClusterSampler(methods.ward_tree(X)[0], 2, np.random.default_rng(0))
    for _ in range(3):
        sampler.tell(y[sampler.ask()])


def _projection(name):
    def call():
        v = np.random.default_rng(0).normal(size=50)
        for method in ("filter", "pivot"):
            getattr(methods, name)(v, method=method)

    return call


def _ward():
    rng = np.random.default_rng(0)
    for columns in (2, 64):
        methods.ward_tree(rng.normal(size=(20, columns)))


def _binary_rows():
    X, y = _classes()
    return (X > 0).astype(float), y


FIRST_CALLS: dict[str, Callable[[], object]] = {
    "Banditron": _fit("Banditron", _classes, random_state=0),
    "Bolasso": _fit("Bolasso", _rows, n_bootstraps=4, random_state=0),
    "BolassoCV": _fit("BolassoCV", _rows, n_bootstraps=4, random_state=0),
    "ClassRBM": _fit("ClassRBM", _binary_rows, n_components=3, n_iter=1, random_state=0),
    "ClusterSampler": _sampler,
    "CompositeLevelSet": _level_set,
    "ConfidenceWeighted": _fit("ConfidenceWeighted", _classes),
    "ConvexHullValueIteration": _planner("ConvexHullValueIteration"),
    "DenoisingAutoencoder": _fit(
        "DenoisingAutoencoder", _binary_rows, n_components=3, n_iter=1, random_state=0
    ),
    "DualCoordinateDescentSVC": _fit("DualCoordinateDescentSVC", _classes, random_state=0),
    "FeedForwardClassifier": _fit(
        "FeedForwardClassifier", _classes, hidden_layer_sizes=(3,), n_iter=1, random_state=0
    ),
    "KernelQuantilePath": _fit("KernelQuantilePath", _rows, random_state=0),
    "ListMLE": _rank("ListMLE"),
    "ListNet": _rank("ListNet"),
    "LocalizedMKL": _fit("LocalizedMKL", _classes, max_iter=1),
    "MulticlassPerceptron": _fit("MulticlassPerceptron", _classes),
    "NeighborGraph": _fit("NeighborGraph", lambda: (np.repeat(_rows()[0], 4, axis=1),)),
    "OptimisticLinearSupport": _planner("OptimisticLinearSupport"),
    "OrdinaryKriging": _fit("OrdinaryKriging", _rows),
    "PointCloudKernel": _point_clouds,
    "RankCosine": _rank("RankCosine"),
    "RankedBandits": _ranked_bandits,
    "RankedExploreAndCommit": _exploration,
    "RestrictedBoltzmannMachine": _machine,
    "SMOClassifier": _fit("SMOClassifier", _classes),
    "StabilitySelection": _fit("StabilitySelection", _rows, n_resamples=4, random_state=0),
    "annealed_importance_sampling": _annealing,
    "best_ranking": lambda: methods.best_ranking(_clicks(), 2),
    "bolasso_path": _selections("bolasso_path"),
    "enumerate_partition": lambda: methods.enumerate_partition(_machine()),
    "greedy_ranking": lambda: methods.greedy_ranking(_clicks(), 2),
    "lasso_homotopy": lambda: methods.lasso_homotopy(*_rows()),
    "project_l1_ball": _projection("project_l1_ball"),
    "project_simplex": _projection("project_simplex"),
    "selection_steps": _selections("selection_steps"),
    "tsallis_kernels": lambda: methods.tsallis_kernels(np.eye(3), np.eye(3), [1.0, 2.0]),
    "upper_envelope": _upper_envelope,
    "value_iteration": _planner("value_iteration"),
    "ward_tree": _ward,
}


def compile_kernels() -> Iterator[tuple[str, float]]:
    """Call each method once; yield its name and the seconds of a processor that it took."""
    for name, call in FIRST_CALLS.items():
        start = process_time()
        call()
        yield name, process_time() - start


def main() -> None:
    """Compile, and say what each method took."""
    for name, seconds in compile_kernels():
        sys.stdout.write(f"{seconds:6.1f} s  {name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
