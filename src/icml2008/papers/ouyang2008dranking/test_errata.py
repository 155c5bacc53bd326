"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np
from scipy import optimize


def test_negative_slack_makes_the_margin_hard():
    """ouyang2008dranking, Eqs. 3 and 4: two orders that contradict each other, d1 < d2 < d1."""
    # Variables d1, d2, xi1, xi2; A x <= b.
    order = np.array([[1.0, -1.0], [-1.0, 1.0]])

    def solve(sign):
        return optimize.linprog(
            [0, 0, 1, 1],
            A_ub=np.hstack([order, -sign * np.eye(2)]),
            b_ub=[-1, -1],
            bounds=[(None, None)] * 2 + [(0, None)] * 2,
        )

    assert solve(-1).status == 2
    assert math.isclose(solve(1).fun, 2, rel_tol=1e-9)
    # Where orders agree, the slack at the optimum is zero.
    single = optimize.linprog(
        [0, 0, 1], A_ub=[[1, -1, 1]], b_ub=[-1], bounds=[(0, 5), (0, 5), (0, None)]
    )
    assert single.x[2] == 0


def pair_grams():
    points = np.random.default_rng(5).normal(size=(5, 2))
    gram = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / 2)
    pairs = list(itertools.combinations(range(5), 2))
    within = np.array([gram[p] for p in pairs])
    left, right = np.array(pairs).T
    across = gram[np.ix_(left, left)] * gram[np.ix_(right, right)]
    return within, across


def test_product_of_kernels_within_pairs_has_rank_one():
    """ouyang2008dranking, Examples 4.2 and 4.4 against Proposition 4.1."""
    within, across = pair_grams()
    assert np.linalg.matrix_rank(np.outer(within, within)) == 1
    assert np.linalg.matrix_rank(across) == len(within)


def test_sum_of_kernels_within_pairs_is_indefinite():
    """ouyang2008dranking, Examples 4.3 and 4.5: f(p) + f(q) is no kernel."""
    within, _ = pair_grams()
    assert np.linalg.eigvalsh(within[:, None] + within).min() < -1e-3
