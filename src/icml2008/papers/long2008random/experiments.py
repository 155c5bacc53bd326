"""Theorem 3's four examples for many potentials, and Section 6's boosters on binary features."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.long2008random.method.convex import ConvexPotentialBooster
from icml2008.papers.long2008random.method.hard import HardSample, hard_sample, noisy_distribution
from icml2008.papers.long2008random.method.martingale import MartingaleBooster
from icml2008.papers.long2008random.method.potentials import POTENTIALS, Potential
from icml2008.papers.long2008random.samples import binary_sample, flipped

N_ROUNDS = 100
NOISE = 0.1
FEATURES = {"weak_learner": "features", "complements": False}
PAPERS = {"AdaBoost": "exponential", "LogitBoost": "logistic", "MadaBoost": "madaboost"}
OWN_STEPS = {
    "AdaBoost": {"step": "weighted-error"},
    "LogitBoost": {"step": "newton"},
    "MadaBoost": {"step": "weighted-error"},
}
CLIPPED = "LogitBoost, clipped"
CLIP = 4.0  # Friedman, Hastie and Tibshirani clip working responses at 2 to 4


class Booster(Protocol):
    """A method of one's own for this experiment: a classifier shaped as scikit-learn's are.

    It is made by ``Class(noise_rate=...)`` with the true rate of label noise, or by ``Class()`` if
    its constructor has no such parameter.
    """

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
        """Learn from X (n, 21), features -1 and 1, and noisy labels y (n,), -1 and 1."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the labels of examples, (n,)."""


class StagedBooster(Protocol):
    """A method of one's own for `tolerance`: a booster that takes weights and tells its stages."""

    def fit(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray) -> Any:
        """Learn from each example with both labels, X (8000, 21), and the weights of these."""

    def staged_decision_function(self, X: np.ndarray) -> Any:
        """Return the scores after each round, each (n,), above 0 for label 1."""


def drawn_potential(rng: np.random.Generator) -> Potential:
    """Draw a convex potential: a weighted sum of rescaled ones, two or three of those by name."""
    names = rng.choice(list(POTENTIALS), rng.integers(2, 4), replace=False)
    parts = [(POTENTIALS[str(name)], rng.uniform(0.2, 5), rng.uniform(0.5, 2)) for name in names]
    return Potential(
        lambda z: sum(weight * phi.value(z / scale) for phi, weight, scale in parts),
        lambda z: sum(weight / scale * phi.slope(z / scale) for phi, weight, scale in parts),
        name="drawn",
    )


def potential_of(trial: Trial) -> str | Potential:
    """Return the cell's potential; "drawn" is another one in each repeat."""
    name = trial.cell["potential"]
    return drawn_potential(trial.rng("potential", across=("noise",))) if name == "drawn" else name


def error_of(booster: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Return the percentage of errors; a score of 0 tells nothing, and is one."""
    return 100 * float(np.mean(y * booster.decision_function(X) <= 0))


def measure_construction(trial: Trial, name: str, sample: HardSample, surface: bool) -> None:
    """Measure what Theorem 3 asserts of a sample, and of the booster that is run on it."""
    points = sample.X
    votes = sample.minimiser
    distance = np.linalg.norm(votes)
    at_zero = sample.gradient(np.zeros(2))
    towards = votes / distance
    along = at_zero @ towards
    across = at_zero @ [towards[1], -towards[0]]

    rotated = sample.rotated()
    X, y, weights = noisy_distribution(rotated, sample.y, sample.noise)
    noisy = trial.methods[name](sample.potential, N_ROUNDS, **FEATURES).fit(X, y, weights)
    first = noisy.votes_[0] if noisy.keys_[0] == 1 else 0.0
    X, y, weights = noisy_distribution(rotated, sample.y, 0.0)
    clean = trial.methods[name](sample.potential, 5 * N_ROUNDS, **FEATURES).fit(X, y, weights)

    trial.measure(
        name,
        n_test=1,
        gamma=sample.gamma,
        gamma_excess=max(sample.gamma - 1 / 6, -sample.gamma),
        margin_excess=max(
            sample.gamma - points[:, 0].min(), np.linalg.norm(points, axis=1).max() - 1
        ),
        gradient=np.abs(sample.gradient(votes)).max() / np.abs(at_zero).max(),
        slope_excess=(abs(across) + along) / np.abs(at_zero).max(),
        first_step_gap=abs(first / distance - 1),
    )
    trial.measure(
        name,
        n_test=4,
        error_at_minimum=100 * float(np.mean(points @ votes <= 0)),
        error_after=error_of(noisy, rotated, sample.y),
        noise_free_error=error_of(clean, rotated, sample.y),
    )
    if surface:
        axis = np.linspace(-0.5, 2.5, 41)
        values = sample.value(np.stack(np.meshgrid(axis, axis), axis=-1))
        trial.keep("axis", axis)
        trial.keep("surface", np.round(values, 5))
        trial.keep("minimiser", votes)
        trial.keep("examples", points)


NOISES = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.49]
NAMES = [*POTENTIALS, "drawn"]


@experiment(
    "construction",
    cells=grid(potential=NAMES, noise=NOISES),
    quick=grid(potential=NAMES, noise=[0.1]),
    repeats=8,
    cost=lambda cell: 0.25 if cell["potential"] == "drawn" else 0.06,
    methods={"B_phi": ConvexPotentialBooster},
)
def four_examples(trial: Trial) -> None:
    """Theorem 3: the sample, its bad minimum, and the booster with and without noise."""
    surface = trial.repeat == 0 and trial.cell == {"potential": "exponential", "noise": NOISE}
    for name in trial.methods:
        with trial.attempt(name):
            sample = hard_sample(potential_of(trial), trial.cell["noise"])
            measure_construction(trial, name, sample, surface)


@experiment(
    "escape",
    cells=grid(potential=NAMES, noise=[0.1, 0.2]),
    quick=grid(potential=NAMES, noise=[0.2]),
    smoke=grid(potential=["exponential"], noise=[0.2]),
    repeats=6,
    cost=0.04,
    methods={"branching program": MartingaleBooster},
)
def branching_programs(trial: Trial) -> None:
    """Section 7: a branching program on the samples that defeat a potential.

    The mirrored examples, which change nothing for odd base classifiers, keep a constant from
    being a solution.
    """
    sample = hard_sample(potential_of(trial), trial.cell["noise"])
    rotated = sample.rotated()
    n_rounds = int(1 / sample.gamma**2) | 1
    both = np.concatenate([rotated, -rotated]), np.concatenate([sample.y, -sample.y])
    X, y, weights = noisy_distribution(*both, sample.noise)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            booster = make(n_rounds, noise_rate=sample.noise).fit(X, y, weights)
            trial.measure(name, n_test=4, error_after=error_of(booster, rotated, sample.y))


def papers_boosters(choices: Mapping[str, str]) -> dict[str, Callable[..., Booster]]:
    """Return the paper's three boosters, as descent on a potential or with their own steps.

    Beside them LogitBoost as its published code is, which clips and descends on no potential.
    """
    features = dict(FEATURES, complements=choices["complements"] == "yes")
    made = {}
    for name, potential in PAPERS.items():
        step = {} if choices["step"] == "line-search" else OWN_STEPS[name]
        made[name] = partial(ConvexPotentialBooster, potential, N_ROUNDS, **features, **step)
    made[CLIPPED] = partial(
        ConvexPotentialBooster, "logistic", N_ROUNDS, **features, step="newton", clip=CLIP
    )
    return made


def made(make: Callable[..., Booster], noise: float) -> Booster:
    """Return a booster, told of the noise if it wants to know."""
    wants = "noise_rate" in inspect.signature(make).parameters
    return make(noise_rate=noise) if wants else make()


def majority_error(X: np.ndarray, y: np.ndarray) -> float:
    """Return the percentage of examples that the vote of all features gets wrong."""
    return 100 * float(np.mean(y * X.sum(axis=1) <= 0))


@experiment(
    "binary",
    cells=[{"noise": NOISE}],
    repeats={"quick": 6, "full": 100},
    cost=0.12,
    methods=papers_boosters,
    expects=Booster,
)
def three_boosters(trial: Trial) -> None:
    """Section 6: training error of three boosters on binary features with label noise."""
    X, y = binary_sample(trial.rng("sample"), trial.choices["groups"])
    noisy = flipped(y, trial.cell["noise"], trial.rng("noise"))
    judged = noisy if trial.choices["labels"] == "noisy" else y
    for name, make in trial.methods.items():
        with trial.attempt(name):
            predicted = made(make, trial.cell["noise"]).fit(X, noisy).predict(X)
            trial.measure(
                name,
                n_test=len(y),
                training_error=100 * float(np.mean(predicted != judged)),
                clean_error=100 * float(np.mean(predicted != y)),
                majority_error=majority_error(X, y),
            )


@experiment(
    "tolerance",
    cells=[{"noise": NOISE}],
    repeats={"quick": 6, "full": 24},
    cost=0.2,
    methods=papers_boosters,
    expects=StagedBooster,
)
def errors_at_all_stages(trial: Trial) -> None:
    """Section 2.4: boosters on the exact noisy distribution, and their best stage's true error."""
    X, y = binary_sample(trial.rng("sample"), trial.choices["groups"])
    distribution = noisy_distribution(X, y, trial.cell["noise"])
    for name, make in trial.methods.items():
        with trial.attempt(name):
            booster = made(make, trial.cell["noise"]).fit(*distribution)
            stages = booster.staged_decision_function(X)
            least = min(np.mean(y * scores <= 0) for scores in stages)
            trial.measure(name, n_test=len(y), least_error=100 * float(least))


def todays_boosters(choices: Mapping[str, str]) -> dict[str, Callable[..., Booster]]:
    """Return the paper's boosters as B_phi, a branching program, and what users have today."""
    from sklearn.ensemble import (
        AdaBoostClassifier,
        GradientBoostingClassifier,
        HistGradientBoostingClassifier,
    )

    convex = {
        name: partial(ConvexPotentialBooster, potential, N_ROUNDS, **FEATURES)
        for name, potential in {**PAPERS, "squared hinge": "squared-hinge"}.items()
    }
    return {
        **convex,
        "branching program": partial(MartingaleBooster, 51, complements=False),
        "AdaBoostClassifier": partial(AdaBoostClassifier, n_estimators=N_ROUNDS, random_state=0),
        "GradientBoosting, stumps": partial(
            GradientBoostingClassifier,
            n_estimators=N_ROUNDS,
            max_depth=1,
            learning_rate=1.0,  # with the default of 0.1, 100 stumps do not fit clean labels
            random_state=0,
        ),
        "GradientBoosting": partial(
            GradientBoostingClassifier, n_estimators=N_ROUNDS, random_state=0
        ),
        "HistGradientBoosting": partial(
            HistGradientBoostingClassifier, max_iter=N_ROUNDS, early_stopping=False, random_state=0
        ),
    }


@experiment(
    "noise",
    cells=grid(noise=[0.0, 0.05, 0.1, 0.2, 0.3]),
    quick=grid(noise=[0.0, 0.1]),
    smoke=grid(noise=[0.1]),
    repeats=8,
    cost=1.0,
    methods=todays_boosters,
    expects=Booster,
)
def along_the_noise(trial: Trial) -> None:
    """Section 6's sample at several rates of noise, for boosters of then and of today."""
    X, y = binary_sample(trial.rng("sample", across=("noise",)))
    # The same rows and the same stream at each rate: curves differ by the noise, not by the sample.
    noisy = flipped(y, trial.cell["noise"], trial.rng("noise", across=("noise",)))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            predicted = made(make, trial.cell["noise"]).fit(X, noisy).predict(X)
            trial.measure(
                name,
                n_test=len(y),
                clean_error=100 * float(np.mean(predicted != y)),
                training_error=100 * float(np.mean(predicted != noisy)),
            )
