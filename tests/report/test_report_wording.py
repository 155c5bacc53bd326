import pytest

from icml2008.report import wording


@pytest.mark.parametrize(
    ("half_unit", "places"), [(0.5, 1), (0.05, 2), (0.005, 3), (5.0, 0), (50000.0, 0)]
)
def test_decimals_are_one_more_than_printed(half_unit, places):
    assert wording.decimals({"half_unit": half_unit}) == places


@pytest.mark.parametrize(
    ("verdict", "places"),
    [
        ({"comparison": "exactly", "half_unit": 0.5, "effect": 10087.0}, 0),
        ({"comparison": "exactly", "half_unit": 0.5, "effect": 10086.5}, 1),
        ({"comparison": "near", "half_unit": 0.5, "tolerance": 0.05, "effect": 0.94}, 2),
        ({"comparison": "near", "half_unit": 0.05, "tolerance": 3.0, "effect": 0.94}, 2),
    ],
)
def test_decimals_tell_a_number_from_the_one_beside_it(verdict, places):
    assert wording.decimals(verdict) == places


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (-0.04, 1, "0.0"),
        (-1.5, 2, "−1.50"),
        (3.2e-10, 12, "3.2e−10"),
        (0.0, 12, "0"),
        (-0.15, 12, "−0.15"),
        (float("-inf"), 1, "−∞"),
    ],
)
def test_numbers_read_well(value, places, text):
    assert wording.number(value, places) == text


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        ({"comparison": "below", "printed": "<0.05"}, "below 0.05"),
        ({"comparison": "near", "printed": "0.868 +- 0.028"}, "0.868 ± 0.028"),
        ({"comparison": "near", "printed": "-5/6"}, "−5/6"),
        ({"comparison": "exactly", "printed": "905,970"}, "905,970"),
        ({"comparison": "never_violated", "tolerance": 1e-9}, "at most 1e−09"),
        ({"comparison": "near"}, ""),
    ],
)
def test_the_printed_side_reads_as_printed(verdict, text):
    assert wording.printed(verdict) == text


def test_an_end_that_there_is_not_is_infinite():
    assert wording.interval({"low": 1.0, "high": None, "se": 0.5}) == "[1.00, ∞]"


def test_a_fraction_has_a_value():
    assert wording.printed_value({"printed": "5/6"}) == pytest.approx(5 / 6, rel=1e-15)
