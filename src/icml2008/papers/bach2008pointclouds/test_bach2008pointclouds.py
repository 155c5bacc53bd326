"""The point cloud paper: machines, folds, baselines, models, the printed recursion and numbers."""

from __future__ import annotations

import itertools
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from icml2008.catalogue.library import load_paper
from icml2008.methods.graph_kernels.bhattacharyya import rooted_kernel
from icml2008.methods.graph_kernels.graph import PointCloudGraph
from icml2008.methods.graph_kernels.kernel import PointCloudKernel
from icml2008.papers.bach2008pointclouds import kernels as kernels_module
from icml2008.papers.bach2008pointclouds.drawings import choose
from icml2008.papers.bach2008pointclouds.kernels import (
    DECAYS,
    Gradients,
    Pixels,
    PyramidMatch,
    RandomWalk,
    Skeletons,
    Walks,
    normalized,
    pyramid_match,
)
from icml2008.papers.bach2008pointclouds.matching import best_matching_walks, walks_of
from icml2008.papers.bach2008pointclouds.models import draw, random_model
from icml2008.papers.bach2008pointclouds.selection import (
    C_GRID,
    draw_folds,
    fit_machine,
    nested_hits,
    predict_one_vs_rest,
)


def strokes(n=12, seed=0):
    """Images of horizontal and vertical bars, as uint8."""
    rng = np.random.default_rng(seed)
    images = np.zeros((n, 28, 28), np.uint8)
    for i, image in enumerate(images):
        a, b = rng.integers(4, 9, size=2)
        line = image if i % 2 else image.T
        line[10 + a // 2 : 13 + a // 2, a : 18 + b] = 255
    return images


def blobs(n_classes, per_class, seed, spread=1.0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), per_class)
    X = 2 * rng.normal(size=(n_classes, 3))[y] + spread * rng.normal(size=(y.size, 3))
    return np.exp(-0.2 * ((X[:, None] - X[None]) ** 2).sum(-1)), y


# machines and folds


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), C=st.sampled_from([0.3, 1.0, 100.0]))
def test_machine_is_that_of_libsvm(seed, C):
    gram, y = blobs(2, 15, seed, spread=2.0)
    signs = np.where(y == 1, 1.0, -1.0)
    weights = np.zeros(y.size)
    residuals = signs.copy()
    bias = fit_machine(gram, signs, C, weights, residuals)
    theirs = SVC(kernel="precomputed", C=C, tol=1e-6).fit(gram, signs)
    # both stop at a gap, ours of 1e-3, and the bias lies anywhere in it
    scores = gram @ weights + bias
    np.testing.assert_allclose(scores, theirs.decision_function(gram), atol=1e-2)
    dual = np.abs(weights).sum() - weights @ gram @ weights / 2
    their_weights = np.zeros(y.size)
    their_weights[theirs.support_] = theirs.dual_coef_[0]
    best = np.abs(their_weights).sum() - their_weights @ gram @ their_weights / 2
    assert dual > best - 1e-3 * np.abs(weights).sum()


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_machine_stays_in_its_box_and_balances(seed):
    gram, y = blobs(2, 15, seed, spread=3.0)
    signs = np.where(y == 1, 1.0, -1.0)
    weights = np.zeros(y.size)
    residuals = signs.copy()
    for C in C_GRID:
        fit_machine(gram, signs, C, weights, residuals)
        assert (weights * signs >= -1e-12).all()
        assert (np.abs(weights) <= C).all()
        assert abs(weights.sum()) < 1e-9 * C
        # updated in thousands of steps
        np.testing.assert_allclose(residuals, signs - gram @ weights, atol=1e-8)


def test_rising_C_leads_to_the_predictions_of_each_C_alone():
    gram, y = blobs(3, 20, 1, spread=1.5)
    train = np.arange(0, 60, 2)
    test = np.arange(1, 60, 2)
    inside = gram[np.ix_(train, train)]
    across = gram[np.ix_(test, train)]
    together = predict_one_vs_rest(inside, across, y[train], 3, C_GRID)
    for c in range(C_GRID.size):
        alone = predict_one_vs_rest(inside, across, y[train], 3, C_GRID[c : c + 1])[0]
        # a score within the gap of another may turn
        assert np.mean(together[c] != alone) < 0.04


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), stratified=st.booleans(), per_class=st.integers(5, 12))
def test_folds_share_out_all_drawings_and_classes_alike(seed, stratified, per_class):
    y = np.repeat(np.arange(4), per_class)
    folds = draw_folds(y, np.random.default_rng(seed), stratified)
    assert np.ptp(np.bincount(folds, minlength=5)) <= 1
    if stratified:
        for label in range(4):
            assert np.ptp(np.bincount(folds[y == label], minlength=5)) <= 1


def test_nested_folds_never_choose_by_what_they_test():
    """A Gram matrix that knows one outer fold's answers is of no use to the others."""
    gram, y = blobs(2, 30, 3, spread=0.3)
    rng = np.random.default_rng(0)
    noise = np.eye(60) + 1e-3 * np.diag(rng.random(60))
    assert nested_hits(np.array([noise, gram]), y, np.random.default_rng(1)).mean() > 0.95
    shuffled = rng.permutation(y)
    lucky = nested_hits(np.array([gram, noise]), shuffled, np.random.default_rng(1)).mean()
    # 60 coin tosses
    assert lucky < 0.75


# kernels


@pytest.mark.parametrize(
    "kernel",
    [Walks(1, 2), Walks(2, 1), Walks(1, 2, short=False), RandomWalk(), PyramidMatch(), Pixels(),
     Gradients()],
    ids=lambda kernel: type(kernel).__name__,
)  # fmt: skip
def test_gram_matrices_are_positive_semidefinite_with_unit_diagonal(kernel):
    grams = kernel.grams(strokes())
    assert grams.shape[1:] == (12, 12)
    np.testing.assert_allclose(np.diagonal(grams, axis1=1, axis2=2), 1, rtol=1e-12)
    np.testing.assert_allclose(grams, grams.swapaxes(1, 2), rtol=1e-9)
    assert min(np.linalg.eigvalsh(gram)[0] for gram in grams) > -1e-10


def test_settings_are_those_of_single_kernels():
    images = strokes(4)
    grams = Walks(2, 2, widths=(0.05, 0.1)).grams(images)
    graphs = Skeletons()(images)
    grid = itertools.product((0.05, 0.1), (0.1, 0.01), (0.05, 0.1), kernels_module.DEPTHS)
    for gram, (tau, nu, upsilon, gamma) in zip(grams, grid, strict=True):
        kernel = PointCloudKernel(
            2, 2, gamma, nu=nu, tau=tau, kappa=0.001, upsilon=upsilon, normalize=True
        )
        np.testing.assert_allclose(gram, kernel.pairwise(graphs), rtol=1e-12)


def test_random_walks_sum_to_the_solution_of_a_linear_system():
    images = strokes(3)
    graphs = Skeletons()(images)
    ours = RandomWalk(root="state", unit_diagonal=False).grams(images)[DECAYS.index(0.1)]
    tau = 0.05
    upsilon = 0.05
    variance = 1.001

    def parts(graph):
        gaps = ((graph.positions[:, None] - graph.positions[None]) ** 2).sum(-1)
        adjacent = np.zeros(gaps.shape, bool)
        adjacent[tuple(graph.edges.T)] = adjacent[tuple(graph.edges.T[::-1])] = True
        slope = np.exp(-tau * gaps) / variance
        return adjacent, slope, variance * (1 - slope**2)

    def exact(G, H):
        (A, a, r) = [p[..., None, None] for p in parts(G)]
        (B, b, s) = parts(H)
        step = np.sqrt(r * s) / ((r + s) / 2 + (a - b) ** 2 / 4) * (A & B)
        step = step.transpose(0, 2, 1, 3).reshape(G.n_nodes * H.n_nodes, -1)
        gaps = ((G.attributes[:, None] - H.attributes[None]) ** 2).sum(-1)
        match = 0.1 * np.exp(-upsilon * gaps).ravel()
        return np.linalg.solve(np.eye(match.size) - match[:, None] * step, match).sum()

    expected = np.array([[exact(G, H) for H in graphs] for G in graphs])
    # walks of more than 24 vertices are left out
    np.testing.assert_allclose(ours, expected / np.diag(expected).mean(), rtol=1e-4)


def test_random_walks_are_graKels_where_geometry_says_nothing():
    pytest.importorskip("grakel", reason="there is no grakel for this Python")
    from grakel import Graph
    from grakel.kernels import RandomWalk as TheirRandomWalk

    rng = np.random.default_rng(0)
    graphs = [
        PointCloudGraph(1e4 * rng.normal(size=(n, 2)), [(v, (v + 1) % n) for v in range(n)][:m])
        for n, m in ((4, 4), (5, 4), (7, 7))
    ]
    theirs = [Graph({v: list(near) for v, near in enumerate(graph.neighbours)}) for graph in graphs]
    expected = TheirRandomWalk(lamda=0.05, method_type="baseline").fit_transform(theirs)
    depths = range(1, 41)
    up_to = PointCloudKernel(1, 1, 40, nu=1.0, tau=1.0).pairwise(graphs, depths=depths)
    by_length = np.diff(up_to, axis=0, prepend=np.zeros_like(up_to[:1]))
    # theirs weighs a walk by its edges; (4 x 0.05)^40 is left out
    ours = np.tensordot(0.05 ** np.arange(40.0), by_length, 1)
    np.testing.assert_allclose(ours, expected, rtol=1e-9)


def matches_by_hand(cloud, other, side):
    def count(points):
        cells, times = np.unique(np.floor(points / side), axis=0, return_counts=True)
        return dict(zip(map(tuple, cells), times, strict=True))

    a = count(cloud)
    b = count(other)
    return sum(min(times, b.get(cell, 0)) for cell, times in a.items())


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), decay=st.sampled_from([1.0, 0.5, 0.25]))
def test_pyramid_match_counts_new_matches_of_each_level(seed, decay):
    rng = np.random.default_rng(seed)
    points = [rng.integers(-6, 7, size=(rng.integers(1, 9), 2)) + 0.5 for _ in range(3)]
    ours = pyramid_match(points, 1.5, decay, n_levels=4)
    for i, j in itertools.product(range(3), repeat=2):
        counts = [matches_by_hand(points[i], points[j], 1.5 * 2**level) for level in range(4)]
        new = np.diff(counts, prepend=0)
        assert ours[i, j] == pytest.approx((decay ** np.arange(4) * new).sum())


def test_pyramid_match_intersects_graKels_histograms_in_one_dimension():
    pytest.importorskip("grakel", reason="there is no grakel for this Python")
    from grakel import Graph
    from grakel.kernels import PyramidMatch as TheirPyramidMatch

    paths = [PointCloudGraph(np.zeros((n, 2)), [(v, v + 1) for v in range(n - 1)]) for n in (4, 6)]
    theirs = [Graph({v: list(near) for v, near in enumerate(g.neighbours)}) for g in paths]
    # of each graph one histogram a level, of 1, 2 and 4 cells (their kernel adds the matches of
    # coarse levels several times)
    histograms = TheirPyramidMatch(with_labels=False, L=3, d=1).fit(theirs).X
    expected = np.empty((2, 2))
    for i, j in itertools.product(range(2), repeat=2):
        levels = zip(histograms[i], histograms[j], strict=True)
        wide, middle, fine = (np.minimum(own, other).sum() for own, other in levels)
        expected[i, j] = fine + (middle - fine) / 2 + (wide - middle) / 4

    def embedded(graph):
        """Their points: the leading eigenvector of the adjacency matrix."""
        adjacency = np.zeros((graph.n_nodes, graph.n_nodes))
        adjacency[tuple(graph.edges.T)] = adjacency[tuple(graph.edges.T[::-1])] = 1
        return np.abs(np.linalg.eigh(adjacency)[1][:, -1:])

    ours = pyramid_match([embedded(graph) for graph in paths], 1 / 4, 0.5, n_levels=3)
    np.testing.assert_array_equal(ours, expected)


def test_mean_diagonal_is_one_where_diagonals_are_not_made_equal():
    logs = np.log(np.array([[[4.0, 1.0], [1.0, 2.0]]])) + 800
    np.testing.assert_allclose(normalized(logs, False)[0], [[4 / 3, 1 / 3], [1 / 3, 2 / 3]])


# drawings and walks


def test_first_drawings_are_those_of_each_class_in_order():
    data = SimpleNamespace(
        images=np.arange(60).reshape(60, 1, 1), y=np.tile(np.arange(10), 6), n_train=40
    )
    chosen = choose(data, "mnist", "training", 1, 2)
    assert chosen.images.ravel().tolist() == [v for c in range(10) for v in (10 + c, 20 + c)]
    assert choose(data, "mnist", "test", 0, 1).images.ravel().tolist() == list(range(40, 50))
    with pytest.raises(ValueError, match="class 0 of mnist has fewer than 5"):
        choose(data, "mnist", "training", 0, 5)


def test_best_matching_walks_have_the_largest_term():
    rng = np.random.default_rng(2)
    G, H = (
        PointCloudGraph(points, [(v, v + 1) for v in range(5)] + [(1, 4)], points)
        for points in (2 * rng.normal(size=(6, 2)), 2 * rng.normal(size=(6, 2)))
    )
    how = {"tau": 0.1, "kappa": 0.01, "upsilon": 0.05}
    mine, theirs, value = best_matching_walks(G, H, beta=2, length=4, **how)
    longest, _, beyond = (
        PointCloudKernel(1, 2, 4, nu=1.0, tau=0.1, kappa=0.01, upsilon=0.05)
        .pairwise([G], [H], depths=[3, 4, 4])
        .ravel()
    )
    walks = [walks_of(graph, 2, 4) for graph in (G, H)]
    assert tuple(mine) in walks[0]
    assert tuple(theirs) in walks[1]
    total = beyond - longest
    # a sum of nonnegative terms lies between its largest and that times their number
    assert total / (len(walks[0]) * len(walks[1])) <= value <= total


# models, errata, printed numbers


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), separator=st.integers(1, 2))
def test_random_models_are_junction_trees(seed, separator):
    cliques = random_model(np.random.default_rng(seed), separator)
    K = np.eye(1 + max(map(max, cliques)))
    assert rooted_kernel(K, K, cliques) == 1  # refuses cliques in no such order
    for n, clique in enumerate(cliques[1:], start=1):
        shared = set(clique) & set().union(*cliques[:n])
        assert 1 <= len(shared) <= separator


def test_correlation_matrices_have_unit_variances():
    for matrices, _ in draw("correlation", np.random.default_rng(0)):
        np.testing.assert_allclose(np.diagonal(matrices, axis1=1, axis2=2), 1)


def test_separators_make_eq_4_the_determinant_of_eq_3():
    factors = np.random.default_rng(0).normal(size=(3, 6))
    K = factors @ factors.T
    ab, b, bc = (np.linalg.det(K[s, s]) for s in (slice(2), slice(1, 2), slice(1, 3)))
    # the closest matrix with a zero at (a, c) of its inverse keeps both marginals
    projected = K.copy()
    projected[0, 2] = projected[2, 0] = K[0, 1] * K[1, 2] / K[1, 1]
    assert np.linalg.det(projected) == pytest.approx(ab * bc / b)
    assert np.linalg.det(projected) != pytest.approx(ab * bc / ab)


def test_printed_recursion_counts_walks_binomially_often():
    """alpha = 1, all kernels 1: k_gamma(R) = k_{gamma - 1}(R) + sum over successors."""
    n = 9
    beta = 2
    gamma = 6
    ring = PointCloudGraph(np.zeros((n, 2)), [(v, (v + 1) % n) for v in range(n)])
    states = walks_of(ring, beta, beta)
    follow = np.array([
        [a[1:] == b[:-1] and b[-1] not in a for b in states] for a in states
    ], float)  # fmt: skip
    value = np.ones(len(states))
    for _ in range(gamma - beta):
        value = value + follow @ value
    counted = sum(
        comb(gamma - beta, s) * len(walks_of(ring, beta, beta + s)) for s in range(gamma - beta + 1)
    )
    assert value.sum() == counted
    assert counted > sum(len(walks_of(ring, beta, beta + s)) for s in range(gamma - beta + 1))


def test_printed_errors_are_those_of_50_a_class():
    audit = load_paper("bach2008pointclouds").audit
    for name, n in (("errors-mnist", 500), ("errors-etl9b", 250)):
        printed = [float(text) for text in audit[name]["numbers"].values()]
        assert len(printed) == 11
        errors = np.array(printed) * n / 100
        np.testing.assert_allclose(errors, errors.round(), atol=1e-9)
