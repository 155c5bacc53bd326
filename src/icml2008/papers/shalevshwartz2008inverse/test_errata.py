"""Errata of the paper that a small computation settles."""

import math

from scipy import optimize


def test_oracle_bound_has_another_best_lambda():
    """shalevshwartz2008inverse, Equation 8: not (4) with the bound put in, but (9) follows."""
    d = 50.0
    time = 4000.0
    m = 300.0
    norm = 7.0

    def bound(last):
        return lambda log: (
            d / (math.exp(log) * time) + math.exp(log) * norm**2 / 2 + last(math.exp(log))
        )

    substituted = optimize.minimize_scalar(bound(lambda lam: 1 / (lam * m)), bracket=(-10, 0))
    printed = optimize.minimize_scalar(bound(lambda lam: norm / math.sqrt(m)), bracket=(-10, 0))
    # A minimum is located to about the root of the machine's precision.
    assert math.isclose(math.exp(printed.x), math.sqrt(2 * d / time) / norm, rel_tol=1e-6)
    assert math.isclose(
        math.exp(substituted.x), math.sqrt(2 * (d / time + 1 / m)) / norm, rel_tol=1e-6
    )
    rate = norm * (math.sqrt(d / time) + math.sqrt(1 / m))
    assert rate < substituted.fun < math.sqrt(2) * rate
