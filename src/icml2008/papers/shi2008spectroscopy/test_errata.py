"""Errata of the paper that a small computation settles."""

from fractions import Fraction

import numpy as np
from scipy import stats


def test_first_hermite_polynomial_is_linear():
    """shi2008spectroscopy, Section 3: 2 x is H_1; H_2 is 4 x^2 - 2."""
    first, second = (np.polynomial.hermite.herm2poly([0] * k + [1]) for k in (1, 2))
    assert first.tolist() == [0, 2]
    assert second.tolist() == [-2, 0, 4]


def test_spread_of_the_mean_fits_ten_times_the_sample():
    """shi2008spectroscopy, Table 2: 0.011 and 0.007 are spreads of mean and s of 10000 normals.

    Those of 1000 are 0.032 and 0.022; the greatest numbers that round to the printed ones count.
    """
    runs = 100
    for n, fits in [(1000, False), (10_000, True)]:
        spread = stats.chi(n - 1, scale=(n - 1) ** -0.5).std()
        for printed, true in [(0.011, n**-0.5), (0.007, spread)]:
            chance = stats.chi2.cdf((runs - 1) * ((printed + 0.0005) / true) ** 2, runs - 1)
            assert (chance > 1e-3) == fits
            assert fits or chance < 1e-20


def test_ratio_may_be_inverted():
    """shi2008spectroscopy, Algorithms 1 and 2: r / (1 - r)^2 is the same for r and 1 / r."""
    for r in (Fraction(1, 3), Fraction(5, 2)):
        assert r / (1 - r) ** 2 == (1 / r) / (1 - 1 / r) ** 2
