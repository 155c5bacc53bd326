"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import integrate, special, stats


def test_mean_log_of_a_dirichlet_is_a_digamma():
    """shringarpure2008mstruct, Section 2.4: not gamma_k but psi(gamma_k) - psi(sum of gamma)."""
    gamma = np.array([2.0, 3.0, 4.0])
    for k in range(3):
        marginal = stats.beta(gamma[k], gamma.sum() - gamma[k])
        mean = integrate.quad(lambda t, p=marginal.pdf: math.log(t) * p(t), 0, 1)[0]
        right = special.digamma(gamma[k]) - special.digamma(gamma.sum())
        assert math.isclose(mean, right, rel_tol=1e-7)
        assert mean < 0 < gamma[k]


def test_mutation_ratio_is_inverted_below():
    """shringarpure2008mstruct, below Equation 1: p(b + 1 | a) / p(b | a) is delta above a only."""
    xi = 0.2
    delta = 0.1
    a = 10

    def p(b):
        return xi * (1 - delta) * delta ** (abs(b - a) - 1) / 2

    assert all(math.isclose(p(b + 1) / p(b), delta) for b in range(11, 15))
    assert all(math.isclose(p(b + 1) / p(b), 1 / delta) for b in range(5, 9))
