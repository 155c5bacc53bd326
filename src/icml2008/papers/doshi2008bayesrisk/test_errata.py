"""Errata of the paper that a small computation settles."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats


def test_belief_goes_with_the_transition():
    """doshi2008bayesrisk, Eq. 1: Bayes' rule on all pairs of states, 3 states, one action."""
    rng = np.random.default_rng(0)
    transition = rng.dirichlet(np.ones(3), size=3)  # from row to column
    seen = rng.random(3)
    belief = rng.dirichlet(np.ones(3))
    joint = belief[:, None] * transition * seen
    posterior = joint.sum(axis=0) / joint.sum()
    chance = seen @ (transition.T @ belief)
    assert np.allclose(seen * (transition.T @ belief) / chance, posterior)
    printed = seen * (transition @ belief) / chance
    assert not np.allclose(printed, posterior, rtol=0.05)
    assert not math.isclose(printed.sum(), 1, rel_tol=1e-2)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.2])
def test_misclassified_beliefs_are_twice_delta(delta):
    """doshi2008bayesrisk, Eq. 19: footnote 4's number of beliefs suits a share of 2 delta."""
    beliefs = math.ceil(3 / delta * math.log(1 / delta))
    assert stats.binom.sf(2 * delta * beliefs, beliefs, delta) < delta
    assert 1 - 2 * (1 - delta) < 0 < 1 - 2 * delta


def test_chernoff_constant_is_81_over_4():
    """doshi2008bayesrisk, Eq. 18: eps = 2 p / 3 of p' = p / 3 gives 81/4, not 27/4."""
    assert 3 / (Fraction(1, 3) * Fraction(2, 3) ** 2) == Fraction(81, 4)
