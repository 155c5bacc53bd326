"""The paper's small models, and its errata settled by computation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from icml2008.papers.liang2008asymptotic.method.asymptotics import Risk, asymptotic_law
from icml2008.papers.liang2008asymptotic.method.components import conditional
from icml2008.papers.liang2008asymptotic.method.fitting import maximise
from icml2008.papers.liang2008asymptotic.models import (
    BINARY_ESTIMATORS,
    BINARY_FEATURES,
    INPUTS,
    OUTCOMES,
    counterexample,
    distribution,
    estimators,
    four_node_features,
    random_components,
    random_model,
)


def four_nodes(gamma, alpha=1.0, **choices):
    """Return the risk of the model without gamma, and the law of each estimator."""
    features = four_node_features()
    truth = distribution(features, np.array([alpha, 1.0, gamma]))
    risk = Risk(features[:, :2], conditional(OUTCOMES, INPUTS), truth)
    laws = {
        name: asymptotic_law(features[:, :2], make(OUTCOMES), truth)
        for name, make in estimators(choices).items()
    }
    return risk, laws


def test_features_are_the_printed_indicators():
    for row, (x1, x2, y1, y2) in zip(four_node_features(), OUTCOMES, strict=True):
        printed = [y1 == y2, (x1 == y1) + int(x2 == y2), (x1 == y2) + int(x2 == y1)]
        assert row.tolist() == printed


def test_the_conditional_component_fixes_both_inputs():
    labels = estimators({})["discriminative"](OUTCOMES).labels[0]
    for a, b in itertools.combinations(range(16), 2):
        assert (labels[a] == labels[b]) == (OUTCOMES[a, :2] == OUTCOMES[b, :2]).all()


@pytest.mark.parametrize(("nodes", "number"), [("outputs", 2), ("all-nodes", 4)])
def test_pseudolikelihood_has_a_component_a_predicted_node(nodes, number):
    components = estimators({"pseudolikelihood": nodes})["pseudolikelihood"](OUTCOMES)
    assert components.labels.shape == (number, 16)
    assert all(np.bincount(row).tolist() == [2] * 8 for row in components.labels)


def test_the_binary_example_has_the_printed_sensitivities():
    laws = [
        asymptotic_law(BINARY_FEATURES, make(), np.full(4, 0.25))
        for make in BINARY_ESTIMATORS.values()
    ]
    np.testing.assert_allclose(16 * laws[0].sensitivity, [[3, -1], [-1, 3]], atol=1e-12)
    np.testing.assert_allclose(16 * laws[1].sensitivity, [[2, 0], [0, 2]], atol=1e-12)


def variances(reading):
    phi, truth, components = counterexample(reading)
    return {
        name: asymptotic_law(phi, part, truth).variance.item() for name, part in components.items()
    }


def test_the_counterexample_as_printed_is_none():
    variance_of = variances("printed")
    assert round(variance_of["first"], 2) == 2.36
    assert variance_of["first"] < variance_of["second"]


@pytest.mark.parametrize("reading", ["partition", "features", "parameter"])
def test_one_other_fact_gives_the_printed_variances(reading):
    """liang2008asymptotic, Section 3.3: 4.19 and 3.15 need another partition."""
    variance_of = variances(reading)
    assert (round(variance_of["first"], 2), round(variance_of["second"], 2)) == (4.19, 3.15)


def test_the_printed_numbers_are_no_sensitivities():
    """liang2008asymptotic, Section 3.3: the sensitivities are below 1."""
    for reading in ("printed", "partition"):
        phi, truth, components = counterexample(reading)
        gammas = [asymptotic_law(phi, c, truth).sensitivity.item() for c in components.values()]
        assert max(gammas) < 1


def test_the_second_estimator_is_its_first_component_alone():
    phi, truth, components = counterexample("printed")
    counts = np.random.default_rng(0).multinomial(200, truth, size=20)
    alone = type(components["second"])([[0, 0, 1]])
    np.testing.assert_allclose(
        maximise(phi, components["second"], counts), maximise(phi, alone, counts), atol=1e-6
    )


def test_no_finer_partition_has_a_smaller_variance():
    """liang2008asymptotic, Theorem 3: the statement, on models that it was not run on."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        features, truth = random_model(rng, right=True)
        components = random_components(rng)
        best = asymptotic_law(features, components.pop("generative"), truth).variance
        for part in components.values():
            law = asymptotic_law(features, part, truth)
            smallest = np.linalg.eigvalsh(law.variance - best)[0]
            assert smallest > -1e-7 * np.abs(law.variance).max()


def test_the_printed_sign_misses_the_simulated_variance():
    """liang2008asymptotic, Theorem 1: for the pseudolikelihood, with an interval of 99.9 %."""
    _, laws = four_nodes(0.0)
    law = laws["pseudolikelihood"]
    truth = distribution(four_node_features(), np.array([1.0, 1.0, 0.0]))
    counts = np.random.default_rng(1).multinomial(20_000, truth, size=(20, 500))
    components = estimators({})["pseudolikelihood"](OUTCOMES)
    theta = maximise(four_node_features()[:, :2], components, counts, start=law.limit)
    variance = 20_000 * theta.var(axis=1, ddof=1).sum(axis=-1)
    half_width = 3.9 * variance.std(ddof=1) / np.sqrt(20)  # Student's t with 19 degrees of freedom
    assert abs(variance.mean() - np.trace(law.variance)) < half_width
    assert np.trace(law.printed_variance) - variance.mean() > 10 * half_width


@pytest.mark.parametrize(("gamma", "rates"), [(0.0, (-1, -1, -1)), (0.5, (-0.5, -1, -0.5))])
def test_a_standard_deviation_has_the_stated_rates_and_a_variance_has_not(gamma, rates):
    """liang2008asymptotic, Section 4.1: what the figure scales."""
    risk, laws = four_nodes(gamma)
    rng = np.random.default_rng(2)
    sizes = []
    for n in (2_000, 200_000):
        counts = rng.multinomial(n, risk.truth, size=1000)
        sizes.append([
            risk(maximise(risk.features, make(OUTCOMES), counts, start=laws[name].limit)).std()
            for name, make in estimators({}).items()
        ])  # fmt: skip
    slopes = np.diff(np.log(sizes), axis=0)[0] / np.log(100)
    np.testing.assert_allclose(slopes, rates, atol=0.05)
    assert (np.abs(2 * slopes - rates) > 0.4).all()


def test_pseudolikelihood_is_hurt_more_than_the_generative_estimator():
    """liang2008asymptotic, Section 4.1: by total error and by spread, gamma* = 0.5."""
    risk, laws = four_nodes(0.5)
    total = {name: float(risk(law.limit)) - risk.bayes for name, law in laws.items()}
    spread = {name: risk.first_order(law) for name, law in laws.items()}
    assert [round(error, 4) for error in total.values()] == [0.0234, 0.0213, 0.0277]
    assert [round(size, 3) for size in spread.values()] == [0.067, 0.0, 0.13]


def test_a_pseudolikelihood_of_all_nodes_is_hurt_less():
    risk, laws = four_nodes(0.5, pseudolikelihood="all-nodes")
    order = sorted(laws, key=lambda name: float(risk(laws[name].limit)))
    assert order == ["discriminative", "pseudolikelihood", "generative"]
    assert risk.first_order(laws["pseudolikelihood"]) < risk.first_order(laws["generative"])


def test_the_variance_of_the_limit_is_half_of_all_squared_entries():
    """liang2008asymptotic, Section 3.2: not the sum of the squared diagonal entries."""
    risk, laws = four_nodes(0.0)
    normal = np.random.default_rng(3).normal(size=(100_000, 2))
    for law in laws.values():
        weights = risk.second_order(law)
        diagonal = risk.second_order_diagonal(law)
        variance = (normal**2 @ weights / 2).var()
        # the relative standard error of this variance is about 1 %
        assert np.isclose(variance, np.sum(weights**2) / 2, rtol=0.05)
        assert np.sum(diagonal**2) > 1.5 * variance
