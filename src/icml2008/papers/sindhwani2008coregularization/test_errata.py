"""Errata of the paper that a small computation settles."""

import numpy as np


def test_half_of_the_sum_has_a_quarter_of_the_kernel():
    """sindhwani2008coregularization, Equation 7: the kernel of f1 + f2; the half has a quarter."""
    rng = np.random.default_rng(1)
    points = 6
    unlabelled = [0, 2, 5]
    gamma1 = 0.7
    gamma2 = 0.2
    mu = 3.0
    k1, k2 = (a @ a.T + np.eye(points) for a in rng.normal(size=(2, points, points)))
    d = (k1 / gamma1 - k2 / gamma2)[unlabelled]
    s = k1 / gamma1 + k2 / gamma2
    inner = np.linalg.inv(np.eye(3) + mu * s[np.ix_(unlabelled, unlabelled)])
    printed = s - mu * d.T @ inner @ d
    # The norm of (f1, f2) is a quadratic form; a linear map of it has the kernel M Q^-1 M'.
    chosen = np.diag([float(i in unlabelled) for i in range(points)])
    form = np.block([
        [gamma1 * np.linalg.inv(k1) + mu * chosen, -mu * chosen],
        [-mu * chosen, gamma2 * np.linalg.inv(k2) + mu * chosen],
    ])  # fmt: skip
    both = np.hstack([np.eye(points), np.eye(points)])
    kernel = both @ np.linalg.inv(form) @ both.T
    np.testing.assert_allclose(kernel, printed, rtol=1e-8)
    half = both / 2 @ np.linalg.inv(form) @ both.T / 2
    np.testing.assert_allclose(4 * half, printed, rtol=1e-8)
