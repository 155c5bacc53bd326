"""The exact Lasso path against its optimality conditions and against scikit-learn's solvers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Lasso, lars_path

from icml2008.methods.bolasso._homotopy import pivot
from icml2008.methods.bolasso.paths import lasso_at, lasso_homotopy


def problem(seed, n, p, relevant=4, noise=0.5):
    """Correlated normal columns (a square Wishart: ill-conditioned), a sparse signal, noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    X /= np.sqrt((X**2).mean(axis=0))
    w = np.zeros(p)
    w[:relevant] = rng.uniform(1 / 3, 1, len(w[:relevant])) * rng.choice([-1, 1], len(w[:relevant]))
    return X, X @ w + noise * rng.normal(size=n)


def violation(X, y, w, mu):
    """How far w is from the Lasso's optimality conditions at mu, relative to the largest mu."""
    correlations = X.T @ (y - X @ w) / len(X)
    outside = np.abs(correlations).max() - mu
    inside = np.abs(correlations - mu * np.sign(w))[w != 0].max(initial=0.0)
    return max(outside, inside) / np.abs(X.T @ y / len(X)).max()


@given(st.integers(0, 10**6), st.integers(3, 60), st.integers(1, 30))
@settings(max_examples=60)
def test_every_point_of_the_path_is_optimal(seed, n, p):
    X, y = problem(seed, n, p)
    path = lasso_homotopy(X, y, fit_intercept=False)
    mus = np.concatenate([path.mus, (path.mus[1:] + path.mus[:-1]) / 2])
    # condition numbers of up to 1e6 leave some 1e-10 of the correlations' 1e-16
    for mu, w in zip(mus, path.coefs_at(mus), strict=True):
        assert violation(X, y, w, mu) < 1e-9


@given(st.integers(0, 10**6), st.integers(3, 40), st.integers(2, 20))
@settings(max_examples=40)
def test_the_path_ends_at_least_squares(seed, n, p):
    X, y = problem(seed, n, p)
    w = lasso_homotopy(X, y, fit_intercept=False).coefs[-1]
    # mu ends at 1e-10 of its start: the normal equations hold to that
    assert np.abs(X.T @ (y - X @ w)).max() <= 2e-10 * np.abs(X.T @ y).max()


@pytest.mark.parametrize("seed", range(5))
def test_knots_are_those_of_lars(seed):
    X, y = problem(seed, 80, 12)
    path = lasso_homotopy(X, y, fit_intercept=False)
    alphas, _, coefs = lars_path(X, y, method="lasso")
    np.testing.assert_allclose(path.mus[:-1], alphas[:-1], rtol=1e-8)
    np.testing.assert_allclose(path.coefs[:-1], coefs.T[:-1], rtol=1e-6, atol=1e-9)


def test_solutions_are_those_of_coordinate_descent():
    X, y = problem(7, 100, 8)
    path = lasso_homotopy(X + 3.0, y - 2.0)
    for mu in path.mus[0] * np.array([0.9, 0.3, 0.1]):
        peer = Lasso(alpha=mu, tol=1e-14, max_iter=10**6).fit(X + 3.0, y - 2.0)
        np.testing.assert_allclose(path.coefs_at(mu)[0], peer.coef_, atol=1e-8)


def test_a_variable_can_leave_the_path_again():
    X, y = problem(3, 50, 20)
    signs = lasso_homotopy(X, y, fit_intercept=False).signs
    assert ((signs[:-1] != 0) & (signs[1:] == 0)).any()
    assert not (signs[:-1] * signs[1:] == -1).any()  # a sign changes only by way of 0


def test_orthogonal_columns_are_soft_thresholded():
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 4)))
    # X'X / 9 is the identity
    X = 3 * Q
    y = Q @ np.array([4.0, -3.0, 2.0, -1.0])
    z = X.T @ y / 9
    path = lasso_homotopy(X, y, fit_intercept=False)
    for mu in (1.2, 0.7, 0.2):
        expected = np.sign(z) * np.maximum(np.abs(z) - mu, 0)
        np.testing.assert_allclose(path.coefs_at(mu)[0], expected, atol=1e-14)


def test_dependent_columns_are_passed_over():
    X, y = problem(1, 30, 5)
    full = np.column_stack([X, X[:, 0], X[:, 1] - X[:, 2], np.ones(30)])
    path = lasso_homotopy(full, y)
    mus = path.mus[0] * np.geomspace(0.9, 1e-4, 20)
    centred_X = full - full.mean(axis=0)
    centred_y = y - y.mean()
    for mu, w in zip(mus, path.coefs_at(mus), strict=True):
        assert violation(centred_X, centred_y, w, mu) < 1e-9
    assert not path.coefs[:, -1].any()


def test_a_response_without_correlation_has_an_empty_path():
    path = lasso_homotopy(np.array([[1.0], [-1.0]]), np.array([1.0, 1.0]), fit_intercept=False)
    assert not path.coefs.any()
    assert not path.coefs_at([0.5, 0.0]).any()


def test_the_path_stops_at_the_given_mu():
    X, y = problem(2, 40, 6)
    whole = lasso_homotopy(X, y)
    part = lasso_homotopy(X, y, mu_min=0.1)
    assert part.mus[-1] == 0.1
    np.testing.assert_allclose(part.coefs[-1], whole.coefs_at(0.1)[0], rtol=1e-12, atol=1e-14)


def test_solutions_for_many_moments_are_points_of_their_paths():
    data = [problem(seed, 40, 6) for seed in range(5)]
    grams = [X.T @ X / 40 for X, _ in data]
    moments = [X.T @ y / 40 for X, y in data]
    for (X, y), w in zip(data, lasso_at(grams, moments, 0.1), strict=True):
        expected = lasso_homotopy(X, y, fit_intercept=False).coefs_at(0.1)[0]
        np.testing.assert_allclose(w, expected, rtol=1e-10, atol=1e-13)


def test_pivots_solve_and_can_be_taken_back():
    rng = np.random.default_rng(0)
    Q = np.cov(rng.normal(size=(7, 30)))
    r = rng.normal(size=7)
    T = np.column_stack([Q, r])
    for j in (2, 5, 0, 4):
        pivot(T, j)
    pivot(T, 5)
    A = [0, 2, 4]
    rest = [1, 3, 5, 6]
    u = np.linalg.solve(Q[np.ix_(A, A)], r[A])
    np.testing.assert_allclose(T[A, 7], u, atol=1e-12)
    np.testing.assert_allclose(T[rest, 7], r[rest] - Q[np.ix_(rest, A)] @ u, atol=1e-12)
    schur = Q[np.ix_(rest, rest)] - Q[np.ix_(rest, A)] @ np.linalg.solve(
        Q[np.ix_(A, A)], Q[np.ix_(A, rest)]
    )
    np.testing.assert_allclose(T[np.ix_(rest, rest)], schur, atol=1e-12)
