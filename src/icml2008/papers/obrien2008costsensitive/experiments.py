"""Tables 1 and 2, Figure 1, and the statements of Sections 3 to 5."""

import numpy as np
from scipy.stats import rankdata
from sklearn.isotonic import isotonic_regression
from sklearn.metrics import make_scorer
from sklearn.model_selection import FixedThresholdClassifier, KFold, TunedThresholdClassifierCV
from sklearn.naive_bayes import CategoricalNB

from icml2008.harness.experiment import experiment, grid
from icml2008.judge.formula import statistic

from .method import PartitionMatrixClassifier, assign
from .protocol import (
    METACOST,
    SCENARIOS,
    SEARCHES,
    USUAL,
    costs_of,
    estimated_folds,
    fitted,
    improved,
    learned,
    learner_of,
    random_costs,
    relabelled,
    resampled,
)
from .rows import run_rows
from .statements import run_smoothing, run_statements
from .tasks import BINS, ROWS, codes_of, task_of

__all__ = [
    "run_rows",
    "run_sizes",
    "run_smoothing",
    "run_statements",
    "run_tables",
    "run_two_class",
]

METHODS = [*SEARCHES, *METACOST, "calibrated", "constant", "cost matrix"]


def calibrated(seen, y, new):
    """Return probabilities of new rows by isotonic regression of each class's on those seen."""
    columns = []
    for label in range(seen.shape[1]):
        order = np.argsort(seen[:, label], kind="stable")
        # Rows of one probability have one value, the mean of their labels.
        points, first = np.unique(seen[order, label], return_index=True)
        weight = np.diff(np.append(first, len(order)))
        mean = np.add.reduceat((y[order] == label).astype(float), first) / weight
        fitted = isotonic_regression(mean, sample_weight=weight)
        columns.append(np.interp(new[:, label], points, fitted))
    return np.transpose(columns)


def better_of(values):
    """Return the values of the method that is better on average, for each cell by itself."""
    means = values.mean(axis=-4, keepdims=True)
    best = np.argmax(means, axis=-3, keepdims=True)
    return np.take_along_axis(values, best, axis=-3)[..., 0, :, 0]


@statistic("better")
def better(values):
    """The mean over cells of the better of two methods, as the paper gives MetaCost."""
    return better_of(values).mean(axis=-1)


@statistic("lead-over-better")
def lead_over_better(values):
    """The first method less the better of the others, the mean over cells."""
    return (values[..., 0, :, 0] - better_of(values[..., 1:, :, :])).mean(axis=-1)


@statistic("spread", per_repeat=False, bounds=(0, np.inf))
def spread(values):
    """The standard deviation over cells of the better method's means."""
    return better_of(values).mean(axis=-2).std(axis=-1, ddof=1)


@statistic("improved-rows", per_repeat=False, bounds=(0, np.inf))
def improved_rows(values):
    """The number of cells in which the better method's mean is above 0."""
    return np.sum(better_of(values).mean(axis=-2) > 0, axis=-1).astype(float)


@statistic("lead-of-medians", per_repeat=False)
def lead_of_medians(values):
    """The median over cells of the first method's means less that of the second's."""
    first, second = np.moveaxis(np.median(values[..., 0].mean(axis=-3), axis=-1), -1, 0)
    return first - second


@statistic("signed-ranks-of-rows", per_repeat=False, bounds=(-1, 1))
def signed_ranks(values):
    """Wilcoxon's signed ranks of the cells' mean differences, over the sum of ranks."""
    gaps = (values[..., 0, :, 0] - values[..., 1, :, 0]).mean(axis=-2)
    ranks = rankdata(np.abs(gaps), axis=-1)
    return np.sum(np.sign(gaps) * ranks, axis=-1) / ranks.sum(axis=-1)


def rank_correlation(first, second):
    """Return Spearman's correlation along the last axis."""
    first = rankdata(first, axis=-1)
    second = rankdata(second, axis=-1)
    first = first - first.mean(axis=-1, keepdims=True)
    second = second - second.mean(axis=-1, keepdims=True)
    return np.sum(first * second, axis=-1) / np.sqrt(
        np.sum(first**2, axis=-1) * np.sum(second**2, axis=-1)
    )


@statistic("rank-with-size", per_repeat=False, bounds=(-1, 1))
def rank_with_size(values):
    """The rank correlation of a method's means with the places of rows, which rise with size."""
    means = values[..., 0, :, 0].mean(axis=-2)
    return rank_correlation(means, np.broadcast_to(np.arange(means.shape[-1]), means.shape))


@statistic("rank-with-cost", per_repeat=False, bounds=(-1, 1))
def rank_with_cost(values):
    """The rank correlation of the saved share of the second method's cost with that cost."""
    cost, base = np.moveaxis(values[..., 0].mean(axis=-3), -2, 0)
    return rank_correlation(1 - cost / base, base)


@experiment(
    "tables",
    cells=grid(row=list(ROWS)),
    quick=grid(row=["nb-bridges-material", "qda-iris"]),
    smoke=grid(row=["qda-iris"]),
    repeats={"quick": 1, "full": 12},
    cost=lambda cell: {"nb-nursery": 5.0, "nb-car": 1.0, "qda-segmentation": 1.2}.get(
        cell["row"], 0.5
    ),
    methods=dict.fromkeys(METHODS),
    data=lambda cell: (ROWS[cell["row"]][0],),
)
def run_tables(trial):
    """One ten-fold cross-validation of a row, under both kinds of costs."""
    row = trial.cell["row"]
    choices = USUAL | dict(trial.choices)
    task, learner = learner_of(row, trial.data(ROWS[row][0]), choices)
    y = task.y
    n_classes = y.max() + 1
    costs_by = costs_of(trial, n_classes, choices)
    bags = trial.rng("resamples")
    starts = trial.rng("starts")
    spent = {(name, kind): np.zeros(10) for name in METHODS for kind in SCENARIOS}
    gained = {name: np.zeros((2, 2)) for name in ("parallel", "LF", "free")}
    errors = 0
    for number, fold in enumerate(estimated_folds(trial, learner, y, choices)):
        bagged = resampled(bags, learner, y, ~fold.test, n_classes)
        curved = calibrated(fold.seen, fold.known, fold.new)
        errors += np.sum(np.argmax(fold.new, axis=1) != y[fold.test])
        for kind in SCENARIOS:
            costs = costs_by(kind, fold.known)
            given = {"cost matrix": assign(fold.new, costs), "calibrated": assign(curved, costs)}
            counts = np.bincount(fold.known, minlength=n_classes)
            given["constant"] = np.argmin(costs @ counts)
            for name, estimate in zip(METACOST, bagged, strict=False):
                labels = relabelled(learner, estimate, bagged[2], costs, len(y))
                given[name] = labels[fold.test]
            for name in SEARCHES:
                partition = learned(name, fold.seen, fold.known, costs, starts, choices)
                given[name] = assign(fold.new, partition)
                if name in gained:
                    gained[name][SCENARIOS.index(kind)] += fitted(fold, costs, partition)
            for name, labels in given.items():
                spent[name, kind][number] = costs[labels, y[fold.test]].sum()
    for name in METHODS:
        measures = {}
        for kind in SCENARIOS:
            cost = spent[name, kind]
            base = spent["cost matrix", kind]
            if trial.choices["percent"] == "runs":
                percent = improved(cost.sum(), base.sum())
            else:
                percent = np.mean(improved(cost[base > 0], base[base > 0]))
            if name != "cost matrix":
                measures[kind] = round(percent, 1)
            if name in ("cost matrix", "parallel"):
                measures[f"cost_{kind}"] = round(100 * cost.sum() / len(y), 2)
            if name in gained:
                before, after = gained[name][SCENARIOS.index(kind)]
                measures[f"fitted_{kind}"] = round(improved(after, before) - percent, 1)
        if name == "cost matrix":
            measures["error"] = round(100 * errors / len(y), 2)
        trial.measure(name, **measures)


@experiment(
    "sizes",
    cells=[{}],
    repeats=2,
    cost=0.4,
    methods={"counts": None},
    data=lambda cell: tuple(sorted({name for name, _ in ROWS.values()})),
)
def run_sizes(trial):
    """How often a row of the tables has smaller classes than the row before it."""
    sizes = [task_of(row, trial.data(name)).size for row, (name, _) in ROWS.items()]
    # Naive Bayes and QDA share sets, whose sizes may differ in the last digit.
    trial.measure("counts", backward=int(np.sum(np.diff(sizes) < -1e-9)))
    trial.keep("sizes", np.round(sizes, 2))


PAIRED = ("nb-horse-code", "nb-glass", "nb-flag", "nb-ecoli", "nb-dermatology", "nb-flare2")


def two_class_methods(costs, folds):
    """Return the classifiers of the experiment `two-class`, unfitted.

    Parameters
    ----------
    costs : ndarray, shape (2, 2)
    folds : splitter
    """
    model = CategoricalNB(min_categories=2 * BINS)

    def saved(y, labels):
        return -costs[labels, y].mean()

    return {
        "parallel": PartitionMatrixClassifier(model, costs, cv=folds),
        "tuned": TunedThresholdClassifierCV(model, scoring=make_scorer(saved), cv=folds),
        "cost matrix": FixedThresholdClassifier(
            model,
            threshold=costs[1, 0] / (costs[0, 1] + costs[1, 0]),
            response_method="predict_proba",
        ),
    }


@experiment(
    "two-class",
    cells=grid(row=list(PAIRED)),
    quick=grid(row=["nb-glass"]),
    repeats={"quick": 1, "full": 12},
    cost=0.8,
    methods=dict.fromkeys(["parallel", "tuned", "cost matrix"]),
    data=lambda cell: (ROWS[cell["row"]][0],),
)
def run_two_class(trial):
    """The cost of the most frequent class against the rest, by the proposal and by scikit-learn."""
    row = trial.cell["row"]
    task = task_of(row, trial.data(ROWS[row][0]))
    indicators, feature = codes_of(task, missing="value")
    first = np.flatnonzero(np.diff(feature, prepend=-1))
    blocks = np.split(indicators, first[1:], axis=1)
    X = np.column_stack([np.argmax(block, axis=1) for block in blocks])
    y = (task.y == np.argmax(np.bincount(task.y))).astype(int)
    costs = random_costs(trial.rng("costs"), 2)
    seeds = trial.rng("folds")
    spent = dict.fromkeys(trial.methods, 0.0)
    outer = KFold(10, shuffle=True, random_state=int(seeds.integers(2**31)))
    for train, test in outer.split(X):
        inner = KFold(9, shuffle=True, random_state=int(seeds.integers(2**31)))
        for name, model in two_class_methods(costs, inner).items():
            labels = model.fit(X[train], y[train]).predict(X[test])
            spent[name] += costs[labels, y[test]].sum()
    for name, cost in spent.items():
        trial.measure(name, improved=round(improved(cost, spent["cost matrix"]), 2))
