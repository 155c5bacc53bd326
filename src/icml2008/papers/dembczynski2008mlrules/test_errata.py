"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import special


def test_rules_descend_where_the_derivative_is_negative():
    """dembczynski2008mlrules, Eq. 11: the loss falls along the class with l' < 0 alone."""
    scores = np.array([0.4, -0.3, 0.1])
    label = 1
    derivative = special.softmax(scores) - np.eye(3)[label]
    chosen = [int(np.argmin(sign * derivative)) for sign in (-1, 1)]  # as printed; without minus

    def loss(k):
        return -special.log_softmax(scores + 0.1 * np.eye(3)[k])[label]

    start = -special.log_softmax(scores)[label]
    assert loss(chosen[0]) > start > loss(chosen[1])
    assert chosen[1] == label


def test_second_derivative_is_one_minus_the_square():
    """dembczynski2008mlrules, Eq. 20: 1 - s^2, where v holds signs and s is the mean of v."""
    rng = np.random.default_rng(3)
    signs = rng.choice([-1, 1], size=6)
    p = rng.dirichlet(np.ones(6))
    step = 1e-4
    logits = np.log(p)

    def loss(alpha):
        return np.log(np.sum(np.exp(logits + alpha * signs)))

    curvature = (loss(step) - 2 * loss(0) + loss(-step)) / step**2
    s = signs @ p
    # Second differences keep about half the digits.
    assert math.isclose(curvature, 1 - s**2, rel_tol=1e-5)
