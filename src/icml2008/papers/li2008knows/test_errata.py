"""Errata of the paper that a small computation settles."""

import itertools

import numpy as np


def test_cost_in_the_span_of_what_was_seen_is_known():
    """li2008knows, Section 2: w and w-hat agree on the bottom path, 14 in the text, not 15."""
    true = np.array([1, 2, 0])
    estimate = np.array([1, 1, 1])
    seen = np.array([[1, 1, 1], [1, 0, 0]])
    assert np.array_equal(seen @ true, seen @ estimate)
    # All binary vectors in the span of these two, of which the bottom path is made.
    edges = [
        edge
        for edge in itertools.product((0, 1), repeat=3)
        if np.linalg.matrix_rank(np.vstack([seen, edge])) == 2
    ]
    assert edges == [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    assert all(true @ edge == estimate @ edge for edge in edges)
    assert true @ (0, 0, 1) != estimate @ (0, 0, 1)


def test_union_of_single_hypotheses_needs_removals():
    """li2008knows, Algorithm 6: k classes of one hypothesis need k - 1 answers, not 1 - k."""
    k = 5
    # Hypothesis i is 1 at i alone; the truth is the last one, asked for last.
    active = set(range(k))
    unknown = 0
    for x in range(k):
        answers = {int(i == x) for i in active}
        if len(answers) > 1:
            unknown += 1
            active = {i for i in active if (i == x) == (x == k - 1)}
    assert (unknown, active) == (k - 1, {k - 1})
    assert unknown > (1 - k) + 0
