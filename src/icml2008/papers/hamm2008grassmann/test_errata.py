"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_determinant_is_no_function_of_subspaces():
    """hamm2008grassmann, Section 4.2: det Y1' Y2 changes its sign with the basis."""
    rng = np.random.default_rng(0)
    first, second = (np.linalg.qr(rng.normal(size=(5, 2)))[0] for _ in range(2))
    turned = second @ np.diag([1.0, -1.0])
    assert np.allclose(turned @ turned.T, second @ second.T)
    determinant = np.linalg.det(first.T @ second)
    other = np.linalg.det(first.T @ turned)
    assert np.isclose(determinant, -other)
    assert abs(determinant) > 0.01


def test_root_of_projection_kernel_is_indefinite():
    """hamm2008grassmann, Section 4.1: four lines in the plane, Frobenius norms |cos|."""
    angles = np.deg2rad([0, 45, 90, 135])
    gram = np.abs(np.cos(angles[:, None] - angles))
    assert math.isclose(np.linalg.eigvalsh(gram)[0], 1 - math.sqrt(2), rel_tol=1e-9)
