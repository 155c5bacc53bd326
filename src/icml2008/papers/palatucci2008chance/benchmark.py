"""Seconds of the theorem against simulation, and of the selector against its peers.

Processor time of the best of three runs on one thread, which take turns. A classifier of each
feature by scikit-learn's own naive Bayes finds the same errors; SelectFdr answers another question
with the same purpose.
"""

import numpy as np
from sklearn.feature_selection import SelectFdr
from sklearn.naive_bayes import GaussianNB

from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.palatucci2008chance.method import (
    MultiplicityGapSelector,
    expected_best_chance_accuracy,
    halves,
)

PACKAGES = ("numpy", "scikit-learn", "scipy")


def simulate(n_guessers, n_examples):
    """Return the mean accuracy of the best in 1,000 groups."""
    errors = np.random.default_rng(0).binomial(n_examples, 0.5, size=(1000, n_guessers))
    return 1 - errors.min(axis=1).mean() / n_examples


def one_by_one(X, y):
    """Return the errors of each feature's own classifier, the same as the selector's."""
    train, validation = halves(np.arange(len(y)), y, np.random.RandomState(0))
    return np.array(
        [
            np.sum(
                GaussianNB().fit(column[train], y[train]).predict(column[validation])
                != y[validation]
            )
            for column in X.T[..., None]
        ]
    )


def tasks():
    """Return by task the solvers, ours first."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(62, 2000))
    y = (np.arange(62) >= 22).astype(int)
    X[y == 1, :50] += 1
    return {
        "best of 2000 on 31": {
            "expected_best_chance_accuracy": lambda: expected_best_chance_accuracy(2000, 31),
            "1000 simulated groups": lambda: simulate(2000, 31),
        },
        "62 x 2000": {
            "MultiplicityGapSelector": lambda: MultiplicityGapSelector(random_state=0).fit(X, y),
            "GaussianNB of each feature": lambda: one_by_one(X, y),
            "SelectFdr": lambda: SelectFdr().fit(X, y),
        },
    }


def rows():
    """Yield a row for each task and solver."""
    for task, solvers in tasks().items():
        timed = least_seconds(solvers, times=3)
        ours, _ = next(iter(timed.values()))
        for name, (seconds, _) in timed.items():
            yield {
                "task": task,
                "solver": name,
                "seconds": f"{seconds:.3g}",
                "times_ours": f"{seconds / ours:.3g}",
            }
