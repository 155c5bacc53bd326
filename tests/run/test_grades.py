"""How far a mean may move."""

import statistics
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.run.reference.grades import ARITHMETIC, MOVED, SAME, Shift, grade, shifts

AT = ("{}", "method", "metric")
values = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=9)


def shift(old, new, resolution=0.0, spread=1.0):
    return Shift("experiment", AT, tuple(old), tuple(new), resolution, spread)


@given(values)
def test_equal_values_are_the_same(old):
    assert grade(shift(old, old, spread=0.0), None, False) == SAME


@given(values, st.floats(0.5, 1e3))
def test_half_a_spread_is_never_taken_for_arithmetic(old, factor):
    spread = statistics.stdev(old) + 1.0
    new = [value + factor * spread for value in old]
    assert grade(shift(old, new, spread=spread), None, False) == MOVED


@pytest.mark.parametrize(
    ("change", "recorded", "chaotic", "expected"),
    [
        (0.09, None, False, ARITHMETIC),
        (0.11, None, False, MOVED),
        (0.4, {"change": 0.2, "largest": 0.9, "rms": 0.1}, False, ARITHMETIC),
        (0.5, {"change": 0.2, "largest": 0.9, "rms": 0.1}, False, MOVED),
        (0.5, {"change": 0.5, "largest": 0.9, "rms": 0.1}, False, ARITHMETIC),
        (0.5, {"change": 0.2, "largest": 0.9, "rms": 0.4}, False, ARITHMETIC),
        (2.1, None, True, ARITHMETIC),
        (2.2, None, True, MOVED),
    ],
)
def test_what_is_allowed_follows_from_the_record_and_the_repeats(
    change, recorded, chaotic, expected
):
    """Four repeats of spread 1: 0.1, or 0.9 / sqrt(4), or 3 x 0.4 / sqrt(4), or 3 x sqrt(2 / 4)."""
    old = [0.0, 0.0, 0.0, 0.0]
    assert grade(shift(old, [change] * 4), recorded, chaotic) == expected


def test_a_test_case_more_or_less_is_the_same():
    assert grade(shift([50.0, 50.0], [50.0, 52.0], 1.0, 0.0), None, False) == SAME
    assert grade(shift([50.0, 50.0], [52.0, 52.0], 1.0, 0.0), None, False) == MOVED


def test_a_repeat_that_fails_now_is_moved_however_chaotic():
    failed = shift([1.0, 2.0], [1.0, None])
    assert grade(failed, {"change": 9.0, "largest": 9.0, "rms": 9.0}, True) == MOVED
    assert failed.to_json()["new"] == "1 values"


@pytest.mark.parametrize(
    ("bounds", "n_test", "values", "expected"),
    [
        ((0, 100), 50, [10.0] * 4, 2 / 2),  # a case is two per cent, and four repeats halve it
        ((0, None), 50, [10.0, -500.0, 20.0, 30.0], 500e-6),
        ((0, 100), None, [10.0, 20.0, 30.0, 40.0], 40e-6),
        (None, None, [1e-5] * 4, 1e-9),
        (None, None, [None] * 4, 0),
    ],
)
def test_a_resolution_is_a_test_case_or_else_a_rounding_of_the_largest_value(
    bounds, n_test, values, expected
):
    line = {"kind": "measurement", "cell": {}, "method": "A", "metric": "m", "n_test": n_test}
    lines = [{**line, "repeat": repeat, "value": value} for repeat, value in enumerate(values)]
    paper = SimpleNamespace(metrics={"m": SimpleNamespace(bounds=bounds)})
    (seen,) = shifts(paper, [{"experiment": "e"}, *lines], [{"experiment": "e"}, *lines])
    assert seen.resolution == pytest.approx(expected, rel=1e-12)
    assert seen.old == seen.new == tuple(values)
