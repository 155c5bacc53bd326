"""Errata of the paper that a small computation settles."""

import math

from scipy import stats


def test_gamma_density_has_a_log_b():
    """gomes2008memory, Eq. 29 and 30: the constant is a log b - log Gamma(a), as in Eq. 14."""
    for a, b, x in [(2.5, 0.5, 1.3), (4.0, 3.0, 0.2)]:
        rest = (a - 1) * math.log(x) - b * x - math.lgamma(a)
        density = stats.gamma.logpdf(x, a, scale=1 / b)
        assert math.isclose(density, rest + a * math.log(b))
        assert not math.isclose(density, rest + b * math.log(a), abs_tol=0.1)
