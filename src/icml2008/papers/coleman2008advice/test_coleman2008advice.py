"""2CC, the path over f and METHOD ONE against enumeration and general solvers."""

import itertools

import numpy as np
import pytest
from scipy.linalg import eigh, null_space
from scipy.optimize import LinearConstraint, minimize
from sklearn.cluster import SpectralClustering
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.papers.coleman2008advice import method as module
from icml2008.papers.coleman2008advice.method import (
    AdvicePath,
    AdvisedSpectralClustering,
    advice_blocks,
    advice_matrix,
    best_by_flips,
    cut_ratio,
    gaussian_affinity,
    method_one,
    solve_2cc,
    solve_complete_2cc,
)


def drawn_advice(rng, points, share=0.6):
    """Return pairs among the points, and signs."""
    pairs = np.array(list(itertools.combinations(points, 2)))
    pairs = pairs[rng.random(len(pairs)) < share]
    return pairs, rng.choice([-1, 1], size=len(pairs))


def drawn_affinity(rng, n):
    affinity = np.triu(rng.random((n, n)), 1)
    return affinity + affinity.T


def violations(clusters, pairs, signs):
    """Return how many pieces of advice clusters violate, (...,) of (..., n)."""
    first, second = pairs.T
    clusters = np.asarray(clusters)
    return np.sum(clusters[..., first] * clusters[..., second] != signs, axis=-1)


def fewest(n, pairs, signs):
    return violations(list(itertools.product((-1, 1), repeat=n)), pairs, signs).min()


@pytest.mark.parametrize("n", [2, 5, 12, 13])
def test_2cc_by_halves_is_that_of_all_clusterings(n):
    rng = np.random.default_rng(n)
    for _ in range(4):
        pairs, signs = drawn_advice(rng, range(n), share=1.0 if n == 2 else 0.6)
        clusters = solve_2cc(advice_matrix(n, pairs, signs))
        assert violations(clusters, pairs, signs) == fewest(n, pairs, signs)


def test_large_blocks_keep_consistent_advice(monkeypatch):
    rng = np.random.default_rng(0)
    truth = rng.choice([-1, 1], size=40)
    pairs, _ = drawn_advice(rng, range(40), share=0.2)
    signs = truth[pairs[:, 0]] * truth[pairs[:, 1]]
    assert violations(solve_2cc(advice_matrix(40, pairs, signs)), pairs, signs) == 0
    monkeypatch.setattr(module, "FEW", 5)
    pairs, signs = drawn_advice(rng, range(12))
    reached = violations(solve_2cc(advice_matrix(12, pairs, signs)), pairs, signs)
    best = fewest(12, pairs, signs)
    assert best <= reached <= best + 2


def test_the_best_pivot_is_within_a_factor_of_three_and_flips_only_help():
    rng = np.random.default_rng(1)
    for _ in range(20):
        pairs, signs = drawn_advice(rng, range(9), share=1.0)
        matrix = advice_matrix(9, pairs, signs)
        weights = np.diag(np.diag(matrix)) - matrix
        best = fewest(9, pairs, signs)
        pivots = [violations(row, pairs, signs) for row in weights + np.eye(9)]
        single = violations(solve_complete_2cc(weights), pairs, signs)
        every = violations(solve_complete_2cc(weights, "each-pivot"), pairs, signs)
        assert best <= every <= single <= min(pivots) <= 3 * best


def test_flips_end_where_no_single_flip_helps():
    rng = np.random.default_rng(2)
    pairs, signs = drawn_advice(rng, range(15), share=1.0)
    matrix = advice_matrix(15, pairs, signs)
    weights = np.diag(np.diag(matrix)) - matrix
    clusters = best_by_flips(weights, rng.choice([-1.0, 1.0], size=(1, 15)))
    for point in range(15):
        flipped = clusters.copy()
        flipped[point] *= -1
        assert violations(flipped, pairs, signs) >= violations(clusters, pairs, signs)


def test_figure_1_without_any_edge_is_optimal_and_leaves_the_cut_open():
    pairs = np.array([[0, 1], [1, 2], [0, 2]])
    signs = np.array([1, -1, 1])
    assert fewest(3, pairs, signs) == 1
    ends = {tuple(c[0] * np.array(c)) for c in itertools.product((-1, 1), repeat=3)}
    assert sum(violations(c, pairs, signs) == 1 for c in ends) == 3


def constraints_of(affinity, pairs, signs, f):
    """Return rows that a solution is orthogonal to: degrees, and eigenvectors beyond f."""
    n = len(affinity)
    rows = [affinity.sum(axis=0)]
    matrix = advice_matrix(n, pairs, signs)
    for block in advice_blocks(n, pairs):
        values, vectors = np.linalg.eigh(matrix[np.ix_(block, block)])
        for vector in vectors[:, values > f * values[0] + 1e-9].T:
            rows.append(np.zeros(n))
            rows[-1][block] = vector
    return np.array(rows)


@pytest.mark.parametrize("small", [0, 20])
def test_each_step_has_the_smallest_cut_that_its_constraints_allow(monkeypatch, small):
    monkeypatch.setattr(module, "SMALL", small + 3)
    rng = np.random.default_rng(3)
    affinity = drawn_affinity(rng, 16)
    points = rng.permutation(16)
    parts = [drawn_advice(rng, block) for block in (points[:6], points[6:11])]
    pairs, signs = (np.concatenate(part) for part in zip(*parts, strict=True))
    path = AdvicePath(affinity, pairs, signs)
    assert (np.diff(path.f) >= 0).all()
    for step in rng.permutation(len(path)):
        v = path.solution(step)
        rows = constraints_of(affinity, pairs, signs, path.f[step])
        np.testing.assert_allclose(rows @ v, 0, atol=1e-8)
        free = null_space(rows)
        degrees = affinity.sum(axis=0)
        left = free.T @ (np.diag(degrees) - affinity) @ free
        least = eigh(left, free.T @ (degrees[:, None] * free), eigvals_only=True)[0]
        assert cut_ratio(affinity, v) == pytest.approx(least)
        assert degrees @ v**2 == pytest.approx(1)


def test_a_general_minimiser_of_p6_finds_no_smaller_cut():
    rng = np.random.default_rng(4)
    affinity = drawn_affinity(rng, 8)
    pairs, signs = drawn_advice(rng, range(4), share=1.0)
    v = AdvicePath(affinity, pairs, signs).solution(0)
    rows = constraints_of(affinity, pairs, signs, 1.0)
    ends = []
    for _ in range(10):
        start = null_space(rows) @ rng.normal(size=8 - len(rows))
        bounds = LinearConstraint(rows, 0, 0)
        end = minimize(lambda u: cut_ratio(affinity, u), start, method="SLSQP", constraints=bounds)
        ends.append(end.fun)
    assert cut_ratio(affinity, v) == pytest.approx(min(ends), abs=1e-5)


def test_without_advice_it_is_spectral_clustering():
    rng = np.random.default_rng(5)
    X = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(20, 2)) + 9])
    ours = AdvisedSpectralClustering().fit(X)
    affinity = gaussian_affinity(X)
    degrees = affinity.sum(axis=0)
    second = eigh(np.diag(degrees) - affinity, np.diag(degrees))[1][:, 1]
    assert abs(ours.solution_ @ (degrees * second)) == pytest.approx(1)
    peer = SpectralClustering(2, affinity="precomputed", random_state=0).fit(affinity)
    assert np.mean(ours.labels_ == peer.labels_) in (0, 1)
    advised = AdvisedSpectralClustering(f=np.inf).fit(
        X, pairs=[[0, 1], [0, 2], [1, 2]], signs=[1, 1, -1]
    )
    assert np.mean(advised.labels_ == peer.labels_) in (0, 1)


def test_consistent_advice_is_followed_at_any_finite_f():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(20, 2))
    pairs = np.array([[0, 1], [1, 2], [5, 6]])
    signs = np.array([1, -1, -1])
    for f in (1, 1e6):
        labels = AdvisedSpectralClustering(f=f).fit(X, pairs=pairs, signs=signs).labels_
        assert labels[0] == labels[1] != labels[2]
        assert labels[5] != labels[6]


def test_f_is_the_factor_by_which_costs_may_grow():
    rng = np.random.default_rng(7)
    pairs, signs = drawn_advice(rng, range(7), share=1.0)
    X = rng.normal(size=(12, 2))
    fits = AdvisedSpectralClustering(f=1).fit(X, pairs=pairs, signs=signs)
    values = np.linalg.eigvalsh(advice_matrix(12, pairs, signs)[:7, :7])
    np.testing.assert_allclose(fits.f_values_, values / values[0])
    cuts = [
        AdvisedSpectralClustering(f=f).fit(X, pairs=pairs, signs=signs).cut_ for f in fits.f_values_
    ]
    assert (np.diff(cuts) < 1e-12).all()
    between = np.sqrt(fits.f_values_[2] * fits.f_values_[3])
    cut = AdvisedSpectralClustering(f=between).fit(X, pairs=pairs, signs=signs).cut_
    assert cut == pytest.approx(cuts[2])


def test_method_one_keeps_what_2cc_respects_and_cuts_the_rest():
    rng = np.random.default_rng(8)
    affinity = drawn_affinity(rng, 14)
    pairs, signs = drawn_advice(rng, range(8))
    labels = method_one(affinity, pairs, signs)
    clusters = solve_2cc(advice_matrix(8, pairs, signs))
    kept = clusters[pairs[:, 0]] * clusters[pairs[:, 1]] == signs
    assert violations(2 * labels - 1, pairs[kept], signs[kept]) == 0
    rows = constraints_of(affinity, pairs[kept], signs[kept], 1.0)
    free = null_space(rows)
    degrees = affinity.sum(axis=0)
    left = free.T @ (np.diag(degrees) - affinity) @ free
    v = free @ eigh(left, free.T @ (degrees[:, None] * free))[1][:, 0]
    assert np.mean(labels == (v > 0)) in (0, 1)


@pytest.mark.parametrize("width", ["median", "narrow", "local"])
def test_affinities_are_gaussian(width):
    X = np.random.default_rng(9).normal(size=(12, 3))
    distances = np.array([[np.linalg.norm(a - b) for b in X] for a in X])
    median = np.median([distances[i, j] for i, j in itertools.combinations(range(12), 2)])
    seventh = np.sort(distances, axis=1)[:, 7]
    scale = {"median": 2 * median**2, "narrow": median**2 / 2, "local": np.outer(seventh, seventh)}
    expected = np.exp(-(distances**2) / scale[width]) - np.eye(12)
    np.testing.assert_allclose(gaussian_affinity(X, width), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f": 0.5}, "f is 0.5"),
        ({"affinity": "cosine"}, "affinity is 'cosine'"),
        ({"affinity": "precomputed"}, r"affinities are \(5, 2\)"),
        ({"signs": None}, "pairs come with signs"),
        ({"signs": [2]}, "signs are 1 or -1"),
        ({"pairs": [[0, 5]]}, "points of 0 to 4"),
        ({"pairs": [[1, 1]]}, "two different points"),
        ({"pairs": [[0.5, 1.0]]}, "of int"),
    ],
)
def test_bad_input_is_named(change, message):
    given = {"pairs": [[0, 1]], "signs": [1], "f": 2.0, "affinity": "rbf"} | change
    X = np.random.default_rng(0).normal(size=(5, 2))
    estimator = AdvisedSpectralClustering(f=given["f"], affinity=given["affinity"])
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, pairs=given["pairs"], signs=given["signs"])


def test_bad_affinities_are_named():
    estimator = AdvisedSpectralClustering(affinity="precomputed")
    with pytest.raises(ValueError, match="symmetric"):
        estimator.fit(np.arange(9.0).reshape(3, 3))
    with pytest.raises(ValueError, match="point 2 has no affinity"):
        estimator.fit([[0, 1, 0], [1, 0, 0], [0, 0, 0]])


@parametrize_with_checks([AdvisedSpectralClustering()])
def test_it_is_an_estimator(estimator, check):
    check(estimator)


def test_the_sdp_of_2cc_is_zero_for_consistent_advice_and_between_both_else():
    """P4, by Clarabel: between m times the smallest eigenvalue and the optimum."""
    import cvxpy

    rng = np.random.default_rng(10)
    truth = rng.choice([-1, 1], size=8)
    pairs, signs = drawn_advice(rng, range(8))
    for advice in (signs, truth[pairs[:, 0]] * truth[pairs[:, 1]]):
        matrix = advice_matrix(8, pairs, advice)
        gram = cvxpy.Variable((8, 8), PSD=True)
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.trace(matrix @ gram)), [cvxpy.diag(gram) == 1])
        cost = problem.solve(solver="CLARABEL")
        assert 8 * np.linalg.eigvalsh(matrix)[0] <= cost + 1e-5
        assert cost <= 4 * fewest(8, pairs, advice) + 1e-5
    assert cost == pytest.approx(0, abs=1e-5)
