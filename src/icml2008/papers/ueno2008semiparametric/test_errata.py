"""Errata of the paper that a small computation settles."""

import numpy as np
import pytest

from numerics import derivative


def test_optimal_constant_needs_a_transpose():
    """ueno2008semiparametric, Equation 23: z transposed in the denominator makes it optimal."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(50, 2)) + [0.5, -0.3]
    z = x + rng.normal(size=(50, 2)) + [1.0, 0.2]
    squared = rng.random(50) * (1 + z[:, 0] ** 2)

    def variance(c):
        shifted = z + c
        a = shifted.T @ x / 50
        root = np.linalg.solve(a, (shifted * np.sqrt(squared)[:, None]).T)
        return np.sum(root**2) / 50

    inverse = np.linalg.inv(x.T @ z / 50)
    mean_x = x.mean(axis=0)
    ez = squared @ z / 50
    e = squared.mean()
    second = (z * squared[:, None]).T @ z / 50
    best = -(ez - second @ inverse @ mean_x) / (e - ez @ inverse @ mean_x)
    assert np.abs(derivative(variance, best)).max() < 1e-6 * variance(best)
    assert variance(best) < variance(np.zeros(2))
    with pytest.raises(ValueError, match="mismatch"):
        ez[:, None] @ inverse @ mean_x


def test_a_full_basis_determines_no_values_of_average_rewards():
    """ueno2008semiparametric, Corollary 1: Z X' is singular if a combination is constant."""
    states = np.random.default_rng(0).integers(3, size=40)
    basis = np.random.default_rng(1).normal(size=(3, 3))[states]
    x = basis[:-1] - basis[1:]
    assert np.linalg.matrix_rank(basis[:-1].T @ x) == 2
    assert np.linalg.matrix_rank(basis[:-1].T @ (basis[:-1] - 0.9 * basis[1:])) == 3


def test_some_h_of_proposition_1_reduces_the_variance():
    """ueno2008semiparametric, Proposition 1: residuals without the action's chance are less."""
    places = np.arange(4)
    paid = np.array([0.0, 1.0, 0.5, 0.0])
    features = (places[:, None] + 1.0) ** np.arange(1, 4)
    goes = np.zeros((4, 2, 4))  # to the left and to the right, with a slip of 0.1
    for action, way in enumerate((-1, 1)):
        goes[places, action, np.clip(places + way, 0, 3)] += 0.9
        goes[places, action, np.clip(places - way, 0, 3)] += 0.1
    x = features[:, None] - features
    rewards = np.broadcast_to(paid - paid.mean(), (4, 4))
    P = goes.mean(axis=1)
    coef = np.linalg.lstsq(np.einsum("st,sti->si", P, x), np.sum(P * rewards, axis=1))[0]
    residuals = rewards - x @ coef
    of_action = np.einsum("sat,st->sa", goes, residuals)
    np.testing.assert_allclose(of_action.sum(axis=1), 0, atol=1e-12)

    def variance(square):
        A = np.einsum("s,st,si,stj->ij", np.full(4, 0.25), P, features, x)
        M = np.einsum("s,s,si,sj->ij", np.full(4, 0.25), square, features, features)
        return np.trace(np.linalg.solve(A, np.linalg.solve(A, M).T))

    plain = np.sum(P * residuals**2, axis=1)
    with_h = np.mean(
        np.sum(goes * (residuals[:, None] - of_action[..., None]) ** 2, axis=2), axis=1
    )
    assert variance(with_h) == pytest.approx(0.36 * variance(plain))
