"""Errata of the paper that a small computation settles."""

from fractions import Fraction

import numpy as np

from .experiments import EPSILON, Learner, half, random_chain


def test_importance_weights_of_the_next_state_have_mean_one():
    """frank2008rare, Eq. 5: weights that look at the present state do not correct."""
    eps = Fraction(1, 1000)
    sampled = Fraction(1, 4)
    rare = eps / sampled
    usual = (1 - eps) / (1 - sampled)
    assert sampled * rare + (1 - sampled) * usual == 1
    assert all(sampled * weight + (1 - sampled) * weight != 1 for weight in (rare, usual))


def test_first_visit_sends_the_probability_to_an_end():
    """frank2008rare, Algorithm 1, step 6h: 1/2 becomes delta or 1 - delta; `keeps` keeps it."""
    chain = random_chain(np.random.default_rng(0))
    for keeps, expected in ((False, {0.05, 0.95}), (True, {0.5})):
        learner = Learner(half, 0.05, keeps)
        probabilities = {
            learner.run(chain, (0.1, 10.0), 1, np.random.default_rng(i))[1][0] for i in range(9)
        }
        assert probabilities == expected


def test_trajectory_weight_of_algorithm_2_vanishes():
    """frank2008rare, Algorithm 2: c is below 1e-20 after 100 steps of sampling by 1/4."""
    rare = np.random.default_rng(0).random((100, 100)) < 0.25
    weights = np.where(rare, EPSILON / 0.25, (1 - EPSILON) / 0.75)
    assert np.prod(weights, axis=1).max() < 1e-20


def test_algorithm_2_without_its_trajectory_weight_may_diverge():
    """frank2008rare, Section 7: A to B, B to B, rare to A; one feature, 1 and 2, and a rare one."""
    eps = 0.001
    sampled = 0.5
    phi = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])

    def drift(share):
        P, Q = (np.array([[0, 1 - p, p], [0, 1 - p, p], [1, 0, 0]]) for p in (eps, share))
        visits = np.linalg.matrix_power(Q, 500)[0]
        return np.linalg.eigvals(phi.T @ np.diag(visits) @ (np.eye(3) - 0.95 * P) @ phi).real

    assert drift(eps).min() > 0 > drift(sampled).min()


def test_root_mean_squares_make_the_variance_least():
    """frank2008rare, Equation 6: of 0 or 20 usually and 100 rarely, by eps = 0.01."""
    rare = 0.01 * 100
    usual = 0.99 * np.array([0.0, 20.0])

    def variance(p):
        return rare**2 / p + np.mean(usual**2) / (1 - p) - (rare + usual.mean()) ** 2

    best = rare / (rare + np.sqrt(np.mean(usual**2)))
    assert variance(best) < 0.99 * variance(rare / (rare + usual.mean()))
    assert variance(best) < min(variance(0.99 * best), variance(1.01 * best))


def test_value_estimate_of_section_6_is_not_the_value():
    """frank2008rare, Section 6: F = G = 1, X and Y geometric, rewards 1 and 10,000."""
    gamma = 0.7
    eps = 0.001
    usual = 1.0
    rare = 10_000.0

    def estimate(stop_x, stop_y):
        x, y = (gamma * p / (1 - gamma * (1 - p)) for p in (stop_x, stop_y))
        return ((1 - x) * usual + x * (1 - y) * rare) / (1 - gamma) / (1 - x * y)

    value = ((1 - eps) * usual + eps * rare) / (1 - gamma)
    assert round(value, 3) == 36.663
    assert round(estimate(eps, 1 - eps), 3) == 26.664
    assert round(estimate(1 - eps, eps)) == 23311
