"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def dirichlet_evidence(counts):
    return math.exp(
        math.lgamma(2) + sum(math.lgamma(1 + c) for c in counts) - math.lgamma(2 + sum(counts))
    )


def test_the_empty_itemset_has_a_weight_too():
    """nijssen2008bayes, Algorithm 1: without w of the empty set the one-leaf tree is lost."""
    left = (3, 1)
    right = (0, 2)
    whole = tuple(map(sum, zip(left, right, strict=True)))

    def one_more(counts, c):
        return tuple(n + (i == c) for i, n in enumerate(counts))

    # Both trees on one attribute, equally likely; a test case in the left branch.
    leaf = [dirichlet_evidence(one_more(whole, c)) for c in range(2)]
    split = [dirichlet_evidence(one_more(left, c)) * dirichlet_evidence(right) for c in range(2)]
    exact = np.array(leaf) + np.array(split)
    # Algorithm 1: u of the other side times v of the empty set, which is one.
    u_right = dirichlet_evidence(right)
    v_empty = 1.0
    printed = [dirichlet_evidence(one_more(left, c)) * u_right * v_empty for c in range(2)]
    empty = [dirichlet_evidence(one_more(whole, c)) * v_empty for c in range(2)]
    assert not np.allclose(printed / np.sum(printed), exact / exact.sum(), rtol=1e-2)
    repaired = np.array(printed) + empty
    assert np.allclose(repaired / repaired.sum(), exact / exact.sum(), rtol=1e-9)
