"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import special, stats


def entropy(counts):
    """Return the entropy in nats of a vector of counts."""
    shares = np.asarray(counts) / np.sum(counts)
    return special.entr(shares).sum()


def test_entropy_changes_by_at_most_log_n_plus_1_over_n():
    """seldin2008grid, below Equation 9: c = (ln n + 1) / n gives (9), 1 / (ln n + 1) is too small.

    It is below the change itself for n up to 11.
    """
    for n in range(2, 30):
        rows = [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]
        moved = [((i, j, k), (i - 1, j + 1, k)) for i, j, k in rows if i]
        change = max(abs(entropy(law) - entropy(other)) for law, other in moved)
        right = (math.log(n) + 1) / n
        assert change <= right
        assert (change > 1 / (math.log(n) + 1)) == (n <= 11)
        eps = 0.3
        exponent = 2 * n * eps**2 / (math.log(n) + 1) ** 2
        assert math.isclose(2 * eps**2 / (n * right**2), exponent, rel_tol=1e-12)


def test_sum_over_hypotheses_exceeds_the_integral():
    """seldin2008grid, proof of Theorem 3: the sum is no lower sum of the integral.

    Equation 8 alone bounds the expectation: the entropy of the counts is on average the smaller.
    """
    n = 10
    q = 0.1
    ones = np.arange(n + 1)
    entropies = np.array([entropy([k, n - k]) for k in ones])
    limit = entropy([q, 1 - q])
    excess = np.maximum(entropies - limit, 0)
    tail = np.exp(-2 * n * excess**2 / (math.log(n) + 1) ** 2)
    total = np.sum(special.comb(n, ones) * n * excess * tail)
    integral = (math.log(n) + 1) ** 2 / 4
    assert total > 100 * integral
    assert stats.binom.pmf(ones, n, q) @ entropies < limit


def test_clusters_outnumber_the_bound():
    """seldin2008grid, Theorem 3: C(n + m - 1, m - 1) <= n^(m - 1) fails at m = 2."""
    assert all(math.comb(n + 1, 1) > n for n in range(1, 50))
