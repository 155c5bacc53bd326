"""The graph of nearest neighbours, against brute force and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csgraph, csr_matrix
from sklearn.cluster import SpectralClustering
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances
from sklearn.neighbors import kneighbors_graph
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import NeighborGraph
from icml2008.methods.graphs import _search

RNG = np.random.default_rng(0)


@parametrize_with_checks([NeighborGraph()])
def test_check_of_scikit_learn(estimator, check):
    check(estimator)


def by_brute_force(X, k):
    """Return the k nearest other rows, of equally near ones the first, and squared distances."""
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    order = np.argsort(squared, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(squared, order, 1)


def rows(kind, n, columns):
    rng = np.random.default_rng(n + columns)
    if kind == "lattice":
        return rng.integers(3, size=(n, columns)).astype(float)
    if kind == "copies":
        return np.repeat(rng.normal(size=(3, columns)), -(-n // 3), axis=0)[:n]
    X = rng.normal(size=(n, columns))
    if kind == "far":
        X = 1024.0 * rng.integers(50, size=(n, columns)) + 2.0**40
    if kind == "outlier":
        X[n // 2] = 1e6
    if kind == "near ties":
        X = 1 + 1e-6 * rng.integers(9, size=(n, columns))
    return X


@pytest.mark.parametrize("kind", ["normal", "lattice", "copies", "far", "outlier", "near ties"])
@pytest.mark.parametrize("columns", [1, 3, 7, 40])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (9, 8), (70, 5), (600, 12), (300, 150)])
def test_neighbours_are_those_of_brute_force(kind, n, k, columns):
    X = rows(kind, n, columns)
    indices, squared = _search.nearest_rows(X, k)
    expected, values = by_brute_force(X, k)
    np.testing.assert_allclose(squared, values, rtol=1e-12)
    if kind in ("normal", "lattice", "copies", "far"):  # equal distances are equal to the bit
        np.testing.assert_array_equal(indices, expected)
    assert all(len(set(labels)) == k and row not in labels for row, labels in enumerate(indices))


def test_rows_that_single_precision_cannot_tell_apart_are_looked_at_again(monkeypatch):
    looks = []
    look = _search._second_look
    monkeypatch.setattr(_search, "_second_look", lambda *a: looks.append(len(a[2])) or look(*a))
    X = np.ones((200, 9))
    X[:, 0] += 1e-9 * RNG.permutation(200)
    X[0] = 0  # by its distance the others are one point
    indices, _ = _search.nearest_rows(X, 2)
    np.testing.assert_array_equal(indices[1:], by_brute_force(X, 2)[0][1:])
    assert looks == [200]


@pytest.mark.parametrize("weights", ["binary", "gaussian", "cosine"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("symmetry", ["or", "and"])
@pytest.mark.parametrize("laplacian", ["normalized", "plain"])
@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_weights_and_laplacian_are_those_of_dense_formulas(
    metric, weights, symmetry, laplacian, form
):
    X = np.random.default_rng(1).normal(size=(60, 8))
    graph = NeighborGraph(4, metric, weights, 0.8, symmetry, laplacian).fit(form(X))
    cosines = cosine_similarity(X)
    distances = euclidean_distances(X) if metric == "euclidean" else 1 - cosines
    np.fill_diagonal(distances, np.inf)
    near = np.argsort(np.argsort(distances, axis=1), axis=1) < 4
    edges = near | near.T if symmetry == "or" else near & near.T
    formulas = {
        "binary": np.ones_like(distances),
        "gaussian": np.exp(-(distances**2) / (2 * 0.8**2)),
        "cosine": np.maximum(cosines, 0),
    }
    W = np.where(edges, formulas[weights], 0.0)
    np.testing.assert_allclose(graph.affinity_matrix_.toarray(), W, atol=1e-10)
    degrees = W.sum(axis=1)
    L = np.diag(degrees) - W
    if laplacian == "normalized":
        roots = np.sqrt(np.where(degrees > 0, degrees, 1.0))
        L = L / roots[:, None] / roots
    np.testing.assert_allclose(graph.laplacian_.toarray(), L, atol=1e-10)


def test_edges_and_distances_are_those_of_scikit_learn():
    X = np.random.default_rng(2).normal(size=(400, 12))
    theirs = kneighbors_graph(X, 7, mode="distance").toarray()
    graph = NeighborGraph(7).fit(X)
    ours = np.zeros_like(theirs)
    np.put_along_axis(ours, graph.indices_, graph.distances_, 1)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    edges = graph.affinity_matrix_.toarray()
    np.testing.assert_array_equal(edges, (theirs > 0) | (theirs > 0).T)


def test_the_mean_distance_to_the_last_neighbour_is_a_width():
    X = np.random.default_rng(3).normal(size=(50, 5))
    graph = NeighborGraph(3, weights="gaussian").fit(X)
    assert graph.width_ == pytest.approx(np.sqrt(by_brute_force(X, 3)[1][:, -1]).mean())
    fixed = NeighborGraph(3, weights="gaussian", width=graph.width_).fit(X)
    np.testing.assert_array_equal(
        graph.affinity_matrix_.toarray(), fixed.affinity_matrix_.toarray()
    )
    assert np.isnan(NeighborGraph(3).fit(X).width_)


def test_the_order_of_rows_does_not_matter():
    X = np.random.default_rng(4).normal(size=(300, 20))
    order = np.random.default_rng(5).permutation(300)
    graph = NeighborGraph(6, weights="gaussian").fit(X)
    moved = NeighborGraph(6, weights="gaussian").fit(X[order])
    np.testing.assert_allclose(
        moved.laplacian_.toarray(), graph.laplacian_.toarray()[np.ix_(order, order)], atol=1e-12
    )


def few_labels():
    X, y = make_moons(300, noise=0.05, random_state=0)
    few = np.full(300, -1)
    few[[0, 1, 2, 3]] = y[:4]
    return X, y, few


def test_label_spreading_on_the_graph_is_its_closed_form():
    X, y, few = few_labels()
    graph = NeighborGraph(6).fit(X)
    model = LabelSpreading(
        kernel=lambda *_: graph.affinity_matrix_, alpha=0.9, max_iter=2000, tol=1e-12
    )
    model.fit(X, few)
    given = few[:, None] == [0, 1]
    S = np.eye(300) - graph.laplacian_.toarray()
    spread = np.linalg.solve(np.eye(300) - 0.9 * S, given.astype(float))
    np.testing.assert_array_equal(model.transduction_, spread.argmax(axis=1))
    assert np.mean(model.transduction_ == y) > 0.9


def test_label_propagation_on_the_graph_is_harmonic():
    X, _, few = few_labels()
    graph = NeighborGraph(6, weights="gaussian", laplacian="plain").fit(X)
    W = graph.affinity_matrix_.toarray()
    model = LabelPropagation(kernel=lambda *_: W, max_iter=20_000, tol=1e-12).fit(X, few)
    free = few < 0
    L = graph.laplacian_.toarray()
    share = (few[~free] == 1).astype(float)
    harmonic = np.linalg.solve(L[np.ix_(free, free)], -L[np.ix_(free, ~free)] @ share)
    np.testing.assert_allclose(model.label_distributions_[free, 1], harmonic, atol=1e-6)


def test_spectral_clustering_takes_the_graph():
    X, y = make_blobs(200, n_features=6, centers=3, cluster_std=0.5, random_state=0)
    graph = NeighborGraph(8).fit(X)
    pieces, _ = csgraph.connected_components(graph.affinity_matrix_)
    assert pieces == 3
    wide = NeighborGraph(80, weights="gaussian").fit(X)
    clusters = SpectralClustering(3, affinity="precomputed", random_state=0)
    assert adjusted_rand_score(y, clusters.fit_predict(wide.affinity_matrix_)) == 1.0


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"n_neighbors": 5}, np.eye(5), "n_neighbors=5 wants more rows than X has: 5 samples"),
        ({"n_neighbors": 0}, np.eye(5), "'n_neighbors' parameter of NeighborGraph must be an int"),
        ({"metric": "l2"}, np.eye(9), "'metric' parameter of NeighborGraph"),
        ({"width": 0.0}, np.eye(19), "'width' parameter of NeighborGraph"),
        ({"metric": "cosine"}, np.diag(np.arange(12.0)), "row 0 of X is all zeros"),
        ({"weights": "cosine"}, csr_matrix(np.diag([1.0, 0, 2] * 5)), "row 1 of X is all zeros"),
        ({"weights": "gaussian"}, np.ones((30, 2)), "all neighbours are at distance 0"),
    ],
)
def test_what_cannot_be_is_named(options, X, message):
    with pytest.raises(ValueError, match=message):
        NeighborGraph(**options).fit(X)
