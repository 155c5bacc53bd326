"""Sections 3 and 4.1: examples, theorems on random models, and the four-node model simulated."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.liang2008asymptotic.method.asymptotics import (
    AsymptoticLaw,
    Risk,
    asymptotic_law,
)
from icml2008.papers.liang2008asymptotic.method.components import Components, conditional
from icml2008.papers.liang2008asymptotic.method.fitting import maximise
from icml2008.papers.liang2008asymptotic.models import (
    BINARY_ESTIMATORS,
    BINARY_FEATURES,
    INPUTS,
    OUTCOMES,
    RANDOM_ESTIMATORS,
    RANDOM_OUTCOMES,
    counterexample,
    distribution,
    estimators,
    four_node_features,
    random_components,
    random_model,
)

SIZES = [200, 500, 1000, 2000, 5000, 10000, 20000]
LARGE = 20000
GAMMAS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0]
ALPHAS = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0]
# estimates that one repeat of each experiment makes
MANY = 2000
SOME = 1000
FEW = 200
MODELS = 50


class Simulation:
    """Many samples of one size from the four-node model, and what an estimator makes of them.

    Estimators know alpha and beta alone: gamma is 0 for them (Section 4.1).
    """

    def __init__(self, trial: Trial, alpha: float, gamma: float, n: int, samples: int) -> None:
        features = four_node_features()
        self.n = n
        self.features = features[:, :2]
        truth = distribution(features, np.array([alpha, 1.0, gamma]))
        self.risk = Risk(self.features, conditional(OUTCOMES, INPUTS), truth)
        self.counts = trial.rng("sample").multinomial(n, truth, size=samples)

    def law(self, components: Components) -> AsymptoticLaw:
        """Return what theory says of the estimator."""
        return asymptotic_law(self.features, components, self.risk.truth)

    def estimates(self, components: Components, law: AsymptoticLaw) -> np.ndarray:
        """Return the estimate from each sample, (samples, 2)."""
        # the criterion is concave: where the search begins saves steps and changes no result
        return maximise(self.features, components, self.counts, start=law.limit)


@experiment(
    "rates",
    cells=grid(gamma=[0.0, 0.5], n=SIZES),
    quick=grid(gamma=[0.0, 0.5], n=[200, 20000]),
    repeats={"quick": 6, "full": 20},
    cost=0.07,
    methods=estimators,
)
def estimation_error_by_sample_size(trial: Trial) -> None:
    """Figure 1(a)-(f): the size of the estimation error over many samples."""
    gamma = trial.cell["gamma"]
    n = trial.cell["n"]
    simulation = Simulation(trial, 1.0, gamma, n, MANY)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            components = make(OUTCOMES)
            law = simulation.law(components)
            theta = simulation.estimates(components, law)
            errors = simulation.risk(theta) - simulation.risk(law.limit)
            spread = np.log(errors.std())
            trial.measure(name, **{"log-size": spread, "mean-error": n * errors.mean()})


@experiment(
    "large-sample",
    cells=grid(gamma=[0.0, 0.5]),
    repeats={"quick": 6, "full": 20},
    cost=0.055,
    methods=estimators,
)
def theorems_in_large_samples(trial: Trial) -> None:
    """Theorems 1 and 2 at n = 20000: simulated variances over those of the formulas."""
    gamma = trial.cell["gamma"]
    simulation = Simulation(trial, 1.0, gamma, LARGE, MANY)
    n = simulation.n
    risk = simulation.risk
    for name, make in trial.methods.items():
        with trial.attempt(name):
            components = make(OUTCOMES)
            law = simulation.law(components)
            theta = simulation.estimates(components, law)
            variance = n * np.trace(np.cov(theta.T))
            trial.measure(
                name,
                **{
                    "over-printed": variance / np.trace(law.printed_variance),
                    "over-sandwich": variance / np.trace(law.variance),
                },
            )
            errors = n * (risk(theta) - risk(law.limit))
            # Off the model the generative estimators' risk has a slope at their limit: its first
            # order rules.
            if gamma and name != "discriminative":
                trial.measure(
                    name, **{"over-first-order": errors.std() / n**0.5 / risk.first_order(law)}
                )
                continue
            weights = risk.second_order(law)
            diagonal = risk.second_order_diagonal(law)
            trial.measure(
                name,
                **{
                    "mean-error": errors.mean(),
                    "mean-over-theory": errors.mean() / (weights.sum() / 2),
                    "variance-over-theory": errors.var() / (np.sum(weights**2) / 2),
                    "variance-over-printed": errors.var() / np.sum(diagonal**2),
                    "beyond": 100 * np.mean(errors > chi2(theta.shape[1]).ppf(0.95) / 2),
                },
            )


@experiment(
    "misspecification",
    cells=grid(gamma=GAMMAS),
    smoke=grid(gamma=[0.0, 1.0]),
    repeats={"quick": 6, "full": 20},
    cost=0.01,
    methods=estimators,
)
def total_error_by_misspecification(trial: Trial) -> None:
    """Figure 1(g): total error at n = 20000 as the left-out parameter grows."""
    gamma = trial.cell["gamma"] * (-1 if trial.choices["direction"] == "negative" else 1)
    simulation = Simulation(trial, 1.0, gamma, LARGE, FEW)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            components = make(OUTCOMES)
            theta = simulation.estimates(components, simulation.law(components))
            error = np.mean(simulation.risk(theta)) - simulation.risk.bayes
            trial.measure(name, **{"total-error": error})


@experiment(
    "edge-strength",
    cells=grid(alpha=ALPHAS),
    quick=grid(alpha=[0.0, 1.5, 3.0]),
    smoke=grid(alpha=[0.0, 3.0]),
    repeats={"quick": 6, "full": 20},
    cost=0.03,
    methods=estimators,
)
def error_by_edge_strength(trial: Trial) -> None:
    """Figure 1(h): n times the total error at n = 20000 as the outputs attract each other."""
    simulation = Simulation(trial, trial.cell["alpha"], 0.0, LARGE, SOME)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            components = make(OUTCOMES)
            theta = simulation.estimates(components, simulation.law(components))
            error = np.mean(simulation.risk(theta)) - simulation.risk.bayes
            trial.measure(name, **{"scaled-error": LARGE * error})


@experiment(
    "binary-example",
    cells=[{}],
    repeats={"quick": 6, "full": 20},
    cost=0.02,
    methods=BINARY_ESTIMATORS,
)
def two_bits(trial: Trial) -> None:
    """Section 3.4: n times the mean estimation error, by formula and over samples of 20000."""
    truth = np.full(4, 0.25)
    risk = Risk(BINARY_FEATURES, BINARY_ESTIMATORS["discriminative"](), truth)
    counts = trial.rng("sample").multinomial(LARGE, truth, size=MANY)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            components = make()
            law = asymptotic_law(BINARY_FEATURES, components, truth)
            theta = maximise(BINARY_FEATURES, components, counts)
            errors = LARGE * (risk(theta) - risk(law.limit))
            formula = risk.second_order(law).sum() / 2
            trial.measure(name, **{"mean-error": errors.mean(), "formula-error": formula})


@experiment(
    "counterexample",
    cells=[{}],
    repeats={"smoke": 2, "full": 2},
    cost=0.01,
    methods={
        name: lambda reading, name=name: counterexample(reading)[2][name]
        for name in ("first", "second")
    },
)
def three_outcomes(trial: Trial) -> None:
    """Section 3.3: asymptotic variances of two estimators of two components each."""
    reading = trial.choices["reading"]
    phi, truth, _ = counterexample(reading)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            law = asymptotic_law(phi, make(reading), truth)
            trial.measure(name, variance=law.variance[0, 0])


@experiment(
    "random-models",
    cells=[{}],
    repeats={"quick": 6, "full": 20},
    cost=0.4,
    methods=dict.fromkeys(RANDOM_ESTIMATORS, random_components),
)
def theorems_on_random_models(trial: Trial) -> None:
    """Theorems 1 and 3 and both corollaries: the largest violation over random models."""
    rng = trial.rng("models")
    prediction = conditional(RANDOM_OUTCOMES, [0])
    worst: dict[tuple[str, str], float] = {}

    def note(name: str, metric: str, violation: float) -> None:
        worst[name, metric] = max(worst.get((name, metric), 0.0), float(violation))

    for _ in range(MODELS):
        components = random_components(rng)
        for right in (True, False):
            features, truth = random_model(rng, right=right)
            laws = {k: asymptotic_law(features, c, truth) for k, c in components.items()}
            risk = Risk(features, prediction, truth)
            best = risk(laws["discriminative"].limit)
            for name, law in laws.items():
                gap = np.abs(law.printed_variance - law.variance).max()
                note(name, "theorem-1", gap / np.abs(law.variance).max())
                # Theorem 2 compares each with the next coarser: pseudolikelihood with
                # discriminative, and so on.
                coarser = laws["discriminative" if name == "pseudolikelihood" else "generative"]
                if right and name != "generative":
                    smallest = np.linalg.eigvalsh(law.variance - coarser.variance)[0]
                    note(name, "coarser-is-better", -smallest / np.abs(law.variance).max())
                elif not right:
                    note(name, "risk-below-best", best - risk(law.limit))
    for name in trial.methods:
        with trial.attempt(name):
            measured = {metric: value for (of, metric), value in worst.items() if of == name}
            trial.measure(name, n_test=MODELS, **measured)
