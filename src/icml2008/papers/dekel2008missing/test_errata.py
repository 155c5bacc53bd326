"""Errata of the paper that a small computation settles."""

import math

from scipy import stats


def test_hoeffding_radius_is_too_small():
    """dekel2008missing, Theorem 3: the printed radius is exceeded with chance 0.14, not 0.01."""
    n = 1000
    eps = 0.01
    radius = math.sqrt(n * math.log(1 / eps)) / 2
    # A sum of n signs is 2 B - n for B binomial.
    assert stats.binom.sf((n + radius) / 2, n, 0.5) > 0.13
    enough = math.sqrt(2 * n * math.log(1 / eps))
    assert stats.binom.sf((n + enough) / 2, n, 0.5) < eps
