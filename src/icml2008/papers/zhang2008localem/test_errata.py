"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_second_case_needs_a_minus():
    """zhang2008localem, Theorem 2, case 2: ln(1 - x) <= -x; with the plus no bound follows."""
    for share, gap in itertools.product((0.1, 0.3, 0.45), np.linspace(0.05, 1, 20)):
        loss = share * math.log1p(gap) + (1 - share) * math.log1p(-gap * share / (1 - share))
        series = gap - gap**2 / 2 + gap**3 / 3
        assert loss < share * (series - gap) <= -share * gap**2 / 6 + 1e-12
        assert share * (series + gap) > 0


def test_rank_one_determinant_is_zero():
    """zhang2008localem, Theorem 2, case 4: the determinant lemma, not |A + B| > |A| + |B|."""
    rng = np.random.default_rng(9)
    root = rng.normal(size=(3, 3))
    v = rng.normal(size=3)
    a = root @ root.T
    b = np.outer(v, v)
    squared = v @ np.linalg.solve(a, v)
    assert abs(np.linalg.det(b)) < 1e-12
    whole = np.linalg.det(a) * (1 + squared)
    assert math.isclose(np.linalg.det(a + b), whole, rel_tol=1e-9)


def test_logarithm_bound_needs_a_factor():
    """zhang2008localem, Theorem 2, case 4: -ln(1 + D^2) / 2 is above -D^2 / 2, below -D^2 / 6."""
    for gap in np.linspace(0.01, 1, 50):
        loss = -math.log1p(gap**2) / 2
        assert -(gap**2) / 2 < loss <= -math.log(2) / 2 * gap**2 + 1e-15 < -(gap**2) / 6


def test_trace_of_a_square_may_be_below_the_square_of_the_trace():
    """zhang2008localem, Theorem 2, case 3: tr(X^2) >= (tr X)^2 fails for the identity, d = 2."""
    assert np.trace(np.eye(2) @ np.eye(2)) < np.trace(np.eye(2)) ** 2
    delta = 0.5
    d = 2
    # One half of d (x - ln(1 + x)) with x = delta / d is the loss over n pi.
    loss = d * (delta / d - math.log1p(delta / d)) / 2
    assert loss < delta**2 / 6
    assert f"{loss:.4f}" == "0.0269"


def test_logarithm_is_above_its_second_order_term():
    """zhang2008localem: ln(1 + x) - x <= -x^2 / 2 is false for x > 0."""
    assert all(math.log1p(x) - x > -(x**2) / 2 for x in (0.01, 0.5, 2.0))
