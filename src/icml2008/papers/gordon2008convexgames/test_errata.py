"""Errata of the paper that a small computation settles."""

import numpy as np


def test_no_linear_regret_may_leave_external_regret():
    """gordon2008convexgames, Section 3: constant maps of [-1, 1] are not linear."""
    rounds, maps = 100, np.linspace(-1, 1, 21)
    played, losses = np.zeros(rounds), np.ones(rounds)
    linear = max(losses @ played - losses @ (m * played) for m in maps)
    external = max(losses @ played - losses.sum() * a for a in maps)
    assert (linear, external) == (0, rounds)
    constant, weights = np.array([0.2, 0.3, 0.5]), np.array([0.7, 0.1, 0.2])
    assert np.allclose(np.outer(constant, np.ones(3)) @ weights, constant)
