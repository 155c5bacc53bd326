"""What the slides print wrongly, settled by small computations; and helpers with known answers."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.mixture import GaussianMixture

from icml2008.catalogue import library
from icml2008.data import load
from icml2008.harness.trial import Trial, run_trial
from icml2008.papers.foundations.clusters import by_formula, by_recurrence, furthest_first, lloyd
from icml2008.papers.foundations.densities import PLACES, estimate, mass, silverman
from icml2008.papers.foundations.features import labelled, wrapped
from icml2008.papers.foundations.linear import as_printed
from icml2008.papers.foundations.low_rank import robust_pca
from icml2008.papers.foundations.machines import (
    dual_value,
    explicit_features,
    primal_value,
    printed_pairs,
)
from icml2008.papers.foundations.mixtures import expected, maximised
from icml2008.papers.foundations.networks import OUTPUTS, Network
from icml2008.papers.foundations.recovery import freedom, largest_angle, tangent_rank
from icml2008.papers.foundations.samples import orthonormal, two_normals

# Identities, minima and bounds: experiment, method, metric, largest value.
HOLD = [
    *(("pca", "PCA", metric, 1e-10) for metric in ("excess", "identity_error", "offset_excess")),
    ("pca", "PCA", "svd_error", 1e-6),
    ("scaling", "classical scaling", "identity_error", 1e-8),
    ("scaling", "classical scaling", "excess", 1e-10),
    ("kernel-pca", "kernel PCA", "identity_error", 1e-8),
    *(("k-means", seeds, "rise", 1e-12) for seeds in ("random", "furthest-first", "k-means++")),
    *(("scatter", centre, "excess", 1e-12) for centre in ("mean", "median")),
    ("scatter", "mean", "identity_error", 1e-12),
    ("em", "EM", "fall", 1e-9),
    ("m-step", "M-step", "excess", 1e-12),
    ("em-speed", "EM", "identity_error", 1e-6),
    ("nearest", "1 neighbour", "training", 1e-12),
    *(("svm", "SMO", metric, 1e-6) for metric in ("gap", "slackness", "offset_error")),
    *(("svm", "SMO", metric, 1e-12) for metric in ("crossing", "outside", "fall")),
    ("kernel-ridge", "kernel ridge", "identity_error", 1e-8),
    ("holdout", "holdout", "excess", 1e-12),
    ("choosing", "smallest error", "excess", 1e-12),
    *(("lasso", method, "fall", 1e-9) for method in ("lasso", "ridge")),
    ("lasso", "lasso", "excess", 1e-9),
    ("freedom", "tangent space", "identity_error", 1e-6),
]


@pytest.fixture(scope="module")
def measured():
    """Return a function of an experiment to its measurements at scale smoke."""

    @cache
    def measure(name):
        experiment = library.load_experiment("foundations", name)
        choices = library.trial_choices("foundations", name, "default")
        return [
            line
            for cell, repeat in experiment.trials("smoke")
            for line in run_trial(
                Trial("foundations", experiment, cell, repeat, choices=choices, load=load)
            )
        ]

    return measure


@pytest.mark.parametrize(("experiment", "method", "metric", "most"), HOLD)
def test_what_is_true_by_algebra_is_true_to_rounding(measured, experiment, method, metric, most):
    values = [
        line["value"]
        for line in measured(experiment)
        if (line["method"], line.get("metric")) == (method, metric)
    ]
    assert values
    assert max(values) <= most


def test_squared_distances_of_points_have_the_rank_of_their_dimension_and_two(measured):
    ranks = [
        (line["cell"]["dimension"], line["value"])
        for line in measured("scaling")
        if line.get("metric") == "rank"
    ]
    assert ranks
    assert all(rank == dimension + 2 for dimension, rank in ranks)


def test_factor_of_one_half_in_the_pair_step_misses_the_optimum():
    # three samples whose dual has its optimum at alpha = (1/2, 1/2, 0) by hand
    X = np.array([[-1.0], [1.0], [3.0]])
    y = np.array([-1.0, 1.0, 1.0])
    K = X @ X.T
    derived = printed_pairs(K, y, 10.0, 1.0, 300)
    assert_allclose(derived, [0.5, 0.5, 0.0], atol=1e-9)
    rng = np.random.default_rng(0)
    X, labels = two_normals(rng, 20, 1.0)
    K = rbf_kernel(X, gamma=1.0)
    y = 2.0 * labels - 1
    best = dual_value(printed_pairs(K, y, 1.0, 1.0, 2000), y, K)
    assert dual_value(printed_pairs(K, y, 1.0, 0.5, 2000), y, K) < 0.99 * best


def test_a_support_vector_may_have_a_multiplier_of_zero():
    # the second of two equal samples on the margin is not needed: the duality gap is 0 without it
    X = np.array([[-1.0], [1.0], [1.0]])
    y = np.array([-1.0, 1.0, 1.0])
    K = X @ X.T
    alpha = np.array([0.5, 0.5, 0.0])
    assert_allclose(y * (K @ (alpha * y)), 1.0)
    assert_allclose(primal_value(alpha * y, 0.0, y, K, 30.0), dual_value(alpha, y, K))


def test_error_of_components_is_the_plain_sum_of_eigenvalues_of_the_scatter_matrix():
    X = np.random.default_rng(1).normal(size=(50, 4))
    centred = X - X.mean(axis=0)
    values = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    model = PCA(2).fit(X)
    error = ((X - model.inverse_transform(model.transform(X))) ** 2).sum()
    assert_allclose(error, values[2:].sum())


@pytest.mark.parametrize("d", [1, 2, 3])
def test_kernel_integrates_to_one_with_the_volume_and_in_one_dimension_only_as_printed(d):
    assert_allclose(mass(d, 0.5, np.sqrt((2 * np.pi * 0.5) ** d)), 1.0)
    # the printed constant lacks (2 pi)^((d - 1) / 2)
    printed = mass(d, 0.5, np.sqrt(2 * np.pi * 0.5**d))
    assert_allclose(printed, (2 * np.pi) ** ((d - 1) / 2))


def test_printed_gradient_lacks_terms_of_softmax_only():
    rng = np.random.default_rng(2)
    for output in OUTPUTS:
        Y = np.eye(3)[rng.integers(3, size=20)][:, : 3 if output == "softmax" else 1]
        network = Network(rng.normal(size=(20, 3)), Y, 4, output)
        theta = network.start(rng)
        numeric = [
            (network.error_and_gradient(theta + h)[0] - network.error_and_gradient(theta - h)[0])
            / 2e-5
            for h in np.eye(network.size) * 1e-5
        ]
        error = np.abs(network.error_and_gradient(theta)[1] - numeric).max()
        # central differences are good to about 1e-8
        assert (error > 0.01) if output == "softmax" else (error < 1e-6)


def test_printed_map_of_kernel_components_is_off_by_a_shift():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(30, 2)) + 1.0
    K = rbf_kernel(X, gamma=0.5)
    H = np.eye(30) - 1 / 30
    values, vectors = np.linalg.eigh(H @ K @ H)
    printed = K @ (vectors[:, :-3:-1] / np.sqrt(values[:-3:-1]))
    scores = KernelPCA(2, kernel="rbf", gamma=0.5).fit_transform(X)
    centred = printed - printed.mean(axis=0)
    assert_allclose(np.abs(centred), np.abs(scores), atol=1e-10)
    assert np.abs(printed.mean(axis=0)).max() > 0.01 * np.abs(scores).max()


def test_weight_of_the_smaller_side_leaves_errors_in_the_low_rank_part():
    rng = np.random.default_rng(12)
    clean = rng.normal(size=(20, 1)) @ rng.normal(size=(1, 320))
    wrong = (rng.random(clean.shape) < 0.05) * rng.choice([-5.0, 5.0], size=clean.shape)
    for weight, exact in ((1 / np.sqrt(20), False), (1 / np.sqrt(320), True)):
        low_rank = robust_pca(clean + wrong, sparsity=weight, tol=1e-5)[0]
        error = np.linalg.norm(low_rank - clean) / np.linalg.norm(clean)
        assert (error < 1e-3) == exact


def test_numbers_of_clusterings_agree_and_small_ones_are_known():
    assert [by_recurrence(5, k) for k in range(1, 6)] == [1, 15, 25, 10, 1]
    assert all(by_formula(n, k) == by_recurrence(n, k) for n in range(1, 12) for k in range(1, n))


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_lloyd_ends_where_scikit_learn_does_and_never_rises(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    start = furthest_first(X, 4, rng)
    labels, centres, path = lloyd(X, start)
    theirs = KMeans(4, init=start, n_init=1, algorithm="lloyd", tol=0).fit(X)
    assert_allclose(path[-1], theirs.inertia_)
    assert np.max(np.diff(path)) <= 1e-12
    assert_allclose(centres[labels], theirs.cluster_centers_[theirs.labels_])


def test_furthest_first_takes_the_ends_of_a_line():
    X = np.arange(10.0)[:, None]
    first, *others = furthest_first(X, 3, np.random.default_rng(0)).ravel()
    assert others[0] == (9.0 if first < 5 else 0.0)
    assert others[1] == max(X.ravel(), key=lambda x: min(abs(x - first), abs(x - others[0])))


def test_maximised_parameters_are_those_of_one_step_of_scikit_learn():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    gamma = rng.dirichlet(np.ones(3), size=40)
    model = GaussianMixture(3, reg_covar=0.0)
    model._initialize(X, gamma)
    weights, means, covariances = maximised(X, gamma)
    assert_allclose(weights, model.weights_)
    assert_allclose(means, model.means_)
    assert_allclose(covariances, model.covariances_)


def test_expected_log_likelihood_of_known_states_is_that_of_their_normals():
    from scipy.stats import multivariate_normal

    rng = np.random.default_rng(4)
    X = rng.normal(size=(30, 2))
    labels = np.arange(30) % 2
    theta = np.array([0.3, 0.7]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([np.eye(2)] * 2)
    direct = np.mean(
        [
            np.log(theta[0][k]) + multivariate_normal(theta[1][k], theta[2][k]).logpdf(x)
            for x, k in zip(X, labels, strict=True)
        ]
    )
    assert_allclose(expected(X, np.eye(2)[labels], theta), direct)


def test_rule_of_thumb_estimate_integrates_to_one():
    x = np.random.default_rng(5).normal(size=200)
    # the grid is fine against the bandwidth and wide against the sample
    assert_allclose(np.trapezoid(estimate(x, silverman(x)), PLACES), 1.0, atol=1e-6)


def test_explicit_features_have_the_polynomial_kernel():
    X = np.random.default_rng(6).normal(size=(10, 3))
    phi = explicit_features(X)
    assert_allclose(phi @ phi.T, (1 + X @ X.T) ** 2)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_degrees_of_freedom_are_the_dimension_of_the_tangent_space(rank):
    assert tangent_rank(np.random.default_rng(7), (5, 6), rank) == freedom(5, 6, rank)


def test_steps_of_classical_scaling_keep_distances_of_points_in_the_plane():
    X = np.random.default_rng(8).normal(size=(12, 2))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    Y = as_printed(D, 2)
    assert_allclose(np.linalg.norm(Y[:, None] - Y, axis=2), D, atol=1e-7)


def test_random_bases_are_orthonormal():
    Q = orthonormal(np.random.default_rng(9), 6, 3)
    assert_allclose(Q.T @ Q, np.eye(3), atol=1e-12)


def test_backward_elimination_finds_the_two_features_of_an_interaction():
    rng = np.random.default_rng(10)
    X, y = labelled(rng, 200, "interaction")
    assert sorted(wrapped("backward")(X[:, :5], y, 2, rng)) == [0, 1]


@pytest.mark.parametrize("angle", [1e-8, 1e-3, 40.0])
def test_small_angles_between_planes_are_not_the_root_of_rounding(angle):
    U = orthonormal(np.random.default_rng(0), 30, 3)
    turned = np.cos(np.radians(angle)) * U[:, 0] + np.sin(np.radians(angle)) * U[:, 2]
    assert_allclose(largest_angle(U[:, :2], np.column_stack([turned, U[:, 1]])), angle, rtol=1e-6)
