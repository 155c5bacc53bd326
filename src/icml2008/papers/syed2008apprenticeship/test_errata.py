"""Errata of the paper that a small computation settles."""

import math
from fractions import Fraction

import numpy as np
from scipy import sparse

from .method import Problem


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
    gamma = 0.9
    eps = 0.01
    number = 1 / (eps * (1 - gamma))
    assert math.log(number, gamma) < 0
    steps = math.ceil(math.log(number, 1 / gamma))
    assert gamma**steps <= eps * (1 - gamma) < gamma ** (steps - 1)


def test_slow_experts_are_worth_at_most_five():
    """syed2008apprenticeship, Tables 3 and 4: no convex mean of values up to 5 is 6.32 or 7.49.

    A slow car has a speed reward of 1/2 a step, contact and road at most as much.
    """
    largest = max(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)) / (1 - Fraction("0.9"))
    assert largest == 5 < min(Fraction("6.32"), Fraction("7.49"))


def test_two_policies_share_an_occupancy_measure():
    """syed2008apprenticeship, Theorem 2: where nobody comes, the policy is any."""
    P = sparse.csr_array(np.array([[1.0, 0], [1, 0], [0, 1], [1, 0]]))
    problem = Problem(P, sparse.csr_array(np.ones((1, 4))), np.array([1.0, 0.0]), 0.9)
    measures = [problem.occupancy(np.array([[1.0, 0], there])) for there in ([1.0, 0], [0, 1.0])]
    np.testing.assert_allclose(measures[0], measures[1])
    np.testing.assert_allclose(measures[0], [[10.0, 0], [0, 0]])
