"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_weights_of_least_variance_are_given_up_to_scale():
    """langford2008exploration, Theorem 7: the stated weights sum to 1 only after division."""
    shown = np.array([40.0, 10.0, 25.0])
    first = np.array([100.0, 80.0, 5.0])
    variance = np.array([0.1, 0.2, 0.05])
    variance_first = np.array([0.2, 0.1, 0.1])
    each = variance / shown + variance_first / first
    stated = 2 * shown * first / (shown * variance_first + first * variance)
    assert not math.isclose(stated.sum(), 1, rel_tol=0.5)
    best = stated / stated.sum()
    rng = np.random.default_rng(0)
    others = best + 0.05 * (step := rng.normal(size=(100, 3))) - 0.05 * step.mean(1, keepdims=True)
    assert np.all(others**2 @ each >= best**2 @ each)


def test_discounts_start_one_place_later():
    """langford2008exploration, Section 4.4: the table has 1 / log2(1 + i), not 1 / log2(2 + i)."""
    listed = ["1.000", "0.631", "0.500", "0.431"]
    assert [f"{1 / math.log2(1 + i):.3f}" for i in range(1, 5)] == listed
    assert [f"{1 / math.log2(2 + i):.3f}" for i in range(1, 4)] == listed[1:]


def test_a_random_policy_does_not_make_a_lopsided_log_even():
    """langford2008exploration, Theorem 5: one action pays 1, and the log has little else."""
    rounds = 4096
    rng = np.random.default_rng(0)
    actions = np.array([0] * (rounds - 1) + [1])
    policy = rng.integers(2, size=rounds)
    estimate = 2 / rounds * np.sum((actions == 0) * (policy == actions))
    assert abs(estimate - 1 / 2) > 4 * 2 * math.sqrt(2 * math.log(4 / 0.05) / rounds)


def test_an_ad_that_is_missing_from_a_slot_lowers_its_estimate():
    """langford2008exploration, Theorem 6: two like ads, of which slot 2 has one; C_2 is 0.6."""
    rate = np.array([[0.1, 0.06], [0.1, 0.0]])
    assert math.isclose(rate[:, 1].sum() / rate[:, 0].sum(), 0.3)


def test_the_table_makes_random_order_lose_clicks():
    """langford2008exploration, Section 4.5: clicks by slot are as Section 4.4's naive ratios."""
    naive = np.array([1.0, 0.512090, 0.369638, 0.271847])
    new = np.array([1.0, 0.613387, 0.527310, 0.432521])
    gains = [new[:n].mean() * np.sum(naive[:n] / new[:n]) / naive[:n].sum() for n in (2, 3, 4)]
    assert [f"{gain:.2f}" for gain in gains] == ["0.98", "0.96", "0.95"]
    assert np.all(np.diff(naive / new) < 0)  # so that it loses with any decay that falls
