"""Errata of the paper that a small computation settles."""

import math


def test_bound_of_ranking_svm_does_not_vanish():
    """lan2008query, Theorem 2: the last term tends to a positive constant."""
    mean = 50.0
    spread = 30.0
    delta = 0.05
    eps = 1.0
    kappa = 1.0
    lam = 1.0
    c = 1.0

    def last_term(r):
        ratio = (1 + spread / (mean * math.sqrt(delta / r))) / (1 - eps / mean)
        factor = (16 * kappa**2 * ratio + lam * (1 + 2 * c * kappa)) / lam
        return factor * math.sqrt(math.log(1 / delta) / (2 * r))

    limit = 16 * kappa**2 * spread / (mean * math.sqrt(delta) * (1 - eps / mean) * lam)
    limit *= math.sqrt(math.log(1 / delta) / 2)
    # What is left of the other terms falls as 1 / sqrt(r).
    assert math.isclose(last_term(1e12), limit, rel_tol=1e-4)
    assert last_term(1e12) > 10
