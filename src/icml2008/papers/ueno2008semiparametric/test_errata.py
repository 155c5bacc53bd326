"""Errata of the paper that a small computation settles."""

import numpy as np
import pytest

from numerics import derivative


def test_optimal_constant_needs_a_transpose():
    """ueno2008semiparametric, Equation 23: z transposed in the denominator makes it optimal."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(50, 2)) + [0.5, -0.3]
    z = x + rng.normal(size=(50, 2)) + [1.0, 0.2]
    squared = rng.random(50) * (1 + z[:, 0] ** 2)

    def variance(c):
        shifted = z + c
        a = shifted.T @ x / 50
        root = np.linalg.solve(a, (shifted * np.sqrt(squared)[:, None]).T)
        return np.sum(root**2) / 50

    inverse = np.linalg.inv(x.T @ z / 50)
    mean_x, ez, e = x.mean(axis=0), squared @ z / 50, squared.mean()
    second = (z * squared[:, None]).T @ z / 50
    best = -(ez - second @ inverse @ mean_x) / (e - ez @ inverse @ mean_x)
    assert np.abs(derivative(variance, best)).max() < 1e-6 * variance(best)
    assert variance(best) < variance(np.zeros(2))
    with pytest.raises(ValueError, match="mismatch"):
        ez[:, None] @ inverse @ mean_x
