"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_rising_exponential_is_no_kernel():
    """lu2008reproducing, Section 5.1: exp(+ |s - t|^2 / 2) is indefinite, the other sign not."""
    squares = np.subtract.outer(np.arange(3), np.arange(3)) ** 2
    smallest = {sign: np.linalg.eigvalsh(np.exp(sign * squares / 2))[0] for sign in (-1, 1)}
    assert smallest[1] < 0 < smallest[-1]


def test_covariance_of_few_series_has_no_inverse():
    """lu2008reproducing, Section 5.2: fewer series than times leave a smallest eigenvalue of 0."""
    series = np.random.default_rng(0).normal(size=(6, 41))
    series -= series.mean(axis=0)
    eigenvalues = np.linalg.eigvalsh(series.T @ series / 6)
    # Rounding errors stand in for the zeros.
    assert np.sum(eigenvalues > 1e-9) == 5
    assert abs(eigenvalues[0]) < 1e-9


def synchronised_series():
    """Return a kernel matrix, a noise variance and two series."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    return root, root @ root.T, 0.3, rng.normal(size=(2, 5))


def test_distance_of_synchronised_series_keeps_the_half():
    """lu2008reproducing, Eq. 12 to 14: they are twice Equation 11."""
    _, kernel, noise, series = synchronised_series()
    v, w = np.linalg.solve(kernel + noise * np.eye(5), series.T).T
    general = v @ kernel @ v / 2 + w @ kernel @ w / 2 - v @ kernel @ w
    assert math.isclose((v - w) @ kernel @ (v - w), 2 * general)


def test_embedding_needs_the_transposed_root():
    """lu2008reproducing, Eq. 30: any A with A A^T = K, but A^T (K + s^2 I)^-1 y."""
    root, kernel, noise, (first, second) = synchronised_series()
    inverse = np.linalg.inv(kernel + noise * np.eye(5))
    change = first - second
    wanted = change @ inverse @ kernel @ inverse @ change
    assert math.isclose(np.sum((root.T @ inverse @ change) ** 2), wanted)
    assert not math.isclose(np.sum((root @ inverse @ change) ** 2), wanted, rel_tol=0.01)
