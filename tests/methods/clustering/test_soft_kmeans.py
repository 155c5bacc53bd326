"""Soft k-means: EM's invariants and a trusted peer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.utils.estimator_checks import check_estimator

from icml2008.methods import ConvexClustering, SoftKMeans


def sample(seed, n_samples=60):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4, 3))[rng.integers(4, size=n_samples)] * 4 + rng.normal(
        size=(n_samples, 3)
    )


def test_scikit_learn_accepts_the_estimator():
    check_estimator(SoftKMeans(n_clusters=2))


@settings(max_examples=25)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(1e-3, 10),
    st.sampled_from(["free", "uniform"]),
    st.sampled_from(["random", "k-means++"]),
)
def test_objective_never_falls(seed, beta, weights, init):
    model = SoftKMeans(4, beta, init=init, weights=weights, random_state=seed).fit(sample(seed))
    assert np.diff(model.objective_path_).min(initial=0) >= -1e-12


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_objective_never_falls_for_another_divergence(seed):
    X = np.random.default_rng(seed).dirichlet(np.ones(4), size=40)
    model = SoftKMeans(3, 10.0, "kl", random_state=seed).fit(X)
    assert np.diff(model.objective_path_).min(initial=0) >= -1e-12


def test_one_step_is_that_of_scikit_learn():
    X = sample(1)
    beta = 0.3
    centres = X[:3]
    weights = np.array([0.2, 0.3, 0.5])
    with pytest.warns(ConvergenceWarning):
        ours = SoftKMeans(3, beta, init=centres, weights=weights, max_iter=1).fit(X)
    peer = GaussianMixture(
        3,
        covariance_type="spherical",
        weights_init=weights,
        means_init=centres,
        precisions_init=np.full(3, 2 * beta),
        max_iter=1,
    )
    with pytest.warns(ConvergenceWarning):
        peer.fit(X)
    # It keeps every share above 10 * eps, and so differs in the last digits.
    np.testing.assert_allclose(ours.cluster_centers_, peer.means_, rtol=1e-10)
    np.testing.assert_allclose(ours.weights_, peer.weights_, rtol=1e-10)


def test_objective_is_comparable_with_convex_clustering():
    X = sample(2)
    convex = ConvexClustering(0.3).fit(X)
    start = SoftKMeans(
        len(convex.weights_), 0.3, init=convex.exemplars_, weights=convex.weights_
    ).fit(X)
    assert start.objective_path_[0] == pytest.approx(convex.objective_, rel=1e-12)


def test_best_of_the_runs_is_kept():
    model = SoftKMeans(4, 1.0, n_init=5, random_state=0).fit(sample(3))
    assert len(model.objectives_) == 5
    assert model.objective_ == model.objectives_.max() == pytest.approx(model.score(sample(3)))


def test_same_seed_gives_the_same_centres():
    X = sample(4)
    first, second = (SoftKMeans(4, 1.0, random_state=7).fit(X) for _ in range(2))
    np.testing.assert_array_equal(first.cluster_centers_, second.cluster_centers_)


def test_uniform_weights_stay_uniform():
    model = SoftKMeans(4, 1.0, weights="uniform", random_state=0).fit(sample(5))
    np.testing.assert_array_equal(model.weights_, np.full(4, 0.25))


def test_k_means_plus_plus_starts_from_different_places():
    X = np.repeat(np.eye(3) * 100, 20, axis=0)
    model = SoftKMeans(3, 1.0, init="k-means++", random_state=0).fit(X)
    assert model.objective_ == pytest.approx(-np.log(3), abs=1e-9)


def test_centre_beyond_reach_stays_where_it_is():
    X = np.array([[0.0], [1.0]])
    model = SoftKMeans(2, 1.0, init=[[0.5], [1e6]]).fit(X)
    assert model.cluster_centers_[1] == 1e6


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_clusters": 99}, "n_clusters is 99"),
        ({"init": "forgy"}, "known: random, k-means"),
        ({"init": [[0.0]]}, "is needed"),
        ({"weights": "equal"}, "known: free, uniform"),
    ],
)
def test_wrong_parameters_are_explained(wrong, message):
    with pytest.raises(ValueError, match=message):
        SoftKMeans(**{"n_clusters": 2, **wrong}).fit(sample(0))
