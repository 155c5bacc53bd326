"""Nearest neighbours between the Bayes risk and twice it, with few samples and many features."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import everywhere, two_normals

TESTED = 2000


def growing(choices, n: int) -> KNeighborsClassifier:
    """Return a rule whose number of neighbours grows with the samples, and more slowly."""
    power = {"root": 0.5, "two-thirds": 2 / 3}[choices["neighbours"]]
    return KNeighborsClassifier(2 * round(n**power / 2) + 1)


def rules(choices):
    """Return the classifiers, each from the number of training samples."""
    return {
        "1 neighbour": lambda n: KNeighborsClassifier(1),
        "growing neighbours": lambda n: growing(choices, n),
        "SVM": lambda n: SVC(),
    }


@experiment(
    "nearest",
    cells=everywhere(grid(separation=[1.0, 1.5, 2.5], n=[20, 100, 500, 2500])),
    repeats={"quick": 1, "full": 12},
    cost=lambda cell: cell["n"] / 10000,
    methods=rules,
)
def against_the_bayes_risk(trial: Trial) -> None:
    """Test error for two normals in the plane, whose Bayes risk is known."""
    rng = trial.rng("samples")
    gap = trial.cell["separation"]
    n = trial.cell["n"]
    X, y = two_normals(rng, n, gap)
    tests, labels = two_normals(rng, TESTED, gap)
    bayes = 100 * norm.cdf(-gap / 2)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(n).fit(X, y)
            error = 100 * float(np.mean(model.predict(tests) != labels))
            trial.measure(name, error=error, n_test=TESTED)
            trial.measure(name, excess_risk=error - bayes)
            trial.measure(name, training=float(np.mean(model.predict(X) != y)), n_test=n)


@experiment(
    "features",
    cells=everywhere(grid(dimension=[2, 5, 20, 80])),
    repeats=12,
    cost=0.01,
    methods={"1 neighbour": lambda: KNeighborsClassifier(1)},
)
def more_features(trial: Trial) -> None:
    """Test error as features of noise are added, 200 samples."""
    rng = trial.rng("samples")
    d = trial.cell["dimension"]
    X, y = two_normals(rng, 200, 2.5, d)
    tests, labels = two_normals(rng, 2000, 2.5, d)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            error = 100 * float(np.mean(make().fit(X, y).predict(tests) != labels))
            trial.measure(name, error=error, n_test=2000)
