"""Draws of units against their definition, and steps against numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit

from icml2008.methods.nets.gibbs import Units, _exp_minus, are_probabilities, climb, climb_on

DTYPES = [np.float32, np.float64]


def test_the_exponential_is_right_to_float32():
    x = np.linspace(-39, 39, 5001).astype(np.float32)
    values = [_exp_minus(value) for value in x]
    np.testing.assert_allclose(values, np.exp(-x.astype(float)), rtol=4e-7)


@pytest.mark.parametrize("dtype", DTYPES)
def test_states_compare_a_uniform_number_with_the_probability(dtype):
    rng = np.random.default_rng(0)
    inputs = rng.normal(0, 4, (301, 37)).astype(dtype)
    bias = rng.normal(0, 2, 37).astype(dtype)
    same = np.random.Generator(np.random.SFC64(7))
    words = same.bit_generator.random_raw(-(-inputs.size // 4)).view(np.uint16)[: inputs.size]
    p = expit(inputs.astype(float) + bias)
    low = words.reshape(p.shape) / 2**16
    states = Units(7).states(inputs, bias)
    clear = (p - low < -1e-6) | (p - low > 2**-16 + 1e-6)
    assert clear.mean() > 0.999
    np.testing.assert_array_equal(states[clear], (low < p)[clear])
    assert set(np.unique(states)) == {0, 1}
    assert states.dtype == dtype


@pytest.mark.parametrize("dtype", DTYPES)
def test_states_have_their_probability_where_16_bits_decide_and_where_not(dtype):
    draw = Units(0)
    n = 2_000_000
    bias = np.array([-np.inf, np.log(3e-6), -1.0, 0.3, -np.log(3e-6), 700.0], dtype)
    p = expit(bias.astype(float))
    share = np.mean(
        [
            draw.states(np.zeros((n // 10, len(p)), dtype), bias).mean(axis=0, dtype=float)
            for _ in range(10)
        ],
        axis=0,
    )
    assert np.all(np.abs(share - p) <= 4 * np.sqrt(p * (1 - p) / n) + 1e-12)
    assert share[1] > 0


@given(arrays(float, st.integers(1, 20), elements=st.floats(-0.5, 1.5) | st.just(np.nan)))
def test_what_is_no_probability_is_seen(values):
    assert are_probabilities(values) == bool(np.all((values >= 0) & (values <= 1)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_steps_follow_their_formula_whatever_the_order_of_memory(dtype):
    rng = np.random.default_rng(0)
    W, velocity, gradient = (rng.normal(size=(3, 5)).astype(dtype) for _ in range(3))
    scale, shrink, momentum = (dtype(value) for value in (0.3, 0.1, 0.5))
    by_columns = np.asfortranarray(W)
    climb(by_columns, gradient, scale, shrink)
    np.testing.assert_allclose(by_columns, 0.9 * W + 0.3 * gradient, rtol=1e-5)
    moved = W.copy()
    speed = velocity.copy()
    climb_on(moved, speed, gradient, scale, shrink, momentum)
    np.testing.assert_allclose(speed, 0.5 * velocity + 0.3 * gradient - 0.1 * W, rtol=1e-5)
    np.testing.assert_allclose(moved, W + speed, rtol=1e-5)
