"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_scale_must_come_from_the_new_vector():
    """biggs2008r1d, Algorithm 2: on a rank-one matrix one pass ends, with line 12 of u-bar."""
    rng = np.random.default_rng(0)
    matrix = np.outer(rng.random(6) + 1, rng.random(4) + 1)
    start = matrix[:, np.argmax(np.linalg.norm(matrix, axis=0))]
    u = start / np.linalg.norm(start)
    v = matrix.T @ u
    v /= np.linalg.norm(v)
    new = matrix @ v
    printed = np.linalg.norm(u)
    mended = np.linalg.norm(new)
    assert math.isclose(printed, 1, rel_tol=1e-12)
    assert not math.isclose(np.linalg.norm(new / printed), 1, rel_tol=0.1)
    assert np.allclose(mended * np.outer(new / mended, v), matrix, rtol=1e-9)
