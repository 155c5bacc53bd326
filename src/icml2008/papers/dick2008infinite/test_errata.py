"""Errata of the paper that a small computation settles."""

import math

import numpy as np

from numerics import positive_definite


def test_dual_of_ridge_regression_has_minus():
    """dick2008infinite, Section 5.1: only - c' K c / (4 eta) reaches the primal optimum."""
    rng = np.random.default_rng(0)
    kernel = positive_definite(rng, 4)
    y = rng.normal(size=4)
    eta = 0.3
    fitted = kernel @ np.linalg.solve(kernel + eta * np.eye(4), y)
    primal = np.sum((y - fitted) ** 2) + eta * fitted @ np.linalg.solve(kernel, fitted)
    c = 2 * np.linalg.solve(np.eye(4) + kernel / eta, y)
    dual = c @ y - c @ c / 4 - c @ kernel @ c / (4 * eta)
    assert math.isclose(dual, primal, rel_tol=1e-9)
    # With plus it is not concave here: no maximum.
    assert np.linalg.eigvalsh(kernel / eta - np.eye(4))[-1] > 0
