"""Errata of the paper that a small computation settles."""

import math

import numpy as np

from numerics import positive_definite


def test_stability_bound_needs_both_ends_of_the_spectrum():
    """cortes2008transductive, Proposition 1, first term, for h = (C^-1 Q + I)^-1 y."""

    def stretch(q, c):
        return np.linalg.norm(np.linalg.inv(np.diag(1 / c) @ q + np.eye(len(c))), 2)

    q = np.eye(2)
    c = np.array([1.0, 100.0])
    assert stretch(q, c) > 0.99 > 1 / (1 / c.min() + 1) == 0.5
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(100):
        q = positive_definite(rng, 3)
        c = 10 ** rng.uniform(-2, 2, 3)
        mended = 1 / (np.linalg.eigvalsh(q)[0] / c.max() + 1)
        ratios.append(stretch(q, c) / mended)
        assert stretch(q, c) <= math.sqrt(c.max() / c.min()) * mended * (1 + 1e-9)
    # The eigenvalues alone do not bound a matrix that is not symmetric.
    assert max(ratios) > 1.5


def test_spectral_norm_of_two_exchanged_weights_has_no_root():
    """cortes2008transductive, Section 5.1: C and C' differ at two points, up and down alike."""
    low = 0.5
    high = 4.0
    change = np.diag([1 / low - 1 / high, 0, 1 / high - 1 / low])
    assert math.isclose(np.linalg.norm(change, 2), 1 / low - 1 / high, rel_tol=1e-12)
    assert math.isclose(
        np.linalg.norm(change, "fro"), math.sqrt(2) * (1 / low - 1 / high), rel_tol=1e-12
    )


def test_local_weights_that_are_not_symmetric_give_large_eigenvalues():
    """cortes2008transductive, Section 5.1: Q = (I - A)'(I - A), the rows of A sum to 1."""
    n = 9
    a = np.zeros((n, n))
    a[:, 0] = 1
    q = (np.eye(n) - a).T @ (np.eye(n) - a)
    assert abs(np.linalg.eigvals(a)).max() <= 1
    assert math.isclose(np.linalg.eigvalsh(q)[-1], n, rel_tol=1e-12)
