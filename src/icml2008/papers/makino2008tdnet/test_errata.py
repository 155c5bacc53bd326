"""Errata of the paper that a small computation settles."""

import numpy as np


def test_dependency_network_looks_at_older_nodes():
    """makino2008tdnet, Section 3.1.1: columns are the observation, then the nodes."""
    nodes = 4
    bits = 1
    columns = range(1, nodes + bits + 1)
    older = {(i, j) for i in range(1, nodes + 1) for j in columns if j <= bits or j - bits < i}
    printed = {(i, j) for i in range(1, nodes + 1) for j in columns if i < j - bits}
    turned = {(i, j) for i in range(1, nodes + 1) for j in columns if i > j - bits}
    assert turned == older
    assert not printed & older


def test_targets_are_the_values_of_parents():
    """makino2008tdnet, Eq. 5: Z y with the printed Z sums over children."""
    parent = {2: 0, 3: 1}
    values = np.array([0.1, 0.2, 0.3, 0.4])
    printed = np.zeros((4, 4))
    turned = np.zeros((4, 4))
    for child, node in parent.items():
        printed[node, child] = turned[child, node] = 1
    assert np.allclose((turned @ values)[[2, 3]], values[[0, 1]])
    assert np.allclose((printed @ values)[[2, 3]], 0)
    assert np.allclose((printed @ values)[[0, 1]], values[[2, 3]])
