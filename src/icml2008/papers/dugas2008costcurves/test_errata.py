"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import stats


def test_share_of_a_binomial_has_variance_over_n():
    """dugas2008costcurves, Eq. 5: the variance of N / n is p (1 - p) / n."""
    n, p = 20, 0.3
    k = np.arange(n + 1)
    chance = stats.binom.pmf(k, n, p)
    variance = np.sum(chance * (k / n - np.sum(chance * k / n)) ** 2)
    assert math.isclose(variance, p * (1 - p) / n, rel_tol=1e-9)
