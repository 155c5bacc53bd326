"""Errata of the paper that a small computation settles."""

import numpy as np

from .method import barycentric


def test_no_linear_regret_may_leave_external_regret():
    """gordon2008convexgames, Section 3: constant maps of [-1, 1] are not linear."""
    rounds = 100
    maps = np.linspace(-1, 1, 21)
    played = np.zeros(rounds)
    losses = np.ones(rounds)
    linear = max(losses @ played - losses @ (m * played) for m in maps)
    external = max(losses @ played - losses.sum() * a for a in maps)
    assert (linear, external) == (0, rounds)
    constant = np.array([0.2, 0.3, 0.5])
    weights = np.array([0.7, 0.1, 0.2])
    assert np.allclose(np.outer(constant, np.ones(3)) @ weights, constant)


def test_the_coordinates_of_a_simplex_need_not_be_linear():
    """gordon2008convexgames, Section 3: on [0, 1], K(a) = (1 - a, a), and 1 - a is no a times m."""
    kernel = barycentric(np.array([[0.0], [1.0]]), [[0, 1]])
    a = np.array([[0.25], [0.5]])
    assert np.allclose(kernel(a), np.c_[1 - a, a])
    assert not np.allclose(kernel(a[1:]), 2 * kernel(a[:1]))
