"""Simulated claims: the same each time, of the truth that they are said to have."""

from collections import Counter

import numpy as np
import pytest

from icml2008.judge.simulated import SIMPLER, by_rule_book, by_simpler_rule, simulated


def test_they_are_the_same_each_time_and_a_draw_changes_no_other():
    few = list(simulated(2))
    many = {claim.name: claim for claim in simulated(3)}
    assert len({claim.name for claim in few}) == len(few)
    for claim in few:
        other = many[claim.name]
        assert claim.printed == other.printed
        for reading, redrawn in zip(claim.readings, other.readings, strict=True):
            assert np.array_equal(reading, redrawn)


def test_the_rule_book_finds_the_truth_and_errs_at_its_levels():
    counts = Counter()
    for claim in simulated(10):
        counts[claim.truth, by_rule_book(claim)] += 1
    for truth in ("holds", "fails", "depends"):
        assert counts[truth, truth] > sum(counts[truth, word] for word in ("holds", "fails")) / 2
    wrong = counts["holds", "fails"] + counts["fails", "holds"] + counts["depends", "fails"]
    assert wrong <= 0.1 * counts.total()
    assert counts["depends", "depends"] > counts["depends", "open"]


@pytest.mark.parametrize("rule", SIMPLER)
def test_a_rule_that_knows_one_reading_never_says_that_it_depends(rule):
    words = {by_simpler_rule(rule, *claim.of_one_reading) for claim in simulated(3)}
    assert words == {"holds", "fails", "open"}
