"""Which measurements a claim is judged from."""

import pytest

from icml2008.judge.grid import ClaimError
from icml2008.judge.measures import Metric
from icml2008.judge.recorded import RecordError

MEAN = {"mean": "A"}


@pytest.fixture
def sizes(around):
    """Return the series of a method that gains 2 points a size."""
    return {(f"size={s}", "A"): around(50 + 2 * s, 1, 8) for s in (1, 2, 10)}


def test_points_along_a_coordinate_are_in_numeric_order(judge, sizes):
    (verdict,) = judge(sizes, statistic={"slope": "A", "along": "size"}, above="0")
    assert verdict.inputs["points"] == ["1", "2", "10"]
    assert verdict.effect == pytest.approx(2.0)


def test_points_can_be_picked(judge, sizes):
    statistic = {"slope": "A", "along": "size", "points": [1, 2]}
    (verdict,) = judge(sizes, statistic=statistic, above="0")
    assert verdict.inputs["points"] == ["1", "2"]


def test_log_scale_is_that_of_the_coordinate(judge, around):
    series = {(f"size={10**k}", "A"): around(50 + k, 1, 8) for k in (0, 1, 2)}
    statistic = {"slope": "A", "along": "size", "log": True}
    (verdict,) = judge(series, statistic=statistic, above="0")
    assert verdict.effect == pytest.approx(1 / 2.302585)


def test_where_fixes_a_coordinate(judge, sizes):
    (verdict,) = judge(sizes, statistic=MEAN | {"where": {"size": 10}}, above="60")
    assert verdict.effect == pytest.approx(70.0)


def test_all_cells_are_taken_across(judge, sizes):
    (verdict,) = judge(sizes, statistic=MEAN | {"across": {"size": "all"}}, above="50")
    assert verdict.effect == pytest.approx(50 + 2 * 13 / 3)


def test_a_part_without_records_is_untested_across_all_cells_too(judge, sizes):
    statistic = MEAN | {"across": {"size": "all"}}
    whole, *_ = judge({**sizes}, statistic=statistic, each={"size": [11]}, above="0")
    assert (whole.verdict, whole.reason[:7]) == ("untested", "not yet")


def test_open_coordinates_are_an_error(judge, sizes):
    with pytest.raises(ClaimError, match="several cells for the claim: fix size"):
        judge(sizes, statistic=MEAN, above="0")


def test_unknown_coordinate_names_the_nearest(judge, sizes):
    with pytest.raises(ClaimError, match="no coordinate 'sise'; did you mean 'size'"):
        judge(sizes, statistic=MEAN, each={"sise": [1]}, above="0")


def test_unknown_method_names_claim_and_nearest(judge, sizes):
    with pytest.raises(
        RecordError, match="p: claim 'c': .*no method 'AA' at size=1; did you mean 'A'"
    ):
        judge(sizes, statistic={"mean": "AA"}, each={"size": [1]}, above="0")


def test_coordinate_along_has_to_be_numeric(judge, around):
    series = {(f"d={d}", "A"): around(50, 1, 8) for d in "xy"}
    with pytest.raises(ClaimError, match="`along: d` needs numbers, found"):
        judge(series, statistic={"slope": "A", "along": "d"}, above="0")


def test_number_in_another_unit_is_refused(judge, around):
    series = {("", "A"): around(0.6, 0.1, 8)}
    metric = Metric(unit="share", bounds=(0, 1))
    with pytest.raises(ClaimError, match="'60%' is printed in percent, accuracy is in share"):
        judge(series, metric=metric, statistic=MEAN, near="60%")


def test_method_of_each_part_fills_the_placeholder(judge, around):
    series = {("", m): around(mean, 1, 8) for m, mean in (("A", 60), ("B", 70))}
    _, a, b = judge(series, statistic={"mean": "{method}"}, each={"method": ["A", "B"]}, above="0")
    assert (a.effect, b.effect) == (pytest.approx(60), pytest.approx(70))
    assert b.statistic == "mean of B"


def test_order_of_record_lines_does_not_matter(make_records, around):
    series = {("", "A"): around(60, 1, 9), ("", "B"): around(50, 1, 9)}
    forward = make_records(series)
    backward = make_records(dict(reversed(series.items())))
    assert forward.series((), "A", "accuracy") == backward.series((), "A", "accuracy")


def test_invariant_counts_instances_not_repeats(judge):
    series = {("", "A"): [0.0, 0.0, 0.0]}
    never = {"instances": 300, "tolerance": "1e-9"}
    (verdict,) = judge(series, n_test=100, statistic=MEAN, never_violated=never)
    assert verdict.verdict == "confirmed"


def test_violated_invariant_keeps_the_instance(judge):
    series = {("", "A"): [0.0, 3e-6, 0.0]}
    never = {"instances": 3, "tolerance": "1e-9"}
    (verdict,) = judge(series, statistic=MEAN, never_violated=never)
    assert (verdict.verdict, verdict.effect) == ("refuted", 3e-6)
    assert verdict.values == [0.0, 3e-6, 0.0]


def test_failed_instance_leaves_an_invariant_open(judge):
    series = {("", "A"): [0.0, None, 0.0]}
    never = {"instances": 2, "tolerance": "1e-9"}
    (verdict,) = judge(series, statistic=MEAN, never_violated=never)
    assert (verdict.verdict, verdict.hindrance) == ("inconclusive", "failures")


@pytest.mark.parametrize(
    ("repeats", "deterministic", "word"),
    [(2, True, "confirmed"), (6, False, "confirmed"), (5, False, "inconclusive")],
)
def test_exact_numbers_need_six_repeats_or_determinism(judge, repeats, deterministic, word):
    content = {"statistic": MEAN, "exactly": "17", "deterministic": deterministic}
    (verdict,) = judge({("", "A"): [17] * repeats}, **content)
    assert verdict.verdict == word


def test_instances_without_a_violation_exclude_a_rate(judge):
    never = {"instances": 300, "tolerance": "0"}
    (verdict,) = judge({("", "A"): [0] * 6}, n_test=50, statistic=MEAN, never_violated=never)
    assert verdict.rate_bound == pytest.approx(1 - 0.05 ** (1 / 300))
    assert "which excludes a rate of 0.99 % or more" in verdict.reason


def test_fixed_data_that_are_met_again_are_no_new_instances(judge):
    never = {"instances": 6, "tolerance": "1e-9"}
    about = {"statistic": MEAN, "never_violated": never, "resampling": {"kind": "fixed"}}
    same = judge({("", "A"): [1e-12] * 6}, **about)[0]
    other = [1e-12] * 5 + [2e-12]
    assert (same.verdict, same.rate_bound) == ("confirmed", None)
    assert judge({("", "A"): other}, **about)[0].rate_bound is not None


def test_skewed_repeats_are_pointed_out(judge):
    plain = Metric(unit="nats")
    skewed = [0.0, 0.1, 0.2, 0.1, 0.0, 0.2, 0.1, 9.0]
    (verdict,) = judge({("", "A"): skewed}, metric=plain, statistic=MEAN, above="0")
    assert verdict.skewness > 2
    assert "repeats are skewed" in verdict.reason
    (even,) = judge({("", "A"): [1, 2, 3, 4, 5, 6]}, metric=plain, statistic=MEAN, above="0")
    assert even.skewness == pytest.approx(0)
    assert "skewed" not in even.reason


def test_a_sample_of_one_data_set_is_no_fresh_data(judge, around):
    sampled = {"kind": "resplit", "n_train": 100, "n_test": 50}
    about = {"statistic": MEAN, "above": "0", "each": {"data": ["drawn", "digits"]}}
    series = {(f"data={name}", "A"): around(9.0, 1.0, 8) for name in ("drawn", "digits")}
    resampling = {"kind": "fresh", "where": {"data=digits": sampled}}
    _, drawn, digits = judge(series, resampling=resampling, **about)
    assert (digits.part, drawn.part) == ("data=digits", "data=drawn")
    assert drawn.generalises_se == pytest.approx(8**-0.5)
    assert digits.generalises_se == pytest.approx((1 / 8 + 0.5) ** 0.5)


def test_all_failed_decides_nothing(judge):
    (verdict,) = judge({("", "A"): [None] * 8}, statistic=MEAN, above="0")
    assert verdict.verdict == "inconclusive"
    assert verdict.reason == "all 8 trials failed (ValueError: no)"


def cases(method, rows):
    return [
        {"kind": "cases", "cell": {}, "repeat": r, "method": method, "cases": list(row)}
        for r, row in enumerate(rows)
    ]


def test_fixed_split_generalises_over_its_test_cases(judge):
    rows = [[1] * 80 + [0] * 20, [1] * 78 + [0] * 22] * 4
    series = {("", "A"): [sum(row) for row in rows]}
    extra = cases("A", rows)
    (verdict,) = judge(
        series, statistic=MEAN, above="75", resampling={"kind": "fixed"}, extra=extra
    )
    assert (verdict.verdict, verdict.generalises) == ("confirmed", "inconclusive")
    assert "new test cases (100)" in verdict.generalises_method


def test_outcomes_that_are_not_the_metric_say_nothing_of_new_cases(judge):
    rows = [[1] * 80 + [0] * 20] * 8
    extra = cases("A", rows)
    (verdict,) = judge(
        {("", "A"): [50.0] * 8},
        statistic=MEAN,
        above="40",
        resampling={"kind": "fixed"},
        extra=extra,
    )
    assert verdict.generalises is None


@pytest.mark.parametrize("value", [120.0, -0.1])
def test_a_value_beyond_the_bounds_of_its_metric_is_refused(judge, value):
    message = rf"p: claim 'c': p/e records accuracy {value:g}, beyond its bounds \[0, 100\]"
    with pytest.raises(RecordError, match=message):
        judge({("", "A"): [90.0] * 7 + [value]}, statistic=MEAN, above="50")


def test_rounding_beyond_a_bound_is_none(judge):
    values = [99.0] * 7 + [100 + 2e-14]
    assert judge({("", "A"): values}, statistic=MEAN, above="50")[0].verdict == "confirmed"


def test_a_metric_without_bounds_takes_any_value(judge):
    series = {("", "A"): [-1e6, 1e6] * 4}
    assert judge(series, metric=Metric(unit="nats"), statistic=MEAN, above="0")[0].n == 8
