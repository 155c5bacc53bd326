"""The kernel's identities, Figure 1 on drawn sets, Table 1 on five of its seven tasks."""

import numpy as np

from icml2008.harness.experiment import experiment, grid

from .bags import (
    INNER_FOLDS,
    bags_of,
    choose_cost,
    citation_knn,
    fit_svm,
    folds_of,
    hausdorff_distances,
    predict_svm,
    set_kernels,
    without,
)
from .method import PosteriorPowerKernel, power_alignments, powers_up_to

TOY = np.array([[0, 0.3, 0.5, 0.2], [0, 0.2, 0.6, 0.2], [0.2, 0.1, 0.6, 0.1]])
SETS = ("set-1", "set-2", "set-3")
DATA = ("musk-1", "musk-2", "elephant", "tiger", "fox")
PRINTED = {"K": 20, "D": 5, "S": 13}
BAGS = 200
CLUSTERS = 30
RUNS = 5
FOLDS = 10
POWERS = (0.25, 0.5, 1.0, 2.0)


@experiment(
    "kernel",
    cells=grid(vectors=["printed", "drawn"]),
    repeats=30,
    cost=0.01,
    methods={"PPMM": None},
)
def run_kernel(trial):
    """Ten powers: whether the printed order turns at 1, and whether major patterns gain."""
    powers = np.sort(10 ** trial.rng("powers").uniform(-2, 1, size=10))
    if trial.cell["vectors"] == "printed":
        ties = [violation(1.0)]
        trial.measure("PPMM", n_test=10, violation=max(ties + [violation(p) for p in powers]))
        return
    drawn = trial.rng("vectors").dirichlet(np.ones(CLUSTERS), size=10)
    share = [largest_share(drawn, power) for power in powers]
    trial.measure("PPMM", n_test=10, emphasis=max(0, np.max(-np.diff(share, axis=0))))


def violation(power):
    """Return by how much the printed order of two kernel values is missed, in parts of them."""
    first, second, third = TOY**power
    left = first @ second
    right = second @ third
    lead = (left - right) / max(left, right)
    return abs(lead) if power == 1 else max(0, -lead if power < 1 else lead)


def largest_share(aggregates, power):
    """Return the largest pattern's share of each bag's kernel with itself."""
    products = (aggregates / aggregates.max(axis=1, keepdims=True)) ** (2 * power)
    return 1 / products.sum(axis=1)


def draw_sets(rng, K, D, S, spread, shared):
    """Return the three sets of Section 3.1, each as features, bags and labels of bags.

    Means are standard normal; `spread` is a component's standard deviation.
    """
    bags = np.repeat(np.arange(BAGS), S)
    sets = []
    for positive, outof in ((1, None), (K // 5, 5), (K // 2, 2)):
        if not (shared and sets):
            means = rng.normal(size=(K, D))
            components = rng.integers(K, size=BAGS * S)
            X = means[components] + spread * rng.normal(size=(BAGS * S, D))
        chosen = rng.choice(K, size=positive, replace=False)
        counts = np.isin(components, chosen).reshape(BAGS, S).sum(axis=1)
        threshold = 0 if outof is None else S / outof
        sets.append((X, bags, np.where(counts > threshold, 1, -1)))
    return sets


def curves_of(sets, components, mixture, reach, seed):
    """Return the alignments of each drawn set, a mixture being fitted once to equal instances."""
    curves = []
    last = None
    for X, bags, y in sets:
        if X is not last:
            kernel = PosteriorPowerKernel(
                components, mixture=mixture, reach=reach, n_runs=1, random_state=seed
            )
            aggregates = kernel.fit(X, y[bags], bags=bags).aggregate(X, bags=bags)
            last = X
        curves.append(power_alignments(aggregates, y, powers_up_to(reach)))
    return curves


def best_power(curve):
    """Return the power of best alignment; a thousandth is finer than any step."""
    return round(powers_up_to(len(curve) / 20)[np.argmax(curve)], 3)


def jump_of(curve):
    """Return the largest step of a curve in parts of its range."""
    return round(np.abs(np.diff(curve)).max() / np.ptp(curve), 4)


@experiment(
    "mechanisms",
    cells=grid(K=[10, 20, 40], D=[2, 5, 10], S=[7, 13, 27]),
    quick=grid(K=[20], D=[5], S=[7, 13]),
    smoke=[PRINTED],
    repeats=6,
    cost=0.15,
    methods=dict.fromkeys(("PPMM", *SETS)),
)
def run_mechanisms(trial):
    """The power of best alignment on each of the three sets."""
    choices = trial.choices
    sets = draw_sets(
        trial.rng("sets"),
        **trial.cell,
        spread=float(choices["spread"]),
        shared=choices["shared"] == "yes",
    )
    K = trial.cell["K"]
    curves = curves_of(
        sets,
        3 * K // 2 if choices["fitted"] == "more" else K // 2,
        choices["mixture"],
        float(choices["reach"]),
        int(trial.rng("mixture").integers(2**31 - 1)),
    )
    powers = [best_power(curve) for curve in curves]
    lowest = powers[0] < min(powers[1:])
    trial.measure("PPMM", lowest=100 * lowest, ordered=100 * (lowest and powers[1] < powers[2]))
    for name, (_, _, y), curve, power in zip(SETS, sets, curves, powers, strict=True):
        trial.measure(name, power=power)
        if trial.cell == PRINTED:
            trial.measure(name, unbalanced=abs(100 * np.mean(y > 0) - 50), jump=jump_of(curve))
            trial.keep(name, np.round(curve / curve.max(), 4))


def fitted_runs(X, bags, y, rows, rng, reach=3.0, seen=None):
    """Yield curves of alignment with the rows' labels, and all bags' histograms, a run each.

    Clusters are of the instances of the bags that are `seen`, the rows by default.
    """
    inside = np.isin(bags, rows if seen is None else seen)
    for seed in rng.integers(2**31 - 1, size=RUNS):
        kernel = PosteriorPowerKernel(CLUSTERS, p=1.0, n_runs=1, random_state=int(seed))
        kernel.fit(X[inside], y[bags[inside]], bags=bags[inside])
        aggregates = kernel.aggregate(X, bags=bags)
        yield power_alignments(aggregates[rows], y[rows], powers_up_to(reach)), aggregates


def gram_of(aggregates, power):
    features = aggregates**power
    return features @ features.T


def performance(curve, aggregates, y, folds, how, cost="folds"):
    """Return how well a run does on the bags of the folds."""
    if how == "alignment":
        return curve.max()
    gram = gram_of(aggregates, best_power(curve))
    best, right = choose_cost(gram, y, folds, cost)
    if how == "folds":
        return right
    rows = np.concatenate(folds)
    svm = fit_svm(gram, y, rows, best)
    return np.mean(predict_svm(svm, gram, rows, rows) == y[rows])


def best_run(runs, y, folds, how, cost="folds"):
    """Return the run that performs best, the first of equals, as its curve and histograms."""
    runs = list(runs)
    scores = [performance(*run, y, folds, how, cost) for run in runs]
    return runs[int(np.argmax(scores))]


@experiment(
    "adapted",
    cells=grid(dataset=["all", "musk-1"]),
    quick=grid(dataset=["musk-1"]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 3.0 if cell["dataset"] == "all" else 0.3,
    methods=dict.fromkeys((*SETS, *DATA)),
    data=lambda cell: DATA if cell["dataset"] == "all" else ("musk-1",),
)
def run_adapted(trial):
    """The power of best alignment over all bags of each set."""
    choices = trial.choices
    reach = float(choices["reach"])
    spread = float(choices["spread"])
    sets = draw_sets(trial.rng("sets"), **PRINTED, spread=spread, shared=True)
    components = 3 * PRINTED["K"] // 2
    seed = int(trial.rng("mixture").integers(2**31 - 1))
    curves = dict(zip(SETS, curves_of(sets, components, "spherical", reach, seed), strict=True))
    rng = trial.rng("runs")
    for name in DATA:
        with trial.attempt(name):
            # The smaller cell has one of the data sets in place of all.
            source = name if trial.cell["dataset"] == "all" else "musk-1"
            X, bags, y = bags_of(trial.data(source), choices["scaling"])
            rows = np.arange(len(y))
            folds = folds_of(rng, rows, INNER_FOLDS)
            runs = fitted_runs(X, bags, y, rows, rng, reach)
            curves[name], _ = best_run(runs, y, folds, choices["runs"])
    powers = {name: best_power(curve) for name, curve in curves.items()}
    for name, curve in curves.items():
        trial.measure(name, power=powers[name], jump=jump_of(curve))
        first, *others = [abs(powers[name] - powers[drawn]) for drawn in SETS]
        if name in DATA:
            trial.measure(name, nearer=round(min(others) - first, 3))
            trial.keep(name, np.round(curve / curve.max(), 4))


def task_of(trial):
    """Return a task's features, bags and labels, and the folds of its bags."""
    name, _, halves = trial.cell["dataset"].partition("/")
    X, bags, y = bags_of(trial.data(name), trial.choices["scaling"])
    folds = folds_of(trial.rng("folds"), np.arange(len(y)), 2 if halves else FOLDS)
    return X, bags, y, folds


TASKS = {
    "cells": grid(dataset=[*DATA, "musk-1/halves"]),
    "quick": grid(dataset=["musk-1/halves"]),
    "data": lambda cell: (cell["dataset"].partition("/")[0],),
}


def measure_accuracy(trial, predicted, y):
    for name, labels in predicted.items():
        trial.measure(name, n_test=len(y), accuracy=100 * np.mean(labels == y))


@experiment(
    "accuracy",
    repeats=6,
    cost=lambda cell: {"musk-1/halves": 0.5, "musk-1": 2.0, "musk-2": 12.0}.get(
        cell["dataset"], 5.0
    ),
    methods=dict.fromkeys(("PPMM", "citation-kNN", "majority")),
    **TASKS,
)
def run_accuracy(trial):
    """One pass over the folds of bags."""
    how = trial.choices
    X, bags, y, folds = task_of(trial)
    distances = trial.once("distances", lambda: hausdorff_distances(X, bags))
    largest = 1 if np.sum(y) > 0 else -1
    predicted = {"majority": np.full(len(y), largest)}
    predicted |= {name: np.zeros(len(y)) for name in ("PPMM", "citation-kNN")}
    runs = trial.rng("runs")
    inner = trial.rng("inner")
    every = np.arange(len(y))
    if how["fitting"] == "all-bags":
        fitted = fitted_runs(X, bags, y, every, runs)
        curve, aggregates = best_run(fitted, y, folds, how["runs"], how["cost"])
    for number, test in enumerate(folds):
        train = without(folds, number)
        parts = folds_of(inner, train, INNER_FOLDS)
        if how["fitting"] != "all-bags":
            seen = every if how["fitting"] == "all-instances" else train
            fitted = fitted_runs(X, bags, y, train, runs, seen=seen)
            curve, aggregates = best_run(fitted, y, parts, how["runs"], how["cost"])
        gram = gram_of(aggregates, best_power(curve))
        cost, _ = choose_cost(gram, y, parts, how["cost"])
        svm = fit_svm(gram, y, train, cost)
        predicted["PPMM"][test] = predict_svm(svm, gram, test, train)
        predicted["citation-kNN"][test] = citation_knn(distances, y, train, test)
    measure_accuracy(trial, predicted, y)
    trial.measure("majority", positives=np.sum(y > 0), negatives=np.sum(y < 0), instances=len(X))


def best_gram(grams, y, folds):
    """Return the kernel that does best over the folds, each at its best cost, and that cost."""
    chosen = [choose_cost(gram, y, folds) for gram in grams]
    best = int(np.argmax([right for _, right in chosen]))
    return grams[best], chosen[best][0]


@experiment(
    "today",
    repeats=6,
    cost=lambda cell: {"musk-1/halves": 0.8, "musk-1": 4.0, "musk-2": 20.0}.get(
        cell["dataset"], 10.0
    ),
    methods=dict.fromkeys(("PPMM", "power-1", "power-by-folds", "set-kernel")),
    **TASKS,
)
def run_today(trial):
    """One pass over the folds, for rivals that one would try today."""
    X, bags, y, folds = task_of(trial)
    means = trial.once("means", lambda: set_kernels(X, bags))
    predicted = {name: np.zeros(len(y)) for name in trial.methods}
    runs = trial.rng("runs")
    inner = trial.rng("inner")
    for number, test in enumerate(folds):
        train = without(folds, number)
        parts = folds_of(inner, train, INNER_FOLDS)
        fitted = list(fitted_runs(X, bags, y, train, runs))
        curve, aggregates = best_run(fitted, y, parts, "alignment")
        plain = [power_alignments(counts[train], y[train], [1.0]) for _, counts in fitted]
        candidates = {
            "PPMM": [gram_of(aggregates, best_power(curve))],
            "power-1": [gram_of(fitted[int(np.argmax(plain))][1], 1.0)],
            "power-by-folds": [gram_of(aggregates, power) for power in POWERS],
            "set-kernel": means,
        }
        for name, grams in candidates.items():
            gram, cost = best_gram(grams, y, parts)
            svm = fit_svm(gram, y, train, cost)
            predicted[name][test] = predict_svm(svm, gram, test, train)
    measure_accuracy(trial, predicted, y)
