"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_norm_of_a_sum_is_below_the_sum_of_norms():
    """donmez2008lossreduction, Eq. 8: two opposite derivatives cancel."""
    derivatives = np.array([[1.0, 2.0], [-1.0, -2.0]])
    assert np.linalg.norm(derivatives.sum(axis=0)) == 0
    assert np.linalg.norm(derivatives, axis=1).sum() > 4


def test_sigmoid_with_an_offset_is_no_distribution():
    """donmez2008lossreduction, Section 3.7: the two labels' chances sum to 0.54 at f = 0, C = 1."""
    total = sum(1 / (1 + math.exp(-y * 0.0 + 1.0)) for y in (-1, 1))
    assert math.isclose(total, 0.5379, abs_tol=5e-5)
