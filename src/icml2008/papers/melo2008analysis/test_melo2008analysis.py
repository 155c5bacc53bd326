"""What conditions, equilibria and equations must agree with."""

import numpy as np
import pytest

from .experiments import (
    Process,
    covariance,
    drawn,
    drift,
    equilibria,
    greedy,
    largest_discount,
    on_policy,
    softmax,
    stationary,
)


@pytest.fixture
def process():
    return drawn(np.random.default_rng(0), "gaussian", 3)


def test_tabular_features_need_a_policy_above_the_squared_discount():
    policy = np.array([[0.5, 0.5], [0.3, 0.7]])
    P = np.full((2, 2, 2), 0.5)
    tabular = Process(P, np.zeros((2, 2)), policy, np.eye(4).reshape(2, 2, 4))
    assert largest_discount(tabular) == pytest.approx(np.sqrt(0.3))


def test_largest_discount_is_where_a_difference_stops_being_definite(process):
    sigma, mu = covariance(process)
    thetas = np.random.default_rng(1).normal(size=(300, 3))
    worst = [(mu[:, None] * greedy(process, t)).T @ greedy(process, t) for t in thetas]
    discount = largest_discount(process)
    assert min(np.linalg.eigvalsh(sigma - discount**2 * form).min() for form in worst) > -1e-12


def test_euler_steps_come_to_the_one_equilibrium(process):
    discount = 0.95 * largest_discount(process)
    (equilibrium,) = equilibria(process, discount)
    sigma, mu = covariance(process)
    theta = np.random.default_rng(2).normal(size=3)
    for _ in range(3000):
        theta = theta + 0.5 / np.linalg.norm(sigma, 2) * drift(process, mu, discount, theta)
    np.testing.assert_allclose(theta, equilibrium, atol=1e-6)
    # It is the projection of its own backup (Theorem 1).
    backup = process.rewards + discount * process.P @ (greedy(process, equilibrium) @ equilibrium)
    weights = np.sqrt(mu[:, None] * process.policy).ravel()
    rows = process.features.reshape(-1, 3) * weights[:, None]
    projected = np.linalg.lstsq(rows, backup.ravel() * weights)[0]
    np.testing.assert_allclose(projected, equilibrium, atol=1e-9)


def test_a_chain_whose_distance_falls_slower_than_the_last_display():
    P = np.array([[[0.98, 0.02]] * 2, [[0.02, 0.98]] * 2])
    features = np.array([[[10.0, 9], [0, 0]], [[-10, 9], [0, 0]]])
    chain = Process(P, np.zeros((2, 2)), np.array([[0.95, 0.05]] * 2), features)
    sigma, mu = covariance(chain)
    first = np.array([1.0, 1])
    other = np.array([-1.0, 1])
    gap = first - other
    falls = 2 * gap @ (drift(chain, mu, 0.9, first) - drift(chain, mu, 0.9, other))
    most = max(mu @ (greedy(chain, theta) @ gap) ** 2 for theta in (first, other))
    own = gap @ sigma @ gap
    assert falls == pytest.approx(-136.19, abs=0.01)
    assert -2 * own + 1.8 * np.sqrt(own * most) == pytest.approx(-263.77, abs=0.01)
    assert largest_discount(chain) > 0.9


def test_sarsa_equation_is_a_plain_loop_over_steps(process):
    theta = np.array([0.3, -0.2, 0.1])
    policy = softmax(process.features, theta, 0.5)
    mu = stationary(process.P, policy)
    A = np.zeros((3, 3))
    b = np.zeros(3)
    np.testing.assert_allclose(np.einsum("x,xa,xay->y", mu, policy, process.P), mu)
    for x, a in np.ndindex(4, 2):
        phi = process.features[x, a]
        p = mu[x] * policy[x, a]
        b += p * phi * process.rewards[x, a]
        A -= p * np.outer(phi, phi)
        for y, c in np.ndindex(4, 2):
            after = process.features[y, c]
            A += 0.9 * p * process.P[x, a, y] * policy[y, c] * np.outer(phi, after)
    for computed, expected in zip(on_policy(process, theta, 0.5), (A, b), strict=True):
        np.testing.assert_allclose(computed, expected, atol=1e-12)
