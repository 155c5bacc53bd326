"""Classifying Boltzmann machines beside scikit-learn's nets, on 1,000 digits for training.

Errors are of 2,000 test digits after as many passes each, 15, from one seed, with 200 hidden units
and updates of 20 rows. BernoulliRBM learns features for a logistic regression, in two stages.
Seconds are a processor's, of training alone.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import BernoulliRBM, MLPClassifier
from sklearn.pipeline import make_pipeline

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.nets.class_rbm import ClassRBM
from icml2008.methods.nets.layers import FeedForwardClassifier

PACKAGES = ("numpy", "scikit-learn", "numba")

ROWS = 20
UNITS = 200
PASSES = 15


def estimators():
    """Return what is compared, by name."""
    shape = {"batch_size": ROWS, "n_iter": PASSES, "random_state": 0}
    machines = {
        f"{name}, ClassRBM": ClassRBM(UNITS, objective, learning_rate=rate * ROWS, **shape)
        for name, objective, rate in (
            ("HDRBM", "hybrid", 0.05),
            ("DRBM", "discriminative", 0.05),
            ("RBM", "generative", 0.005),
        )
    }
    net = {"activation": "tanh", "batch_size": ROWS, "random_state": 0}
    return machines | {
        "tangents, FeedForwardClassifier": FeedForwardClassifier(
            (UNITS,), learning_rate=0.01 * ROWS, n_iter=PASSES, **net
        ),
        "tangents, MLPClassifier": MLPClassifier(
            (UNITS,), solver="sgd", learning_rate_init=0.01 * ROWS, momentum=0.0, alpha=0.0,
            max_iter=PASSES, **net,
        ),
        "Adam, MLPClassifier": MLPClassifier((UNITS,), max_iter=PASSES, **net),
        "two stages, BernoulliRBM and LogisticRegression": make_pipeline(
            BernoulliRBM(UNITS, learning_rate=0.05, batch_size=ROWS, n_iter=PASSES, random_state=0),
            LogisticRegression(max_iter=200),
        ),
    }  # fmt: skip


def rows():
    """Yield the rows of the table."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = load("mnist")
    X = data.images.reshape(len(data.y), -1).astype(np.float32) / np.float32(255)
    train = slice(1000)
    test = slice(data.n_train, data.n_train + 2000)
    tasks = {
        name: lambda model=model: model.fit(X[train], data.y[train])
        for name, model in estimators().items()
    }
    for name, (seconds, model) in least_seconds(tasks, times=1).items():
        wrong = 100 * np.mean(model.predict(X[test]) != data.y[test])
        method, by = name.split(", ")
        yield {"method": method, "by": by, "seconds": f"{seconds:.2f}", "error": f"{wrong:.2f}"}
