"""Projectron++ against scikit-learn's Nystroem with SGD, at the same number of stored vectors.

Adult9 in one random order, in processor time on one thread. The peer's landmarks are drawn from all
training rows beforehand; it keeps a square matrix of their number, as ours does, and learns and is
tested in the same blocks. `online_mistakes` are those of training rows before they were learnt,
`test_errors` those of the last hypothesis on the 16,281 rows of a9a.t, both in percent.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier

from icml2008.data import load
from icml2008.papers.orabona2008projectron.method import (
    BLOCK,
    KernelPerceptron,
    ProjectronPlusPlus,
    forgetron_norm,
)

PACKAGES = ("numpy", "scikit-learn")

GAMMA = 1 / 50


class NystroemSGD:
    """The peer with the interface of ours."""

    def __init__(self, n_stored, **options):
        self.features = Nystroem(gamma=GAMMA, n_components=n_stored, random_state=0)
        self.model = SGDClassifier(random_state=0, **options)

    def fit(self, X, y):
        self.features.fit(X)
        self.support_ = self.features.component_indices_
        wrong = []
        for start in range(0, len(y), BLOCK):
            rows = self.features.transform(X[start : start + BLOCK])
            labels = y[start : start + BLOCK]
            if start:
                wrong.append(start + np.flatnonzero(self.model.predict(rows) != labels))
            self.model.partial_fit(rows, labels, classes=[-1, 1])
        self.mistakes_ = np.concatenate(wrong)
        return self

    def predict(self, X):
        return self.model.predict(self.features.transform(X))


def row(name, learner, X, y, n):
    """Return what a learner took and reached; the first n rows are for training."""
    start = time.process_time()
    learner.fit(X[:n], y[:n])
    seconds = time.process_time() - start
    return {
        "method": name,
        "stored": len(learner.support_),
        "seconds": f"{seconds:.2g}",
        "online_mistakes": f"{100 * len(learner.mistakes_) / n:.2f}",
        "test_errors": f"{100 * np.mean(learner.predict(X[n:]) != y[n:]):.2f}",
    }


def rows():
    """Yield the rows of the table."""
    table = load("a9a")
    n = table.n_train
    order = np.r_[np.random.default_rng(0).permutation(n), n : len(table.y)]
    data = table.X.toarray()[order], table.y[order], n
    for budget in (1500, 3000):
        ours = row("Projectron++", ProjectronPlusPlus(forgetron_norm(budget), gamma=GAMMA), *data)
        yield ours
        yield row("Nystroem, SGD with hinge loss", NystroemSGD(ours["stored"]), *data)
        yield row("the same, averaged", NystroemSGD(ours["stored"], average=True), *data)
    yield row("KernelPerceptron", KernelPerceptron(gamma=GAMMA), *data)
