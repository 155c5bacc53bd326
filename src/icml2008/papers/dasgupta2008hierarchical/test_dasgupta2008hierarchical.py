"""What trees, prunings and the sampler must agree with."""

import math

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

from . import method
from .experiments import balanced, best_threshold, represent, squared_distances, tradeoff
from .method import (
    ClusterSampler,
    _bounds,
    _point,
    best_prunings,
    linkage_tree,
    shape_of,
    ward_tree,
)
from .wide import squares_of


def blobs(rng, n=60, k=3):
    y = rng.integers(k, size=n)
    return rng.normal(size=(n, 2)) + 1.5 * np.eye(k)[y][:, :2], y


def leaves(children, v):
    n = len(children) + 1
    return {v} if v < n else set().union(*(leaves(children, c) for c in children[v - n]))


@pytest.mark.parametrize(
    ("d", "distances"), [(1, "auto"), (2, "anew"), (5, "held"), (60, "auto"), (60, "anew")]
)
def test_chain_finds_the_clusters_and_heights_of_scipy(d, distances):
    X = np.random.default_rng(d).normal(size=(80, d))
    (children, heights) = ward_tree(X, distances=distances)
    known = linkage(X, "ward")
    assert np.sort(heights) == pytest.approx(known[:, 2])
    scipys = linkage_tree(squared_distances(X))
    assert {frozenset(leaves(children, v)) for v in range(80, 159)} == {
        frozenset(leaves(scipys, v)) for v in range(80, 159)
    }


@pytest.mark.parametrize("distances", ["anew", "held"])
def test_chain_ends_where_all_points_are_the_same(distances):
    children, heights = ward_tree(np.zeros((20, 2)), distances=distances)
    assert not heights.any()
    assert sorted(children.ravel()) == list(range(38))


def test_wide_points_are_held_as_long_as_there_is_room(monkeypatch):
    calls = []

    def counted(X):
        calls.append(X.shape)
        return squares_of(X)

    monkeypatch.setattr(method, "squares_of", counted)
    X = np.random.default_rng(0).normal(size=(300, method.WIDE))
    held = ward_tree(X)
    ward_tree(X[:, 1:])
    monkeypatch.setattr(method, "ROOM", 8 * 300**2 - 1)
    anew = ward_tree(X)
    assert calls == [(300, method.WIDE)]
    np.testing.assert_array_equal(held[0], anew[0])
    np.testing.assert_allclose(held[1], anew[1])
    with pytest.raises(ValueError, match="'auto', 'anew' or 'held', found 'never'"):
        ward_tree(X, distances="never")


def test_squares_of_near_and_far_points_are_exact():
    rng = np.random.default_rng(0)
    X = 1e3 + rng.normal(size=(300, 50))
    X[1] = X[0]
    X[2] = X[0] + 1e-7
    squares = squares_of(X)
    exact = ((X[:, None] - X) ** 2).sum(axis=-1)
    np.fill_diagonal(exact, np.inf)
    np.testing.assert_allclose(squares, exact, rtol=1e-9)
    assert squares[0, 1] == 0


@pytest.mark.parametrize("X", [[], [1.0, 2.0], [[np.nan], [0.0]], [[1e200], [0.0]]])
def test_what_is_no_table_of_finite_numbers_has_no_tree(X):
    with pytest.raises(ValueError, match="a table of finite numbers"):
        ward_tree(X)


def test_best_prunings_are_those_of_enumeration():
    rng = np.random.default_rng(0)
    X, y = blobs(rng, n=12)
    children = ward_tree(X)[0]

    def prunings(v):
        yield [v]
        if v >= 12:
            for first in prunings(children[v - 12, 0]):
                for second in prunings(children[v - 12, 1]):
                    yield first + second

    least = np.full(12, np.inf)
    for pruning in prunings(22):
        wrong = sum(
            np.min(np.sum(y[list(leaves(children, v))][:, None] != range(3), 0)) for v in pruning
        )
        least[len(pruning) - 1] = min(least[len(pruning) - 1], wrong / 12)
    assert best_prunings(children, y, 12) == pytest.approx(least)


@pytest.mark.parametrize("select", ["lower", "upper", "naive"])
def test_sampler_is_a_plain_loop_over_the_text(select):
    """Algorithm 1 with B = 1, by a loop that a second reader wrote: same draws, same prunings."""
    X, y = blobs(np.random.default_rng(1))
    children = ward_tree(X)[0]
    rng = np.random.default_rng(2)
    twin = np.random.default_rng(2)
    n = len(y)
    k = 3
    sampler = ClusterSampler(children, k, rng, select=select)
    size, _, parent = shape_of(children)
    seen = np.zeros((2 * n - 1, k))
    m = np.zeros(2 * n - 1)
    A = {}
    s = np.ones(2 * n - 1)
    stop = np.ones(2 * n - 1)
    P = [2 * n - 2]
    L = {2 * n - 2: 0}

    def bounds(v):
        p = seen[v] / m[v]
        width = 1 / m[v] + np.sqrt(p * (1 - p) / m[v])
        return p, np.maximum(p - width, 0), np.minimum(p + width, 1)

    for _ in range(300):
        low = [bounds(v)[1][L[v]] if m[v] else 0 for v in P]
        high = [bounds(v)[2][L[v]] if m[v] else 1 for v in P]
        share = {"lower": low, "upper": high, "naive": np.zeros(len(P))}[select]
        weight = size[P] * (1 - np.array(share))
        weight = weight if weight.sum() > 0 else size[P].astype(float)
        sums = np.cumsum(weight)
        v = P[int(np.searchsorted(sums, twin.random() * sums[-1], side="right"))]
        z = u = _point(twin, v, children, n, size)
        assert sampler.ask() == z
        sampler.tell(y[z])
        while True:
            seen[u, y[z]] += 1
            m[u] += 1
            p, lb, ub = bounds(u)
            for label in range(k):
                if 1 - lb[label] < 2 * (1 - max(ub[j] for j in range(k) if j != label)):
                    A.setdefault(u, set()).add(label)
            if u in A:
                stop[u] = s[u] = min(1 - p[label] for label in A[u])
                if u >= n:
                    a, b = children[u - n]
                    s[u] = min(s[u], (size[a] * s[a] + size[b] * s[b]) / size[u])
            if u == v:
                break
            u = parent[u]
        at = P.index(v)
        stack = [v]
        parts = []
        while stack:
            u = stack.pop()
            if u in A:
                L[u] = min(sorted(A[u]), key=lambda label: -seen[u, label])
            elif u != v:
                L[u] = L[parent[u]]
            if s[u] < stop[u] - 1e-12:
                stack += list(children[u - n])
            else:
                parts.append(u)
        P[at : at + 1] = parts[:1]
        P += parts[1:]
        assert list(sampler.members) == P
    assert len(P) > 3
    for v in P:
        assert set(sampler.labels_[list(leaves(children, v))]) == {L[v]}


@pytest.mark.parametrize("batch", [1, 7])
def test_without_replacement_every_point_is_asked_once_and_batches_wait(batch):
    X, y = blobs(np.random.default_rng(3))
    sampler = ClusterSampler(
        ward_tree(X)[0], 3, np.random.default_rng(0), replace=False, batch=batch
    )
    asked = []
    for query in range(1, 61):
        before = sampler.m
        asked.append(sampler.ask())
        sampler.tell(y[asked[-1]])
        assert query % batch == 0 or sampler.m == before
    assert sorted(asked) == list(range(60))


def test_lemma_1_width_is_wider_than_its_other_bound_and_finite_at_the_root():
    """Lemma 1 (a): Delta <= Delta(t) wherever the shares differ by at most Delta."""
    p = np.linspace(0, 1, 201)[:, None]
    h = np.linspace(0, 1, 201)
    for term in np.logspace(-5, 0, 20):
        width = 2 * term / 3 + np.sqrt(2 * p * (1 - p) * term)
        ours = 5 * term + np.sqrt(4.5 * h * (1 - h) * term)
        assert np.max((width / ours)[np.abs(p - h) <= width]) <= 1
    assert math.isfinite(ClusterSampler(balanced(2), 2, np.random.default_rng(0)).log_term)


def test_exact_mean_of_random_search_on_shuttle():
    """Section 4.2: inclusion and exclusion over classes, with and without replacement."""
    counts = np.array([34108, 37, 132, 6748, 2458, 6, 11])
    means = np.zeros(2)
    for mask in range(1, 128):
        chosen = [c for i, c in enumerate(counts) if mask >> i & 1]
        sign = -1 if len(chosen) % 2 == 0 else 1
        means += sign * np.array([43500 / sum(chosen), 43501 / (1 + sum(chosen))])
    assert np.round(means) == pytest.approx([8710, 7483])


def test_best_threshold_is_that_of_trying_all():
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.uniform(size=15)
        y = rng.integers(2, size=15)
        tried = [np.sum((x >= w) != y) for w in np.append(np.sort(x), 2)]
        assert np.sum((x >= best_threshold(x, y)) != y) == min(tried)


def test_topics_are_compared_by_a_symmetric_divergence():
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 30)).astype(float)
    distances = represent(counts, "lda")
    assert distances == pytest.approx(distances.T)
    assert np.abs(np.diag(distances)).max() < 1e-12
    assert distances.min() > -1e-12


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"beta": 1.0}, "beta must exceed 1"),
        ({"batch": 0}, "batch be positive, not 2.0 and 0"),
        ({"select": "most"}, "select must be one of lower, upper, naive, not 'most'"),
        ({"interval": "wide"}, "interval must be one of plain, lemma, finite, not 'wide'"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        ClusterSampler(balanced(2), 2, np.random.default_rng(0), **wrong)


def test_a_cluster_of_which_all_points_are_known_has_no_width():
    X, y = blobs(np.random.default_rng(4), n=20)
    children = ward_tree(X)[0]
    rng = np.random.default_rng(0)
    sampler = ClusterSampler(children, 3, rng, replace=False, interval="finite")
    for _ in range(20):
        sampler.tell(y[sampler.ask()])
    assert np.mean(sampler.labels_ == y) > 0.8
    low, high = _bounds(0.25, 4, 4, 2, 0.0)
    assert low == high == 0.25
    assert _bounds(0.5, 2, 8, 2, 0.0)[0] >= 1 / 8


def test_cross_validation_shuns_the_trade_off_that_learns_nothing():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(60) % 5 == 0).astype(int)
    X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    assert tradeoff(X, y, (1e-6, 1.0), rng) == 1.0
