"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import stats


def test_mixture_component_takes_the_excess():
    """paiement2008rhythms, the E step: B at d - beta sums to one over the distances, B at d not."""
    alpha = 6
    beta = 2
    p = 0.4
    distances = np.arange(beta, alpha + 1)
    assert math.isclose(stats.binom.pmf(distances - beta, alpha - beta, p).sum(), 1, rel_tol=1e-9)
    assert stats.binom.pmf(distances, alpha - beta, p).sum() < 0.9
