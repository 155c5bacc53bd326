"""Errata of the paper that a small computation settles."""

import math

import numpy as np


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
