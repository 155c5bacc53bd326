"""Claims: what is allowed, and what the errors say."""

import math

import pytest
from pydantic import ValidationError

from icml2008.judge.claims import Claim
from icml2008.judge.measures import Metric, Resampling, Statistic

MEAN = {"mean": "A", "metric": "accuracy", "experiment": "e"}


def claim(**content):
    return Claim.model_validate({"says": "It is so.", "statistic": MEAN, **content})


def reference(**content):
    return claim(**content).printed_side({})


def test_printed_string_with_spread_is_read():
    side = reference(near="67.1 +- 7.1", n=32)
    assert (side.value, side.half_unit, side.spread, side.n) == (67.1, 0.05, 7.1, 32)


def test_spread_can_be_declared_a_standard_error():
    assert reference(near="67.1 +- 7.1", n=4, spread="se").spread == pytest.approx(14.2)


def test_unsaid_number_of_repeats_is_one():
    assert reference(near="67.1").n == 1


def test_bound_in_print_is_a_floor():
    assert reference(above=">500").value == 500


def test_fraction_is_exact():
    side = reference(exactly="-5/6")
    assert (side.value, side.half_unit) == (pytest.approx(-5 / 6), 0)


def test_parts_are_the_product_of_their_coordinates():
    parts = claim(
        statistic=MEAN | {"mean": "{method}"}, each={"method": ["A", "B"], "d": [1, 2]}, above="0"
    ).parts()
    assert parts == [{"d": d, "method": m} for d in ("1", "2") for m in ("A", "B")]


def test_a_dash_takes_a_part_out():
    parts = claim(each={"d": ["x", "y"]}, near={"x": "1.0", "y": "-"}).parts()
    assert parts == [{"d": "x"}]


def test_a_table_says_the_same_as_parts_in_full():
    each = {"method": ["A", "B"], "d": ["x", "y"]}
    mean = MEAN | {"mean": "{method}"}
    table = {"A": {"x": "1.0", "y": {"value": "2.0", "n": 5}}, "B": {"x": "-", "y": "4.0"}}
    full = {"d=x,method=A": {"value": "1.0", "gap": "0.3"}, "d=x,method=B": "-"}
    full |= {"d=y,method=A": {"value": "2.0", "n": 5, "gap": "0.4"}}
    full |= {"d=y,method=B": {"value": "4.0", "gap": "0.4"}}
    shorthand = claim(each=each, statistic=mean, near=table, gap={"x": "0.3", "y": "0.4"})
    assert shorthand == claim(each=each, statistic=mean, near=full)
    turned = {"x": {"A": "1.0", "B": "-"}, "y": {"A": table["A"]["y"], "B": "4.0"}}
    gaps = {"A": {"x": "0.3", "y": "0.4"}, "B": {"y": "0.4"}}
    assert shorthand == claim(each=each, statistic=mean, near=turned, gap=gaps)


def test_repeated_part_counts_once():
    assert claim(each={"d": ["x", "x"]}, above="0").parts() == [{"d": "x"}]


def test_recorded_claim_needs_no_statistic():
    recorded = Claim.model_validate({"says": "So.", "kind": "value", "printed": {"x": "1.0"}})
    assert (recorded.comparison, recorded.parts()) == ("", [{}])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"above": 0}, "above"),
        ({"above": "0", "near": "1"}, "one of above, below, near"),
        ({}, "one of above, below, near"),
        ({"near": 67.1}, "string"),
        ({"near": {"value": "1", "sb": "2"}}, "near.printed.sb"),
        ({"near": "67.1 +- x"}, "cannot read '67.1 \\+- x'"),
        ({"near": ">500"}, "judge it with `above`"),
        ({"near": "30/0/3"}, "not one number"),
        ({"near": {"value": "1 +- 2", "sd": "2"}}, "give one spread"),
        ({"each": {"d": ["x"]}, "near": {"z": "1"}}, r"speaks of \['z'\], which is no part"),
        ({"each": {"d": ["x", "y"]}, "near": {"x": "1"}}, r"says nothing of \['d=y'\]"),
        ({"each": {"d": ["x"], "e": ["y"]}, "near": {"x": {"z": "1"}}}, "'z' is a value of none"),
        ({"each": {"d": ["x"], "e": ["x"]}, "near": {"x": {"x": "1"}}}, "'x' is a value of d and"),
        ({"each": {"method": ["A"]}, "above": "0"}, "go together"),
        ({"above": "0", "n": 3}, "belong to `near`"),
        ({"above": "0", "sings": "so"}, "sings"),
        ({"statistic": MEAN | {"difference": ["A", "B"]}, "above": "0"}, "exactly one of"),
        ({"statistic": MEAN | {"along": "size"}, "above": "0"}, "has no `along`"),
        ({"statistic": MEAN | {"reduce": "max"}, "above": "0"}, "needs `across`"),
        ({"untested": {"reason": "lost"}, "above": "0"}, "data not available"),
    ],
)
def test_mistakes_are_named(content, message):
    with pytest.raises(ValidationError) as caught:
        claim(**content)
    assert caught.match(message)


def test_bounds_are_ordered():
    with pytest.raises(ValidationError, match="smallest, largest"):
        Metric(unit="percent", bounds=(100, 0))


def test_open_bounds_are_infinite():
    assert Metric(unit="nats", bounds=(0, None)).limits == (0, math.inf)


@pytest.mark.parametrize(
    ("sizes", "overlap"),
    [
        ({"kind": "resplit", "train": 0.6, "test": 0.2}, 1 / 3),
        ({"kind": "resplit", "n_train": 300, "n_test": 100}, 1 / 3),
        ({"kind": "folds", "train": 0.9, "test": 0.1}, 10 / 9),
    ],
)
def test_overlap_follows_from_what_was_trained_and_tested(sizes, overlap):
    assert Resampling.model_validate(sizes).overlap == pytest.approx(overlap)


@pytest.mark.parametrize("kind", ["resplit", "folds"])
def test_overlapping_data_need_their_sizes(kind):
    with pytest.raises(ValidationError, match="needs train and test"):
        Resampling.model_validate({"kind": kind})


def test_half_a_size_is_an_error():
    with pytest.raises(ValidationError, match="both of train and test"):
        Resampling.model_validate({"kind": "resplit", "train": 0.6})


@pytest.mark.parametrize(
    ("keys", "unit"),
    [
        ({"mean": "A"}, "nats"),
        ({"difference": ["A", "B"]}, "nats"),
        ({"ratio": ["A", "B"]}, ""),
        ({"slope": "A", "along": "size"}, "nats per size"),
        ({"slope": "A", "along": "size", "log": True}, "nats per log size"),
        ({"second_difference": "A", "along": "size"}, "nats per size squared"),
        ({"rank_correlation": "A", "along": "size"}, ""),
        ({"crossing": ["A", "B"], "along": "size"}, "size"),
        ({"last_crossing": ["A", "B"], "along": "size"}, "size"),
        ({"mean": "A", "across": {"size": "all"}, "reduce": "count"}, ""),
    ],
)
def test_the_unit_is_that_of_the_statistic_not_of_its_metric(keys, unit):
    statistic = Statistic.model_validate({"metric": "loss", "experiment": "e", **keys})
    assert statistic.unit("nats") == unit
