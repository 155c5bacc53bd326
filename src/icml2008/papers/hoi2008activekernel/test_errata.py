"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize


def test_least_similarity_needs_one_plus_its_size():
    """hoi2008activekernel, Eq. 5: the worse label costs 1 + |Z|; 1 - |Z| selects the largest."""
    similarity = np.array([0.7, -0.1, 0.4, -0.9])
    worse = np.max([np.maximum(0, 1 - y * similarity) for y in (-1, 1)], axis=0)
    assert np.allclose(worse, 1 + np.abs(similarity))
    assert worse.argmin() == np.abs(similarity).argmin()
    printed = np.maximum(0, 1 - np.abs(similarity))
    assert printed.argmin() == np.abs(similarity).argmax()


def test_dual_of_pair_selection_meets_its_primal():
    """hoi2008activekernel, Eq. 9 and 13: (m^2 - m) lambda, over 2 c where lambda >= W^2."""
    m = 4
    c = 3.0
    # Without labelled pairs Z = 0 is best and every error is 1; left are the h.
    primal = optimize.minimize(
        lambda h: c / 2 * np.sum(1 / h),
        np.full(m, 2.0),
        bounds=[(1, None)] * m,
        constraints={"type": "ineq", "fun": lambda h: m**2 - h.sum()},
    ).fun

    def dual(pairs, per_square):
        """All W are equal by symmetry; per_square is what lambda's term has for each W^2."""
        best = optimize.minimize_scalar(
            lambda w: -(m * (w - w**2 / (2 * c)) - pairs * per_square * w**2)
        )
        return -best.fun

    # The general solver stops at about this accuracy.
    assert math.isclose(dual(m**2 - m, 1 / (2 * c)), primal, rel_tol=1e-5)
    assert math.isclose(primal, c / 2, rel_tol=1e-5)
    assert dual(m**2 - 1, 1 / (2 * c)) < 0.9 * primal
    assert dual(m**2 - m, 2 / c) < 0.9 * primal


def test_two_by_two_condition_has_no_factor_of_two():
    """hoi2008activekernel, Appendix C: (c, -q; -q, tau) is semi-definite from tau = q^2 / c on."""
    c = 3.0
    q = 0.7
    for factor, valid in [(0.99, False), (1.01, True), (2.0, True)]:
        matrix = np.array([[c, -q], [-q, factor * q**2 / c]])
        assert (np.linalg.eigvalsh(matrix)[0] >= 0) == valid
