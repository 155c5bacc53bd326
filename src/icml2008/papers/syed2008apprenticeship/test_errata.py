"""Errata of the paper that a small computation settles."""

import math
from fractions import Fraction


def test_convex_weights_bound_the_mean_value():
    """syed2008apprenticeship, Table 4: values of 7.26 to 9.83 need weights that sum to over 1.

    A policy's value is linear in the weights; each has mean 1/3 if all are alike and sum to 1,
    and mean 1/2 if each is uniform between 0 and 1.
    """
    largest = [10, 5, 5]
    printed = [Fraction(text) for text in ("9.83", "8.84", "8.76", "7.26", "9.74", "8.12")]
    assert min(printed) > Fraction(sum(largest), 3)
    assert max(printed) <= Fraction(sum(largest), 2)


def test_iterations_need_the_inverse_base():
    """syed2008apprenticeship, Section 3.1: log_gamma of a number above 1 is negative."""
    gamma, eps = 0.9, 0.01
    number = 1 / (eps * (1 - gamma))
    assert math.log(number, gamma) < 0
    steps = math.ceil(math.log(number, 1 / gamma))
    assert gamma**steps <= eps * (1 - gamma) < gamma ** (steps - 1)
