"""Errata of the paper that a small computation settles."""

import math
from fractions import Fraction

import numpy as np


def test_kernel_of_the_past_lags_behind_the_drift():
    """lebanon2008local, Eq. 12: the bias of an average of the past is - h mu_11 times the slope."""
    h = 0.2
    slope = 1.7
    now = 3.0
    # The uniform kernel on (0, 1): mu_11 = 1 / 2. Times are t - h u.
    past = now - h * (np.arange(1000) + 0.5) / 1000
    bias = np.mean(slope * past) - slope * now
    assert math.isclose(bias, -h * slope / 2, rel_tol=1e-9)


def test_tricube_integrates_to_81_over_70():
    """lebanon2008local, Equation 5: (1 - |u|^3)^3 is no density."""
    half = sum(Fraction((-1) ** k * math.comb(3, k), 3 * k + 1) for k in range(4))
    assert 2 * half == Fraction(81, 70)
