"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def energies(rng, d, m):
    """Return the energies of salakhutdinov2008ais, Eq. 1, of all states, and the parameters."""
    w, b, a = rng.normal(size=(d, m)), rng.normal(size=d), rng.normal(size=m)
    v = np.array(list(itertools.product([0, 1], repeat=d)))
    h = np.array(list(itertools.product([0, 1], repeat=m)))
    return -(v @ w @ h.T) - (v @ b)[:, None] - h @ a, v, (w, b, a)


def test_intermediate_distribution_has_minus_the_energy():
    """salakhutdinov2008ais, Section 3.2: the product form is the sum of exp of minus energies."""
    rng = np.random.default_rng(11)
    (first, v, one), (second, _, two) = energies(rng, 3, 2), energies(rng, 3, 4)
    beta = 0.3
    product = np.ones(len(v))
    for share, (w, b, a) in ((1 - beta, one), (beta, two)):
        product *= np.exp(share * v @ b) * np.prod(1 + np.exp(share * (v @ w + a)), axis=1)

    def summed(sign):
        parts = [np.exp(sign * (1 - beta) * first), np.exp(sign * beta * second)]
        return parts[0].sum(axis=1) * parts[1].sum(axis=1)

    assert np.allclose(summed(-1), product, rtol=1e-9)
    assert not np.allclose(summed(1), product, rtol=1e-1)


def test_base_rate_counts_hidden_biases():
    """salakhutdinov2008ais, Eq. 18: 2^M is the factor of zero hidden biases only."""
    rng = np.random.default_rng(12)
    energy, v, (w, b, a) = energies(rng, 3, 2)
    # Without weights.
    energy = energy + v @ w @ np.array(list(itertools.product([0, 1], repeat=2))).T
    z, visible = np.exp(-energy).sum(), np.prod(1 + np.exp(b))
    assert math.isclose(z, np.prod(1 + np.exp(a)) * visible, rel_tol=1e-9)
    assert not math.isclose(z, 2 ** len(a) * visible, rel_tol=1e-2)
