"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def bregman(f, gradient, mu, nu):
    return f(mu) - f(nu) - gradient(nu) @ (mu - nu)


def test_divergence_of_entropy_is_negative():
    """ravikumar2008messagepassing, Eq. 9: the Kullback-Leibler divergence is of minus entropy."""
    rng = np.random.default_rng(7)
    mu, nu = rng.dirichlet(np.ones(4), size=2)
    divergence = np.sum(mu * np.log(mu / nu))

    def negative(p):
        return p @ np.log(p)

    def slope(p):
        return np.log(p) + 1

    distance = bregman(negative, slope, mu, nu)
    assert math.isclose(distance, divergence, rel_tol=1e-9)
    assert bregman(lambda p: -negative(p), lambda p: -slope(p), mu, nu) < 0


def test_divergence_of_half_the_square_has_the_half():
    """ravikumar2008messagepassing, Eqs. 6 and 7: D of f is half of Q."""
    mu, nu = np.random.default_rng(8).normal(size=(2, 4))
    distance = bregman(lambda x: x @ x / 2, lambda x: x, mu, nu)
    assert math.isclose(distance, np.sum((mu - nu) ** 2) / 2, rel_tol=1e-9)


def cyclic_projections(nodes, edges, *, corrected):
    """Return Algorithm 2's inner loop on a triangle, as printed or with Dykstra's correction."""
    nodes = nodes.copy()
    edges = edges.copy()
    labels = nodes.shape[1]
    owed = np.zeros_like(nodes)
    for _ in range(300):
        for k in range(3):
            for node, axis in ((k, 1), ((k + 1) % 3, 0)):
                gap = (nodes[node] - edges[k].sum(axis=axis)) / (labels + 1)
                edges[k] += np.expand_dims(gap, axis)
                nodes[node] -= gap
        nodes += (1 - nodes.sum(axis=1, keepdims=True)) / labels
        moved = nodes + corrected * owed
        nodes = np.maximum(moved, 0)
        owed = moved - nodes
    return nodes, edges


def test_clipping_without_correction_misses_the_projection():
    """ravikumar2008messagepassing, Algorithm 2: on a triangle a nearer feasible point exists."""
    rng = np.random.default_rng(21)
    start = 2 * rng.normal(size=(3, 2)), 4 * rng.normal(size=(3, 2, 2))
    distance = {}
    for corrected in (False, True):
        nodes, edges = cyclic_projections(*start, corrected=corrected)
        assert np.allclose(nodes.sum(axis=1), 1, atol=1e-6)
        assert np.allclose(edges.sum(axis=2), nodes, atol=1e-6)
        assert np.allclose(edges.sum(axis=1), np.roll(nodes, -1, axis=0), atol=1e-6)
        distance[corrected] = sum(
            np.sum((x - y) ** 2) for x, y in zip((nodes, edges), start, strict=True)
        )
    assert distance[True] < distance[False] - 1e-2


def test_tree_rounding_needs_logarithms():
    """ravikumar2008messagepassing, Section 4: on one edge the sum of mu certifies a wrong state."""
    first = np.array([2.0, 0.0])
    second = np.zeros(2)
    edge = np.array([[-3.0, -3.0], [0.0, 0.0]])
    energy = first[:, None] + second + edge

    def best(table):
        return np.unravel_index(np.argmax(table), table.shape)[0]

    mus = [np.exp(x) for x in (first[:, None], second, edge)]
    assert best(energy) == best(sum(np.log(mu) for mu in mus)) == 1
    assert best(sum(mus)) == 0
