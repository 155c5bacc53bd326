"""Errata of the paper that a small computation settles."""

import math

import numpy as np
import pytest
from scipy import stats


def bernoulli(s, theta):
    return s * theta - math.log1p(math.exp(theta))


def quadratic_bound(s, new, old, *, constant, cosh):
    t = math.tanh(old / 2) / old
    terms = t * old**2 / 4 + (2 * s - 1) * new / 2 - t * new**2 / 4
    return constant * math.log(2) + cosh * math.log(math.cosh(old / 2)) + terms


@pytest.mark.parametrize("s", [0, 1])
def test_bound_starts_with_minus_log_two(s):
    """rish2008closedform, Eq. 6: with + log 2 it is above the likelihood that it should bound."""
    for old in (0.1, 0.7, 2.0, 4.0):
        for new in np.linspace(-5, 5, 41):
            assert quadratic_bound(s, new, old, constant=-1, cosh=-1) <= bernoulli(s, new) + 1e-9
        touching = quadratic_bound(s, old, old, constant=-1, cosh=-1)
        assert math.isclose(touching, bernoulli(s, old), rel_tol=1e-9)
        assert quadratic_bound(s, old, old, constant=1, cosh=-1) > bernoulli(s, old) + 1


def test_log_cosh_is_subtracted():
    """rish2008closedform, Eq. 8: with + log cosh it leaves the likelihood by no constant."""
    gaps = {
        cosh: [
            quadratic_bound(1, x, x, constant=0, cosh=cosh) - bernoulli(1, x) for x in (0.5, 2, 4)
        ]
        for cosh in (-1, 1)
    }
    assert np.ptp(gaps[-1]) < 1e-9
    assert np.ptp(gaps[1]) > 1


def test_square_loss_has_the_variance():
    """rish2008closedform, after Eq. 7: c is 1 / (2 sigma^2), not 1 / (2 sigma)."""
    sigma = 3.0
    fall = stats.norm.logpdf(0, 0, sigma) - stats.norm.logpdf(1, 0, sigma)
    assert math.isclose(fall, 1 / (2 * sigma**2), rel_tol=1e-9)
    assert not math.isclose(fall, 1 / (2 * sigma), rel_tol=1e-2)
