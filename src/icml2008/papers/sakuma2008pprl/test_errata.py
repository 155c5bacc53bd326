"""Errata of the paper that a small computation settles."""

import math


def test_reward_is_scaled_once():
    """sakuma2008pprl, Eq. 5: with the exponent alpha K L the reward is scaled by L twice."""
    scale = 1000
    k = 100
    alpha = 0.1
    gamma = 0.9
    rewards = (3, 4)
    now = 50_000
    after = 60_000
    update = k * alpha * (scale * sum(rewards) + gamma * after - now)
    # Powers of a cipher multiply what it holds; products add.
    rest = after * alpha * gamma * k - now * alpha * k
    printed = sum(scale * r * alpha * k * scale for r in rewards) + rest
    right = sum(scale * r * alpha * k for r in rewards) + rest
    assert math.isclose(right, update, rel_tol=1e-9)
    assert printed > 100 * update
