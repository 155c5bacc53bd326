"""What distances and EM must agree with, and errata that a computation settles."""

import math

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

from . import experiments as ours


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
    squared = change @ inverse @ kernel @ inverse @ change
    assert math.isclose(np.sum((root.T @ inverse @ change) ** 2), squared)
    assert not math.isclose(np.sum((root @ inverse @ change) ** 2), squared, rel_tol=0.01)


def test_distance_is_a_plain_double_sum_and_the_curve_a_gaussian_process():
    """Equations 9 and 11 from the text, and scikit-learn's posterior mean."""
    rng = np.random.default_rng(1)
    times = np.sort(rng.uniform(0, 5, size=7))
    own = [np.array([0, 2, 5]), np.array([1, 2, 6])]
    K = ours.matern(times, times, 1.5)
    v = [ours.weights(K[np.ix_(rows, rows)], 0.2, rng.normal(size=3)) for rows in own]
    total = 0.0
    for (r, a), (s, b) in (((0, v[0]), (0, v[0])), ((1, v[1]), (1, v[1])), ((0, v[0]), (1, v[1]))):
        weight = 0.5 if r == s else -1.0
        for i in range(3):
            for j in range(3):
                total += (
                    weight * a[i] * b[j] * math.exp(-abs(times[own[r][i]] - times[own[s][j]]) / 1.5)
                )
    assert ours.distance(K, own, v, 0, 1) == pytest.approx(total)
    y = K[np.ix_(own[0], own[0])] @ v[0] + 0.2 * v[0]
    peer = GaussianProcessRegressor(Matern(1.5, nu=0.5), alpha=0.2, optimizer=None)
    predicted = peer.fit(times[own[0], None], y).predict(times[:, None])
    np.testing.assert_allclose(K[:, own[0]] @ v[0], predicted)


def test_em_with_a_wrong_covariance_falls():
    rng = np.random.default_rng(0)
    times = np.linspace(0, 5, 6)
    y = [np.cos(times) + rng.normal(size=6) for _ in range(8)]
    rows = [np.arange(6)] * 8
    series = ours.Population(times, rows, y, np.eye(6))
    for refit, falls in (
        (ours.free, False),
        (lambda posteriors, K: ours.free(posteriors, K) / 100, True),
    ):
        state = np.zeros(6), np.eye(6), 1.0
        values = [series.log_posterior(*state)]
        for _ in range(5):
            state = series.step(*state, refit)
            values.append(series.log_posterior(*state))
        assert (min(np.diff(values)) < 0) == falls
