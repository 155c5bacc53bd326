"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def energies(rng, d, m):
    """Return the energies of salakhutdinov2008ais, Eq. 1, of all states, and the parameters."""
    w = rng.normal(size=(d, m))
    b = rng.normal(size=d)
    a = rng.normal(size=m)
    v = np.array(list(itertools.product([0, 1], repeat=d)))
    h = np.array(list(itertools.product([0, 1], repeat=m)))
    return -(v @ w @ h.T) - (v @ b)[:, None] - h @ a, v, (w, b, a)


def test_intermediate_distribution_has_minus_the_energy():
    """salakhutdinov2008ais, Section 3.2: the product form is the sum of exp of minus energies."""
    rng = np.random.default_rng(11)
    (first, v, machine_a) = energies(rng, 3, 2)
    (second, _, machine_b) = energies(rng, 3, 4)
    beta = 0.3
    product = np.ones(len(v))
    for share, (w, b, a) in ((1 - beta, machine_a), (beta, machine_b)):
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
    z = np.exp(-energy).sum()
    visible = np.prod(1 + np.exp(b))
    assert math.isclose(z, np.prod(1 + np.exp(a)) * visible, rel_tol=1e-9)
    assert not math.isclose(z, 2 ** len(a) * visible, rel_tol=1e-2)


def test_idle_hidden_units_double_the_printed_weights():
    """salakhutdinov2008ais, Section 3.2: the mean weight is Z_B/Z_A times 2 to the M_A - M_B."""
    rng = np.random.default_rng(13)
    (first, v, machine_a) = energies(rng, 3, 2)
    (second, _, machine_b) = energies(rng, 3, 4)

    def density(beta):  # the printed product
        parts = [
            share * v @ b + np.log1p(np.exp(share * (v @ w + a))).sum(axis=1)
            for share, (w, b, a) in ((1 - beta, machine_a), (beta, machine_b))
        ]
        return np.exp(sum(parts))

    def transition(beta):  # Equations 15 to 17, summed over hidden states
        T = np.zeros((8, 8))
        for ha, hb in itertools.product(*(itertools.product([0, 1], repeat=n) for n in (2, 4))):
            chance = np.ones(8)
            total = 0.0
            for share, (w, b, a), h in ((1 - beta, machine_a, ha), (beta, machine_b, hb)):
                on = 1 / (1 + np.exp(-share * (v @ w + a)))
                chance *= np.prod(np.where(np.array(h) == 1, on, 1 - on), axis=1)
                total = total + share * (w @ h + b)
            on = 1 / (1 + np.exp(-total))
            T += np.outer(chance, np.prod(np.where(v == 1, on, 1 - on), axis=1))
        return T

    start = density(0.0)
    middle = density(0.4)
    end = density(1.0)
    T = transition(0.4)
    assert np.allclose(middle @ T, middle, rtol=1e-12)
    mean = (start / start.sum() * middle / start) @ T @ (end / middle)
    ratio = np.exp(-second).sum() / np.exp(-first).sum()
    assert math.isclose(mean, ratio * 2.0 ** (2 - 4), rel_tol=1e-12)


def test_interval_of_the_small_ratio_misses_the_exact_one():
    """salakhutdinov2008ais, Section 5.1: (-24.19, -24.93) about -24.49 leaves out -24.18."""
    error = math.exp(-24.19 + 24.49) - 1
    assert abs(math.log1p(-error) - (-24.93 + 24.49)) < 0.02
    assert not -24.93 <= -24.18 <= -24.19


def test_direct_ratio_lies_outside_of_both_intervals():
    """salakhutdinov2008ais, Section 5.1: 169.96 is below all that Table 1's intervals allow."""
    assert 169.96 < 450.97 - 280.33 < 451.28 - 280.09
