"""Errata of the paper that a small computation settles."""

import numpy as np


def test_loss_has_its_factor_outside_the_norm():
    """finley2008intractable, Section 2.2: as printed a perfect labelling has a loss."""
    truth = np.array([1, 1, 0, 0])
    guess = np.array([1, 0, 0, 1])
    wrong = 100 * np.mean(truth != guess)
    assert 100 * np.count_nonzero(truth - guess) / 4 == wrong == 50
    assert np.count_nonzero(100 * truth - guess) / 4 != wrong
    assert np.count_nonzero(100 * truth - truth) / 4 > 0
