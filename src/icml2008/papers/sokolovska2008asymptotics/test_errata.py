"""Errata of the paper that a small computation settles."""

import itertools
import math


def test_counts_that_sum_to_three_may_be_zero():
    """sokolovska2008asymptotics, Section 3.1: 220 counts the non-negative ones."""
    ways = sum(1 for _ in itertools.combinations_with_replacement(range(10), 3))
    assert ways == math.comb(12, 3) == 220
