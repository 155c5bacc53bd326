"""Errata of the paper that a small computation settles."""

import math

import numpy as np

from .method import INTERVALS, ClusterSampler, _bounds


def test_rule_two_never_selects_an_unseen_cluster():
    """dasgupta2008hierarchical, Sections 3.2 and 3.4: one pure cluster seen often, one unseen."""

    def bounds(share, seen):
        return _bounds(share, seen, 1000, INTERVALS["lemma"], 5.0)

    (pure_low, pure_high) = bounds(1.0, 500)
    (_, unseen_high) = bounds(0.5, 0)
    assert (1 - pure_high, 1 - unseen_high) == (0, 0)  # rule 2: both weights vanish
    assert 1 - pure_low < 0.1  # the rule of Section 3.4, where the unseen cluster has weight 1
    # A cluster found impure is selected by rule 2, a cluster not seen is not.
    assert 1 - bounds(0.5, 500)[1] > 0.3


def test_the_root_is_sampled_no_more_once_it_is_split():
    """dasgupta2008hierarchical, Lemma 1 (b): n_v(t) >= B t w_v / 2 fails above the pruning."""
    n = 1000
    y = (np.arange(n) >= 490).astype(int)  # a root with two pure children
    left = [[0, 1]]
    right = [[490, 491]]
    for i in range(2, 490):
        left.append([n + i - 2, i])
    for i in range(492, n):
        right.append([n + 489 + i - 492, i])
    children = np.array(left + right + [[n + 488, n + 997]])
    rng = np.random.default_rng(0)
    sampler = ClusterSampler(children, 2, rng, select="naive", interval="lemma")
    budget = 4000
    for _ in range(budget):
        sampler.tell(y[sampler.ask()])
    delta = 0.05
    assert budget >= 8 * math.log(4 * budget**2 / delta)  # the condition of Lemma 1 (b) at depth 1
    assert sampler.counts[-1].sum() < budget / 2
