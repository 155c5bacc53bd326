"""Errata of the paper that a small computation settles."""

import numpy as np

from .experiments import ILSPE, LSPE, MR, NONE, direction, features, learn, model, trajectories


def test_iterative_residual_is_exact_only_after_its_update():
    """yao2008preconditioned, Equation 20: if B = -I, the new one is MR's."""
    A, b, _ = model(12, 0.5)
    weights = np.full(4, 0.1)
    guesses = np.zeros((2, 4))
    guesses[0] = 1.0  # of earlier weights
    old = guesses[0].copy()
    delta, alpha = direction(ILSPE, A, b, np.eye(4), weights, guesses)  # B is -D
    exact, size = direction(MR, A, b, np.eye(4), weights, np.zeros((2, 4)))
    np.testing.assert_allclose(delta, exact, rtol=1e-12)
    np.testing.assert_allclose(alpha, size, rtol=1e-12)
    assert np.abs(old - exact).max() > 0.1


def test_robbins_monro_forgets_the_perturbation():
    """yao2008preconditioned, Equation 10: from T = 1 on, A is the mean of the samples alone."""
    samples = np.random.default_rng(0).normal(size=(5, 2, 2))
    limits = []
    for start in (-0.01, -1000.0):
        A = start * np.eye(2)
        for T, sample in enumerate(samples, start=1):
            A = A + (sample - A) / T
        limits.append(A)
    np.testing.assert_allclose(limits, [samples.mean(axis=0)] * 2)


def test_lspe_can_stall_off_its_solution():
    """yao2008preconditioned, Section 2.2: a step size of 0 where the residual is not 0."""
    P = np.array([[0.1, 0.9], [0.5, 0.5]])
    phi = np.array([[1.0, 0.0], [-10.0, 1.0]])
    D = phi.T @ np.diag([5 / 14, 9 / 14]) @ phi
    A = phi.T @ np.diag([5 / 14, 9 / 14]) @ (0.9 * P - np.eye(2)) @ phi
    M = -np.linalg.solve(D, A)
    values, vectors = np.linalg.eigh(M + M.T)
    assert values[0] < 0 < values[1]
    stalled = vectors @ np.sqrt([values[1], -values[0]])  # its product with M is 0
    weights = np.linalg.solve(A, -D @ stalled)
    delta, alpha = direction(LSPE, A, np.zeros(2), D, weights, np.zeros((2, 2)))
    assert np.linalg.norm(delta) > 0.1
    assert abs(alpha) < 1e-6


def test_lspe_is_lstd_at_lambda_one():
    """yao2008preconditioned, Figure 5: with traces begun anew, A is -D whatever the data."""
    steps = trajectories(np.random.default_rng(0), 12, 20)
    for carried in (False, True):
        A, _, D, *_ = learn(NONE, steps, features(12), 1.0, carried, (0.0, 0.0), np.zeros(4))
        assert np.allclose(A, -D, rtol=1e-12) != carried
