"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import stats


def test_empirical_copula_needs_order_statistics():
    """kirshner2008ica, Eq. 4: with x_i, y_j as drawn, sigma of independent data stays large."""
    n = 200
    x, y = np.random.default_rng(0).normal(size=(2, n))
    grid = np.arange(1, n + 1) / n

    def differences(first, second):
        below = (x[:, None] <= first).astype(float).T @ (y[:, None] <= second) / n
        return 12 / (n**2 - 1) * (below - np.outer(grid, grid))

    ordered = differences(np.sort(x), np.sort(y))
    drawn = differences(x, y)
    # Equation 5 with order statistics is Spearman's rho exactly.
    assert math.isclose(ordered.sum(), stats.spearmanr(x, y).statistic, rel_tol=1e-9)
    assert np.abs(ordered).sum() < 0.2
    assert np.abs(drawn).sum() > 1
