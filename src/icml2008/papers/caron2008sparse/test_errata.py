"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import integrate, special, stats


def normal_gamma_density(beta, alpha, gamma):
    """Return the density at beta of a normal whose variance is Gamma(alpha, gamma^2 / 2)."""
    rate = gamma**2 / 2

    def joint(s):
        normal = math.exp(-(beta**2) / (2 * s)) / math.sqrt(2 * math.pi * s)
        return normal * rate**alpha * s ** (alpha - 1) * math.exp(-rate * s) / math.gamma(alpha)

    return integrate.quad(joint, 0, np.inf)[0]


def test_listed_penalties_are_minus_log_priors():
    """caron2008sparse, Table 1: NG for N = 1, and Lasso, are -log p up to a constant."""
    alpha = 1.3
    gamma = 2.0
    first = 0.4
    second = 1.5

    def listed(u):
        return (0.5 - alpha) * math.log(u) - math.log(special.kv(alpha - 0.5, gamma * u))

    change = math.log(normal_gamma_density(second, alpha, gamma)) - math.log(
        normal_gamma_density(first, alpha, gamma)
    )
    assert math.isclose(listed(second) - listed(first), -change, rel_tol=1e-6)
    laplace = stats.laplace(scale=1 / gamma).logpdf
    assert math.isclose(gamma * (second - first), laplace(first) - laplace(second), rel_tol=1e-9)


def test_gibbs_normaliser_has_half_of_gamma_squared():
    """caron2008sparse, Section 4.2: the printed normaliser is that of gamma^2 s / 2."""
    order = 0.3
    u = 0.8
    gamma = 1.7
    printed = 2 * (u / gamma) ** order * special.kv(order, gamma * u)

    def total(rate):
        return integrate.quad(
            lambda s: s ** (order - 1) * math.exp(-(u**2) / (2 * s) - rate * s), 0, np.inf
        )[0]

    assert math.isclose(total(gamma**2 / 2), printed, rel_tol=1e-6)
    assert not math.isclose(total(gamma), printed, rel_tol=1e-2)
