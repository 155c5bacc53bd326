"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def average_loss(penalties, delta, rho, sign):
    """Return the MW algorithm's mean loss; ``sign`` is that of the exponent of meka2008rank."""
    weights = np.ones(penalties.shape[1])
    total = 0.0
    for m in penalties:
        total += weights @ m / weights.sum()
        weights *= np.where(m >= 0, (1 - delta) ** (m / rho), (1 + delta) ** (sign * m / rho))
    return total / len(penalties)


def test_a_violated_constraint_must_gain_weight():
    """meka2008rank, Section 2.1: with (1 + delta)^(M / rho) the bound of Theorem 2.1 fails."""
    epsilon = 0.4
    rho = 1.0
    delta = epsilon / (4 * rho)
    rounds = math.ceil(16 * rho**2 * math.log(2) / epsilon**2)
    penalties = np.tile([-1.0, 1.0], (rounds, 1))
    best = penalties.mean(axis=0).min()
    assert average_loss(penalties, delta, rho, sign=1) > best + epsilon
    assert average_loss(penalties, delta, rho, sign=-1) <= best + epsilon


def test_gradient_in_matrix_and_offset_is_longer():
    """meka2008rank, Theorem 4.2: the norm is sqrt(D^2 + 1), here by finite differences."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(3, 3))
    x = (x + x.T) / np.linalg.norm(x + x.T)
    at = rng.normal(size=10)
    step = 1e-6

    def f(z):
        return np.trace(z[:9].reshape(3, 3) @ x) - z[9]

    gradient = [(f(at + step * e) - f(at - step * e)) / (2 * step) for e in np.eye(10)]
    assert math.isclose(np.linalg.norm(gradient), math.sqrt(2), rel_tol=1e-6)
