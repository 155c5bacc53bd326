"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np
from scipy import special, stats

from numerics import positive_definite


def test_log_prior_is_subtracted_and_halved():
    """bickel2008hiv, Optimization Problem 1: + v' S^-1 v is no log prior and has no maximum."""
    rng = np.random.default_rng(0)
    covariance = positive_definite(rng, 3)
    prior = stats.multivariate_normal(cov=covariance)
    v = rng.normal(size=3)
    square = v @ np.linalg.solve(covariance, v)
    assert math.isclose(prior.logpdf(v) - prior.logpdf(np.zeros(3)), -square / 2, rel_tol=1e-9)
    # The soft-max ignores a constant added to the scores of all tasks.
    scores = rng.normal(size=3)
    values = [
        special.log_softmax(scores + c)[0] + (scores + c) @ np.linalg.solve(covariance, scores + c)
        for c in (0, 1e2, 1e4, 1e6)
    ]
    assert all(later > earlier + 1 for earlier, later in itertools.pairwise(values))
