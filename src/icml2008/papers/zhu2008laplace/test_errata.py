"""Errata of the paper that a small computation settles."""

import math

import numpy as np
import pytest
from scipy import optimize, stats


def test_laplace_density_is_log_concave():
    """zhu2008laplace, Section 4: log-concave, so that minus the logarithm is convex."""
    log = stats.laplace(scale=0.5).logpdf
    for a, b in np.random.default_rng(10).normal(size=(50, 2)):
        assert log((a + b) / 2) >= (log(a) + log(b)) / 2 - 1e-12
    assert log(0) > (log(1) + log(-1)) / 2


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_slack_factor_bounds_the_multipliers(factor):
    """zhu2008laplace, Theorem 3: multipliers summing to C need U = C sum of slacks.

    One example with the feature difference 0.1: w is 0.1 times the multiplier.
    """
    feature = 0.1
    w = optimize.minimize_scalar(
        lambda w: w**2 / 2 + factor * max(0, 1 - w * feature), bounds=(0, 5), method="bounded",
        options={"xatol": 1e-10},
    ).x  # fmt: skip
    assert math.isclose(w / feature, factor, rel_tol=1e-5)
