"""Errata of the paper that a small computation settles."""

import numpy as np
from scipy import optimize


def projection_on_simplex(v, z):
    """Return the nearest point of the simplex of sum z, by bisection for its shift."""
    shift = optimize.brentq(lambda t: np.maximum(v - t, 0).sum() - z, v.min() - z, v.max())
    return np.maximum(v - shift, 0)


def test_an_element_reaches_the_pivot_below_the_bound():
    """duchi2008projections, Eq. 11: elements that stay positive have sum < count v + z."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        v = rng.normal(size=8)
        kept = projection_on_simplex(v, 1.0) > 1e-9
        below = np.array([v[v >= one].sum() < np.sum(v >= one) * one + 1.0 for one in v])
        assert np.array_equal(kept, below)


def test_nonzero_components_are_not_the_positive_inputs():
    """duchi2008projections, Section 3: all v are positive, one w is."""
    v = np.array([3.0, 2.0, 1.0])
    assert np.allclose(projection_on_simplex(v, 0.5), [0.5, 0, 0])
    assert (v > 0).all()
