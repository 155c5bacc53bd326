"""Errata of the paper that a small computation settles."""

import numpy as np


def test_direction_is_zero_outside_the_row_of_the_state():
    """epshteyn2008active, Lemma 5.1: the derivative of the values by finite differences."""
    rng = np.random.default_rng(0)
    transition = rng.dirichlet(np.ones(3), size=3)
    reward = rng.normal(size=3)
    discount = 0.9
    # the probability of the last successor is the rest
    state = 0
    towards = 1
    last = 2

    def values(change):
        moved = transition.copy()
        moved[state, [towards, last]] += [change, -change]
        return np.linalg.solve(np.eye(3) - discount * moved, reward)

    slope = (values(1e-6) - values(-1e-6)) / 2e-6
    printed = np.tile([0, 1, -1], (3, 1))
    mended = printed * (np.arange(3) == state)[:, None]

    def derivative(direction):
        return discount * np.linalg.solve(
            np.eye(3) - discount * transition, direction @ values(0.0)
        )

    assert np.allclose(derivative(mended), slope, rtol=1e-5)
    assert not np.allclose(derivative(printed), slope, rtol=0.1)
