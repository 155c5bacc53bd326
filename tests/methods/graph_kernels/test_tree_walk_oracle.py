"""The kernel against its definition, a sum over all pairs of tree-walks (Bach 2008, Eq. 8).

The enumeration shares no code with the package except the kernel on one pair of covariance
matrices, which has tests of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest

from icml2008.methods import PointCloudGraph, PointCloudKernel
from icml2008.methods.graph_kernels.bhattacharyya import conditional_bhattacharyya
from icml2008.methods.graph_kernels.subtrees import count_subtrees

PARAMETERS = {"lam": 0.9, "nu": 0.3, "tau": 0.3, "kappa": 0.01, "upsilon": 0.2}
# all terms are positive, so both sums are accurate to a few hundred roundings
RTOL = 1e-11


@dataclass(frozen=True)
class Walk:
    """A tree-walk: a vertex and the tree-walks below it, in sorted order."""

    vertex: int
    below: tuple[Walk, ...] = ()

    @property
    def depth(self):
        return 1 + max((walk.depth for walk in self.below), default=0)

    @property
    def size(self):
        return 1 + sum(walk.size for walk in self.below)

    @property
    def leaves(self):
        return sum(walk.leaves for walk in self.below) or 1

    @property
    def orders(self):
        return factorial(len(self.below)) * int(np.prod([walk.orders for walk in self.below]))

    def first(self, generations):
        """Vertices of the first generations, with repetitions, depth first."""
        below = [v for walk in self.below for v in walk.first(generations - 1)]
        return [self.vertex, *below] if generations > 0 else []

    def levels(self):
        """Generations in which there are leaves."""
        if not self.below:
            return {1}
        return {1 + level for walk in self.below for level in walk.levels()}


def tree_walks(graph, alpha, beta, gamma):
    """All tree-walks of at most gamma generations in which no vertex meets itself too soon."""

    def grow(vertex, depth):
        yield Walk(vertex)
        if depth == 1:
            return
        for n in range(1, alpha + 1):
            for children in combinations(graph.neighbours[vertex], n):
                for below in product(*(list(grow(child, depth - 1)) for child in children)):
                    walk = Walk(vertex, below)
                    family = walk.first(beta + 1)
                    if len(set(family)) == len(family):
                        yield walk

    for vertex in range(graph.n_nodes):
        yield from grow(vertex, gamma)


def ends_level(walk, beta):
    """Whether it is made of subtrees with all leaves in generation beta, by the recursion."""
    if walk.levels() == {beta}:
        return True
    return bool(walk.below) and all(ends_level(child, beta) for child in walk.below)


def counted(walk, beta, leaves, short):
    if walk.depth < beta:
        return short and (leaves == "any" or len(walk.levels()) == 1)
    return leaves == "any" or ends_level(walk, beta)


def matchings(left, right):
    """All ways to lay one tree-walk on another of the same shape: lists of pairs of vertices,
    each with the lists of its pairs below."""
    if len(left.below) != len(right.below):
        return
    for order in permutations(right.below):
        pairs = zip(left.below, order, strict=True)
        for below in product(*(list(matchings(a, b)) for a, b in pairs)):
            yield (left.vertex, right.vertex, below)


def pairs_of(match, generations):
    if generations == 0:
        return []
    below = [pair for child in match[2] for pair in pairs_of(child, generations - 1)]
    return [match[:2], *below]


def covariance(graph, tau, kappa):
    gaps = graph.positions[:, None] - graph.positions[None]
    return np.exp(-tau * (gaps**2).sum(-1)) + kappa * np.eye(graph.n_nodes)


def position_kernel(match, compare, beta, root):
    """Eq. 6 along the matched tree-walks: cliques are families, their separators the states."""

    def family(node):
        return compare(pairs_of(node, beta + 1), pairs_of(node, beta))

    def everywhere(node):
        return family(node) * np.prod([everywhere(child) for child in node[2]])

    below = np.prod([everywhere(child) for child in match[2]])
    if root == "family":
        return compare(pairs_of(match, beta + 1), []) * below
    return compare(pairs_of(match, beta), []) * family(match) * below


def comparison(K, L):
    """Return Eq. 7 as a function of matched vertices, its values kept."""

    @cache
    def value(pairs, given):
        both = [*given, *(pair for pair in pairs if pair not in given)]
        left, right = ([pair[side] for pair in both] for side in (0, 1))
        new = range(len(given), len(both))
        old = range(len(given))
        return conditional_bhattacharyya(K[np.ix_(left, left)], L[np.ix_(right, right)], new, old)

    return lambda pairs, given: value(tuple(pairs), tuple(given))


@cache
def matched_walks(G, H, alpha, beta, gamma, root):
    """All pairs of matched tree-walks, with the kernels between their positions and attributes."""
    covariances = (covariance(g, PARAMETERS["tau"], PARAMETERS["kappa"]) for g in (G, H))
    compare = comparison(*covariances)
    walks = []
    for left, right in product(*(tree_walks(graph, alpha, beta, gamma) for graph in (G, H))):
        if (left.size, left.depth, left.leaves) != (right.size, right.depth, right.leaves):
            continue
        for match in matchings(left, right):
            value = position_kernel(match, compare, beta, root)
            for v, w in pairs_of(match, gamma):
                if G.attributes is not None:
                    gap = G.attributes[v] - H.attributes[w]
                    value *= np.exp(-PARAMETERS["upsilon"] * (gap**2).sum())
            walks.append((left, right, value))
    return walks


def kernel_by_enumeration(
    G, H, alpha, beta, gamma, *, leaves="any", short=True, siblings="unordered", root="family"
):
    lam = PARAMETERS["lam"]
    nu = PARAMETERS["nu"]
    return sum(
        lam**left.size * nu**left.leaves * value * (left.orders if siblings == "ordered" else 1)
        for left, right, value in matched_walks(G, H, alpha, beta, gamma, root)
        if counted(left, beta, leaves, short) and counted(right, beta, leaves, short)
    )


@cache
def random_graph(seed, n_nodes, n_extra, n_attributes=2):
    rng = np.random.default_rng(seed)
    pairs = list(combinations(range(n_nodes), 2))
    tree = [(int(rng.integers(v)), v) for v in range(1, n_nodes)]
    rest = [pair for pair in pairs if pair not in tree]
    extra = [rest[i] for i in rng.permutation(len(rest))[:n_extra]]
    attributes = rng.normal(size=(n_nodes, n_attributes)) if n_attributes else None
    return PointCloudGraph(2 * rng.normal(size=(n_nodes, 2)), tree + extra, attributes)


CONVENTIONS = [
    {"leaves": leaves, "short": short, "siblings": siblings, "root": root}
    for leaves, short, siblings, root in product(
        ("any", "last"), (True, False), ("unordered", "ordered"), ("family", "state")
    )
]


@pytest.mark.parametrize(("beta", "gamma"), [(1, 3), (2, 4), (3, 5)])
@pytest.mark.parametrize("conventions", CONVENTIONS, ids=lambda c: "-".join(map(str, c.values())))
def test_walk_kernel_is_the_sum_over_all_pairs_of_walks(beta, gamma, conventions):
    G = random_graph(beta, 6, 0)
    H = random_graph(beta + 10, 4, 1)
    kernel = PointCloudKernel(1, beta, gamma, **PARAMETERS, **conventions)
    expected = kernel_by_enumeration(G, H, 1, beta, gamma, **conventions)
    np.testing.assert_allclose(kernel.pairwise([G], [H]), [[expected]], rtol=RTOL)


@pytest.mark.parametrize(("beta", "gamma"), [(1, 3), (2, 4), (3, 4)])
@pytest.mark.parametrize("conventions", CONVENTIONS, ids=lambda c: "-".join(map(str, c.values())))
def test_binary_tree_kernel_is_the_sum_over_all_pairs_of_tree_walks(beta, gamma, conventions):
    G = random_graph(beta + 20, 5, 0)
    H = random_graph(beta + 30, 4, 1)
    kernel = PointCloudKernel(2, beta, gamma, **PARAMETERS, **conventions)
    expected = kernel_by_enumeration(G, H, 2, beta, gamma, **conventions)
    np.testing.assert_allclose(kernel.pairwise([G], [H]), [[expected]], rtol=RTOL)


@pytest.mark.parametrize("root", ["family", "state"])
def test_ternary_tree_kernel_is_the_sum_over_all_pairs_of_tree_walks(root):
    star = [(0, 1), (0, 2), (0, 3), (3, 4)]
    G = PointCloudGraph(random_graph(1, 5, 0).positions, star)
    H = PointCloudGraph(random_graph(2, 6, 0).positions, [*star, (4, 5)])
    kernel = PointCloudKernel(3, 2, 3, **PARAMETERS, root=root)
    expected = kernel_by_enumeration(G, H, 3, 2, 3, root=root)
    np.testing.assert_allclose(kernel.pairwise([G], [H]), [[expected]], rtol=RTOL)


@pytest.mark.parametrize("siblings", ["unordered", "ordered"])
def test_cherries_are_counted_as_the_convention_says(siblings):
    cherry = PointCloudGraph([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]], [(0, 1), (0, 2)])
    kernel = PointCloudKernel(2, 1, 2, nu=1.0, tau=1e9, siblings=siblings)
    # points so far apart that all tree-walks match fully: 3 vertices, 4 directed edges, one cherry
    # that matches itself in two ways
    expected = 3**2 + 4**2 + 2 * (2 if siblings == "ordered" else 1)
    np.testing.assert_allclose(kernel.pairwise([cherry]), [[expected]], rtol=RTOL)


@pytest.mark.parametrize("leaves", ["any", "last"])
@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)])
def test_subtrees_are_counted_as_by_enumeration(alpha, beta, leaves):
    graph = random_graph(5, 7, 2)
    # tree-walks of at most beta generations whose vertices all differ are subtrees
    walks = tree_walks(graph, alpha, beta, beta)
    expected = sum(leaves == "any" or walk.levels() == {beta} for walk in walks)
    assert count_subtrees(graph, alpha, beta, leaves=leaves) == expected
