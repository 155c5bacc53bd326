"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_laplacian_form_counts_each_pair_twice():
    """weston2008embed: sum W |f_i - f_j|^2 = 2 f' (D - W) f."""
    rng = np.random.default_rng(2)
    weights = rng.random((5, 5))
    weights += weights.T
    f = rng.normal(size=5)
    total = sum(
        weights[i, j] * (f[i] - f[j]) ** 2 for i, j in itertools.product(range(5), repeat=2)
    )
    laplacian = np.diag(weights.sum(axis=0)) - weights
    assert math.isclose(total, 2 * f @ laplacian @ f, rel_tol=1e-9)
