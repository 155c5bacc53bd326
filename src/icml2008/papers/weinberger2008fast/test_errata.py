"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_trace_is_the_squared_distance():
    """weinberger2008fast, Equation 4: tr(C M) is the square of d_M."""
    rng = np.random.default_rng(4)
    root = rng.normal(size=(3, 3))
    gap = rng.normal(size=3)
    trace = np.trace(np.outer(gap, gap) @ root.T @ root)
    assert math.isclose(trace, np.linalg.norm(root @ gap) ** 2, rel_tol=1e-9)
    assert not math.isclose(trace, np.linalg.norm(root @ gap), rel_tol=1e-2)
