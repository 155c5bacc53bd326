"""Landmarks agree with plain loops over the kernel matrix, and their errors with bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import LandmarkNystroem, landmark_kpca, nystroem_error_bound
from icml2008.methods.kernels.nystroem import LANDMARKS, gaussian, kmeans, principal, spread


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(60, 2)) * [1, 3]


@parametrize_with_checks([LandmarkNystroem(n_landmarks=5)])
def test_it_passes_scikit_learns_checks(estimator, check):
    check(estimator)


def test_pivots_are_those_of_incomplete_cholesky_on_the_whole_matrix(X):
    K = gaussian(X, X, spread(X))
    G = np.zeros((60, 12))
    left = np.ones(60)
    for j in range(12):
        p = left.argmax()
        G[:, j] = (K[:, p] - G @ G[p]) / np.sqrt(left[p])
        left -= G[:, j] ** 2
    features = LandmarkNystroem("cholesky", 12).fit_transform(X)
    np.testing.assert_allclose(features @ features.T, G @ G.T, atol=1e-8)
    vectors = np.linalg.eigh(G @ G.T)[1][:, :-4:-1]
    np.testing.assert_allclose(np.abs(principal(features, 3).T @ vectors), np.eye(3), atol=1e-6)


def test_directions_are_those_of_the_features_and_of_the_whole_matrix_with_all_rows(X):
    G = LandmarkNystroem(n_landmarks=12, max_iter=3, random_state=0).fit_transform(X)
    expected = principal(G - G.mean(axis=0), 3)
    directions = landmark_kpca(X, 3, 12, rng=0)
    np.testing.assert_allclose(directions.T @ directions, np.eye(3), atol=1e-9)
    np.testing.assert_allclose(np.abs(directions.T @ expected), np.eye(3), atol=1e-7)
    H = np.eye(60) - 1 / 60
    exact = np.linalg.eigh(H @ gaussian(X, X, spread(X)) @ H)[1][:, :-4:-1]
    np.testing.assert_allclose(np.abs(landmark_kpca(X, 3, 60).T @ exact), np.eye(3), atol=1e-6)
    with pytest.raises(ValueError, match="4 directions of 3"):
        landmark_kpca(X, 4, 3)


def test_the_same_rows_give_the_kernel_of_scikit_learns_nystroem(X):
    model = LandmarkNystroem("uniform", 10, random_state=0)
    G = model.fit_transform(X)
    theirs = Nystroem(gamma=model.kernel_params_["gamma"], n_components=10, random_state=0)
    F = theirs.fit(model.components_).transform(X)
    np.testing.assert_allclose(G @ G.T, F @ F.T, atol=1e-8)


def test_columns_drawn_by_norm_reconstruct_the_same_with_and_without_their_normalisation(X):
    """Drineas and Mahoney: columns over the roots of their probabilities, and what they cross."""
    model = LandmarkNystroem("norm", 10, random_state=0).fit(X)
    K = gaussian(X, X, spread(X))
    G = model.transform(X)
    shares = np.sum(K**2, axis=1) / np.sum(K**2)
    chosen = [int(np.argmin(np.sum((X - z) ** 2, axis=1))) for z in model.components_]
    scale = 1 / np.sqrt(10 * shares[chosen])
    columns = K[:, chosen] * scale
    cross = K[np.ix_(chosen, chosen)] * np.outer(scale, scale)
    expected = columns @ np.linalg.pinv(cross, rcond=1e-11) @ columns.T
    np.testing.assert_allclose(G @ G.T, expected, atol=1e-6)


def test_gaussian_is_scikit_learns_to_the_last_digit(X):
    for A, B in ((X, X), (X, X[:7].copy()), (X[::-1], X)):
        assert np.array_equal(gaussian(A, B, 3.7), rbf_kernel(A, B, gamma=1 / 3.7))


def test_centres_are_those_of_scikit_learns_k_means_from_the_same_rows(X):
    """Far from 0, too, and after as many iterations."""
    far = X + 1e6
    for iterations in (1, 3, 100):
        rows = np.random.default_rng(1).choice(60, 8, replace=False)
        theirs = KMeans(8, init=X[rows], n_init=1, max_iter=iterations, tol=0).fit(X)
        Z, error, _ = kmeans(far, 8, np.random.default_rng(1), iterations)
        np.testing.assert_allclose(Z - 1e6, theirs.cluster_centers_, atol=1e-8)
        assert theirs.inertia_ <= error * (1 + 1e-6)
    assert theirs.inertia_ == pytest.approx(error)


@given(st.sampled_from(LANDMARKS), st.integers(1, 15), st.floats(0.01, 100), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_no_error_exceeds_what_closest_landmarks_leave(landmarks, m, width, seed):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    params = {"gamma": 1 / width}
    model = LandmarkNystroem(landmarks, m, kernel_params=params, random_state=seed)
    G = model.fit_transform(X)
    K = gaussian(X, X, width)
    bound = nystroem_error_bound(X, model.components_, lambda A, B: gaussian(A, B, width))
    assert np.linalg.norm(K - G @ G.T) <= bound + 1e-6
    assert bound <= 2 * model.quantisation_error_ / width + 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"landmarks": "kmean"}, "kmeans, uniform"),
        ({"n_landmarks": 0}, "at least 1"),
        ({"max_iter": 0}, "max_iter"),
    ],
)
def test_bad_parameters_are_named(X, options, message):
    with pytest.raises(ValueError, match=message):
        LandmarkNystroem(**options).fit(X)


def test_features_of_float32_rows_are_float32():
    X = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)
    model = LandmarkNystroem(n_landmarks=10, random_state=0).fit(X)
    assert model.transform(X).dtype == np.float32
    np.testing.assert_allclose(model.transform(X), model.transform(X.astype(float)), rtol=1e-6)
