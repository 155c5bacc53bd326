"""Errata of the paper that a small computation settles."""

import math


def test_supports_of_both_projectrons_are_equal():
    """orabona2008projectron, Table 3, B = 500: means of five counts are exact to one digit."""
    possible = {f"{k / 5:.1f}": k for k in range(485, 500)}
    assert len(possible) == 15
    # 98.6 is 493 / 5 and nothing else, so that neither support set is the smaller one.
    assert possible["98.6"] == 493


def test_mistake_bounds_need_the_norm_not_its_square():
    """orabona2008projectron, Theorems 2 and 3: k(x, x) <= R alone allows more mistakes."""
    limit = 0.25
    norm = 0.5
    # One example with k(x, x) = 1/4, of which f = 0 makes one mistake; g is 1/2 along it.
    assert norm**2 <= limit
    g = 0.5
    loss = 1 - 0.5 * norm

    def second(r):
        return (g**2 + 2 * loss) / (2 - r**2)

    def third(r):
        return ((r * g + math.sqrt(r**2 * g**2 + 4 * loss)) / 2) ** 2

    for bound in (second, third):
        assert bound(limit) < 1
        assert bound(norm) >= 1 - 1e-12
