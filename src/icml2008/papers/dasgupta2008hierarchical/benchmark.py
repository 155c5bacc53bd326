"""Ward's trees by three programs, and a thousand queries, in seconds of a processor.

Every number is the best of up to three runs that take turns in one process on one thread. SciPy and
fastcluster's `linkage` hold all distances, fastcluster's `linkage_vector` holds none, as ours. Run
with ``python -m icml2008.papers.dasgupta2008hierarchical.benchmark``; writes benchmark.csv.
"""

import os
import time
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import fastcluster
import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.linear_model import LogisticRegression

from icml2008.harness.benchmarks import write
from icml2008.methods import ClusterSampler, ward_tree

PATIENCE = 8.0  # seconds; after that a program is not run again


def query(X, y, children):
    """Ask for a thousand labels."""
    sampler = ClusterSampler(children, 10, np.random.default_rng(0))
    for _ in range(1000):
        sampler.tell(y[sampler.ask()])


def query_margin(X, y, children):
    """Fit a classifier, and rank all points by their margin, once; a query needs this each time."""
    shares = LogisticRegression(max_iter=50).fit(X[:1000], y[:1000]).predict_proba(X)
    np.argsort(np.diff(np.sort(shares, axis=1)[:, -2:], axis=1)[:, 0])


def best_of(tasks, *given):
    seconds = {name: [] for name in tasks}
    for _ in range(3):
        for name, task in tasks.items():
            if sum(seconds[name]) < PATIENCE:
                start = time.process_time()
                task(*given)
                seconds[name].append(time.process_time() - start)
    return {name: min(found) for name, found in seconds.items()}


def rows():
    rng = np.random.default_rng(0)
    ward_tree(rng.normal(size=(10, 2)))  # compiled before it is timed
    trees = {
        "icml2008 ward_tree": ward_tree,
        "fastcluster linkage_vector": lambda X: fastcluster.linkage_vector(X, "ward"),
        "fastcluster linkage": lambda X: fastcluster.linkage(X, "ward"),
        "scipy linkage": lambda X: linkage(X, "ward"),
    }
    for n, d in ((2000, 9), (10000, 9), (2000, 100)):
        X = rng.normal(size=(n, d)) + 3 * rng.integers(3, size=(n, d))
        for name, seconds in best_of(trees, X).items():
            dense = (
                "" if name in ("icml2008 ward_tree", "fastcluster linkage_vector") else 4e-6 * n**2
            )
            yield {"task": "tree", "n": n, "d": d, "program": name, "seconds": f"{seconds:.3g}"} | {
                "distances_megabytes": dense and f"{dense:.3g}"
            }
    y = rng.integers(10, size=10000)
    X = rng.normal(size=(10000, 50)) + 3 * np.eye(10)[y] @ rng.normal(size=(10, 50))
    children = ward_tree(X)[0]
    query(X, y, children)
    tasks = {
        "icml2008 ClusterSampler, 1000 queries": query,
        "margin sampling, 1 query": query_margin,
    }
    for name, seconds in best_of(tasks, X, y, children).items():
        yield {"task": "queries", "n": 10000, "d": 50, "program": name} | {
            "seconds": f"{seconds:.3g}",
            "distances_megabytes": "",
        }


if __name__ == "__main__":
    packages = ("icml2008", "fastcluster", "numba", "numpy", "scikit-learn", "scipy")
    write(rows(), Path(__file__).parent / "benchmark.csv", packages)
