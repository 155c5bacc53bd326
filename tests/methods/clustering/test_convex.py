"""Convex clustering: its definitions, limits and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.datasets import make_blobs
from sklearn.utils.estimator_checks import check_estimator

from icml2008.methods import ConvexClustering, convex_clustering_path, reference_beta
from icml2008.methods.clustering._divergences import BregmanDivergence


@pytest.fixture
def blobs():
    return make_blobs(80, centers=4, cluster_std=0.6, random_state=1)[0]


@pytest.fixture
def histograms():
    return np.random.default_rng(4).dirichlet(np.ones(5), size=60)


def test_scikit_learn_accepts_the_estimator():
    check_estimator(ConvexClustering())


def test_objective_is_the_mean_log_likelihood_of_the_samples(blobs):
    model = ConvexClustering(0.5).fit(blobs)
    squared = ((blobs[:, None] - blobs[model.exemplar_indices_]) ** 2).sum(-1)
    by_hand = logsumexp(-0.5 * squared, b=model.weights_, axis=1).mean()
    assert model.objective_ == pytest.approx(by_hand, rel=1e-12)
    assert model.score(blobs) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("beta", [1e-3, 1, 1e4])
def test_duality_gap_is_below_the_tolerance(blobs, beta):
    assert ConvexClustering(beta).fit(blobs).duality_gap_ <= 1e-8


def test_reference_beta_is_the_slope_between_the_two_trivial_codes(blobs):
    squared = ((blobs[:, None] - blobs) ** 2).sum(-1)
    assert reference_beta(blobs) == pytest.approx(np.log(80) / squared.mean())
    assert ConvexClustering().fit(blobs).beta_ == reference_beta(blobs)


def test_large_beta_keeps_every_sample(blobs):
    model = ConvexClustering(1e6).fit(blobs)
    np.testing.assert_allclose(model.weights_, 1 / 80, rtol=1e-6)
    assert model.rate_ == pytest.approx(np.log(80), abs=1e-6)


def test_small_beta_takes_the_medoid(blobs):
    model = ConvexClustering(1e-4).fit(blobs)
    medoid = ((blobs[:, None] - blobs) ** 2).sum(-1).sum(axis=0).argmin()
    assert model.exemplar_indices_.tolist() == [medoid]


def test_rate_distortion_curve_falls_and_is_convex(blobs):
    betas = reference_beta(blobs) * np.linspace(0.1, 3, 15)
    path = convex_clustering_path(blobs, betas)
    distortion = np.array([model.distortion_ for model in path])
    rate = np.array([model.rate_ for model in path])
    assert np.all(np.diff(distortion) < 0)
    assert np.all(np.diff(rate) > 0)
    # Each point has its tangent of slope -beta below the whole curve (tolerance: gap and rounding).
    for beta, d, r in zip(betas, distortion, rate, strict=True):
        assert np.all(rate - r + beta * (distortion - d) >= -1e-7)


def test_rate_is_the_mutual_information_of_the_assignment(blobs):
    model = ConvexClustering(0.5).fit(blobs)
    squared = ((blobs[:, None] - model.exemplars_) ** 2).sum(-1)
    joint = model.weights_ * np.exp(-0.5 * squared)
    shares = joint / joint.sum(axis=1, keepdims=True)
    by_hand = (shares * np.log(shares / shares.mean(axis=0))).sum(axis=1).mean()
    # The marginal of the assignment equals the weights up to the solver's tolerance.
    assert model.rate_ == pytest.approx(by_hand, abs=1e-6)


def test_path_agrees_with_separate_fits(blobs):
    betas = [0.05, 0.5, 5.0]
    for beta, model in zip(betas, convex_clustering_path(blobs, betas), strict=True):
        assert model.objective_ == pytest.approx(
            ConvexClustering(beta).fit(blobs).objective_, abs=2e-8
        )


def test_default_path_spans_the_range_of_figure_1(blobs):
    path = convex_clustering_path(blobs)
    np.testing.assert_allclose(
        [path[0].beta_, path[-1].beta_], reference_beta(blobs) * np.array([0.1, 2])
    )


def test_precomputed_dissimilarities_give_the_same_clusters(blobs):
    squared = ((blobs[:, None] - blobs) ** 2).sum(-1)
    points = ConvexClustering(0.5).fit(blobs)
    given = ConvexClustering(0.5, "precomputed").fit(squared)
    assert given.objective_ == pytest.approx(points.objective_, abs=2e-8)
    np.testing.assert_array_equal(given.labels_, points.labels_)
    np.testing.assert_array_equal(given.predict(squared[:7]), points.predict(blobs[:7]))


def test_asymmetric_dissimilarities_have_exemplars_as_columns():
    # Everybody is near to sample 0, and it is near to nobody.
    dissimilarities = np.array([[0.0, 9, 9], [0.1, 0, 9], [0.1, 9, 0]])
    model = ConvexClustering(0.1, "precomputed").fit(dissimilarities)
    assert model.exemplar_indices_.tolist() == [0]


def test_all_neighbours_make_the_sparse_variant_exact(blobs):
    dense = ConvexClustering(0.5).fit(blobs)
    sparse = ConvexClustering(0.5, n_nearest=80).fit(blobs)
    assert sparse.objective_ == pytest.approx(dense.objective_, abs=2e-8)


def test_few_neighbours_never_raise_the_objective(blobs):
    dense = ConvexClustering(5.0).fit(blobs)
    objectives = [ConvexClustering(5.0, n_nearest=k).fit(blobs).objective_ for k in (5, 20, 40)]
    assert np.all(np.diff([*objectives, dense.objective_]) >= -1e-8)


def test_sparse_variant_takes_the_nearest_of_any_divergence(histograms):
    model = ConvexClustering(20.0, "kl", n_nearest=60).fit(histograms)
    dense = ConvexClustering(20.0, "kl").fit(histograms)
    assert model.objective_ == pytest.approx(dense.objective_, abs=2e-8)


@pytest.mark.parametrize(
    ("metric", "phi", "gradient"),
    [
        ("sqeuclidean", lambda x: (x**2).sum(1), lambda x: 2 * x),
        ("kl", lambda x: (x * np.log(x)).sum(1), lambda x: np.log(x) + 1),
        ("itakura-saito", lambda x: -np.log(x).sum(1), lambda x: -1 / x),
    ],
)
def test_named_metrics_are_bregman_divergences(histograms, metric, phi, gradient):
    named = ConvexClustering(3.0, metric).fit(histograms)
    made = ConvexClustering(3.0, BregmanDivergence(phi, gradient)).fit(histograms)
    assert named.objective_ == pytest.approx(made.objective_, abs=2e-8)


def test_kl_of_a_centre_with_a_zero_excludes_points_without():
    X = np.array([[1.0, 0.0], [0.5, 0.5]])
    model = ConvexClustering(1.0, "kl").fit(X)
    # The centre (1, 0) has infinite divergence from (1/2, 1/2), not the other way round.
    assert 1 in model.exemplar_indices_
    assert np.isfinite(model.objective_)


def test_repeating_the_sample_keeps_the_objective(blobs):
    once = ConvexClustering(0.5).fit(blobs)
    twice = ConvexClustering(0.5).fit(np.vstack([blobs, blobs]))
    assert twice.objective_ == pytest.approx(once.objective_, abs=2e-8)


def test_shifted_and_rescaled_data_give_the_same_clusters(blobs):
    plain = ConvexClustering().fit(blobs)
    moved = ConvexClustering().fit(1e3 * blobs + 1e5)
    np.testing.assert_array_equal(moved.labels_, plain.labels_)


def test_hard_clusters_are_the_map_exemplars_of_some_sample(blobs):
    model = ConvexClustering(0.5).fit(blobs)
    squared = ((blobs[:, None] - model.exemplars_) ** 2).sum(-1)
    best = (np.log(model.weights_) - 0.5 * squared).argmax(axis=1)
    np.testing.assert_array_equal(model.cluster_exemplars_, np.unique(best))
    nearest = squared[:, model.cluster_exemplars_].argmin(axis=1)
    np.testing.assert_array_equal(model.labels_, nearest)
    np.testing.assert_array_equal(model.predict(blobs), nearest)


def test_distances_beyond_underflow_are_no_trouble():
    X = np.array([[0.0], [1.0], [1e6], [1e6 + 1]])
    model = ConvexClustering(0.1).fit(X)
    assert len(model.cluster_exemplars_) >= 2
    assert np.isfinite(model.objective_)


def test_multiplicative_solver_agrees(blobs):
    fast = ConvexClustering(2.0).fit(blobs)
    slow = ConvexClustering(2.0, solver="multiplicative", tol=1e-6).fit(blobs)
    assert slow.objective_ == pytest.approx(fast.objective_, abs=1e-6)


def test_unknown_metric_is_told_the_known_ones(blobs):
    with pytest.raises(ValueError, match="sqeuclidean, kl, itakura-saito, precomputed"):
        ConvexClustering(metric="cosine").fit(blobs)


@pytest.mark.parametrize("metric", ["kl", "itakura-saito"])
def test_features_outside_the_domain_are_refused(metric):
    with pytest.raises(ValueError, match="the smallest is -1"):
        ConvexClustering(metric=metric).fit([[-1.0], [2.0]])


def test_precomputed_must_be_square():
    with pytest.raises(ValueError, match="must be square"):
        ConvexClustering(1.0, "precomputed").fit(np.zeros((3, 2)))


def test_n_nearest_must_fit_the_sample(blobs):
    with pytest.raises(ValueError, match="n_nearest is 81"):
        ConvexClustering(n_nearest=81).fit(blobs)


def test_identical_samples_ask_for_beta():
    with pytest.raises(ValueError, match="set beta"):
        ConvexClustering().fit(np.ones((3, 2)))
