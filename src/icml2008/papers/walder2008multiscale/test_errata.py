"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize, stats


def test_gaussian_density_has_the_covariance():
    """walder2008multiscale, below Equation 5: |2 pi K|, not |2 pi K^-1|, to the power -1/2."""
    k = np.array([[2.0, 0.5], [0.5, 3.0]])
    u = np.array([0.7, -1.1])
    form = math.exp(-u @ np.linalg.inv(k) @ u / 2)
    density = stats.multivariate_normal(cov=k).pdf(u)
    assert math.isclose(density, np.linalg.det(2 * np.pi * k) ** -0.5 * form, rel_tol=1e-9)
    wrong = np.linalg.det(2 * np.pi * np.linalg.inv(k)) ** -0.5 * form
    assert not math.isclose(density, wrong, rel_tol=1e-1)


def test_most_likely_gaussian_has_the_kernel_width():
    """walder2008multiscale, Equation 14: the root is of |2 s1 - s| alone."""
    s = 1.7
    widths = np.linspace(s / 2 + 0.05, 5 * s, 400)
    # Equation 13 with c = 1 for h = sqrt(2 pi s1) g(., 0, s1), where g(v, v, t) = (2 pi t)^-1/2.
    exponent = -(2 * np.pi * widths) * (2 * np.pi * (2 * widths - s)) ** -0.5 / 2
    right = -widths / np.sqrt(2 * widths - s)
    printed = -np.sqrt(widths / (2 * widths - s))
    assert np.ptp(exponent / right) < 1e-12
    best = optimize.minimize_scalar(
        lambda w: w / math.sqrt(2 * w - s), bounds=(0.6 * s, 3 * s), method="bounded"
    ).x
    assert math.isclose(best, s, rel_tol=1e-4)
    assert np.all(np.diff(printed) > 0)
