"""Verdicts of single claims, by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from icml2008.judge.measures import Metric

DIFFERENCE = {"difference": ["A", "B"]}
MEAN = {"mean": "A"}
LOSS = Metric(unit="nats", better="higher")


def paired(gains, base=50.0):
    """Return the series of A, ahead of B by `gains`."""
    wobble = [base + (i % 5) for i in range(len(gains))]
    return {("", "A"): [w + g for w, g in zip(wobble, gains, strict=True)], ("", "B"): wobble}


@pytest.mark.parametrize(
    ("mean", "word"), [(2.0, "confirmed"), (-2.0, "refuted"), (0.5, "inconclusive")]
)
def test_order_is_decided_by_the_paired_interval(judge, around, mean, word):
    (verdict,) = judge(paired(around(mean, 2.0, 16)), statistic=DIFFERENCE, above="0")
    half = stats.t.ppf(0.975, 15) * 2.0 / math.sqrt(16)
    assert verdict.verdict == word
    assert verdict.low == pytest.approx(mean - half)
    assert verdict.high == pytest.approx(mean + half)


def test_lower_is_better_favours_the_method_with_less(judge, around):
    metric = Metric(unit="nats", better="lower")
    series = paired(around(-2.0, 1.0, 10))
    (verdict,) = judge(series, metric=metric, statistic=DIFFERENCE, above="0")
    assert (verdict.verdict, verdict.effect) == ("confirmed", pytest.approx(2.0))


def test_value_is_confirmed_within_the_printed_tolerance(judge, around):
    near = {"value": "60.3", "sd": "15.1", "n": 32}
    series = {("", "A"): around(61.0, 15.0, 128)}
    (verdict,) = judge(series, metric=LOSS, statistic=MEAN, near=near)
    assert verdict.verdict == "confirmed"
    assert verdict.tolerance == pytest.approx(0.05 + 3 * 15.1 / math.sqrt(32))
    half = stats.t.ppf(0.95, 127) * 15.0 / math.sqrt(128)
    assert verdict.confirm_high == pytest.approx(61.0 + half)


def test_value_is_refuted_beyond_the_printed_tolerance(judge, around):
    near = {"value": "60.3", "sd": "2.0", "n": 32}
    (verdict,) = judge({("", "A"): around(64.0, 2.0, 32)}, statistic=MEAN, near=near)
    assert verdict.verdict == "refuted"


def test_value_without_printed_spread_takes_ours(judge, around):
    near = {"value": "60", "n": 4}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near)
    assert verdict.tolerance == pytest.approx(0.5 + 3 * 2.0 / 2)


def test_standard_error_in_print_is_not_divided_again(judge, around):
    near = {"value": "60", "se": "0.5", "n": 9}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near)
    assert verdict.tolerance == pytest.approx(0.5 + 3 * 0.5)


@pytest.mark.parametrize(
    ("sd_of", "n", "error"),
    [
        ("runs", 16, 4.0 / 4),
        ("runs", 4, 4.0 / 2),
        ("folds", 100, 2.0),
        ("starts", 16, np.hypot(2.0, 4.0 / 4)),
    ],
)
def test_tolerance_is_three_standard_errors_of_what_was_printed(judge, around, sd_of, n, error):
    near = {"value": "60", "sd": "4", "n": n, "gap": "90"}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near, sd_of=sd_of)
    assert verdict.tolerance == pytest.approx(0.5 + 3 * error)
    assert verdict.verdict == "confirmed"


def test_a_spread_of_few_printed_runs_gives_way_to_a_larger_one_of_ours(judge, around):
    near = {"value": "60", "sd": "0.1", "n": 3}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near)
    assert verdict.tolerance == pytest.approx(0.5 + 3 * 2.0 / 3**0.5)
    assert "our larger spread" in verdict.reason


@pytest.mark.parametrize(("gap", "word"), [(None, "inconclusive"), ("20", "confirmed")])
def test_a_single_run_is_confirmed_only_where_a_gap_says_what_matters(judge, around, gap, word):
    near = {"value": "60", **({"gap": gap} if gap else {})}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near)
    assert verdict.verdict == word
    far = {"value": "80"}
    assert (
        judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=far)[0].verdict == "refuted"
    )


def test_the_best_that_could_be_obtained_is_not_refuted_by_one_value(judge, around):
    content = {"statistic": DIFFERENCE, "above": "0", "best_obtained": "the best we could obtain"}
    behind = judge(paired(around(-5.0, 1.0, 32)), **content)[0]
    assert (behind.verdict, behind.hindrance) == ("inconclusive", "hedge")
    assert behind.generalises == "inconclusive"
    assert '"the best we could obtain"' in behind.reason
    assert judge(paired(around(5.0, 1.0, 32)), **content)[0].verdict == "confirmed"


def flags(method, values):
    """Lines that say in which percent of the boxes all bags of a method score alike."""
    at = {"kind": "measurement", "cell": {}, "method": method, "metric": "flat"}
    return [at | {"repeat": repeat, "value": value} for repeat, value in enumerate(values)]


@pytest.mark.parametrize("lead", [5.0, -5.0])
@pytest.mark.parametrize("method", ["A", "B"])
def test_a_degenerate_rival_earns_nobody_a_win(judge, around, method, lead):
    content = {
        "metrics": {"flat": Metric(unit="percent", bounds=(0, 100), degenerate=100)},
        "statistic": DIFFERENCE,
        "above": "0",
    }
    series = paired(around(lead, 1.0, 8))
    verdict = judge(series, extra=flags(method, [100] * 5 + [90] * 3), **content)[0]
    assert (verdict.verdict, verdict.generalises) == ("inconclusive", "inconclusive")
    assert (verdict.hindrance, verdict.p_refute, verdict.repeats_needed) == (
        "degenerate",
        1.0,
        None,
    )
    assert f"{method} told nothing apart, or did not end, in most repeats" in verdict.reason
    decided = "confirmed" if lead > 0 else "refuted"
    for few in (flags(method, [100] * 4 + [90] * 4), ()):
        assert judge(series, extra=few, **content)[0].verdict == decided


def test_what_a_degenerate_method_reaches_by_itself_is_still_judged(judge, around):
    content = {"metrics": {"flat": Metric(unit="percent", bounds=(0, 100), degenerate=100)}}
    series = {("", "A"): around(40.0, 1.0, 8)}
    (verdict,) = judge(series, extra=flags("A", [100] * 8), statistic=MEAN, below="50", **content)
    assert verdict.verdict == "confirmed"


def test_a_count_that_agrees_in_fifty_repeats_is_decided(judge):
    near = {"value": "1", "margin": "0.5"}
    for whole, word in ((True, "confirmed"), (False, "inconclusive")):
        metric = Metric(unit="centres", bounds=(0, None), whole=whole)
        (verdict,) = judge({("", "A"): [1] * 50}, metric=metric, statistic=MEAN, near=near)
        assert verdict.verdict == word


def test_tolerance_beyond_half_the_printed_gap_is_too_coarse(judge, around):
    near = {"value": "60", "margin": "4", "gap": "7.5"}
    (verdict,) = judge({("", "A"): around(60.0, 2.0, 36)}, statistic=MEAN, near=near)
    assert verdict.verdict == "inconclusive"
    assert "too coarse to judge" in verdict.reason
    assert verdict.generalises == "inconclusive"


def test_five_repeats_decide_nothing(judge, around):
    (verdict,) = judge(paired(around(5.0, 0.1, 5)), statistic=DIFFERENCE, above="0")
    assert verdict.verdict == "inconclusive"
    assert "5 repeats, six are needed" in verdict.reason


def test_two_seeds_that_agree_decide_a_deterministic_claim(judge):
    series = {("", "A"): [61.04, 61.04]}
    (verdict,) = judge(series, statistic=MEAN, near="61.0", deterministic=True)
    assert verdict.verdict == "confirmed"


def test_one_seed_decides_nothing_of_a_deterministic_claim(judge):
    (verdict,) = judge({("", "A"): [61.0]}, statistic=MEAN, near="61.0", deterministic=True)
    assert verdict.verdict == "inconclusive"


def test_seeds_that_differ_undo_the_declaration(judge):
    series = {("", "A"): [61.0, 61.2]}
    (verdict,) = judge(series, statistic=MEAN, near="61.0", deterministic=True)
    assert verdict.verdict == "inconclusive"
    assert "repeats differ" in verdict.reason


def test_zero_spread_leaves_as_many_test_cases_as_none_seen_allows(judge):
    series = {("", "A"): [98.0] * 8, ("", "B"): [95.0] * 8}
    (verdict,) = judge(series, n_test=50, statistic=DIFFERENCE, above="0")
    half = 2.0 * -math.log(0.025) / 8  # 3.69 test cases of 2 % in 8 repeats
    assert (verdict.low, verdict.high) == (pytest.approx(3 - half), pytest.approx(3 + half))
    assert verdict.verdict == "confirmed"


def test_zero_spread_without_test_cases_decides_nothing_on_an_unbounded_metric(judge):
    (verdict,) = judge({("", "A"): [3.0] * 8}, metric=LOSS, statistic=MEAN, above="0")
    assert (verdict.verdict, verdict.low, verdict.high) == ("inconclusive", None, None)


def test_interval_stays_within_the_bounds_of_the_metric(judge):
    (verdict,) = judge({("", "A"): [100.0] * 8}, n_test=50, statistic=MEAN, near="99.9")
    assert verdict.high == 100.0


def test_zero_spread_is_worth_fewer_repeats_on_new_data(judge):
    (verdict,) = judge(
        {("", "A"): [100.0] * 8},
        n_test=50,
        statistic=MEAN,
        above="95",
        resampling={"kind": "resplit", "train": 0.6, "test": 0.2},
    )
    expected = 100 + 2.0 * math.log(0.025) * (1 / 8 + 1 / 3)
    assert verdict.generalises_low == pytest.approx(expected)


def test_zero_spread_says_how_many_repeats_would_decide(judge):
    series = {("", "A"): [100.0] * 8}
    (verdict,) = judge(series, n_test=50, statistic=MEAN, near={"value": "99.8", "margin": "0.3"})
    # -log(0.05) test cases of 2 % in n repeats have to fit into 100 - 99.5.
    assert verdict.repeats_needed == math.ceil(-math.log(0.05) * 2.0 / 0.5)


def test_share_near_its_bound_has_exact_limits(judge):
    # One miss in 8 x 50 test cases: the effective number of cases is near 400.
    (verdict,) = judge({("", "A"): [100.0] * 7 + [98.0]}, n_test=50, statistic=MEAN, above="99")
    share = 0.9975
    se = 0.0025
    cases = share * (1 - share) / se**2 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 7)) ** 2
    exact = 100 * stats.beta.ppf(0.025, share * cases, (1 - share) * cases + 1)
    assert verdict.low == pytest.approx(exact)
    assert verdict.verdict == "inconclusive"


def test_failures_that_could_turn_it_make_it_inconclusive(judge, around):
    gains = around(2.0, 1.0, 16)
    series = paired(gains)
    series["", "A"] = [*series["", "A"], None]
    series["", "B"] = [*series["", "B"], 50.0]
    (verdict,) = judge(series, statistic=DIFFERENCE, above="0")
    assert (verdict.verdict, verdict.n, verdict.failed) == ("inconclusive", 16, 1)
    assert "1 of 17 trials failed (ValueError: no), which could turn it" in verdict.reason


def test_failures_that_could_not_turn_it_are_only_said(judge, around):
    series = {("", "A"): [*around(90.0, 1.0, 100), None]}
    (verdict,) = judge(series, statistic=MEAN, above="50")
    assert verdict.verdict == "confirmed"
    assert "1 of 101 trials failed" in verdict.reason


def test_failures_on_an_unbounded_metric_could_always_turn_it(judge, around):
    series = {("", "A"): [*around(90.0, 1.0, 100), None]}
    (verdict,) = judge(series, metric=LOSS, statistic=MEAN, above="50")
    assert verdict.verdict == "inconclusive"


def test_whole_is_confirmed_if_every_part_is(judge, around):
    series = {("d=x", "A"): around(60, 1, 8), ("d=y", "A"): around(70, 1, 8)}
    whole, *parts = judge(series, statistic=MEAN, each={"d": ["x", "y"]}, above="50")
    assert [v.verdict for v in (whole, *parts)] == ["confirmed"] * 3
    assert [v.part for v in (whole, *parts)] == ["", "d=x", "d=y"]


def test_whole_is_refuted_only_after_holms_correction(judge, around):
    # One part of four at one-sided p = 0.02: refuted alone, not after four times its p-value.
    gap = stats.t.ppf(0.98, 15) / 4
    series = {(f"d={i}", "A"): around(60, 1, 16) for i in range(3)}
    series["d=3", "A"] = around(50 - gap, 1, 16)
    each = {"d": [0, 1, 2, 3]}
    whole, *parts = judge(series, metric=LOSS, statistic=MEAN, each=each, above="50")
    assert parts[3].verdict == "refuted"
    assert parts[3].p_refute == pytest.approx(0.02)
    assert whole.verdict == "inconclusive"


def test_missing_data_leave_a_part_untested_and_the_whole_open(judge, around):
    gone = {
        "kind": "no data",
        "cell": {"d": "y"},
        "repeat": 0,
        "status": "data not available",
        "reason": "y: gone",
    }
    series = {("d=x", "A"): around(60, 1, 8)}
    whole, x, y = judge(series, statistic=MEAN, each={"d": ["x", "y"]}, above="50", extra=[gone])
    assert (x.verdict, y.verdict, whole.verdict) == ("confirmed", "untested", "inconclusive")
    assert y.reason == "data not available: y: gone"


def test_cells_that_were_not_run_are_untested(judge, around):
    series = {("d=x", "A"): around(60, 1, 8)}
    *_, y = judge(series, statistic=MEAN, each={"d": ["x", "y"]}, above="50")
    assert (y.verdict, y.reason) == ("untested", "not yet: e has no records of d=y")


def test_resplits_widen_the_interval_for_new_data(judge, around):
    (verdict,) = judge(
        paired(around(2.0, 2.0, 16)),
        statistic=DIFFERENCE,
        above="0",
        resampling={"kind": "resplit", "train": 0.6, "test": 0.2},
    )
    assert verdict.generalises_se == pytest.approx(2.0 * math.sqrt(1 / 16 + 1 / 3))
    assert (verdict.verdict, verdict.generalises) == ("confirmed", "inconclusive")


def test_fresh_data_answer_both_questions_alike(judge, around):
    (verdict,) = judge(paired(around(2.0, 2.0, 16)), statistic=DIFFERENCE, above="0")
    assert verdict.generalises == verdict.verdict
    assert (verdict.generalises_low, verdict.generalises_high) == (verdict.low, verdict.high)


def test_inconclusive_says_how_many_repeats_would_decide(judge, around):
    (verdict,) = judge(paired(around(0.5, 2.0, 16)), statistic=DIFFERENCE, above="0")
    n = verdict.repeats_needed
    reach = stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)
    assert reach * 2.0 / math.sqrt(n) == pytest.approx(0.5, rel=0.01)
    assert f"about {n} repeats would decide" in verdict.reason


def test_repeats_that_a_method_lacks_are_failures(judge, around):
    # B has 6 of A's 32 repeats: the other 26 could have been anything between 0 and 100.
    series = {("", "A"): around(60, 1, 32), ("", "B"): around(50, 1, 6)}
    (verdict,) = judge(series, statistic=DIFFERENCE, above="0")
    assert (verdict.verdict, verdict.hindrance) == ("inconclusive", "failures")
    assert (verdict.n, verdict.failed) == (6, 26)
    assert "26 of 32 trials failed (no record of B), which could turn it" in verdict.reason


def test_a_lacking_repeat_that_cannot_turn_a_verdict_is_only_counted(judge, around):
    series = {("", "A"): around(60, 1, 32), ("", "B"): around(20, 1, 31)}
    (verdict,) = judge(series, statistic=DIFFERENCE, above="0")
    assert (verdict.verdict, verdict.n, verdict.failed) == ("confirmed", 31, 1)


@pytest.mark.parametrize("comparison", ["above", "below"])
def test_rounding_is_no_distance_from_a_limit(judge, comparison):
    series = {("", "A"): [0.1 + 0.2] * 2, ("", "B"): [0.3] * 2}
    for first, second in ("AB", "BA"):
        statistic = {"difference": [first, second]}
        (verdict,) = judge(series, statistic=statistic, deterministic=True, **{comparison: "0"})
        assert (verdict.verdict, verdict.effect) == ("inconclusive", 0.0)


def test_a_deterministic_distance_beyond_rounding_decides(judge):
    series = {("", "A"): [50 + 1e-9] * 2, ("", "B"): [50.0] * 2}
    (verdict,) = judge(series, statistic=DIFFERENCE, deterministic=True, above="0")
    assert verdict.verdict == "confirmed"


def test_rounding_of_large_measurements_is_not_that_of_their_ratio(judge):
    series = {("", "A"): [1.0005e12] * 2, ("", "B"): [1e12] * 2}
    claim = {"statistic": {"ratio": ["A", "B"]}, "above": "1", "deterministic": True}
    (verdict,) = judge(series, metric=LOSS, **claim)
    assert verdict.verdict == "confirmed"


def test_a_flat_curve_has_no_slope(judge):
    series = {(f"size={size}", "A"): [value] * 2 for size, value in ((1, 0.3), (2, 0.1 + 0.2))}
    statistic = {"slope": "A", "along": "size"}
    (verdict,) = judge(series, statistic=statistic, above="0", deterministic=True)
    assert verdict.verdict == "inconclusive"
