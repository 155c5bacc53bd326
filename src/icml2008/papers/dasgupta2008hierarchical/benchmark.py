"""Ward's trees by three programs, and a thousand queries, in seconds of a processor.

Every number is the best of up to three runs that take turns in one process on one thread. SciPy and
fastcluster's `linkage` hold all distances, fastcluster's `linkage_vector` holds none, as ours.
"""

from functools import partial

import fastcluster
import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.linear_model import LogisticRegression

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods import ClusterSampler, ward_tree

PACKAGES = ("icml2008", "fastcluster", "numba", "numpy", "scikit-learn", "scipy")


def query(y, children):
    """Ask for a thousand labels."""
    sampler = ClusterSampler(children, 10, np.random.default_rng(0))
    for _ in range(1000):
        sampler.tell(y[sampler.ask()])


def query_margin(X, y):
    """Fit a classifier, and rank all points by their margin, once; a query needs this each time."""
    shares = LogisticRegression(max_iter=50).fit(X[:1000], y[:1000]).predict_proba(X)
    np.argsort(np.diff(np.sort(shares, axis=1)[:, -2:], axis=1)[:, 0])


def rows():
    rng = np.random.default_rng(0)
    for n, d in ((2000, 9), (10000, 9), (2000, 100)):
        X = rng.normal(size=(n, d)) + 3 * rng.integers(3, size=(n, d))
        trees = {
            "icml2008 ward_tree": partial(ward_tree, X),
            "fastcluster linkage_vector": partial(fastcluster.linkage_vector, X, "ward"),
            "fastcluster linkage": partial(fastcluster.linkage, X, "ward"),
            "scipy linkage": partial(linkage, X, "ward"),
        }
        for name, (seconds, _) in least_seconds(trees, times=3).items():
            held = f"{4e-6 * n**2:.3g}" if name.endswith("linkage") else ""
            yield row("tree", n, d, name, seconds, held)
    y = rng.integers(10, size=10000)
    X = rng.normal(size=(10000, 50)) + 3 * np.eye(10)[y] @ rng.normal(size=(10, 50))
    children = ward_tree(X)[0]
    tasks = {
        "icml2008 ClusterSampler, 1000 queries": partial(query, y, children),
        "margin sampling, 1 query": partial(query_margin, X, y),
    }
    for name, (seconds, _) in least_seconds(tasks, times=3).items():
        yield row("queries", 10000, 50, name, seconds, "")


def row(task, n, d, program, seconds, megabytes):
    return {
        "task": task,
        "n": n,
        "d": d,
        "program": program,
        "seconds": f"{seconds:.3g}",
        "distances_megabytes": megabytes,
    }
