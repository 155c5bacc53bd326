"""Errata of the paper that a small computation settles."""

import numpy as np


def test_ascending_weights_average_the_farthest_samples():
    """lazaric2008transfer, Section 3.2: a sample at distance 0 is to give an average of 0."""
    distances = np.array([0.0, 1.0, 2.0, 3.0])
    share = 0.8
    weights = np.exp(-(distances**2))
    weights /= weights.sum()

    def average(order):
        kept = np.cumsum(weights[order]) < share
        return distances[order][kept].mean()

    assert average(np.argsort(-weights)) == 0
    assert average(np.argsort(weights)) == 2
