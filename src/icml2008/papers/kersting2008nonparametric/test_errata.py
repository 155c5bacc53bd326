"""Errata of the paper that a small computation settles."""

import math

import numpy as np
import pytest
from scipy import stats


@pytest.mark.parametrize(("mean", "left_below"), [(0, 5.0), (1, 1.25)])
def test_noise_of_mean_one_moves_the_switch_of_direction(mean, left_below):
    """kersting2008nonparametric, corridor: left is best up to the middle for noise of mean 0."""
    step = 0.05
    cells = np.arange(step / 2, 10, step)
    edges = np.linspace(0, 10, 201)
    moves = [
        np.diff(stats.norm.cdf(edges - (cells[:, None] + action + mean)), axis=1)
        for action in (-1, 1)
    ]
    values = np.zeros(len(cells))
    # A step leaves the corridor with a chance of at least 1 / 6 near an end, so this converges.
    for _ in range(200):
        left, right = (move @ (values - 1) + 20 * (1 - move.sum(axis=1)) for move in moves)
        values = np.maximum(left, right)
    assert math.isclose(cells[left > right].max(), left_below - step / 2, abs_tol=step / 10)
