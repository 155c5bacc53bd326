"""Errata of the paper that a small computation settles."""

from fractions import Fraction


def test_importance_weights_of_the_next_state_have_mean_one():
    """frank2008rare, Eq. 5: weights that look at the present state do not correct."""
    eps, sampled = Fraction(1, 1000), Fraction(1, 4)
    rare, usual = eps / sampled, (1 - eps) / (1 - sampled)
    assert sampled * rare + (1 - sampled) * usual == 1
    assert all(sampled * weight + (1 - sampled) * weight != 1 for weight in (rare, usual))
