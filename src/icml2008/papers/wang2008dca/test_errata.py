"""Errata of the paper that a small computation settles."""

import numpy as np


def test_rearranged_centre_is_above_its_minimum():
    """wang2008dca, Proposition 4: the centre of the simplex is no case of equality for K < N."""
    balanced = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    assert balanced.sum(axis=0).tolist() == [1] * 4
    assert balanced.sum(axis=1).tolist() == [2] * 2
    centre = np.full(4, 0.25)
    assert (balanced @ centre).min() == 0.5 > centre.min()
