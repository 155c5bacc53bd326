"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_weights_of_least_variance_are_given_up_to_scale():
    """langford2008exploration, Theorem 7: the stated weights sum to 1 only after division."""
    shown, first = np.array([40.0, 10.0, 25.0]), np.array([100.0, 80.0, 5.0])
    variance, variance_first = np.array([0.1, 0.2, 0.05]), np.array([0.2, 0.1, 0.1])
    each = variance / shown + variance_first / first
    stated = 2 * shown * first / (shown * variance_first + first * variance)
    assert not math.isclose(stated.sum(), 1, rel_tol=0.5)
    best = stated / stated.sum()
    rng = np.random.default_rng(0)
    others = best + 0.05 * (step := rng.normal(size=(100, 3))) - 0.05 * step.mean(1, keepdims=True)
    assert np.all(others**2 @ each >= best**2 @ each)


def test_discounts_start_one_place_later():
    """langford2008exploration, Section 4.4: the table has 1 / log2(1 + i), not 1 / log2(2 + i)."""
    listed = ["1.000", "0.631", "0.500", "0.431"]
    assert [f"{1 / math.log2(1 + i):.3f}" for i in range(1, 5)] == listed
    assert [f"{1 / math.log2(2 + i):.3f}" for i in range(1, 4)] == listed[1:]
