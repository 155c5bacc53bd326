"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def grid_effects(values):
    """Return the centred partial dependence of a function on a square grid, one and two way."""
    centred = values - values.mean()
    return centred, centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)


def test_interaction_raises_the_restricted_error():
    """sorokina2008interactions, Equation 3: as printed the interaction of x1 x2 is negative."""
    x = np.linspace(-1, 1, 11)
    target = np.outer(x, x)
    both, first, second = grid_effects(target)
    deviation = target.std()
    unrestricted = 0.0
    restricted = np.sqrt(np.mean((both - first - second) ** 2)) / deviation
    # An additive model explains nothing of x1 x2.
    assert math.isclose(restricted, 1, rel_tol=1e-9)
    assert unrestricted - restricted < 0


def test_cubes_do_not_interact():
    """sorokina2008interactions, Section 8: the condition is on centred partial dependence."""
    x = np.linspace(-10, 10, 21)
    across, other = np.meshgrid(x, x, indexing="ij")
    for target, additive in [(across**3 + other**3, True), (across * other, False)]:
        both, first, second = grid_effects(target)
        assert np.allclose(both, first + second, atol=1e-9 * np.abs(both).max()) == additive
    # As printed: the mixed second derivative, 0, against the sum of the first ones.
    assert not np.allclose(3 * across**2 + 3 * other**2, 0)
