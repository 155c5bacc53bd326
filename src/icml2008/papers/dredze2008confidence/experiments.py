"""Table 2 on seven of its twelve tasks; Figure 2 on streams that stand in; Lemma 1 on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import binomtest
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.dredze2008confidence.averages import AveragedConfidenceWeighted
from icml2008.papers.dredze2008confidence.method import (
    ConfidenceWeighted,
    combine_confidence_weighted,
    multiplier,
)
from icml2008.papers.dredze2008confidence.tasks import PAIRS, bags

PASSES = 5
FOLDS = 10
# of a task
N_POSTINGS = 1800
N_REVIEWS = 2000
RATES = tuple(10.0 ** (k / 2) for k in range(-8, 1))
CONFIDENCES = tuple(10.0 ** (k / 2) for k in range(-6, 3))
PENALTIES = tuple(10.0**k for k in range(-4, 2))

Tuned = tuple[Callable[[float], Any], tuple[float, ...]]  # a factory and the range of its parameter


class TextClassifier(Protocol):
    """A method of one's own: a classifier shaped as scikit-learn's are, made by ``Class()``.

    With ``partial_fit`` it is taught by five passes of that, else by ``fit``.
    """

    def fit(self, X: Any, y: np.ndarray) -> Any:
        """Learn from sparse X (n_examples, n_features) and labels y (n_examples,), -1 and 1."""

    def predict(self, X: Any) -> np.ndarray:
        """Return the labels of sparse X."""


def descent(rate: float, loss: str, schedule: str) -> SGDClassifier:
    """Return scikit-learn's descent, with neither penalty nor intercept, in the order given."""
    return SGDClassifier(
        loss, penalty=None, fit_intercept=False, shuffle=False, learning_rate=schedule, eta0=rate
    )


def support_vectors(C: float) -> LinearSVC:
    return LinearSVC(C=C, loss="hinge", random_state=0)


def weighted_support_vectors(C: float) -> Any:
    return make_pipeline(TfidfTransformer(), support_vectors(C))


def entropy(C: float) -> LogisticRegression:
    """Return maximum entropy; the prior, of variance C, is on the bias too, as in MALLET."""
    return LogisticRegression(C=C, solver="liblinear", dual=True, max_iter=1000, random_state=0)


def confident(choices: Mapping[str, str]) -> Tuned:
    """Return the paper's approximate update."""
    update = "variance" if choices["diagonal"] == "of-inverse" else "projected"
    return partial(ConfidenceWeighted, update=update), CONFIDENCES


def passive_aggressive(choices: Mapping[str, str]) -> Tuned:
    schedule = {"PA-I": "pa1", "PA-II": "pa2"}[choices.get("pa", "PA-I")]
    return partial(descent, loss="hinge", schedule=schedule), RATES


def online_methods(choices: Mapping[str, str]) -> dict[str, Tuned]:
    return {
        "PA": passive_aggressive(choices),
        "Variance": confident(choices),
        "Variance-Exact": (partial(ConfidenceWeighted, update="exact"), CONFIDENCES),
        "Projected": (partial(ConfidenceWeighted, update="projected"), CONFIDENCES),
    }


def batch_methods(choices: Mapping[str, str]) -> dict[str, Tuned]:
    return {
        "PA": passive_aggressive(choices),
        "Variance": confident(choices),
        "SVM": (support_vectors, PENALTIES),
        "Maxent": (entropy, PENALTIES),
        "SGD": (partial(descent, loss="modified_huber", schedule="constant"), RATES),
        # Rows of length 1, where they have been of 10 and more, ask for a larger C.
        "SVM-TFIDF": (weighted_support_vectors, tuple(100 * C for C in PENALTIES)),
    }


def examples(trial: Trial) -> tuple[csr_array, np.ndarray]:
    """Return the task's examples; as many of each class, drawn anew, where there are more."""
    task, _, size = trial.cell["task"].partition("-")
    (source,) = source_of(trial.cell)
    X, y = bags(trial.data(source), task, trial.choices["frame"])
    each = int(size or (N_POSTINGS if task in PAIRS else N_REVIEWS)) // 2
    draw = trial.rng("examples")
    rows = [draw.choice(np.flatnonzero(y == label), each, replace=False) for label in (-1, 1)]
    rows = np.concatenate(rows)
    return X[rows], y[rows]


def source_of(cell: Mapping[str, Any]) -> tuple[str, ...]:
    return ("20newsgroups" if cell["task"] in PAIRS else "product-reviews",)


def teach(model: Any, X: csr_array, y: np.ndarray, shuffles: Any = None) -> Iterator[Any]:
    """Yield a model after each pass over the examples; one that has no passes, once."""
    if not hasattr(model, "partial_fit"):
        yield model.fit(X, y)
        return
    for _ in range(PASSES):
        yield model.partial_fit(X, y, classes=[-1, 1])
        if shuffles is not None:
            rows = shuffles.permutation(len(y))
            X = X[rows]
            y = y[rows]


def best_parameter(method: Tuned, X: csr_array, y: np.ndarray, rows: np.ndarray) -> float:
    """Return what errs least on the first tenth of the rows, taught on the others.

    Of equals it is the one in the middle.
    """
    make, values = method
    test, train = np.split(rows, [len(rows) // FOLDS])
    held = X[test]
    labels = y[test]
    X = X[train]
    y = y[train]
    errors = []
    for value in values:
        *_, model = teach(make(value), X, y)
        errors.append(np.sum(model.predict(held) != labels))
    best = np.flatnonzero(np.array(errors) == min(errors))
    return values[best[len(best) // 2]]


def measure_tasks(trial: Trial) -> dict[str, np.ndarray]:
    """Cross-validate each method; return which examples it got wrong, (n_passes, n_examples)."""
    X, y = examples(trial)
    folds = np.array_split(trial.rng("folds").permutation(len(y)), FOLDS)
    others = [np.concatenate(folds[:k] + folds[k + 1 :]) for k in range(FOLDS)]
    if trial.choices["tuning"] == "one-division":
        runs = [trial.rng("tuning").permutation(len(y))]
    else:
        runs = others
    missed = {}
    chosen = {}
    for name, made in trial.methods.items():
        with trial.attempt(name):
            method = made if isinstance(made, tuple) else (lambda _, new=made: new(), (1.0,))
            shuffles = trial.rng("shuffles") if trial.choices.get("order") == "shuffled" else None
            if name == "Variance-Exact" and trial.choices.get("phi") == "shared":
                chosen[name] = chosen["Variance"]
            else:
                chosen[name] = [best_parameter(method, X, y, rows) for rows in runs]
            wrong = [np.empty(len(y), dtype=bool) for _ in range(PASSES)]
            for value, train, test in zip(cycle(chosen[name]), others, folds, strict=False):
                passes = teach(method[0](value), X[train], y[train], shuffles)
                for number, model in enumerate(passes):
                    wrong[number][test] = model.predict(X[test]) != y[test]
            missed[name] = np.array(wrong[: number + 1])
            trial.measure(name, n_test=len(y), error=100 * missed[name][-1].mean())
            trial.measure(name, parameter=np.log10(chosen[name]).mean())
    return missed


def leads(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Return whether McNemar's test finds, at 5 %, that fewer of our examples are wrong."""
    won = int(np.sum(theirs & ~ours))
    lost = int(np.sum(ours & ~theirs))
    return won > lost and bool(binomtest(won, won + lost).pvalue < 0.05)


TASKS = [*PAIRS, "books", "dvd", "electronics", "kitchen"]
CELLS = {
    "smoke": grid(task=["kitchen-400"]),
    "quick": grid(task=["kitchen-400"]),
    "full": grid(task=[*TASKS, "kitchen-400"]),
}


@experiment(
    "online",
    cells=CELLS,
    repeats={"quick": 3, "full": 6},
    cost=lambda cell: 0.5 if "-" in cell["task"] else 2.0,
    methods=online_methods,
    data=source_of,
    expects=TextClassifier,
)
def one_example_at_a_time(trial: Trial) -> None:
    """Table 2, left, and Figure 1: after one pass and after five."""
    missed = measure_tasks(trial)
    for name, wrong in missed.items():
        error = 100 * wrong.mean(axis=1)
        trial.measure(name, n_test=wrong.shape[1], first_error=error[0])
        trial.measure(name, reduction=100 * (1 - error[-1] / error[0]))
        if trial.cell["task"] == "talk":
            trial.keep(f"{name} by pass", error)
    if {"PA", "Variance"} <= missed.keys():
        lead = leads(missed["Variance"][-1], missed["PA"][-1])
        trial.measure("Variance", significant=100 * lead)


@experiment(
    "talk",
    cells=grid(task=["talk", "kitchen-100"]),
    quick=grid(task=["kitchen-100"]),
    repeats={"quick": 1, "full": lambda cell: 30 if cell["task"] == "talk" else 6},
    cost=lambda cell: 0.2 if "-" in cell["task"] else 1.0,
    methods={
        "Variance": (ConfidenceWeighted, CONFIDENCES),
        "Variance-Exact": (partial(ConfidenceWeighted, update="exact"), CONFIDENCES),
    },
    data=source_of,
)
def exact_on_talk(trial: Trial) -> None:
    """Figure 1, left: by how much five passes better the exact update where it does not improve."""
    for name, wrong in measure_tasks(trial).items():
        error = 100 * wrong.mean(axis=1)
        trial.measure(name, n_test=wrong.shape[1], first_error=error[0])
        trial.measure(name, reduction=100 * (1 - error[-1] / error[0]))


def best_by_ten_folds(method: Tuned, X: csr_array, y: np.ndarray, rows: np.ndarray) -> float:
    """Return what errs least over ten folds of the rows; of equals it is the one in the middle."""
    make, values = method
    folds = np.array_split(rows, FOLDS)
    errors = np.zeros(len(values))
    for k, test in enumerate(folds):
        train = np.concatenate(folds[:k] + folds[k + 1 :])
        taught = X[train]
        labels = y[train]
        held = X[test]
        for index, value in enumerate(values):
            *_, model = teach(make(value), taught, labels)
            errors[index] += np.sum(model.predict(held) != y[test])
    best = np.flatnonzero(errors == errors.min())
    return values[best[len(best) // 2]]


TUNED_BY = {"ten-folds": best_by_ten_folds, "one-tenth": best_parameter}


@experiment(
    "one-run",
    cells=CELLS,
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.9 if "-" in cell["task"] else 5.0,
    methods=lambda choices: {
        "PA": passive_aggressive(choices),
        "Variance": confident(choices),
    },
    data=source_of,
)
def parameters_of_one_run(trial: Trial) -> None:
    """Table 2: PA and Variance with the parameters that are best on one randomized run."""
    X, y = examples(trial)
    folds = np.array_split(trial.rng("folds").permutation(len(y)), FOLDS)
    run = trial.rng("tuning").permutation(len(y))
    tune = TUNED_BY[trial.choices["run"]]
    missed = {}
    for name, method in trial.methods.items():
        with trial.attempt(name):
            value = tune(method, X, y, run)
            wrong = np.empty(len(y), dtype=bool)
            for k, test in enumerate(folds):
                train = np.concatenate(folds[:k] + folds[k + 1 :])
                *_, model = teach(method[0](value), X[train], y[train])
                wrong[test] = model.predict(X[test]) != y[test]
            missed[name] = wrong
            trial.measure(name, n_test=len(y), error=100 * wrong.mean())
            trial.measure(name, parameter=np.log10(value))
    if {"PA", "Variance"} <= missed.keys():
        trial.measure("Variance", significant=100 * leads(missed["Variance"], missed["PA"]))


@experiment(
    "batch",
    cells=CELLS,
    repeats={"quick": 3, "full": 6},
    cost=lambda cell: 0.55 if "-" in cell["task"] else 4.0,
    methods=batch_methods,
    data=source_of,
    expects=TextClassifier,
)
def all_examples_at_once(trial: Trial) -> None:
    """Table 2, right."""
    measure_tasks(trial)


def averaged(rate: float) -> SGDClassifier:
    """Return a passive-aggressive learner that predicts by the mean of all its weights."""
    return descent(rate, loss="hinge", schedule="pa1").set_params(average=True)


@experiment(
    "averaging",
    cells={
        "smoke": grid(task=["kitchen-100"]),
        "quick": grid(task=["kitchen-100"]),
        "full": grid(task=[*TASKS, "kitchen-100"]),
    },
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.6 if "-" in cell["task"] else 10.0,
    methods=lambda choices: {
        "PA": passive_aggressive(choices),
        "PA-averaged": (averaged, RATES),
        "Variance": (ConfidenceWeighted, CONFIDENCES),
        "Variance-averaged": (AveragedConfidenceWeighted, CONFIDENCES),
    },
    data=source_of,
)
def averages_of_weights(trial: Trial) -> None:
    """Section 5.2: whether averaging helps, with the parameters that are best on one run."""
    parameters_of_one_run.function(trial)


N_STREAM = 7000
N_NEW = 1000
N_TUNING = 2000
WORDS = 2880
LENGTH = 60
NOISE = 1.5


def common_words(rng: np.random.Generator) -> tuple[csr_array, np.ndarray, np.ndarray]:
    """Return documents over few words, 0.36 of them for each document, as in the paper's Reuters.

    Sixty draws of a document follow Zipf's law; a noisy linear score, cut at its median, is the
    label. The third array has the labels without the noise.
    """
    n = N_STREAM + N_NEW
    ranks = np.arange(1, WORDS + 1)
    columns = rng.choice(WORDS, size=(n, LENGTH), p=1 / ranks / np.sum(1 / ranks))
    starts = np.arange(0, columns.size + 1, LENGTH, dtype=np.int32)
    X = csr_array((np.ones(columns.size), columns.ravel().astype(np.int32), starts), (n, WORDS))
    X.sum_duplicates()
    X.data[:] = 1
    score = X @ rng.normal(size=X.shape[1])
    noisy = score + NOISE * rng.normal(size=n)
    return X, np.where(noisy > np.median(noisy), 1, -1), np.where(score > np.median(score), 1, -1)


@experiment(
    "combine",
    cells=grid(stream=["common-words", "reviews"], parts=[10, 50, 100]),
    quick=grid(stream=["common-words"], parts=[10]),
    repeats=8,
    cost=lambda cell: 0.06 * cell["parts"] if cell["stream"] == "reviews" else 0.1,
    methods=dict.fromkeys(("PA", "Variance", "Average", "Uniform", "Weighted", "Without noise")),
    data=lambda cell: ("product-reviews",) if cell["stream"] == "reviews" else (),
)
def parts_of_a_stream(trial: Trial) -> None:
    """Figure 2 on streams that stand in: one pass over the whole, or one over each part."""
    if trial.cell["stream"] == "reviews":
        X, y = bags(trial.data("product-reviews"), "reviews", "kept")
        truth = y
    else:
        X, y, truth = common_words(trial.rng("documents"))
    rows = trial.rng("split").permutation(len(y))
    new = rows[:N_NEW]
    stream = rows[N_NEW:]

    def pass_over(make, value, part):
        return make(value).partial_fit(X[part], y[part], classes=[-1, 1])

    def error(model, part):
        return 100 * np.mean(model.predict(X[part]) != y[part])

    tuning, rest = np.split(trial.rng("tuning").permutation(stream), [N_TUNING])
    for name, (make, values) in {
        "PA": passive_aggressive(trial.choices),
        "Variance": confident(trial.choices),
    }.items():
        errors = [error(pass_over(make, value, tuning), rest) for value in values]
        best = values[int(np.argmin(errors))]
        trial.measure(name, n_test=N_NEW, error=error(pass_over(make, best, stream), new))
    parts = [pass_over(make, best, part) for part in np.array_split(stream, trial.cell["parts"])]
    measured = {
        "Average": np.mean([error(model, new) for model in parts]),
        "Uniform": error(combine_confidence_weighted(parts, "uniform"), new),
        "Weighted": error(combine_confidence_weighted(parts, "precision"), new),
        "Without noise": 100 * np.mean(truth[new] != y[new]),
    }
    for name, value in measured.items():
        trial.measure(name, n_test=N_NEW, error=value)


STEPS = 100
RIVALS = 20


def divergence(mean, covariance, mean_0, covariance_0):
    """Return the relative entropy of two Gaussians, Equation 8."""
    shift = mean_0 - mean
    ratio = np.linalg.solve(covariance_0, covariance)
    inner = np.trace(ratio) + shift @ np.linalg.solve(covariance_0, shift) - len(mean)
    return (inner - np.linalg.slogdet(ratio)[1]) / 2


@experiment(
    "steps",
    cells=grid(features=[2, 5]),
    repeats=6,
    cost=0.05,
    methods={"Lemma 1": None},
)
def steps_of_a_full_covariance(trial: Trial) -> None:
    """Lemma 1: what its step leaves of constraint (7), and what cheaper steps there are."""
    d = trial.cell["features"]
    rng = trial.rng("steps")
    slack = []
    excess = []
    for _ in range(STEPS):
        mean = rng.normal(size=d)
        root = rng.normal(size=(d, d))
        x = rng.normal(size=d)
        covariance = root @ root.T + 0.1 * np.eye(d)
        phi = 10 ** rng.uniform(-2, 1)
        y = rng.choice([-1, 1])
        m = y * mean @ x
        v = x @ covariance @ x
        alpha = multiplier(m, v, phi)
        if alpha == 0:
            continue
        spread = covariance @ x
        ours = (
            mean + alpha * y * spread,
            covariance - np.outer(spread, spread) * 2 * alpha * phi / (1 + 2 * alpha * phi * v),
        )
        needed = phi * x @ ours[1] @ x
        slack.append(abs(y * ours[0] @ x - needed) / (phi * v + abs(m)))
        cost = divergence(*ours, mean, covariance)
        for _ in range(RIVALS):
            bent = np.eye(d) + 10 ** rng.uniform(-4, -1) * rng.normal(size=(d, d))
            rival = bent @ ours[1] @ bent.T
            step = max(phi * x @ rival @ x - m, 0) / v  # the cheapest mean with this covariance
            excess.append(cost - divergence(mean + step * y * spread, rival, mean, covariance))
    trial.measure("Lemma 1", n_test=len(slack), slack=max(slack))
    trial.measure("Lemma 1", n_test=len(excess), excess=max(excess))
