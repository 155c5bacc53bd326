"""Partition functions by enumeration against the definition, by annealing against enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from icml2008.methods import annealed_importance_sampling, enumerate_partition
from icml2008.methods.nets.partition import base_rates, default_betas


class Machine:
    def __init__(self, n_hidden, n_visible, seed=0, scale=1.0):
        rng = np.random.default_rng(seed)
        self.components_ = rng.normal(0, scale, (n_hidden, n_visible))
        self.intercept_hidden_ = rng.normal(0, scale, n_hidden)
        self.intercept_visible_ = rng.normal(0, scale, n_visible)

    @property
    def log_partition(self):
        return enumerate_partition(self)


def states(n):
    return np.array(list(itertools.product([0, 1], repeat=n)))


def by_definition(machine):
    H, V = map(states, machine.components_.shape)
    return logsumexp(
        V @ machine.components_.T @ H.T
        + (V @ machine.intercept_visible_)[:, None]
        + H @ machine.intercept_hidden_
    )


@settings(deadline=None, max_examples=30)
@given(
    st.integers(1, 9), st.integers(1, 9), st.integers(0, 10**6), st.sampled_from([0.01, 1.0, 20.0])
)
def test_enumeration_is_the_sum_over_all_states(n_hidden, n_visible, seed, scale):
    machine = Machine(n_hidden, n_visible, seed, scale)
    np.testing.assert_allclose(machine.log_partition, by_definition(machine), rtol=1e-12)


def test_enumeration_of_many_visible_units_is_a_sum_over_hidden_states():
    machine = Machine(10, 100, scale=0.5)
    H = states(10)
    inputs = H @ machine.components_ + machine.intercept_visible_
    expected = logsumexp(H @ machine.intercept_hidden_ + np.logaddexp(0, inputs).sum(axis=1))
    np.testing.assert_allclose(machine.log_partition, expected, rtol=1e-13)


def test_enumeration_holds_where_products_of_factors_are_no_numbers():
    machine = Machine(5, 9)
    machine.intercept_visible_ += 300  # every visible unit is on, whatever is above it
    scores = states(5) @ (machine.intercept_hidden_ + machine.components_.sum(axis=1))
    expected = machine.intercept_visible_.sum() + logsumexp(scores)
    np.testing.assert_allclose(machine.log_partition, expected, rtol=1e-12)


def test_inputs_that_no_number_holds_are_refused():
    with pytest.raises(ValueError, match="too large for the enumeration"):
        Machine(2, 3, scale=1e4).log_partition  # noqa: B018


@pytest.mark.parametrize("rates", [False, True])
def test_annealing_is_unbiased(rates):
    machine = Machine(6, 6, scale=0.8)
    base = base_rates(np.random.default_rng(1).random((50, 6))) if rates else None
    annealed = annealed_importance_sampling(
        machine, base, betas=np.linspace(0, 1, 6), n_runs=10000, random_state=0
    )
    ratio = np.exp(annealed.log_weights + annealed.log_base - machine.log_partition)
    assert abs(ratio.mean() - 1) < 4 * ratio.std() / 100
    assert ratio.std() > 0.05  # it is an estimate, not the truth


def test_the_variance_falls_with_runs_times_temperatures():
    machine = Machine(6, 6, scale=0.8)
    spreads = []
    for steps in (10, 40, 160):
        betas = np.linspace(0, 1, steps + 1)
        annealed = annealed_importance_sampling(machine, betas=betas, n_runs=4000, random_state=0)
        spreads.append(np.exp(annealed.log_weights - annealed.log_weights.mean()).var())
    slope = np.polyfit(np.log([10, 40, 160]), np.log(spreads), 1)[0]
    assert -1.3 < slope < -0.8


def test_the_ratio_of_two_machines_of_unequal_size_is_estimated_directly():
    small = Machine(4, 6, 1, 0.8)
    large = Machine(7, 6, 2, 0.8)
    V = np.array(list(itertools.product([0.0, 1.0], repeat=6)))
    logs = V @ small.intercept_visible_ + np.logaddexp(
        0, V @ small.components_.T + small.intercept_hidden_
    ).sum(axis=1)
    chosen = np.random.default_rng(0).choice(64, 5000, p=np.exp(logs - logsumexp(logs)))
    annealed = annealed_importance_sampling(
        large, small, betas=np.linspace(0, 1, 30), start=V[chosen], random_state=0
    )
    low, high = annealed.interval()
    assert low < large.log_partition - small.log_partition < high
    assert high - low < 0.2


def test_the_interval_is_that_of_the_mean_weight():
    annealed = annealed_importance_sampling(
        Machine(3, 4), betas=np.linspace(0, 1, 4), n_runs=50, random_state=0
    )
    weights = np.exp(annealed.log_weights)
    mean = weights.mean()
    error = weights.std(ddof=1) / np.sqrt(50)
    expected = np.log([mean - 3 * error, mean + 3 * error]) + annealed.log_base
    np.testing.assert_allclose(annealed.interval(), expected, rtol=1e-10)


def test_single_precision_costs_hundredths_of_a_nat():
    machine = Machine(20, 40, scale=0.6)
    exact = machine.log_partition
    for name in ("components_", "intercept_hidden_", "intercept_visible_"):
        setattr(machine, name, getattr(machine, name).astype(np.float32))
    betas = np.linspace(0, 1, 2001)
    low, high = annealed_importance_sampling(
        machine, betas=betas, n_runs=200, random_state=0
    ).interval(4)
    assert low - 0.01 < exact < high + 0.01


def test_the_papers_temperatures():
    betas = default_betas()
    assert (len(betas), betas[0], betas[500], betas[4500], betas[-1]) == (14501, 0, 0.5, 0.9, 1)
    assert np.all(np.diff(betas) > 0)


@pytest.mark.parametrize("betas", [[0.0, 0.5], [0.1, 1.0], [0.0, 0.5, 0.5, 1.0]])
def test_temperatures_rise_from_0_to_1(betas):
    with pytest.raises(ValueError, match="betas rise from 0 to 1"):
        annealed_importance_sampling(Machine(2, 2), betas=betas)


def test_a_machine_as_base_needs_samples():
    with pytest.raises(ValueError, match="needs samples of it: start"):
        annealed_importance_sampling(Machine(2, 2), Machine(1, 2))
