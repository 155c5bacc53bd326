"""Errata of the paper that a small computation settles."""

import math
from fractions import Fraction


def test_rand_index_is_at_most_accuracy_for_two_clusters():
    """zhao2008cpm3c, Tables 2 and 3: 94.45 % and 0.995 exclude each other, averaged or not."""
    for n in range(2, 60):
        for right in range(math.ceil(n / 2), n + 1):
            pairs = math.comb(right, 2) + math.comb(n - right, 2)
            assert Fraction(pairs, math.comb(n, 2)) <= Fraction(right, n)
