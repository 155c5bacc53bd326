"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_averages_over_cosets_leave_out_two_vertices():
    """kondor2008skew, Theorem 4: B_3 to B_7 against averages over all permutations of five."""
    n = 5
    weights = np.random.default_rng(0).random((n, n))
    np.fill_diagonal(weights, 0)
    permutations = list(itertools.permutations(range(n)))

    def average(nu):
        """Return the mean of f(sigma nu) f(sigma) for each pair sigma(n), sigma(n - 1)."""
        total = np.zeros((n, n))
        for sigma in permutations:
            ends = sigma[-1], sigma[-2]
            total[ends] += weights[sigma[nu[-1]], sigma[nu[-2]]] * weights[ends]
        return total / math.factorial(n - 2)

    # One permutation from each double coset, told by its last two values.
    cosets = {
        nu: average(next(p for p in permutations if p[-2:] == nu))
        for nu in [(3, 4), (4, 3), (0, 4), (0, 3), (3, 0), (4, 0), (0, 1)]
    }
    out = weights.sum(axis=1)
    into = weights.sum(axis=0)
    a = weights
    assert np.allclose(cosets[3, 4], a * a)
    assert np.allclose(cosets[4, 3], a * a.T)
    assert np.allclose(cosets[0, 4], a * (out[:, None] - a) / (n - 2))
    assert np.allclose(cosets[0, 3], a * (out - a.T) / (n - 2))
    assert np.allclose(cosets[3, 0], a * (into - a) / (n - 2))
    assert np.allclose(cosets[4, 0], a * (into[:, None] - a.T) / (n - 2))
    ends = out[:, None] + out + into[:, None] + into - a - a.T
    assert np.allclose(cosets[0, 1], a * (a.sum() - ends) / ((n - 2) * (n - 3)))
    printed = [a * into / n, a * out[:, None] / n, a.T * into / n, a.T * out[:, None] / n,
               a * a.sum() / (n * (n - 1))]  # fmt: skip
    assert not any(np.allclose(matrix, other) for matrix in printed for other in cosets.values())
