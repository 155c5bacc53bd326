"""Counted steps are those of a plain loop, and of what is counted by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from icml2008.harness.counting import merge_comparisons


def merged(runs):
    """Return runs joined in pairs until one is left, falling, and the comparisons of that."""
    if len(runs) < 2:
        return runs, 0
    joined = []
    comparisons = 0
    for at in range(0, len(runs), 2):
        left = list(runs[at])
        right = list(runs[at + 1]) if at + 1 < len(runs) else []
        run = []
        while left and right:
            comparisons += 1
            run.append((left if left[0] >= right[0] else right).pop(0))
        joined.append(run + left + right)
    joined, more = merged(joined)
    return joined, comparisons + more


def test_comparisons_of_a_merge_sort_of_few_are_as_counted_by_hand():
    assert merge_comparisons(np.array([4.0, 3.0, 2.0, 1.0])) == 4  # 1 + 1, then 4 3 before 2 1
    assert merge_comparisons(np.array([4.0, 2.0, 3.0, 1.0])) == 5


@given(st.lists(st.integers(0, 9), max_size=40))
def test_comparisons_of_a_merge_sort_are_those_of_a_plain_one(values):
    runs, comparisons = merged([[value] for value in values])
    assert runs == ([sorted(values, reverse=True)] if values else [])
    assert merge_comparisons(np.array(values, dtype=float)) == comparisons
