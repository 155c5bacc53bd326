"""Shares of claims that hold: counts, intervals over papers, comparisons, and their errors."""

import csv
import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from icml2008.report.shares import (
    MIN_PAPERS,
    Share,
    clearest,
    difference,
    limits,
    share_of,
    together,
    variance,
)

ROOT = Path(__file__).parents[2]
HELD = [8, 2, 5, 1, 9, 7, 3, 10]
DECIDED = [10, 2, 7, 4, 12, 8, 5, 13]


def of(held, decided):
    return Share({str(i): pair for i, pair in enumerate(zip(held, decided, strict=True))})


def test_a_share_counts_claims_by_paper():
    share = share_of([("a", True), ("b", False), ("a", False), ("a", True)])
    assert share.by_paper == {"a": (2, 3), "b": (0, 1)}
    assert (share.papers, share.value) == (2, 0.5)


def test_groups_together_are_the_claims_of_each_paper_together():
    share = share_of([("a", True), ("b", False)])
    other = share_of([("a", False), ("c", True)])
    assert together([share, other]).by_paper == {"a": (1, 2), "b": (0, 1), "c": (1, 1)}


def test_the_variance_is_that_of_estimating_equations_with_small_samples_corrected():
    gee = pytest.importorskip("statsmodels.genmod.generalized_estimating_equations")
    outcomes = [[1.0] * h + [0.0] * (n - h) for h, n in zip(HELD, DECIDED, strict=True)]
    flat = np.concatenate(outcomes)
    papers = np.repeat(np.arange(len(DECIDED)), DECIDED)
    fit = gee.GEE(flat, np.ones((len(flat), 1)), groups=papers).fit(cov_type="bias_reduced")
    assert variance(HELD, DECIDED) == pytest.approx(fit.cov_params().item(), rel=1e-9)


def test_the_variance_is_a_plain_loop_over_papers():
    share = sum(HELD) / sum(DECIDED)
    claims = sum(DECIDED)
    total = 0.0
    for held, decided in zip(HELD, DECIDED, strict=True):
        residual = (held - decided * share) / (1 - decided / claims)
        total += (residual / claims) ** 2
    assert variance(HELD, DECIDED) == pytest.approx(total)


def test_papers_of_one_claim_each_have_nearly_the_exact_binomial_limits():
    from scipy.stats import binomtest

    held = np.r_[np.ones(30, int), np.zeros(10, int)]
    low, high = limits(held, np.ones(40, int))
    exact = binomtest(30, 40).proportion_ci(0.95, "exact")
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.02)
    assert low <= exact.low
    assert high >= exact.high


def test_claims_that_go_together_widen_the_interval():
    spread = limits([2] * 20, [4] * 20)
    together_ = limits([0, 4] * 10, [4] * 20)
    assert np.ptp(together_) > 1.5 * np.ptp(spread)


def test_no_interval_is_narrower_than_that_of_independent_claims():
    from scipy.stats import binomtest

    low, high = limits([3] * 10, [5] * 10)
    exact = binomtest(30, 50).proportion_ci(0.95, "exact")
    assert low <= exact.low < exact.high <= high


@pytest.mark.parametrize("papers", [6, 20])
def test_if_every_claim_holds_the_limit_is_that_of_as_many_papers(papers):
    low, high = limits([7] * papers, [7] * papers)
    assert (low, high) == pytest.approx((0.025 ** (1 / papers), 1.0))
    low, high = limits([0] * papers, [7] * papers)
    assert (low, high) == pytest.approx((0.0, 1 - 0.025 ** (1 / papers)))


def test_few_papers_and_none_have_no_interval():
    assert of([1] * (MIN_PAPERS - 1), [2] * (MIN_PAPERS - 1)).interval() is None
    assert Share().interval() is None
    assert math.isnan(Share().value)


def test_the_interval_of_a_difference_turns_over_with_its_groups():
    share = of(HELD, DECIDED)
    other = of([1] * 9, [4] * 9)
    low, high = difference(share, other)
    assert low < share.value - other.value < high
    assert difference(other, share) == pytest.approx((-high, -low))


def test_the_clearest_group_is_compared_with_the_others_together():
    groups = {
        "a": of([9] * 10, [10] * 10),
        "b": of([2] * 10, [10] * 10),
        "c": of([5] * 10, [10] * 10),
    }
    gap = clearest(groups)
    assert (gap.group, gap.compared) == ("a", 3)
    assert gap.shown
    assert gap.value == pytest.approx(0.9 - 0.35)
    plain = difference(groups["a"], together([groups["b"], groups["c"]]))
    assert gap.low < plain[0] < plain[1] < gap.high


def test_two_groups_are_one_comparison_and_small_ones_are_none():
    share = of([9] * 10, [10] * 10)
    other = of([2] * 10, [10] * 10)
    assert clearest({"b": other, "a": share}).compared == 1
    assert clearest({"b": other, "a": share}).group == "a"
    assert clearest({"a": share, "b": of([1] * 3, [2] * 3)}) is None
    assert clearest({"a": share}) is None
    assert clearest({}) is None


def _coverage():
    path = ROOT / "benchmarks" / "shares_coverage.py"
    spec = importlib.util.spec_from_file_location("shares_coverage", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["shares_coverage"] = module
    spec.loader.exec_module(module)
    return module


def test_simulated_intervals_miss_the_truth_no_more_often_than_they_may():
    rows = list(_coverage().simulate(500))
    assert len(rows) == 54
    # Both sides together; 500 draws of a true 5 % exceed 8.5 % once in 2,000 times.
    assert max(row["truth below"] + row["truth above"] for row in rows) < 0.085


def test_the_committed_table_has_all_situations_and_none_misses_more_than_one_in_twenty():
    with (ROOT / "docs" / "shares-coverage.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 54
    assert all(float(row["truth below"]) + float(row["truth above"]) <= 0.05 for row in rows)
