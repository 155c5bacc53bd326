"""Errata of the paper that a small computation settles."""

import numpy as np


def test_both_unmixing_formulas_hold():
    """quadrianto2008estimating, Eq. 24: right with p(x | i), and with p(x, y | i) as printed."""
    rng = np.random.default_rng(6)
    pi = rng.dirichlet(np.ones(3), size=3)
    classes = rng.dirichlet(np.ones(5), size=3)
    inverse = np.linalg.inv(pi)
    assert np.allclose(inverse @ (pi @ classes), classes, atol=1e-9)
    joint = pi[:, :, None] * classes
    assert np.allclose(np.einsum("yi,iyx->yx", inverse, joint), classes, atol=1e-9)
