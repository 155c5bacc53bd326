"""Errata of the paper that a small computation settles."""

import math


def test_strict_decrease_fails_below_one_case():
    """takeda2008cvar, Lemma 2: for nu <= 1 / m the mean of the worst share is the largest loss."""

    def worst(losses, nu):
        m = len(losses)
        left = nu
        total = 0.0
        for loss in sorted(losses, reverse=True):
            take = min(1 / m, left)
            total = total + take * loss
            left = left - take
        return total / nu

    losses = [3.0, 1.0, 0.5, 0.2]
    assert math.isclose(worst(losses, 0.1), worst(losses, 0.25))
    assert worst(losses, 0.5) < worst(losses, 0.25)
