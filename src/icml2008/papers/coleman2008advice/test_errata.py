"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy.linalg import null_space

from icml2008.data import load


def test_minimiser_of_p1_has_the_inverse_root():
    """coleman2008advice, Section 2.2: v = D^(-1/2) u fulfils and solves P1, D^(1/2) u does not."""
    affinity = np.random.default_rng(0).random((6, 6)) ** 4
    affinity = np.triu(affinity, 1) + np.triu(affinity, 1).T
    degrees = affinity.sum(axis=0)
    laplacian = np.diag(degrees) - affinity
    values, vectors = np.linalg.eigh(laplacian / np.sqrt(np.outer(degrees, degrees)))
    u = vectors[:, 1]
    v = u / np.sqrt(degrees)
    assert abs(degrees @ v) < 1e-9
    assert math.isclose(v @ laplacian @ v / (degrees @ v**2), values[1], rel_tol=1e-9)
    assert abs(degrees @ (u * np.sqrt(degrees))) > 1e-2


def test_null_space_of_the_appendix_is_that_of_d_r():
    """coleman2008advice, Appendix A: Y = RN has d'Y = 0 for N of d'R, and not for N of d'W."""
    rng = np.random.default_rng(0)
    degrees = rng.uniform(1, 3, size=7)
    W = np.zeros((7, 5))
    W[:4, :2] = np.linalg.qr(rng.normal(size=(4, 2)))[0]
    W[4:, 2:] = np.eye(3)
    R = np.linalg.solve(np.linalg.cholesky(W.T @ (degrees[:, None] * W)), W.T).T
    np.testing.assert_allclose(R.T @ (degrees[:, None] * R), np.eye(5), atol=1e-12)
    assert np.abs(degrees @ R @ null_space((degrees @ R)[None])).max() < 1e-12
    assert np.abs(degrees @ R @ null_space((degrees @ W)[None])).max() > 1e-2


def test_method_two_has_no_solution_with_complete_advice():
    """coleman2008advice, P6: one eigenvector of all points, which is not orthogonal to d."""
    rng = np.random.default_rng(1)
    signs = np.triu(rng.choice([-1.0, 1.0], size=(9, 9)), 1)
    values, vectors = np.linalg.eigh(8 * np.eye(9) - signs - signs.T)
    assert values[1] - values[0] > 1e-3
    assert abs(rng.uniform(1, 3, size=9) @ vectors[:, 0]) > 1e-2


def test_hepatitis_has_fewer_complete_records_than_five_groups():
    """coleman2008advice, Section 5.1: 5 groups of 20 points of 80 records."""
    complete = ~np.isnan(load("hepatitis").X).any(axis=1)
    assert complete.sum() == 80 < 5 * 20
