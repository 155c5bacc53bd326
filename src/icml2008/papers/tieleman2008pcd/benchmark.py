"""What an update costs, PCD beside scikit-learn's, and sums over states beside plain ones.

An update of 100 outlines of 16 x 16 and 100 hidden units; PCD of 14 hidden units beside
scikit-learn's BernoulliRBM, which is PCD, too, at a constant rate of 0.1 over the same 20,000
outlines, fit by the exact log-likelihood of 2,000 others, a mean of five runs; log Z and moments of
a field of 20 pixels beside matrix products of all states; log Z of 18 hidden units and 784 pixels
beside the engine's. Least processor time of five turns on one thread.

Run with ``python -m icml2008.papers.tieleman2008pcd.benchmark``; writes benchmark.csv beside it.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import numpy as np
from sklearn.neural_network import BernoulliRBM

from icml2008.harness.benchmarks import least_seconds, write
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine
from icml2008.methods.nets.enumeration import enumerate_hidden
from icml2008.methods.nets.partition import enumerate_partition
from icml2008.papers.tieleman2008pcd.experiments import ALGORITHMS, shapes
from icml2008.papers.tieleman2008pcd.method import bits, log_partition


def row(task, by, seconds, times, answer=""):
    """Return a row of the table."""
    return {
        "task": task,
        "by": by,
        "milliseconds": f"{1e3 * seconds:.3g}",
        "times": f"{times:.2f}",
        "answer": answer,
    }


def beside(task, tasks, answer):
    """Yield a row for each way; `answer` says what a way's result is worth."""
    found = least_seconds(tasks)
    first = next(iter(found.values()))[0]
    for by, (seconds, result) in found.items():
        yield row(task, by, seconds, seconds / first, answer(result))


def updates():
    """Yield what an update of each algorithm costs."""
    X = shapes(np.random.default_rng(0))
    machines = {
        name: RestrictedBoltzmannMachine(100, gradient=g, n_gibbs=k, random_state=0).partial_fit(X)
        for name, (g, k, _) in ALGORITHMS.items()
    }
    tasks = {name: lambda m=m: m.partial_fit(X) for name, m in machines.items()}
    yield from beside("ten updates", tasks, lambda model: "")


def fit(model):
    """Return the exact mean log-likelihood of new outlines; of scikit-learn's machine, too."""
    X = shapes(np.random.default_rng(1), 2000).astype(np.float64)
    W, b, c = model.components_, model.intercept_visible_, model.intercept_hidden_
    energy = X @ b + np.logaddexp(0, X @ W.T + c).sum(axis=1)
    return np.mean(energy) - enumerate_partition(W, c, b)


def peers():
    """Yield PCD by ours and by scikit-learn, in float32."""
    X = shapes(np.random.default_rng(2), 20_000)

    def ours(seed=0):
        return RestrictedBoltzmannMachine(
            14, learning_rate=0.1, batch_size=100, n_iter=1, random_state=seed
        ).fit(X)

    def theirs(seed=0):
        return BernoulliRBM(14, learning_rate=0.1, batch_size=100, n_iter=1, random_state=seed).fit(
            X
        )

    ways = {"icml2008": ours, "scikit-learn": theirs}
    fits = {name: np.mean([fit(way(seed)) for seed in range(5)]) for name, way in ways.items()}
    found = least_seconds(ways)
    for name, (seconds, _) in found.items():
        times = seconds / found["icml2008"][0]
        yield row("PCD, an epoch", name, seconds, times, f"{fits[name]:.1f} nats")


def products(S):
    """Return log Z of a field and its moments by products of all states."""
    states = bits(np.arange(1 << len(S)), len(S)).astype(float)
    scores = np.sum((states @ S) * states, axis=1)
    weights = np.exp(scores - scores.max())
    moments = states.T @ (states * weights[:, None]) / weights.sum()
    return scores.max() + np.log(weights.sum()), moments


def rows():
    """Yield the rows of the table."""
    yield from updates()
    yield from peers()
    rng = np.random.default_rng(3)
    S = np.tril(rng.normal(size=(20, 20)))
    tasks = {"icml2008": lambda: log_partition(S), "numpy": lambda: products(S)}
    yield from beside("field of 20 pixels", tasks, lambda found: f"{found[0]:.9f}")
    W, b, c = rng.normal(0, 0.5, (18, 784)), rng.normal(-3, 1, 784), rng.normal(size=18)
    model = SimpleNamespace(components_=W, intercept_visible_=b, intercept_hidden_=c)
    tasks = {
        "enumerate_hidden": lambda: enumerate_hidden(model),
        "enumerate_partition": lambda: enumerate_partition(W, c, b),
    }
    yield from beside("log Z of 18 hidden units", tasks, lambda found: f"{found:.9f}")


if __name__ == "__main__":
    packages = ["numpy", "numba", "scikit-learn"]
    write(rows(), Path(__file__).with_suffix(".csv"), packages)
