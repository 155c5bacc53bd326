"""Errata of the paper that a small computation settles."""

import numpy as np
import pytest
from scipy import stats


@pytest.mark.parametrize("of", ["covariance", "precision"])
def test_wishart_on_a_covariance_is_not_conjugate(of):
    """an2008hksbp, Section 4: in one dimension a Wishart is a + b log s + c s; so must be its sum
    with the log-likelihood of normal numbers, whose mean is integrated out."""
    data = np.array([0.3, -1.0, 2.0, 0.7])
    grid = np.linspace(0.2, 5, 50)
    spread = np.eye(4) + np.ones((4, 4))
    likelihood = [
        stats.multivariate_normal(cov=spread * (s if of == "covariance" else 1 / s)).logpdf(data)
        for s in grid
    ]
    family = np.column_stack([np.ones_like(grid), np.log(grid), grid])
    off = np.ptp(likelihood - family @ np.linalg.lstsq(family, likelihood)[0])
    assert off < 1e-9 if of == "precision" else off > 0.1
