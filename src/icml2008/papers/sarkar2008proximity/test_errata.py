"""Errata of the paper that a small computation settles."""

import math

from scipy import stats


def test_few_samples_exceed_the_printed_chance():
    """sarkar2008proximity, Theorem 3.1: the chance of failure is below delta, not epsilon."""
    # Of three nodes, the walk goes to u at once with chance 1/2, else never: X is 1 or T.
    horizon = 100
    eps = 0.01
    delta = 0.9
    nodes = 3
    samples = math.ceil(math.log(2 * nodes / delta) / (2 * eps**2))
    gap = eps * horizon / (horizon - 1)
    fails = 2 * stats.binom.cdf(math.floor(samples * (0.5 - gap)), samples, 0.5)
    assert 4 * eps < fails < delta
