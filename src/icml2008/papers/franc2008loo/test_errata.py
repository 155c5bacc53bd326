"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_kernel_of_shifted_points_ends_in_plus():
    """franc2008loo, Eq. 13: with a minus at the end the dual exceeds the primal."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(6, 3))
    tested = rng.normal(size=3)
    gram = points @ points.T
    row = points @ tested
    corner = tested @ tested
    shifted = (points - tested) @ (points - tested).T
    assert np.allclose(gram - row[:, None] - row + corner, shifted)
    # One other point at 11, the tested one at 10, C = 1: f(10) = 0 means f(x) = w (x - 10).
    primal = min(w * w / 2 + max(0.0, 1 - w) for w in np.linspace(0, 2, 2001))
    dual = {
        sign: max(beta - beta**2 / 2 * (121 - 110 - 110 + sign * 100) for beta in (0.0, 0.5, 1.0))
        for sign in (-1, 1)
    }
    assert math.isclose(dual[1], primal)
    assert dual[-1] > primal + 1


def test_gradient_at_zero_is_compared_with_minus_b_y():
    """franc2008loo, Eq. 8: the printed case alpha = 0 rejects an optimal solution."""
    x = np.array([-1.0, 0.0, 2.0])
    y = np.array([1.0, 1.0, -1.0])
    alpha = np.array([0.0, 0.5, 0.5])
    b = 1.0
    w = np.sum(alpha * y * x)
    # Feasible and with equal objectives, hence optimal.
    assert np.all(y * (w * x + b) >= 1)
    assert np.isclose(np.sum(alpha * y), 0)
    assert np.isclose(w**2 / 2, np.sum(alpha) - w**2 / 2)
    gradient = 1 - y * w * x
    assert np.allclose((-gradient + b * y)[1:], 0)
    assert (gradient - b * y)[0] <= 0
    assert (gradient + b * y)[0] >= 1
