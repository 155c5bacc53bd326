"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import stats

from .method import solve_program
from .theory import solve_exponential


def test_hoeffding_radius_is_too_small():
    """dekel2008missing, Theorem 3: the printed radius is exceeded with chance 0.14, not 0.01."""
    n = 1000
    eps = 0.01
    radius = math.sqrt(n * math.log(1 / eps)) / 2
    # A sum of n signs is 2 B - n for B binomial.
    assert stats.binom.sf((n + radius) / 2, n, 0.5) > 0.13
    enough = math.sqrt(2 * n * math.log(1 / eps))
    assert stats.binom.sf((n + enough) / 2, n, 0.5) < eps


def test_binary_values_alone_do_not_make_the_program_exact():
    """dekel2008missing, Theorem 1: with N = 1/2 the two programs differ by a third."""
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    problem = (X, np.array([1.0, -1.0]), np.ones(2), 0.5, 4 / 3)
    assert abs(solve_exponential(*problem)[2]) < 1e-9
    assert abs(solve_program(*problem)[2] - 1 / 3) < 1e-9
