"""What an update costs, PCD beside scikit-learn's, and sums over states beside others.

Ten updates of 100 rows of 256 pixels and 100 hidden units. PCD of 14 hidden units beside
scikit-learn's BernoulliRBM, which is PCD, too: an epoch of 20,000 such rows at a constant rate of
0.1, and the exact log-likelihood of 2,000 others, a mean of five runs. Rows are noise about 20
prototypes. log Z and moments of a field of 20 pixels beside products of all states. Least processor
time of five turns on one thread.
"""

from __future__ import annotations

import numpy as np
from sklearn.neural_network import BernoulliRBM

from icml2008.harness.benchmarks import compare
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine
from icml2008.methods.nets.partition import enumerate_partition
from icml2008.papers.tieleman2008pcd.experiments import ALGORITHMS
from icml2008.papers.tieleman2008pcd.method import bits, log_partition

PACKAGES = ("numpy", "numba", "scikit-learn")


def prototypes(n, seed):
    """Return binary rows, (n, 256)."""
    means = np.random.default_rng(0).beta(0.2, 0.6, (20, 256))
    rng = np.random.default_rng(seed)
    return (rng.random((n, 256)) < means[rng.integers(20, size=n)]).astype(np.float32)


def fit(model):
    """Return the exact mean log-likelihood of new rows; of scikit-learn's machine, too."""
    X = prototypes(2000, 1).astype(np.float64)
    W = model.components_
    b = model.intercept_visible_
    c = model.intercept_hidden_
    scores = X @ b + np.logaddexp(0, X @ W.T + c).sum(axis=1)
    return np.mean(scores) - enumerate_partition(model)


def products(S):
    """Return log Z of a field and its moments by products of all states."""
    states = bits(np.arange(1 << len(S)), len(S)).astype(float)
    scores = np.sum((states @ S) * states, axis=1)
    weights = np.exp(scores - scores.max())
    moments = states.T @ (states * weights[:, None]) / weights.sum()
    return scores.max() + np.log(weights.sum()), moments


def rows():
    """Yield the rows of the table."""
    X = prototypes(1000, 2)
    machines = {
        name: RestrictedBoltzmannMachine(100, gradient=g, n_gibbs=k, random_state=0).partial_fit(X)
        for name, (g, k, _) in ALGORITHMS.items()
    }
    tasks = {name: lambda m=m: m.partial_fit(X) for name, m in machines.items()}
    yield from compare("ten updates", tasks, lambda by, _: "")

    X = prototypes(20_000, 3)
    how = {"learning_rate": 0.1, "batch_size": 100, "n_iter": 1}
    ways = {
        by: lambda seed=0, machine=machine: machine(14, random_state=seed, **how).fit(X)
        for by, machine in {
            "icml2008": RestrictedBoltzmannMachine,
            "scikit-learn": BernoulliRBM,
        }.items()
    }
    fits = {by: np.mean([fit(way(seed)) for seed in range(5)]) for by, way in ways.items()}
    yield from compare("PCD, an epoch", ways, lambda by, _: f"{fits[by]:.1f} nats")

    rng = np.random.default_rng(4)
    S = np.tril(rng.normal(size=(20, 20)))
    ways = {"icml2008": lambda: log_partition(S), "products": lambda: products(S)}
    yield from compare("field of 20 pixels", ways, lambda by, result: f"{result[0]:.9f}")
