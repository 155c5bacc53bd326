"""Estimates of risk: holdout sets, choosing by them, cross-validation and the bootstrap."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import Array, Generator, everywhere, seed, two_normals

DRAWS = 10_000
DRAWN = 40


@experiment(
    "holdout",
    cells=everywhere(grid(k=[10, 30, 100, 300, 1000])),
    repeats={"quick": 3, "full": 20},
    cost=0.02,
    methods={"holdout": lambda: 0.3},
)
def holdout_error(trial: Trial) -> None:
    """Errors counted on k cases at a risk of 0.3: spread, mean, and Hoeffding's bound."""
    k = trial.cell["k"]
    rng = trial.rng("cases")
    for name, make in trial.methods.items():
        with trial.attempt(name):
            risk = make()
            off = rng.binomial(k, risk, size=DRAWS) / k - risk
            trial.measure(name, log_sd=float(np.log10(off.std())), bias=100 * float(off.mean()))
            # eps from a half to three standard deviations
            sizes = np.linspace(0.5, 3, 11) * np.sqrt(risk * (1 - risk) / k)
            beyond = [
                float(np.mean(np.abs(off) > eps)) - 2 * np.exp(-2 * eps**2 * k) for eps in sizes
            ]
            trial.measure(name, excess=max(0.0, *beyond), n_test=len(sizes))


@experiment(
    "choosing",
    cells=everywhere(grid(models=[2, 5, 20, 100, 500])),
    repeats={"quick": 3, "full": 20},
    cost=0.02,
    methods={"smallest error": lambda: np.min},
)
def optimism_of_the_best(trial: Trial) -> None:
    """The validation error of the model that has the smallest, all with a risk of a half.

    With an odd number of cases no error equals the risk: above and below are equally likely.
    """
    rng = trial.rng("cases")
    m = trial.cell["models"]
    k = 101
    for name, make in trial.methods.items():
        with trial.attempt(name):
            errors = make()(rng.binomial(k, 0.5, size=(2000, m)) / k, axis=1)
            optimism = 0.5 - float(errors.mean())
            trial.measure(name, optimism=100 * optimism)
            trial.measure(name, below=100 * float(np.mean(errors < 0.5)), n_test=len(errors))
            over = max(0.0, optimism - np.sqrt(np.log(m) / (2 * k)))
            trial.measure(name, excess=over, n_test=1)


def wrong(model, X: Array, y: Array, cv) -> float:
    """Return the cross-validated error."""
    return 1 - float(cross_val_score(model, X, y, cv=cv).mean())


def folds(model, X: Array, y: Array, rng: Generator, times: int) -> float:
    """Return the mean error of 5-fold cross-validation over random partitions."""
    errors = [
        wrong(model, X, y, StratifiedKFold(5, shuffle=True, random_state=seed(rng)))
        for _ in range(times)
    ]
    return float(np.mean(errors))


def bootstrap(model, X: Array, y: Array, rng: Generator) -> tuple[float, float]:
    """Return the mean error on the samples left out of draws, and the share of those drawn."""
    errors = []
    drawn = []
    while len(errors) < DRAWN:
        chosen = rng.integers(len(y), size=len(y))
        out = np.setdiff1d(np.arange(len(y)), chosen)
        if len(np.unique(y[chosen])) == 2 and len(out):
            fit = clone(model).fit(X[chosen], y[chosen])
            errors.append(np.mean(fit.predict(X[out]) != y[out]))
            drawn.append(1 - len(out) / len(y))
    return float(np.mean(errors)), float(np.mean(drawn))


CLASSIFIERS = {
    "discriminant": LinearDiscriminantAnalysis(),
    "3-neighbours": KNeighborsClassifier(3),
    "1-neighbour": KNeighborsClassifier(1),
}
ESTIMATORS = ("training", "leave one out", "one partition", "six partitions", "bootstrap", "0.632")


@experiment(
    "estimates",
    cells=everywhere(grid(classifier=[*CLASSIFIERS])),
    repeats=24,
    cost=0.4,
    methods={name: (lambda name=name: name) for name in ESTIMATORS},
)
def estimates_of_risk(trial: Trial) -> None:
    """Estimates from 40 samples minus the risk of what was trained on all of them, in points."""
    rng = trial.rng("samples")
    model = clone(CLASSIFIERS[trial.cell["classifier"]])
    X, y = two_normals(rng, 40, 1.5, 5)
    tests, labels = two_normals(rng, 4000, 1.5, 5)
    fit = clone(model).fit(X, y)
    risk = float(np.mean(fit.predict(tests) != labels))
    training = float(np.mean(fit.predict(X) != y))
    left_out, drawn = bootstrap(model, X, y, trial.rng("bootstrap"))
    partitions = trial.rng("partitions")
    estimators = {
        "training": lambda: training,
        "leave one out": lambda: wrong(model, X, y, LeaveOneOut()),
        "one partition": lambda: folds(model, X, y, partitions, 1),
        "six partitions": lambda: folds(model, X, y, partitions, 6),
        "bootstrap": lambda: left_out,
        "0.632": lambda: 0.632 * left_out + 0.368 * training,
    }
    for name in trial.methods:
        with trial.attempt(name):
            off = 100 * (estimators[name]() - risk)
            trial.measure(name, bias=off, miss=abs(off))
            if name == "bootstrap":
                trial.measure(name, drawn=100 * drawn)
    for name, times in (("one partition", 1), ("six partitions", 6)):
        again = [folds(model, X, y, partitions, times) for _ in range(2)]
        trial.measure(name, jump=100 * float(np.ptp(again)))
