"""Convex clustering: the data and the mixture that Figure 4 compares with."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from icml2008.papers.lashkari2007convex.experiments import distortion, heaviest, normals, plane
from icml2008.papers.lashkari2007convex.mixtures import spherical_mixture


@pytest.fixture
def points():
    return normals(np.random.default_rng(0), 6, 30, 0.3)


def test_mixture_agrees_with_scikit_learn(points):
    start = points[::30]
    mixture = spherical_mixture(points, start, tol=1e-12, max_iter=2000)
    peer = GaussianMixture(
        6,
        covariance_type="spherical",
        means_init=start,
        weights_init=np.full(6, 1 / 6),
        precisions_init=np.full(6, 1 / points.var(axis=0).mean()),
        tol=1e-12,
        max_iter=2000,
        reg_covar=0,
    ).fit(points)
    # The two stop a step apart, by a criterion of 1e-12 a step.
    assert mixture.loglik == pytest.approx(peer.score(points), abs=1e-7)
    np.testing.assert_array_equal(mixture.labels, peer.predict(points))


def test_mixture_never_loses_likelihood(points):
    path = [
        spherical_mixture(points, points[:6], tol=-np.inf, max_iter=n).loglik for n in range(1, 20)
    ]
    assert np.diff(path).min() >= -1e-9


def test_a_component_without_samples_stays_out(points):
    start = np.vstack([points[:2], np.full(50, 1e4)])
    mixture = spherical_mixture(points, start)
    assert np.isfinite(mixture.loglik)
    assert 2 not in mixture.labels


@pytest.mark.parametrize("layout", ["grouped", "uniform"])
def test_plane_has_ten_clusters_of_forty(layout):
    points = plane(np.random.default_rng(0), layout)
    assert points.shape == (400, 2)
    within = points.reshape(10, 40, 2).std(axis=1)
    assert within.min() > 1.5
    assert within.max() < 3.5


def test_grouped_plane_is_as_wide_as_figure_1_says():
    rng = np.random.default_rng(0)
    # Twice the variance is the mean squared distance of pairs, where the line of Figure 1 ends.
    spreads = [2 * plane(rng, "grouped").var(axis=0).sum() for _ in range(20)]
    assert 800 < np.mean(spreads) < 1200


def test_distortion_is_the_mean_squared_distance_from_cluster_means():
    X = np.array([[0.0], [2.0], [10.0], [16.0]])
    assert distortion(X, np.array([0, 0, 5, 5])) == (1 + 1 + 9 + 9) / 4


def test_heaviest_exemplars_come_first():
    model = SimpleNamespace(weights_=np.array([0.2, 0.5, 0.3]), exemplars_=np.eye(3))
    np.testing.assert_array_equal(heaviest(model, 2), np.eye(3)[[1, 2]])
