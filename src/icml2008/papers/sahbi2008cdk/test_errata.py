"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_matrix_form_subtracts_ones_and_transposes():
    """sahbi2008cdk, Table 2: Eq. 2 needs ones for U, and Q' where Q is not symmetric."""
    rng = np.random.default_rng(10)
    p, q, mu, d = rng.random((4, 3, 3))
    step = 0.3
    beta = 0.7
    entries = np.empty((3, 3))
    for i, j in itertools.product(range(3), repeat=2):
        context = sum(
            p[i, k] * q[j, m] * mu[k, m] for k, m in itertools.product(range(3), repeat=2)
        )
        entries[i, j] = math.exp(-d[i, j] / beta - 1 + step * context)
    assert np.allclose(np.exp(-d / beta + step * p @ mu @ q.T - 1), entries, rtol=1e-9)
    assert not np.allclose(np.exp(-d / beta + step * p @ mu @ q.T - np.eye(3)), entries, rtol=0.1)
    assert not np.allclose(np.exp(-d / beta + step * p @ mu @ q - 1), entries, rtol=1e-3)


def test_recommended_step_may_be_no_contraction():
    """sahbi2008cdk, Section 3.1: at alpha = beta / (2 A) the constant L is B e / A, here 16 / 9."""
    n = 4
    beta = 0.1
    neighbours = np.ones((n, n)) - np.eye(n)
    a = (neighbours.sum(axis=1)[:, None] * neighbours.sum(axis=1)).max()
    # All descriptors alike: each term of the sum in (5) is 1 / e.
    b = n * n * math.exp(-1)
    alpha = beta / (2 * a)
    constant = 2 * b * alpha / beta * math.exp(2 * alpha * a / beta)
    assert math.isclose(constant, b * math.e / a, rel_tol=1e-9)
    assert math.isclose(constant, 16 / 9, rel_tol=1e-9)
    # Monotone from either end, and so convergent without a contraction.
    low = np.zeros((n, n))
    high = np.ones((n, n))
    for _ in range(100):
        for start, rising in ((low, True), (high, False)):
            after = np.exp(-1 + 2 * alpha / beta * neighbours @ start @ neighbours.T)
            assert np.all(after >= start - 1e-12 if rising else after <= start + 1e-12)
            start[:] = after
    assert np.allclose(after, np.exp(-1 + 2 * alpha / beta * neighbours @ after @ neighbours.T))


def test_partial_derivative_exceeds_the_printed_bound():
    """sahbi2008cdk, proof of Proposition 4: with A = 1 and 2 alpha = beta it is e times that."""
    step = 1.0
    distance_over_beta = 0.5
    at = 1.0

    def f(v):
        return math.exp(-1 - distance_over_beta + step * v)

    slope = (f(at + 1e-6) - f(at - 1e-6)) / 2e-6
    printed = math.exp(-1 - distance_over_beta)
    assert math.isclose(slope, math.e * printed, rel_tol=1e-6)
    assert math.isclose(slope, printed * step * math.exp(step), rel_tol=1e-6)


def test_neighbour_products_are_summed():
    """sahbi2008cdk, Section 3.1: 0 <= g <= 1 and three neighbouring points each give A = 4."""
    g = np.ones((3, 3)) - np.eye(3)
    a = max(np.outer(g[i], g[j]).sum() for i, j in itertools.product(range(3), repeat=2))
    assert a == 4
