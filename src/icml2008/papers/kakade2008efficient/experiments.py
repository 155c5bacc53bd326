"""Section 5: error rates along streams of examples; and Lemmas 4 and 5 and Theorem 1."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.kakade2008efficient import newswire
from icml2008.papers.kakade2008efficient.bounds import (
    NORM,
    banditron_bound,
    hinge_loss,
    perceptron_bound,
    separator,
)
from icml2008.papers.kakade2008efficient.curves import checkpoints, error_curves, slope
from icml2008.papers.kakade2008efficient.halving import halving_mistakes
from icml2008.papers.kakade2008efficient.method import (
    Banditron,
    MulticlassPerceptron,
    learn_together,
    update_weights,
)
from icml2008.papers.kakade2008efficient.topics import (
    N_TOPICS,
    NOISE,
    draw_documents,
    draw_topics,
)

GAMMAS = (0.0, 0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
REUTERS_GAMMA = 0.05


class OnlineLearner(Protocol):
    """A method of one's own for this paper: a class of online classifiers.

    It is made by ``Class(gamma=..., random_state=...)`` for each rate of exploration if its
    constructor has a parameter ``gamma``, else once by ``Class()``; ``random_state`` is given if
    the constructor has it. Attribute ``n_mistakes_``: wrong predictions so far, each made before
    its example was learnt.
    """

    n_mistakes_: int

    def partial_fit(self, X: Any, y: np.ndarray, classes: Any = None) -> Any:
        """Go on with sparse examples X (n, d) of zeros and ones and labels y (n,)."""


def methods(choices: Mapping[str, str]) -> dict[str, Callable[..., OnlineLearner]]:
    """Return the paper's two methods."""
    ties = choices["ties"]
    return {
        "Perceptron": partial(MulticlassPerceptron, ties=ties),
        "Banditron": partial(Banditron, ties=ties),
    }


def make(trial: Trial, name: str, gamma: float | None, runs: int = 1) -> list[OnlineLearner]:
    """Return a learner for each run, with seeds of their own for each method and rate."""
    factory = trial.methods[name]
    parameters = {} if gamma is None else {"gamma": gamma}
    # Exploration is the only chance in a learner: what all share is the stream of documents.
    seeds = trial.rng(f"{name} {gamma}").integers(2**31, size=runs).tolist()
    if "random_state" not in inspect.signature(factory).parameters:
        return [factory(**parameters) for _ in seeds]
    return [factory(**parameters, random_state=seed) for seed in seeds]


def explores(factory: Callable[..., Any]) -> bool:
    """Return whether a method has a rate of exploration."""
    return "gamma" in inspect.signature(factory).parameters


def measure_curve(trial: Trial, name: str, curve: np.ndarray, n: int, **further: float) -> None:
    """Record the final error and the slopes before and after 10,000 examples."""
    points = checkpoints(n)
    early = slope(curve, points, 1e3, 1e4)
    late = slope(curve, points, 1e4, n)
    trial.keep(f"curve of {name}", curve)
    trial.measure(
        name, error=100 * curve[-1], slope=late, early_slope=early, bend=early - late, **further
    )


MILLION = 1_000_000
AVERAGED = 10  # runs on the same documents
SHORT = 20_000
CELLS = {
    "smoke": grid(dataset=["synsep"], examples=[SHORT]),
    "quick": grid(dataset=["synsep", "synnonsep"], examples=[SHORT]),
    "full": grid(dataset=["synsep", "synnonsep"], examples=[MILLION, SHORT]),
}


@experiment(
    "streams",
    cells=CELLS,
    repeats=10,
    cost=4.0,
    methods=methods,
    expects=OnlineLearner,
)
def error_along_a_stream(trial: Trial) -> None:
    """Figure 1, left and middle: one pass; the best rate of exploration by the mean final error."""
    n = trial.cell["examples"]
    noise = NOISE if trial.cell["dataset"] == "synnonsep" else 0.0
    topics = draw_topics(trial.rng("topics"))
    rng = trial.rng("documents")
    gammas = [gamma for gamma in GAMMAS if gamma >= float(trial.choices["lowest-gamma"])]
    learners = {
        (name, gamma, run): learner
        for name, factory in trial.methods.items()
        for gamma in (gammas if explores(factory) else [None])
        for run, learner in enumerate(
            make(trial, name, gamma, AVERAGED if explores(factory) else 1)
        )
    }
    noisy = trial.choices["noisy-labels"]
    curves = error_curves(
        learners,
        lambda start, stop: draw_documents(topics, stop - start, rng, noise, noisy),
        n,
        range(N_TOPICS),
    )
    for name, factory in trial.methods.items():
        if not explores(factory):
            measure_curve(trial, name, curves[name, None, 0], n)
            continue
        means = {
            gamma: np.mean([curves[name, gamma, run] for run in range(AVERAGED)], axis=0)
            for gamma in gammas
        }
        final = np.array([100 * means[gamma][-1] for gamma in gammas])
        best = int(final.argmin())
        # Whether the best rate lies inside the range: both ends have to be worse than it.
        inner = final[1:-1].min()
        trial.keep(f"final errors of {name}", final)
        measure_curve(
            trial, name, means[gammas[best]], n,
            gamma=gammas[best], left_rise=final[0] - inner, right_rise=final[-1] - inner,
        )  # fmt: skip


@experiment(
    "newswire",
    cells=grid(dataset=["reuters-21578"]),
    repeats={"quick": 10, "full": 40},
    cost=0.5,
    methods=methods,
    data=lambda cell: (cell["dataset"],),
    expects=OnlineLearner,
)
def newswire_errors(trial: Trial) -> None:
    """Figure 1, right, with another newswire: four exclusive topics, one pass, gamma 0.05."""
    stories = trial.data("reuters-21578")
    X, y = trial.once("bags", lambda: newswire.bags_of_words(stories))
    if trial.choices["order"] == "shuffled":
        rows = trial.rng("order").permutation(len(y))
        X = X[rows]
        y = y[rows]
    n = len(y)
    learners = {
        name: make(trial, name, REUTERS_GAMMA if explores(factory) else None)[0]
        for name, factory in trial.methods.items()
    }
    curves = error_curves(
        learners,
        lambda start, stop: (X[start:stop], y[start:stop]),
        n,
        range(len(newswire.TOPICS)),
    )
    for name, curve in curves.items():
        trial.keep(f"curve of {name}", curve)
        late = slope(curve, checkpoints(n), n / 10**0.5, n)
        trial.measure(name, error=100 * curve[-1], slope=late)


SEQUENCE = 100_000
RUNS = 16


@experiment(
    "bounds",
    cells=grid(dataset=["synsep", "synnonsep"], gamma=[0.05, 0.1, 0.2]),
    quick=grid(dataset=["synsep", "synnonsep"], gamma=[0.2]),
    smoke=grid(dataset=["synsep"], gamma=[0.2]),
    repeats={"quick": 1, "full": 60},
    cost=0.8,
    methods=methods,
)
def mistakes_against_bounds(trial: Trial) -> None:
    """Theorem 1 and Eq. 7: mistakes less the bound, in percent of the rounds.

    The expectation over the algorithm is a mean over 16 runs on one sequence.
    """
    gamma = trial.cell["gamma"]
    noise = NOISE if trial.cell["dataset"] == "synnonsep" else 0.0
    topics = draw_topics(trial.rng("topics"))
    X, y = draw_documents(topics, SEQUENCE, trial.rng("documents"), noise)
    X = X / NORM
    seeds = trial.rng("runs").integers(2**31, size=RUNS)
    classes = range(N_TOPICS)
    ties = trial.choices["ties"]
    perceptron = MulticlassPerceptron(ties=ties, random_state=int(seeds[0]))
    runs = [Banditron(gamma, ties=ties, random_state=int(seed)) for seed in seeds]
    learn_together([perceptron, *runs], X, y, classes)
    W = separator(topics)
    loss = hinge_loss(W, X, y)
    D = 2 * float((W**2).sum())
    bounds = {
        "Perceptron": perceptron_bound(loss, D),
        "Banditron": banditron_bound(loss, D, N_TOPICS, gamma, SEQUENCE),
    }
    mistakes = {
        "Perceptron": perceptron.n_mistakes_,
        "Banditron": float(np.mean([run.n_mistakes_ for run in runs])),
    }
    for name, bound in bounds.items():
        trial.measure(
            name,
            n_test=1,
            excess=100 * (mistakes[name] - bound) / SEQUENCE,
            bound=100 * bound / SEQUENCE,
        )


HALVED = 20


@experiment(
    "halving",
    cells=grid(classes=[2, 3, 9], hypotheses=[10, 1000]),
    repeats={"smoke": 2, "quick": 6, "full": 6},
    cost=0.1,
    methods={"halving": halving_mistakes},
)
def halving_against_bound(trial: Trial) -> None:
    """Lemma 6: mistakes against labels that spare as many hypotheses as they can, over k ln |H|."""
    k = int(trial.cell["classes"])
    n = int(trial.cell["hypotheses"])
    for name, count in trial.methods.items():
        mistakes = [count(k, n, trial.rng(f"class {case}")) for case in range(HALVED)]
        excess = max(mistakes) / (k * np.log(n)) - 1
        trial.measure(name, halving_excess=excess, n_test=HALVED)


CASES = 200


@experiment(
    "updates",
    cells=grid(gamma=[0.01, 0.1, 0.5]),
    repeats={"smoke": 2, "quick": 6, "full": 6},
    cost=0.1,
    methods={"Banditron": Banditron},
)
def updates_by_enumeration(trial: Trial) -> None:
    """Lemmas 4 and 5: mean and mean squared norm of the update over all draws, for 200 rounds."""
    gamma = trial.cell["gamma"]
    rng = trial.rng("rounds")
    bias = []
    excess = []
    for _ in range(CASES):
        k = int(rng.integers(2, 20))
        greedy, right = rng.integers(k, size=2)
        chances = np.full(k, gamma / k)
        chances[greedy] += 1 - gamma
        updates = np.array(
            [update_weights(k, greedy, drawn, drawn == right, gamma) for drawn in range(k)]
        )
        perceptron = np.eye(k)[right] - np.eye(k)[greedy]
        bias.append(np.abs(chances @ updates - perceptron).max())
        norm = float(chances @ (updates**2).sum(axis=1))
        bound = 2 * (k / gamma if right != greedy else gamma)
        excess.append(norm / bound - 1)
    trial.measure("Banditron", bias=max(bias), norm_excess=max(excess), n_test=CASES)
