"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_counts_that_sum_to_three_may_be_zero():
    """sokolovska2008asymptotics, Section 3.1: 220 counts the non-negative ones."""
    ways = sum(1 for _ in itertools.combinations_with_replacement(range(10), 3))
    assert ways == math.comb(12, 3) == 220


def test_h_is_i_for_a_wrong_model_of_three_labels():
    """sokolovska2008asymptotics, Section 2.2: the mean gradient is 0 at each input, unlike g."""
    values = np.array([-1.0, 0.0, 1.0])
    labels = np.array([[0.3, 0.4, 0.3], [0.1, 0.8, 0.1]])
    model = np.full(3, 1 / 3)  # theta = 0
    gradients = model @ values - values
    means = labels @ gradients
    assert np.allclose(means, 0)  # theta = 0 is the best fit
    second = labels @ gradients**2
    assert np.allclose(second, second - means**2)
    assert not np.allclose(labels, model)
