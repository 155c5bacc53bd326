"""Errata of the paper that a small computation settles."""

import numpy as np


def test_expected_probability_is_greatest_in_a_corner():
    """wolfe2008distributed, Section 2: without the logarithm no M-step normalises counts."""
    counts = np.array([5.0, 3.0, 2.0])
    update = counts / counts.sum()
    others = np.random.default_rng(7).dirichlet(np.ones(3), size=500)
    assert all(counts @ np.log(other) <= counts @ np.log(update) for other in others)
    assert counts @ np.array([1, 0, 0]) > counts @ update


def test_dirichlet_prior_adds_to_counts():
    """wolfe2008distributed, Section 2.2: the MAP estimate has psi - 1 more of each count."""
    counts = np.array([5.0, 3.0, 2.0])
    psi = 2.5

    def posterior(theta):
        return (counts + psi - 1) @ np.log(theta)

    best, printed = (weights / weights.sum() for weights in (counts + psi - 1, counts))
    others = np.random.default_rng(8).dirichlet(np.ones(3), size=500)
    assert all(posterior(other) <= posterior(best) for other in others)
    assert posterior(printed) < posterior(best)
