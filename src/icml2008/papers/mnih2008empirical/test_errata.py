"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def nas(draw, epsilon, delta, stop):
    t, total, stopped = 0, 0.0, False
    while not stopped:
        t, total = t + 1, total + draw()
        alpha = math.sqrt(math.log(t * (t + 1) / delta) / (2 * t))
        stopped = stop(abs(total / t), alpha * (1 + 1 / epsilon))
    return t, total / t


def test_printed_stopping_rule_stops_at_once():
    """mnih2008empirical, Algorithm 1: `until <` stops at t = 1, `until >=` when it is accurate."""
    rng = np.random.default_rng(4)

    def draw():
        return rng.random() < 0.5

    for _ in range(5):
        assert nas(draw, 0.1, 0.1, lambda mean, limit: mean < limit)[0] == 1
        t, mean = nas(draw, 0.1, 0.1, lambda mean, limit: mean >= limit)
        assert t > 1
        assert abs(mean - 0.5) <= 0.05


def test_estimate_exceeds_the_printed_middle_term():
    """mnih2008empirical, after Algorithm 2: the middle term is LB; with UB the chain holds."""
    epsilon, low = 0.1, 1.0
    assert math.isclose(((1 + epsilon) * low + (1 - epsilon) * low) / 2, low)
    # The condition for stopping allows UB up to 1.1 / 0.9.
    for high in np.linspace(low, 1.1 / 0.9, 12):
        estimate = ((1 + epsilon) * low + (1 - epsilon) * high) / 2
        assert (1 - epsilon) * high <= estimate + 1e-12
        assert estimate <= (1 + epsilon) * low + 1e-12
    assert estimate > low


def test_bound_without_the_range_fails_for_a_wide_variable():
    """mnih2008empirical, Eq. 5: one draw of 0 or 1000 lies within the bound only with R."""
    d, alpha, wide = 0.1, 1.0, 1000.0
    mean, sd = wide / 2, 0.0
    second = 3 * alpha * math.log(3 / d)
    assert all(abs(x - mean) > sd + second for x in (0.0, wide))
    assert all(abs(x - mean) <= sd + wide * second for x in (0.0, wide))
