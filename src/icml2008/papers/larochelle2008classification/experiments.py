"""Errors of classifying Boltzmann machines on digits and postings, and what their classes share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.nets.class_rbm import ClassRBM
from icml2008.methods.nets.layers import FeedForwardClassifier

LOOK_AHEAD = 15
MNIST = "mnist"
POSTINGS = "20newsgroups-5000"
SETS = {"mnist": MNIST, "mnist-800": MNIST, "newsgroups": POSTINGS, "newsgroups-800": POSTINGS}
# Of the rows drawn these learn, 800 of them with a class, and 200 more stop.
FEW = {"mnist-800": 5800, "newsgroups-800": 9578}
FAMILIES = ("comp.", "sci.", "talk.politics.", "rec.sport.", ("rec.autos", "rec.motorcycles"))
UNLABELLED = -1
Factory = Callable[[int], Any]


class Parts(NamedTuple):
    """What a trial learns from, is stopped by and is tested on: pairs of rows and classes."""

    train: tuple[np.ndarray, np.ndarray]
    valid: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]
    names: np.ndarray


def topics(rng: np.random.Generator) -> Parts:
    """Return 300 generated documents of 40 words about six topics, two of each family."""
    names = np.array([first + last for first in FAMILIES[:3] for last in "ab"])
    likely = np.repeat(rng.beta(0.3, 0.5, (3, 40)), 2, axis=0)
    # Each pair of topics shares most of its words: kinship has something to find.
    alone = rng.random(likely.shape) < 0.4
    likely = np.where(alone, rng.beta(0.3, 0.5, likely.shape), likely)
    y = rng.integers(len(names), size=300)
    X = (rng.random((300, 40)) < likely[y]).astype(np.float32)
    return Parts(*((X[at], y[at]) for at in np.split(np.arange(300), (160, 230))), names)


def divided(trial: Trial) -> Parts:
    """Return the cell's parts: rows as they are printed, or as near as the data at hand are."""
    name = trial.cell["dataset"]
    rng = trial.rng("split")
    if name == "topics":
        return topics(rng)
    data = trial.data(SETS[name])
    names, y = np.unique(data.y, return_inverse=True)
    n = data.n_train
    if SETS[name] == MNIST:
        X = data.images.reshape(len(y), -1).astype(np.float32) / np.float32(255)
        if trial.choices["inputs"] == "threshold":
            X = (X > 0.5).astype(np.float32)
    else:
        X = data.X.toarray().astype(np.float32)
    if name in FEW:
        order = rng.permutation(n)[: FEW[name] + 200]
        cut = FEW[name]
    elif name == "mnist":
        order = np.arange(n)
        cut = 50_000
    else:
        order = rng.permutation(n)
        cut = n - 1691
    test = np.arange(n, len(y))
    return Parts(*((X[at], y[at]) for at in (order[:cut], order[cut:], test)), names)


def machine(
    objective: str, units: int, rate: float, rows: int, seed: int, **options: float
) -> ClassRBM:
    """Return a machine whose every row moves it by its gradient times the rate, as one by one."""
    options["sparsity"] = rows * options.get("sparsity", 0.0)
    return ClassRBM(
        units, objective, learning_rate=rate * rows, batch_size=rows, random_state=seed, **options
    )


def network(units: int, rate: float, rows: int, seed: int) -> FeedForwardClassifier:
    """Return a net of one layer of hyperbolic tangents, with steps as those of `machine`."""
    return FeedForwardClassifier(
        (units,), "tanh", learning_rate=rate * rows, batch_size=rows, random_state=seed
    )


def error(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Return the percentage of rows whose class is missed; in pieces, which fit a cache."""
    pieces = np.array_split(np.arange(len(y)), -(-len(y) // 500))
    return 100 * sum(np.sum(model.predict(X[at]) != y[at]) for at in pieces) / len(y)


def learn(
    model: Any, parts: Parts, rng: np.random.Generator, most: int
) -> tuple[Any, np.ndarray, float]:
    """Pass over the rows until the validation error has not fallen for 15 passes.

    Returns
    -------
    best : estimator
        As it was after the pass with the least validation error, the first of equals.
    errors : ndarray, shape (n_passes,)
        Validation errors.
    early : float
        Test error of what was the best after `EARLY` passes.
    """
    (X, y) = parts.train
    errors = []
    best = model
    early = 0.0
    classes = np.arange(len(parts.names))
    while len(errors) < most and len(errors) - int(np.argmin(errors or [0])) <= LOOK_AHEAD:
        order = rng.permutation(len(y))
        model.partial_fit(X[order], y[order], classes=classes)
        errors.append(error(model, *parts.valid))
        # Strictly below: of equal errors the first is kept, so that nothing turns on rounding.
        if errors[-1] < min(errors[:-1], default=101):
            best = deepcopy(model)
        if len(errors) == min(EARLY, most):
            early = error(best, *parts.test)
    return best, np.array(errors), early


def reads(cell: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the data sets that a cell reads."""
    return () if cell["dataset"] == "topics" else (SETS[cell["dataset"]],)


def cells(*large: str) -> dict[str, list[dict[str, Any]]]:
    """Return the generated documents for small scales, and beside the paper's data."""
    small = grid(dataset=["topics"])
    return {"smoke": small, "quick": small, "full": grid(dataset=["topics", *large])}


def repeats(cell: Mapping[str, Any]) -> int:
    """Return how many trials a cell has at scale full."""
    return 24 if cell["dataset"] == "mnist-800" else 6


EARLY = 2


def trained(trial: Trial, method: str, parts: Parts, most: int) -> tuple[Any, np.ndarray, float]:
    """Train a method of a trial and record its error.

    The text has no limit but the look-ahead: `most` is for want of time.
    """
    most = 3 if trial.cell["dataset"] == "topics" else most
    seed = int(trial.rng(f"seed {method}").integers(2**31))
    learned = learn(trial.methods[method](seed), parts, trial.rng(f"order {method}"), most)
    trial.measure(method, error=error(learned[0], *parts.test), n_test=len(parts.test[1]))
    return learned


def of_table_1(choices: Mapping[str, str]) -> dict[str, Factory]:
    """Return the methods of Table 1 that are run, with the printed settings."""
    rows = int(choices["rows"])
    return {
        "DRBM": partial(machine, "discriminative", 500, 0.05, rows),
        "HDRBM": partial(machine, "hybrid", 1500, 0.05, rows, generative_weight=0.01),
        "NNet": partial(network, 500, 0.01, rows),
    }


@experiment(
    "digits",
    cells=cells("mnist"),
    repeats=repeats,
    cost=lambda cell: 0.4 if cell["dataset"] == "topics" else 1200.0,
    methods=of_table_1,
    data=reads,
)
def run_digits(trial: Trial) -> None:
    """Table 1."""
    parts = divided(trial)
    for method in trial.methods:
        with trial.attempt(method):
            _, errors, early = trained(trial, method, parts, most=60)
            trial.measure(method, early=early, n_test=len(parts.test[1]))
            if trial.repeat == 0:
                trial.keep(method, errors.round(2))


def of_figure_3(choices: Mapping[str, str]) -> dict[str, Factory]:
    """Return three machines and a net of 100 hidden units, with the rates of Table 1."""
    rows = int(choices["rows"])
    return {
        "RBM": partial(machine, "generative", 100, 0.005, rows),
        "DRBM": partial(machine, "discriminative", 100, 0.05, rows),
        "HDRBM": partial(machine, "hybrid", 100, 0.05, rows, generative_weight=0.01),
        "NNet": partial(network, 100, 0.01, rows),
    }


def similarity(U: np.ndarray) -> np.ndarray:
    """Return M(U) = sigm(U_y1' U_y2), (n_classes, n_classes), from U, (n_units, n_classes)."""
    return 0.5 + 0.5 * np.tanh(0.5 * (U.T @ U).astype(float))


def kinship(U: np.ndarray, names: np.ndarray) -> float:
    """Return the mean M(U) of two classes of a family, less that of two others."""
    M = similarity(U)
    kin = [
        next((n for n, start in enumerate(FAMILIES) if name.startswith(start)), name)
        for name in names
    ]
    pairs = [(M[i, j], kin[i] == kin[j]) for i, j in itertools.combinations(range(len(M)), 2)]
    near, far = ([value for value, same in pairs if same is kind] for kind in (True, False))
    return float(np.mean(near) - np.mean(far))


@experiment(
    "newsgroups",
    cells=cells("newsgroups"),
    repeats=repeats,
    cost=lambda cell: 0.3 if cell["dataset"] == "topics" else 40.0,
    methods=of_figure_3,
    data=reads,
)
def run_newsgroups(trial: Trial) -> None:
    """Figure 3."""
    parts = divided(trial)
    for method in trial.methods:
        with trial.attempt(method):
            # For want of time, as `trained` says.
            most = {"DRBM": 4, "NNet": 4}.get(method, 6)
            best, _, _ = trained(trial, method, parts, most)
            if method == "HDRBM":
                U = best.class_components_
                trial.measure(method, kinship=kinship(U, parts.names))
                if trial.repeat == 0:
                    trial.keep("similarity", similarity(U).round(3))


def of_table_3(choices: Mapping[str, str]) -> dict[str, Factory]:
    """Return the hybrid machine of 200 units, without and with weight for unlabelled rows."""
    rows = int(choices["rows"])
    make = partial(machine, "hybrid", 200, 0.05, rows, generative_weight=0.01)
    return {"HDRBM": make, "semi-supervised HDRBM": partial(make, unlabelled_weight=0.1)}


@experiment(
    "few",
    cells=cells(*FEW),
    repeats=repeats,
    cost=lambda cell: {"topics": 0.2, "mnist-800": 15.0, "newsgroups-800": 100.0}[cell["dataset"]],
    methods=of_table_3,
    data=reads,
)
def run_few(trial: Trial) -> None:
    """Table 3."""
    parts = divided(trial)
    X, y = parts.train
    labelled = 40 if trial.cell["dataset"] == "topics" else 800
    for method in trial.methods:
        with trial.attempt(method):
            if method == "HDRBM":
                train = X[:labelled], y[:labelled]
            else:
                train = X, np.where(np.arange(len(y)) < labelled, y, UNLABELLED)
            trained(trial, method, parts._replace(train=train), 60)
