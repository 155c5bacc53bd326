"""Errata of the paper that a small computation settles."""

from fractions import Fraction


def test_uncorrelated_features_may_depend_on_each_other():
    """lu2008uncorrelated, Section 1: x in {-1, 0, 1} and x^2."""
    x = [-1, 0, 1]
    covariance = Fraction(sum(v * v**2 for v in x), 3) - Fraction(sum(x), 3) * Fraction(2, 3)
    both_zero = Fraction(1, 3)
    assert covariance == 0
    assert both_zero != Fraction(1, 3) * Fraction(1, 3)
