"""Errata of the paper that a small computation settles."""

import itertools

import numpy as np


def test_identity_is_an_automorphism_without_a_sorting_map():
    """narayanamurthy2008hardness, Algorithm 1, line 9: it stops at P = (0.2, 0.8), R = (1, 0)."""
    p = np.array([0.2, 0.8])
    r = np.array([1.0, 0.0])
    maps = [np.array(order) for order in itertools.permutations(range(2))]
    sorts_p = {tuple(permutation) for permutation in maps if np.all(np.diff(p[permutation]) >= 0)}
    sorts_r = {tuple(permutation) for permutation in maps if np.all(np.diff(r[permutation]) >= 0)}
    assert not sorts_p & sorts_r
    kept = [
        tuple(permutation)
        for permutation in maps
        if np.all(p[permutation] == p) and np.all(r[permutation] == r)
    ]
    assert kept == [(0, 1)]


def test_fourth_equivalent_state_needs_both_coordinates():
    """narayanamurthy2008hardness, Section 6.1: (N - 1, M - 1 - x) is no symmetry of the grid."""
    n = 4
    cells = list(itertools.product(range(n), repeat=2))
    goals = {(0, n - 1), (n - 1, 0)}
    assert len({(n - 1, n - 1 - x) for x, _ in cells}) < len(cells)

    def anti(cell):
        return n - 1 - cell[1], n - 1 - cell[0]

    # The transpose after the half turn, which are the second and the third.
    assert all(anti((x, y)) == (n - 1 - x, n - 1 - y)[::-1] for x, y in cells)
    assert {anti(cell) for cell in cells} == set(cells)
    assert {anti(cell) for cell in goals} == goals
