"""Errata of the paper that a small computation settles."""

import math

import numpy as np

from numerics import derivative


def label_problem(seed):
    """Return a graph's Laplacian, the propagation matrix at mu = 99, node weights and labels."""
    rng = np.random.default_rng(seed)
    n = 6
    mu = 99.0
    weights = np.triu(rng.random((n, n)), 1)
    weights += weights.T
    degrees = weights.sum(axis=1)
    laplacian = np.diag(degrees) - weights
    propagate = np.linalg.inv(laplacian / mu + np.eye(n))
    labels = np.zeros((n, 2))
    labels[[0, 1, 2], [0, 0, 1]] = 1
    node = (labels * degrees[:, None] / (labels.T @ degrees)).sum(axis=1)
    # Nodes that have no label yet get the weight of their degree.
    return laplacian, propagate, mu, np.where(node > 0, node, degrees / degrees.sum()), labels


def test_label_cost_keeps_mu():
    """wang2008gtam, Equation 9: mu (P' - I)(P - I), as in (7)."""
    laplacian, propagate, mu, node, labels = label_problem(0)
    z = node[:, None] * labels
    f = propagate @ z
    cost = np.trace(f.T @ laplacian @ f + mu * (f - z).T @ (f - z)) / 2
    smooth = propagate.T @ laplacian @ propagate
    rest = (propagate.T - np.eye(6)) @ (propagate - np.eye(6))
    assert math.isclose(cost, np.trace(z.T @ (smooth + mu * rest) @ z) / 2, rel_tol=1e-9)
    assert not math.isclose(cost, np.trace(z.T @ (smooth + rest) @ z) / 2, rel_tol=1e-2)


def test_node_weights_change_the_best_entry():
    """wang2008gtam, Equation 8: dQ/dY = V dQ/dZ, whose least entry may be another."""
    differ = []
    for seed in range(20):
        laplacian, propagate, mu, node, labels = label_problem(seed)
        rest = propagate - np.eye(6)
        form = propagate.T @ laplacian @ propagate + mu * rest.T @ rest

        def cost(flat, form=form, node=node):
            z = node[:, None] * flat.reshape(6, 2)
            return np.trace(z.T @ form @ z) / 2

        by_z = form @ (node[:, None] * labels)
        by_y = node[:, None] * by_z
        np.testing.assert_allclose(derivative(cost, labels.ravel()), by_y.ravel(), atol=1e-7)
        differ.append(by_z.argmin() != by_y.argmin())
    assert any(differ)
