"""Results beyond bounds, floors and ceilings are found, and what chance explains is not."""

import numpy as np
import pytest

from icml2008.judge.controls import Controls, is_controlled
from icml2008.judge.estimates import mean_of
from icml2008.judge.measures import Metric
from icml2008.judge.outside import outside

ACCURACY = Metric(unit="percent", bounds=(0, 100), better="higher")
ERROR = Metric(unit="percent", bounds=(0, 100), better="lower")
LOW, HIGH = ([middle - 2, middle, middle + 1, middle, middle + 1, middle] for middle in (40, 60))
GUESS = {"floor": {"value": "50", "why": "Of two classes one is right."}}


@pytest.fixture
def outside_of(make_records):
    """Return a function from series and controls to what lies outside, in a few words."""

    def ask(series, metric=ACCURACY, **controls):
        controls = [Controls(metrics=["accuracy"], **controls)] if controls else []
        results = outside(make_records(series), controls, {"accuracy": metric})
        return [(result.cell, result.method, result.side) for result in results]

    return ask


def test_a_method_below_the_floor_is_found(outside_of):
    assert outside_of({("", "A"): LOW, ("", "B"): HIGH}, **GUESS) == [("", "A", "floor")]


def test_of_errors_the_floor_is_the_larger_number(outside_of):
    assert outside_of({("", "A"): LOW, ("", "B"): HIGH}, metric=ERROR, **GUESS) == [
        ("", "B", "floor")
    ]


@pytest.mark.parametrize(("metric", "method"), [(ACCURACY, "B"), (ERROR, "A")])
def test_a_method_better_than_the_best_possible_is_found(outside_of, metric, method):
    bayes = {"none": "Only the ceiling.", "ceiling": {"value": "50", "why": "The Bayes rule."}}
    assert outside_of({("", "A"): LOW, ("", "B"): HIGH}, metric, **bayes) == [
        ("", method, "ceiling")
    ]


def test_a_method_among_the_others_is_a_control_paired_by_repeat(outside_of):
    guess = [10, 30, 50, 70, 80, 90]
    worse = [value - 2 - value % 3 for value in guess]
    assert outside_of({("", "guess"): guess, ("", "A"): worse}, floor="guess") == [
        ("", "A", "floor")
    ]
    assert outside_of({("", "guess"): guess, ("", "A"): guess}, floor="guess") == []


def test_a_floor_above_the_ceiling_is_found(outside_of):
    series = {("", "guess"): HIGH, ("", "oracle"): LOW[::-1]}
    outside = [("", "oracle", "floor"), ("", "guess", "ceiling")]
    assert outside_of(series, floor="guess", ceiling="oracle") == outside


def test_a_control_by_cell_is_of_that_cell_alone(outside_of):
    by_cell = {"floor": {"value": {"data=a": "50"}, "why": "Balanced."}}
    assert outside_of({("data=a", "A"): LOW, ("data=b", "A"): LOW}, **by_cell) == [
        ("data=a", "A", "floor")
    ]


def test_a_value_beyond_the_bounds_of_its_metric_is_found(outside_of):
    assert outside_of({("", "A"): [*HIGH, 101]}) == [("", "A", "bounds")]
    assert outside_of({("", "A"): [*HIGH, 100]}) == []


@pytest.mark.parametrize(("values", "worst"), [((-5, 102), (-5, 0)), ((-1, 103), (103, 100))])
def test_of_values_beyond_both_bounds_the_farthest_is_told(make_records, values, worst):
    records = make_records({("", "A"): [*HIGH, *values]})
    (result,) = outside(records, [], {"accuracy": ACCURACY})
    assert (result.value, result.limit) == worst


def test_a_difference_that_all_repeats_share_is_judged_by_the_room_that_it_has(outside_of):
    """Of 110 that it could fall by, 10: a chance of 0.91 to the eighth, not of 0."""
    near = {("", "A"): [60] * 8, ("", "guess"): [50] * 8}
    assert outside_of(near, metric=ERROR, floor="guess") == []
    far = {("", "A"): [99] * 8, ("", "guess"): [1] * 8}
    assert outside_of(far, metric=ERROR, floor="guess") == [("", "A", "floor")]


def test_a_control_that_was_not_run_finds_nothing(outside_of):
    assert outside_of({("", "A"): LOW}, floor="guess") == []


def test_failed_repeats_are_left_out_of_both(outside_of):
    series = {("", "A"): [*HIGH, None, 0], ("", "guess"): [*LOW, 0, None]}
    assert outside_of(series, floor="guess") == []


def test_two_repeats_are_not_enough(outside_of):
    assert outside_of({("", "A"): [45, 46]}, **GUESS) == []


def test_guessers_are_rarely_below_what_they_guess(outside_of):
    """Of 400 experiments with 20 methods that guess, at most 2.5 %, and two deviations more."""
    rng = np.random.default_rng(0)
    draws = rng.binomial(200, 0.5, size=(400, 20, 10)) / 2
    flagged = [outside_of({("", str(k)): v for k, v in enumerate(draw)}, **GUESS) for draw in draws]
    assert 0 < sum(map(bool, flagged)) <= 400 * (0.025 + 2 * np.sqrt(0.025 / 400))


@pytest.mark.parametrize(
    ("bounds", "better", "controlled"),
    [
        ((0, 100), "lower", True),
        ((0, 1), "higher", True),
        ((0, 100), "neither", False),
        ((0, None), "lower", False),
        ((-1, 1), "higher", False),
    ],
)
def test_controls_are_for_what_runs_from_0_to_a_bound_as_accuracy_does(bounds, better, controlled):
    assert is_controlled(Metric(unit="of 1", bounds=bounds, better=better)) == controlled


def test_a_share_lies_beyond_a_constant_only_where_its_exact_p_value_says_it(make_records):
    # Of six runs one had a hit: Student's t puts this below 15 %, the exact limits do not.
    skewed = [0, 0, 0, 0, 0, 20]
    even = [3, 4, 5, 4, 3, 4]
    floor = Controls(metrics=["accuracy"], floor={"value": "15", "why": "The rate of hits."})
    records = make_records({("", "A"): skewed, ("", "B"): even})
    results = outside(records, [floor], {"accuracy": ACCURACY})
    assert mean_of(skewed, bounds=(0, 100)).p_below(15) < 0.025 / 2
    assert [result.method for result in results] == ["B"]
    assert results[0].p == mean_of(even, bounds=(0, 100), shares=True).p_below(15)
