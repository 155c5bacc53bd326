"""Errata of the paper that a small computation settles."""

import numpy as np
from scipy import special

from numerics import derivative

FEATURES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 3.0]])


def log_partition(s):
    """Return log Z of wingate2008efpsr's Equation 2 over the outcomes in FEATURES."""
    return special.logsumexp(-FEATURES @ s)


def model_mean(s):
    return special.softmax(-FEATURES @ s) @ FEATURES


def test_jensen_bound_points_up():
    """wingate2008efpsr, Section 4: E[-log Z(s)] is at most -log Z(E[s]), not at least."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        states = rng.normal(size=(10, 2))
        mean = np.mean([-log_partition(s) for s in states])
        assert mean < -log_partition(states.mean(axis=0))


def test_gradient_is_model_less_data():
    """wingate2008efpsr, Equations 1 and 2: E_model - E_data for -s phi, minus that for +s phi.

    Algorithm 2 has the sign of Equation 1, the text that of Equation 2.
    """
    s = np.array([0.3, -0.2])
    data = np.array([0.4, 0.9])
    minus = derivative(lambda at: -at @ data - log_partition(at), s)
    np.testing.assert_allclose(minus, model_mean(s) - data, rtol=1e-6)
    plus = derivative(lambda at: at @ data - log_partition(-at), s)
    np.testing.assert_allclose(plus, data - model_mean(-s), rtol=1e-6)


def test_stationary_gradient_needs_the_inverse():
    """wingate2008efpsr, Algorithm 2: E[s] = (I - G A)^-1 G B, and the inverse stays for B.

    The likelihood holds the data's expected features; the gradient by A is as printed.
    """
    rng = np.random.default_rng(6)
    g, a = 0.4 * rng.normal(size=(2, 2, 2))
    b = rng.normal(size=2)
    data = np.array([0.4, 0.9])

    def state(a, b):
        return np.linalg.solve(np.eye(2) - g @ a, g @ b)

    def likelihood(s):
        return -s @ data - log_partition(s)

    s = state(a, b)
    delta = model_mean(s) - data
    gamma = delta @ np.linalg.inv(np.eye(2) - g @ a) @ g
    by_a = derivative(lambda at: likelihood(state(at.reshape(2, 2), b)), a.ravel())
    by_b = derivative(lambda at: likelihood(state(a, at)), b)
    np.testing.assert_allclose(by_a.reshape(2, 2), np.outer(gamma, s), rtol=1e-5)
    np.testing.assert_allclose(by_b, gamma, rtol=1e-5)
    assert not np.allclose(by_b, g.T @ delta, rtol=1e-2)
    # As a fixed point of s = G (A s + B), which the printed form without G is not.
    np.testing.assert_allclose(s, g @ (a @ s + b), rtol=1e-9)
    printed = np.linalg.solve(np.eye(2) - g @ a, b)
    assert not np.allclose(printed, g @ (a @ printed + b), rtol=1e-2)
