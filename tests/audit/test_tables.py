"""Arithmetic, comparisons and spreads: exact cases, independent computations, honest tables."""

import math
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from icml2008.audit.comparisons import Best, Rank, WinCount, rank_ends
from icml2008.audit.numbers import AuditError, Interval, stands_for, value
from icml2008.audit.spread import PValue, Range, Sign, greatest_variance, p_ends
from icml2008.audit.sums import Difference, Formula, Mean, Monotone, Ratio, Sum, formula

ROUNDINGS = [ROUND_HALF_UP, ROUND_HALF_EVEN, "ROUND_DOWN", "ROUND_UP"]
hidden = st.decimals(
    min_value=Decimal("0.01"), max_value=100, allow_nan=False, allow_infinity=False, places=6
)


def printed(number, digits, rounding):
    return str(Decimal(number).quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def certainty(declared):
    return declared.check().certainty


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("905,970", 905970),
        ("5.59e-3", Fraction(559, 100000)),
        ("10%", 10),
        ("-0.5", Fraction(-1, 2)),
    ],
)
def test_printed_numbers_are_read_exactly(text, number):
    assert value(text) == number


@pytest.mark.parametrize("text", ["", "-", "1,23", "abc", "1/2"])
def test_what_is_no_number_is_named(text):
    with pytest.raises(AuditError, match="is no number"):
        value(text)


@given(hidden, st.integers(0, 4), st.sampled_from([*ROUNDINGS, "ROUND_HALF_DOWN"]), st.booleans())
def test_a_number_lies_in_what_its_print_stands_for(number, digits, rounding, negative):
    number = -number if negative else number
    text = printed(number, digits, rounding)
    way = {"ROUND_DOWN": "truncated", "ROUND_UP": "rounded up"}.get(rounding, "to nearest")
    inside = Interval(Fraction(number), Fraction(number))
    assert stands_for(text, way).meets(inside)
    # A truncated or raised number that has no more digits is the end that belongs.
    assert stands_for(text, "mixed").meets(inside)


def test_open_ends_do_not_meet():
    assert not Interval(Fraction(0), Fraction(1), high_open=True).meets(
        Interval(Fraction(1), Fraction(2))
    )


@pytest.mark.parametrize("text", ["__import__('os')", "x + 1", "2 ** 'a'", "factorial(1/2)", "1/0"])
def test_formulas_are_arithmetic_only(text):
    with pytest.raises(AuditError):
        formula(text)


@given(st.lists(hidden, min_size=2, max_size=6), st.integers(0, 3), st.sampled_from(ROUNDINGS))
def test_honest_sums_means_differences_and_ratios_never_alarm(numbers, digits, rounding):
    texts = {str(i): printed(x, digits, rounding) for i, x in enumerate(numbers)}
    total = printed(sum(numbers), digits, rounding)
    mean = Fraction(sum(map(Fraction, numbers)) / len(numbers))
    about = printed(Decimal(mean.numerator) / Decimal(mean.denominator), digits, rounding)
    first, second = numbers[:2]
    assert certainty(Sum(rule="SUM", where="x", parts=texts, printed=total)) == "consistent"
    assert certainty(Mean(rule="MEAN", where="x", numbers=texts, printed=about)) == "consistent"
    gap = printed(first - second, digits, rounding)
    pair = [texts["0"], texts["1"]]
    assert certainty(Difference(rule="DIFFERENCE", where="x", of=pair, printed=gap)) == "consistent"
    if min(value(texts["0"]), value(texts["1"])) > 0:
        ratio = printed(first / second, digits, rounding)
        assert certainty(Ratio(rule="RATIO", where="x", of=pair, printed=ratio)) == "consistent"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (Sum(rule="SUM", where="x", parts={"a": "1.0", "b": "2.0"}, printed="3.2"), "unlikely"),
        (Sum(rule="SUM", where="x", parts={"a": "1.0", "b": "2.0"}, printed="3.3"), "impossible"),
        (Sum(rule="SUM", where="x", parts={"a": "1.0", "b": "2.0"}, printed="3.1"), "consistent"),
        (Difference(rule="DIFFERENCE", where="x", of=["3", "1"], printed="5"), "impossible"),
        (Ratio(rule="RATIO", where="x", of=["306.71", "43.59"], printed="7.03"), "consistent"),
        (Ratio(rule="RATIO", where="x", of=["306.71", "43.59"], printed="7.02"), "impossible"),
        (Formula(rule="FORMULA", where="x", formula="2**10", printed="1,024"), "consistent"),
        (Formula(rule="FORMULA", where="x", formula="2**10", printed="1,000"), "impossible"),
    ],
)
def test_arithmetic_settles_these(declared, expected):
    assert certainty(declared) == expected


pairs_of_times = st.lists(st.tuples(hidden, hidden), min_size=2, max_size=6)


@given(pairs_of_times, st.integers(0, 3), st.sampled_from(ROUNDINGS))
def test_a_mean_of_ratios_never_alarms(trials, digits, rounding):
    n = len(trials)
    means = [printed(sum(column) / n, digits, rounding) for column in zip(*trials, strict=True)]
    ratio = printed(sum(first / second for first, second in trials) / n, digits, rounding)
    if min(map(value, means)) > 0:
        declared = Ratio(rule="RATIO", where="x", of=means, printed=ratio, trials=n)
        assert certainty(declared) == "consistent"


def test_a_mean_of_ratios_is_no_excuse_for_everything():
    about = {"rule": "RATIO", "where": "x", "of": ["100.0", "10.0"]}
    assert certainty(Ratio(**about, printed="15.0")) == "impossible"
    assert certainty(Ratio(**about, printed="15.0", trials=10)) == "consistent"
    assert certainty(Ratio(**about, printed="0.90", trials=10)) == "impossible"


def test_a_ratio_to_zero_is_refused():
    with pytest.raises(ValueError, match="must be positive"):
        Ratio(rule="RATIO", where="x", of=["1", "0.0"], printed="3")


@given(st.lists(hidden, min_size=2, max_size=6), st.integers(0, 2), st.sampled_from(ROUNDINGS))
def test_sorted_numbers_never_alarm_when_printed(numbers, digits, rounding):
    texts = {str(i): printed(x, digits, rounding) for i, x in enumerate(sorted(numbers))}
    declared = Monotone(rule="MONOTONE", where="x", numbers=texts, direction="never falls")
    assert certainty(declared) == "consistent"


def test_a_step_the_wrong_way_is_impossible():
    texts = {"1": "3.0", "2": "3.1", "3": "2.0"}
    declared = Monotone(rule="MONOTONE", where="x", numbers=texts, direction="never rises")
    assert "1 3.0, 2 3.1" in declared.check().evidence
    assert certainty(declared) == "impossible"


tables = st.lists(st.lists(hidden, min_size=3, max_size=3), min_size=1, max_size=5)


@given(tables, st.integers(0, 2), st.sampled_from(ROUNDINGS))
def test_honest_ranks_wins_and_bests_never_alarm(rows, digits, rounding):
    shown = {
        str(i): {str(j): printed(x, digits, rounding) for j, x in enumerate(row)}
        for i, row in enumerate(rows)
    }
    ranks = np.array([stats.rankdata([-float(x) for x in row]) for row in rows]).mean(axis=0)
    means = {
        str(j): printed(Decimal(float(rank)), 2, ROUND_HALF_UP) for j, rank in enumerate(ranks)
    }
    declared = Rank(rule="RANK", where="x", rows=shown, better="higher", mean_ranks=means)
    assert certainty(declared) == "consistent"
    wins = sum(row[0] > row[1] for row in rows)
    ties = sum(row[0] == row[1] for row in rows)
    pairs = {name: [row["0"], row["1"]] for name, row in shown.items()}
    counts = {"wins": wins, "ties": ties, "losses": len(rows) - wins - ties}
    declared = WinCount(rule="COUNT", where="x", pairs=pairs, better="higher", **counts)
    assert certainty(declared) == "consistent"
    for i, row in enumerate(rows):
        best = str(int(np.argmax([float(x) for x in row])))
        table = {"row": shown[str(i)]}
        declared = Best(rule="BEST", where="x", rows=table, better="higher", best=best)
        assert certainty(declared) == "consistent"


def test_ranks_of_distinct_numbers_have_no_play():
    row = {"a": "1.0", "b": "3.0", "c": "2.0"}
    assert [rank_ends(row, name, "lower") for name in row] == [(1, 1), (3, 3), (2, 2)]


def test_wrong_ranks_wins_and_bests_are_impossible():
    rows = {"r": {"a": "1.0", "b": "2.0"}, "s": {"a": "1.5", "b": "2.5"}}
    assert (
        certainty(Rank(rule="RANK", where="x", rows=rows, better="higher", mean_ranks={"a": "1.0"}))
        == "impossible"
    )
    pairs = {name: list(row.values()) for name, row in rows.items()}
    declared = WinCount(rule="COUNT", where="x", pairs=pairs, better="higher", wins=1)
    assert certainty(declared) == "impossible"
    declared = Best(rule="BEST", where="x", rows=rows, better="higher", best="a", marked=True)
    assert certainty(declared) == "impossible"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "overstated"),
        ({"hedge": "in nearly all cases"}, "consistent"),
        ({"exceptions": {"t": "but not on t"}}, "consistent"),
        ({"exceptions": {"s": "but not on s"}}, "overstated"),
        ({"marked": True}, "impossible"),
        ({"marked": True, "unless": "lower is better"}, "unlikely"),
    ],
)
def test_a_sentence_is_held_to_what_it_says(fields, expected):
    rows = {name: {"a": "3", "b": "2"} for name in "rsu"} | {"t": {"a": "1", "b": "2"}}
    declared = Best(rule="BEST", where="x", rows=rows, better="higher", best="a", **fields)
    assert declared.weigh().certainty == expected


def test_a_hedge_covers_less_than_half_of_the_rows():
    rows = {"r": {"a": "3", "b": "2"}, "t": {"a": "1", "b": "2"}}
    about = {"rule": "BEST", "where": "x", "rows": rows, "better": "higher", "best": "a"}
    assert certainty(Best(**about, hedge="in most cases")) == "overstated"


def test_an_exception_must_be_a_row():
    about = {"rule": "BEST", "where": "x", "rows": {"r": {"a": "1"}}, "better": "lower"}
    with pytest.raises(ValueError, match="no rows: \\['s'\\]"):
        Best(**about, best="a", exceptions={"s": "not on s"})


def test_prose_is_overstated_where_a_number_is_impossible():
    about = {"rule": "COUNT", "where": "x", "pairs": {"r": ["1", "2"]}, "better": "higher"}
    assert WinCount(**about, wins=1).weigh().certainty == "impossible"
    outcome = WinCount(**about, wins=1, prose="always better").weigh()
    assert (outcome.certainty, outcome.evidence[-26:]) == (
        "overstated",
        'The text: "always better".',
    )
    assert WinCount(**about, losses=1, prose="always worse").weigh().certainty == "consistent"


samples = st.lists(st.floats(0, 100, allow_nan=False), min_size=2, max_size=12)


@given(samples, st.integers(1, 3))
def test_honest_spreads_within_bounds_never_alarm(sample, digits):
    # Floating-point sums may lie a hair beyond the limit; a unit more of the last digit is allowed
    # for by rounding up, which `settle` tries.
    pair = [f"{np.mean(sample):.{digits}f}", f"{np.std(sample, ddof=1):.{digits}f}"]
    declared = Range(
        rule="RANGE", where="x", numbers={"a": pair}, n=len(sample), bounds=["0", "100"]
    )
    assert certainty(declared) == "consistent"


def test_the_greatest_variance_is_reached_on_the_bounds():
    variance = greatest_variance("50", 10, ("0", "100"))
    assert math.isclose(float(variance), np.var([0, 100] * 5, ddof=1))


def test_a_spread_beyond_the_bounds_is_impossible():
    declared = Range(
        rule="RANGE", where="x", numbers={"a": ["99.0", "12.0"]}, n=10, bounds=["0", "100"]
    )
    assert certainty(declared) == "impossible"


pairs = st.integers(3, 20).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(0, 10), min_size=n, max_size=n)] * 2)
)


@pytest.mark.filterwarnings("ignore:Precision loss")
@given(pairs)
def test_the_p_values_of_data_lie_within_what_their_summaries_allow(data):
    first, second = map(np.array, data)
    n = [len(first), len(second)]
    groups = [[f"{x.mean():.2f}", f"{x.std(ddof=1):.2f}"] for x in (first, second)]
    tests = {
        (False, "student"): lambda: stats.ttest_ind(first, second),
        (False, "welch"): lambda: stats.ttest_ind(first, second, equal_var=False),
        (True, "paired"): lambda: stats.ttest_rel(first, second),
    }
    for (paired, _), test in tests.items():
        with np.errstate(all="ignore"):
            p = test().pvalue
        if np.isfinite(p):
            low, high = p_ends(groups, n, paired=paired)
            # scipy's own last digits.
            assert low - 1e-9 <= p <= high + 1e-9


def test_significance_that_no_rounding_gives_is_impossible():
    groups = {"a": ["2.72", "0.22"], "b": ["2.77", "0.59"]}
    about = {"rule": "PVALUE", "where": "x", "groups": groups, "n": [20, 20], "level": "0.05"}
    assert certainty(PValue(**about, paired=False, significant=True)) == "impossible"
    assert certainty(PValue(**about, paired=False, significant=False)) == "consistent"


def test_pairs_may_differ_by_much_less_than_either_spreads():
    groups = {"a": ["2.72", "0.59"], "b": ["2.77", "0.59"]}
    about = {"rule": "PVALUE", "where": "x", "groups": groups, "n": [20, 20], "level": "0.05"}
    assert certainty(PValue(**about, paired=False, significant=True)) == "impossible"
    assert certainty(PValue(**about, paired=True, significant=True)) == "consistent"


def test_a_printed_p_value_is_compared_with_the_reach():
    groups = {"a": ["67.1", "7.1"], "b": ["70.9", "6.9"]}
    about = {"rule": "PVALUE", "where": "x", "groups": groups, "n": [32, 32]}
    assert certainty(PValue(**about, paired=True, printed="5.59e-3")) == "consistent"
    assert certainty(PValue(**about, paired=False, printed="5.59e-3")) == "impossible"


def test_standard_errors_are_standard_deviations_over_root_n():
    by_sd = p_ends([["5.000", "1.000"], ["4.000", "1.000"]], [4, 4], paired=False)
    by_se = p_ends([["5.000", "0.5000"], ["4.000", "0.5000"]], [4, 4], paired=False, spread="se")
    # Half a unit of the last printed digit apart.
    assert np.allclose(by_sd, by_se, rtol=2e-3)


def test_eight_wins_of_ten_are_not_significant():
    declared = Sign(rule="SIGN", where="x", wins=8, n=10, level="0.05", significant=True)
    assert certainty(declared) == "impossible"
