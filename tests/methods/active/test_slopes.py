"""Rules for the slope against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.methods.active.slopes import (
    Steepest,
    Variogram,
    gradient_slope,
    likelihood_slope,
    slopes_beforehand,
    steepest_slope,
    variogram_slope,
)


@pytest.mark.parametrize(
    ("function", "bounds", "expected"),
    [
        (lambda x: 3 * x[0] - 4 * x[1], [[0, 1], [0, 1]], 5.0),
        (lambda x: x[0] ** 2 + x[1] ** 2 / 16, [[-3.4, 3.4]] * 2, 6.8 * np.sqrt(1 + 1 / 256)),
        (lambda x: np.sin(10 * x[0]) + np.sin(7 * x[1]), [[0, 2]] * 2, np.sqrt(149.0)),
        (lambda x: np.exp(-50 * (x[0] - 0.3) ** 2), [[0, 1]], 10 * np.exp(-0.5)),
    ],
)
def test_the_largest_gradient_is_found(function, bounds, expected):
    # A difference quotient with a step of 1e-6 is good for nine digits or so.
    assert gradient_slope(function, bounds) == pytest.approx(expected, rel=1e-6)


def test_length_scales_measure_the_distances_of_a_gradient():
    slope = gradient_slope(lambda x: x[0] + x[1] / 100, [[0, 1], [0, 100]], length_scales=[1, 100])
    assert slope == pytest.approx(np.sqrt(2), rel=1e-6)


def test_variogram_is_the_weighted_line_through_the_binned_semivariances():
    rng = np.random.default_rng(0)
    X = rng.random((30, 2))
    y = rng.normal(size=30)
    above = 0.0
    below = 0.0
    longest = 0.8
    n_lags = 5
    for b in range(n_lags):
        pairs = [
            (np.linalg.norm(X[i] - X[j]), 0.5 * (y[i] - y[j]) ** 2)
            for i in range(30)
            for j in range(i)
            if b <= np.linalg.norm(X[i] - X[j]) / longest * n_lags < b + 1
        ]
        lag, semivariance = np.mean(pairs, axis=0)
        above += len(pairs) * lag * semivariance
        below += len(pairs) * lag**2
    slope = variogram_slope(X, y, max_lag=longest, n_lags=n_lags)
    assert slope == pytest.approx(above / below, rel=1e-12)


def test_for_even_steps_on_a_line_both_estimates_are_the_mean_squared_step():
    """The steps of Brownian motion over a distance h have the variance 2 k h."""
    y = np.cumsum(np.random.default_rng(0).normal(size=500))
    h = 0.01
    X = h * np.arange(500.0)[:, None]
    expected = np.mean(np.diff(y) ** 2) / (2 * h)
    assert variogram_slope(X, y, max_lag=1.5 * h) == pytest.approx(expected, rel=1e-9)
    assert likelihood_slope(X, y) == pytest.approx(expected, rel=1e-9)


def test_semivariances_of_a_smooth_function_make_the_slope_grow_with_the_longest_lag():
    X = np.linspace(0, 1, 60)[:, None]
    slopes = [variogram_slope(X, 2 * X[:, 0], max_lag=lag) for lag in (0.1, 0.3, 0.9)]
    assert slopes[0] < slopes[1] < slopes[2]


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 20))
def test_no_two_samples_are_steeper_than_the_steepest_slope(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    y = rng.normal(size=n)
    quotients = [abs(y[i] - y[j]) / np.linalg.norm(X[i] - X[j]) for i in range(n) for j in range(i)]
    assert steepest_slope(X, y) == pytest.approx(max(quotients), rel=1e-12)


@pytest.mark.parametrize(
    ("make", "rule"), [(lambda: Variogram(0.5), variogram_slope), (Steepest, None)]
)
def test_pairs_added_one_sample_at_a_time_give_the_same_slope(make, rule):
    rng = np.random.default_rng(1)
    X = rng.random((25, 2))
    y = rng.normal(size=25)
    running = make()
    for n in range(25):
        running.add(np.linalg.norm(X[:n] - X[n], axis=1), y[n] - y[:n])
    whole = steepest_slope(X, y) if rule is None else rule(X, y, max_lag=0.5)
    assert running.slope() == pytest.approx(whole, rel=1e-12)


def test_half_gradient_is_half_the_gradient():
    functions = [lambda x: x[0] ** 2, lambda x: np.sin(x[0])]
    box = [[0, 3]]
    whole = slopes_beforehand(functions, box, "gradient")
    np.testing.assert_array_equal(slopes_beforehand(functions, box, "half-gradient"), whole / 2)


@pytest.mark.parametrize("rule", ["variogram", "likelihood"])
def test_slopes_from_values_scale_with_the_square_of_the_function(rule):
    plain, ten = slopes_beforehand(
        [lambda x: np.sin(4 * x[0]), lambda x: 10 * np.sin(4 * x[0])], [[0, 2]], rule, n_points=64
    )
    assert ten == pytest.approx(100 * plain, rel=1e-9)


def test_an_unknown_rule_is_told_the_nearest():
    with pytest.raises(ValueError, match="'gradiant' is unknown; did you mean 'gradient'"):
        slopes_beforehand([np.sum], [[0, 1]], "gradiant")


def test_a_constant_function_is_refused():
    with pytest.raises(ValueError, match="function 1 seems to be constant"):
        slopes_beforehand([np.sum, lambda x: 1.0], [[0, 1]])


@pytest.mark.parametrize("rule", [variogram_slope, steepest_slope, likelihood_slope])
def test_one_point_has_no_slope(rule):
    with pytest.raises(ValueError, match="sample"):
        rule([[0.0]], [1.0])
