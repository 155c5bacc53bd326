"""What is measured of estimators over samples, and what each choice changes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from icml2008.papers.liang2008asymptotic import experiments
from icml2008.papers.liang2008asymptotic.experiments import (
    BINARY_ESTIMATORS,
    BINARY_FEATURES,
    INPUTS,
    OUTCOMES,
    RANDOM_OUTCOMES,
    Risk,
    asymptotic_law,
    conditional,
    counterexample,
    distribution,
    estimators,
    four_node_features,
    maximise,
    random_components,
    random_model,
)
from wiring import wire


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    for name in ("MANY", "SOME", "FEW"):
        monkeypatch.setattr(experiments, name, 40)


NAMES = ("generative", "discriminative", "pseudolikelihood")


def simulated(wired, alpha, gamma, n, name, reading="outputs"):
    """Return estimates from 40 samples of a size, the law of their estimator and its risk."""
    features = four_node_features()
    truth = distribution(features, np.array([alpha, 1.0, gamma]))
    risk = Risk(features[:, :2], conditional(OUTCOMES, INPUTS), truth)
    components = estimators({"pseudolikelihood": reading})[name](OUTCOMES)
    law = asymptotic_law(features[:, :2], components, truth)
    counts = wired.rng("sample").multinomial(n, truth, size=40)
    return maximise(features[:, :2], components, counts, start=law.limit), law, risk, truth


def near(value):
    return pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("reading", ["outputs", "all-nodes"])
def test_the_size_of_an_error_is_the_spread_of_risks_over_samples(reading):
    cell = {"gamma": 0.5, "n": 500}
    wired = wire(
        experiments.estimation_error_by_sample_size, cell, choices={"pseudolikelihood": reading}
    )
    for name in NAMES:
        theta, law, risk, _ = simulated(wired, 1.0, 0.5, 500, name, reading)
        errors = risk(theta) - risk(law.limit)
        deviation = np.sqrt(np.mean(errors**2) - np.mean(errors) ** 2)
        assert wired[name] == {
            "log-size": near(np.log(deviation)),
            "mean-error": near(500 * np.mean(errors)),
        }


@pytest.mark.parametrize("gamma", [0.0, 0.5])
def test_variances_are_over_those_of_the_formulas(gamma):
    wired = wire(experiments.theorems_in_large_samples, {"gamma": gamma})
    for name in NAMES:
        theta, law, risk, _ = simulated(wired, 1.0, gamma, 20_000, name)
        variance = 20_000 * sum(np.var(part) * 40 / 39 for part in theta.T)
        expected = {
            "over-printed": near(variance / sum(np.diag(law.printed_variance))),
            "over-sandwich": near(variance / sum(np.diag(law.variance))),
        }
        errors = 20_000 * (risk(theta) - risk(law.limit))
        if gamma and name != "discriminative":
            first = np.std(errors) / np.sqrt(20_000) / risk.first_order(law)
            assert wired[name] == {**expected, "over-first-order": near(first)}
            continue
        weights = risk.second_order(law)
        printed = risk.second_order_diagonal(law)
        assert wired[name] == {
            **expected,
            "mean-error": near(np.mean(errors)),
            "mean-over-theory": near(2 * np.mean(errors) / sum(weights)),
            "variance-over-theory": near(2 * np.var(errors) / sum(weights**2)),
            "variance-over-printed": near(np.var(errors) / sum(printed**2)),
            "beyond": 100 * np.mean(2 * errors > chi2(2).ppf(0.95)),
        }


@pytest.mark.parametrize("direction", ["positive", "negative"])
def test_the_total_error_is_the_mean_risk_above_that_of_the_truth(direction):
    wired = wire(
        experiments.total_error_by_misspecification,
        {"gamma": 0.4},
        choices={"direction": direction},
    )
    gamma = 0.4 if direction == "positive" else -0.4
    for name in NAMES:
        theta, _, risk, truth = simulated(wired, 1.0, gamma, 20_000, name)
        outcomes = truth.reshape(-1)
        assert sum(outcomes) == pytest.approx(1)
        error = np.mean(risk(theta)) - risk.bayes
        assert error > 0
        assert wired[name] == {"total-error": near(error)}


def test_edges_scale_the_total_error_by_the_sample():
    wired = wire(experiments.error_by_edge_strength, {"alpha": 3.0})
    for name in NAMES:
        theta, _, risk, _ = simulated(wired, 3.0, 0.0, 20_000, name)
        error = 20_000 * (np.mean(risk(theta)) - risk.bayes)
        assert wired[name] == {"scaled-error": near(error)}


def test_two_bits_are_measured_by_formula_and_over_samples():
    wired = wire(experiments.two_bits)
    truth = np.full(4, 0.25)
    risk = Risk(BINARY_FEATURES, BINARY_ESTIMATORS["discriminative"](), truth)
    counts = wired.rng("sample").multinomial(20_000, truth, size=40)
    for name, make in BINARY_ESTIMATORS.items():
        law = asymptotic_law(BINARY_FEATURES, make(), truth)
        theta = maximise(BINARY_FEATURES, make(), counts)
        errors = [20_000 * (value - risk(law.limit)) for value in risk(theta)]
        assert wired[name] == {
            "mean-error": near(np.mean(errors)),
            "formula-error": near(sum(risk.second_order(law)) / 2),
        }


@pytest.mark.parametrize("reading", ["partition", "features", "parameter"])
def test_a_counterexample_is_that_of_the_reading(reading):
    wired = wire(experiments.three_outcomes, choices={"reading": reading})
    phi, truth, both = counterexample(reading)
    for name in ("first", "second"):
        law = asymptotic_law(phi, both[name], truth)
        assert wired[name] == {"variance": near(law.variance[0, 0])}


def test_violations_are_the_largest_over_random_models(monkeypatch):
    monkeypatch.setattr(experiments, "MODELS", 3)
    wired = wire(experiments.theorems_on_random_models)
    rng = wired.rng("models")
    gaps = {}
    coarser = {}
    below = {}
    for _ in range(3):
        components = random_components(rng)
        for right in (True, False):
            features, truth = random_model(rng, right=right)
            laws = {name: asymptotic_law(features, c, truth) for name, c in components.items()}
            risk = Risk(features, conditional(RANDOM_OUTCOMES, [0]), truth)
            for name, law in laws.items():
                scale = np.abs(law.variance).max()
                gap = np.abs(law.printed_variance - law.variance).max() / scale
                gaps.setdefault(name, []).append(gap)
                if right and name != "generative":
                    other = "discriminative" if name == "pseudolikelihood" else "generative"
                    least = min(np.linalg.eigvalsh(law.variance - laws[other].variance))
                    coarser.setdefault(name, [0.0]).append(-least / scale)
                if not right:
                    best = risk(laws["discriminative"].limit)
                    below.setdefault(name, [0.0]).append(best - risk(law.limit))
    for name in NAMES:
        metrics = wired[name]
        assert metrics["theorem-1"] == pytest.approx(max(gaps[name]), abs=1e-9)
        assert metrics["risk-below-best"] == pytest.approx(max(below[name]), abs=1e-9)
        if name in coarser:
            assert metrics["coarser-is-better"] == pytest.approx(max(coarser[name]), abs=1e-9)
    assert "coarser-is-better" not in wired["generative"]
    assert wired.n_test["generative"]["theorem-1"] == 3


def test_a_law_that_breaks_a_statement_is_told(monkeypatch):
    law_of = experiments.asymptotic_law

    def turned(*given):
        law = law_of(*given)
        return replace(law, score_variance=-law.score_variance)

    monkeypatch.setattr(experiments, "MODELS", 2)
    usual = wire(experiments.theorems_on_random_models)["discriminative"]
    assert usual["coarser-is-better"] < 1e-6
    monkeypatch.setattr(experiments, "asymptotic_law", turned)
    broken = wire(experiments.theorems_on_random_models)["discriminative"]
    assert broken["coarser-is-better"] > 1e-3
