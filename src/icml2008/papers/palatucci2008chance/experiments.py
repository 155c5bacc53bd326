"""Theorem 4.1 against guessers, and feature selection on genes and on generated sparse tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np
from scipy.special import bdtr, betainc

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.palatucci2008chance.method import (
    error_threshold,
    expected_best_chance_accuracy,
    expected_fewest_errors,
    halves,
    naive_bayes_odds,
    validation_errors,
)

SIMULATIONS = 2000  # groups of guessers in a repeat
ALPHA = 0.05
BLOCK = 4000  # features at a time, which fit into a processor's cache


class FeatureSelector(Protocol):
    """A method of one's own: a selector shaped as scikit-learn's are, made by ``Class()``."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
        """Learn from X (n_examples, n_features) and labels y (n_examples,), 0 and 1."""

    def get_support(self) -> np.ndarray:
        """Return which features are kept, (n_features,) of bool."""


def simulated(rng: np.random.Generator, cell: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the fewest errors of groups of guessers, and how many of a group make none.

    Of a group, the numbers of guessers with 0, 1, 2, ... errors are multinomial.
    """
    n = cell["examples"]
    p = cell["p_err"]
    shares = np.diff(bdtr(np.arange(n + 1), n, p), prepend=0.0)
    groups = rng.multinomial(cell["guessers"], shares / shares.sum(), size=SIMULATIONS)
    return np.argmax(groups > 0, axis=1), groups[:, 0]


@experiment(
    "formula",
    cells=(
        grid(guessers=[1, 10, 200, 2000, 100_000], examples=[5, 20, 31, 100], p_err=[0.5, 0.75])
        + grid(guessers=[32], examples=[5], p_err=[0.5])
        + grid(guessers=[2**20], examples=[20], p_err=[0.5])
    ),
    smoke=grid(guessers=[200], examples=[20], p_err=[0.5]),
    repeats=20,
    cost=0.015,
    methods={"Theorem 4.1": expected_fewest_errors, "Simulation": simulated},
)
def best_of_many_guessers(trial: Trial) -> None:
    """Figure 1: the best of guessers, by Theorem 4.1 and by simulation."""
    guessers, n, p = (trial.cell[name] for name in ("guessers", "examples", "p_err"))
    theorem = expected_fewest_errors(guessers, n, p)
    trial.measure(
        "Theorem 4.1",
        accuracy=100 * (1 - theorem / n),
        gap=n * p - theorem,
        perfect=guessers * (1 - p) ** n,
    )
    fewest, perfect = simulated(trial.rng("guesses"), trial.cell)
    # Where all groups agree the simulated variance is 0: the resolution of the simulation stands
    # for it.
    error = np.sqrt(max(fewest.var(), 1 / SIMULATIONS) / SIMULATIONS)
    trial.measure(
        "Simulation",
        accuracy=100 * (1 - fewest.mean() / n),
        perfect=perfect.mean(),
        distance=abs(fewest.mean() - theorem) / error,
    )


def naive_bayes(choices: Mapping[str, str]) -> dict[str, str]:
    """Return the options of `naive_bayes_odds` that the choices give."""
    names = {"prior": "estimated", "variance": "class"}
    return {name: choices.get(name, custom) for name, custom in names.items()}


def halved(trial: Trial, rows: np.ndarray, y: np.ndarray, rng) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the two halves."""
    larger = trial.choices.get("larger-half", "validation")
    return halves(rows, y, rng, stratified=trial.choices["halves"] == "stratified", larger=larger)


def chance_of_error(choices: Mapping[str, str], y: np.ndarray) -> float:
    """Return the chance that a guess is wrong: half, or by always naming the larger class."""
    return np.bincount(y).min() / len(y) if choices.get("chance") == "rarer-class" else 0.5


def fdr_kept(errors: np.ndarray, n: int, p_err: float, *, tails: str) -> np.ndarray:
    """Return which features' numbers of errors reject p_err by a binomial test, at an FDR of 5 %.

    Two tails reject features that are worse than chance, too.
    """
    from scipy.stats import false_discovery_control

    fewer = bdtr(np.arange(n + 1), n, p_err)
    more = np.concatenate([[1.0], betainc(np.arange(1.0, n + 1), n - np.arange(n), p_err)])
    p_values = fewer if tails == "one" else np.minimum(2 * np.minimum(fewer, more), 1)
    return false_discovery_control(p_values[errors]) <= ALPHA


def criteria(choices: Mapping[str, str]) -> dict[str, Callable | None]:
    """Return the criteria; those that need the test of all examples are None.

    A criterion says which features are kept, from their errors, of how many, and a guess's chance.
    """
    from sklearn.feature_selection import SelectFdr

    def below(threshold: str) -> Callable:
        return lambda errors, n, p: errors < error_threshold(threshold, len(errors), n, p)

    return {
        "No selection": lambda errors, n, p: errors <= n,
        "Best chance": below("best-chance"),
        "MGM": below("midpoint"),
        "Single chance": below("single-chance"),
        "FDR": partial(fdr_kept, tails=choices["test"]),
        "SelectFdr": SelectFdr,
        **dict.fromkeys(("Oracle", "Inside gap", "Outside gap", "Constant")),
    }


def leave_one_out(trial: Trial, X: np.ndarray, y: np.ndarray) -> list[tuple]:
    """Return, for each example, what selection and test need when it is left out.

    That is the rows of the others, how many of them validate, the errors of each feature on these,
    the log odds of class 1 that each feature gives the example, and those of the prior.
    """
    options = naive_bayes(trial.choices)
    draws = trial.rng("halves")
    everyone = np.arange(len(y))
    rounds = [np.delete(everyone, i) for i in everyone]
    splits = [halved(trial, rest, y, draws) for rest in rounds]
    errors = np.empty(X.shape, dtype=np.uint8)
    odds = np.empty(X.shape)
    priors = np.empty(len(y))
    for start in range(0, X.shape[1], BLOCK):
        block = np.ascontiguousarray(X[:, start : start + BLOCK])
        part = slice(start, start + BLOCK)
        for i, (rest, split) in enumerate(zip(rounds, splits, strict=True)):
            errors[i, part] = validation_errors(block, y, *split, **options)
            feature_odds, prior = naive_bayes_odds(block[rest], y[rest], block[[i]], **options)
            odds[i, part] = feature_odds[0, 0]
            priors[i] = prior[0]
    counts = [len(validation) for _, validation in splits]
    return list(zip(rounds, counts, errors, odds, priors, strict=True))


def measure_rules(trial: Trial, X: np.ndarray, y: np.ndarray) -> None:
    """Leave each example out once; measure every criterion, and every threshold on errors."""
    instances = leave_one_out(trial, X, y)
    coins = trial.rng("coins").random(len(y)) < 0.5
    if trial.choices.get("nothing-kept") == "prior":
        coins = np.array([prior > 0 for *_, prior in instances])

    def right(i: int, kept: np.ndarray) -> bool:
        """Say whether the classifier of the features kept is right; without one, a coin is."""
        *_, odds, prior = instances[i]
        return bool((odds[kept].sum() + prior > 0 if kept.any() else coins[i]) == y[i])

    for name, make in trial.methods.items():
        if make is None:
            continue
        with trial.attempt(name):
            kept = []
            for rest, n, errors, *_ in instances:
                if hasattr(make, "get_support"):
                    kept.append(make().fit(X[rest], y[rest]).get_support())
                else:
                    kept.append(make(errors, n, chance_of_error(trial.choices, y[rest])))
            hits = [right(i, mask) for i, mask in enumerate(kept)]
            trial.measure(name, n_test=len(y), accuracy=100 * np.mean(hits))
            trial.measure(name, kept=np.mean([mask.sum() for mask in kept]))
            trial.cases(name, hits)

    n = instances[0][1]
    hits = np.empty((len(y), n + 1), dtype=bool)
    for i, (*_, errors, odds, prior) in enumerate(instances):
        sums = np.bincount(errors, weights=odds, minlength=n + 1).cumsum() + prior
        any_kept = np.bincount(errors, minlength=n + 1).cumsum() > 0
        hits[i] = np.where(any_kept, sums > 0, coins[i]) == y[i]
    curve = 100 * hits.mean(axis=0)
    p_err = chance_of_error(trial.choices, y)
    ends = [error_threshold(end, X.shape[1], n, p_err) for end in ("best-chance", "single-chance")]
    # A threshold t keeps what errs t times or less; by the other reading, less than t times.
    marks = np.arange(n + 1) + (trial.choices.get("allowed") == "fewer")
    inside = (marks >= ends[0]) & (marks <= ends[1])
    measured = {"Oracle": curve, "Inside gap": curve[inside], "Outside gap": curve[~inside]}
    for name, accuracies in measured.items():
        trial.measure(name, n_test=len(y), accuracy=accuracies.max())
    trial.measure("Constant", n_test=len(y), accuracy=100 * np.bincount(y).max() / len(y))
    if trial.repeat == 0:
        trial.keep("curve", np.round(curve, 3))
        trial.keep("gap", np.round(ends, 3))


def colon(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Return Alon's genes and whether a tissue is a tumour."""
    table = trial.data("colon")
    X = np.log(table.X) if trial.choices.get("scale") == "logarithm" else table.X
    return X, (table.y == "2").astype(int)


@experiment(
    "colon",
    cells=[{"dataset": "colon"}],
    repeats={"quick": 6, "full": 64},
    cost=0.4,
    methods=criteria,
    data=lambda cell: ("colon",),
    expects=FeatureSelector,
)
def select_genes(trial: Trial) -> None:
    """Figures 2 and 3 on colon cancer: leave one out, halve the others, select, retrain, test."""
    measure_rules(trial, *colon(trial))


@experiment(
    "permuted",
    cells=[{"dataset": "colon"}],
    repeats={"smoke": 2, "quick": 20, "full": 200},
    cost=0.02,
    methods=dict.fromkeys(("Theorem 4.1", "Genes", "Independent"), None),
    data=lambda cell: ("colon",),
)
def genes_without_meaning(trial: Trial) -> None:
    """Section 5.1: the best of genes, and of independent features, where labels are permuted."""
    X, y = colon(trial)
    y = trial.rng("labels").permutation(y)
    split = halved(trial, np.arange(1, len(y)), y, trial.rng("halves"))
    n = len(split[1])
    p_err = chance_of_error(trial.choices, y[1:])
    best = expected_best_chance_accuracy(X.shape[1], n, p_err)
    trial.measure("Theorem 4.1", accuracy=100 * best, single=100 * (1 - p_err))
    normal = trial.rng("features").normal(size=X.shape)
    for name, features in {"Genes": X, "Independent": normal}.items():
        errors = validation_errors(features, y, *split, **naive_bayes(trial.choices))
        trial.measure(
            name,
            n_test=n,
            accuracy=100 * (1 - errors.min() / n),
            single=100 * (1 - errors.mean() / n),
        )


def sparse_task(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Return 40 examples of two classes, 20 of each; the first features differ by the effect.

    In blocks, ten features each share a part of their noise and correlate by 0.8.
    """
    rng = trial.rng("examples")
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(len(y), trial.cell["features"]))
    if trial.choices["features"] == "blocks":
        shared = np.repeat(rng.normal(size=(len(y), X.shape[1] // 10)), 10, axis=1)
        X = np.sqrt(0.2) * X + np.sqrt(0.8) * shared
    X[:, : trial.cell["informative"]] += float(trial.choices["effect"]) * (y[:, None] - 0.5)
    return X, y


@experiment(
    "sparse-tasks",
    cells=(
        grid(features=[8000], informative=[100])
        + grid(features=[80_000], informative=[10, 100, 500])
    ),
    quick=grid(features=[8000], informative=[100]),
    repeats=6,
    cost=0.9,
    methods=lambda choices: {
        **{name: rule for name, rule in criteria(choices).items() if name != "SelectFdr"},
        "Bayes rule": None,
    },
    expects=FeatureSelector,
)
def select_among_noise(trial: Trial) -> None:
    """Stand in for fMRI: the same protocol on generated tasks of its size."""
    X, y = sparse_task(trial)
    measure_rules(trial, X, y)
    predicted = X[:, : trial.cell["informative"]].sum(axis=1) > 0
    trial.measure("Bayes rule", n_test=len(y), accuracy=100 * np.mean(predicted == y))
