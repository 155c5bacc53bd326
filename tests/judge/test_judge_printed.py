"""Printed strings, one of each shape that the proceedings have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.judge.printed import PrintedError, parse


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("75.00", 75.0, 0.005),
        ("428770", 428770, 0.5),
        (".07", 0.07, 0.005),
        ("-0.50183", -0.50183, 0.000005),
        ("\N{MINUS SIGN}3", -3, 0.5),
        ("5.59e-3", 5.59e-3, 0.005e-3),
        ("1.8097e+02", 180.97, 0.005),
        ("1e6", 1e6, 0.5e6),
        ("905,970", 905970, 0.5),
        ("3.2K", 3200, 50),
        ("32M", 32e6, 0.5e6),
        ("3.2B", 3.2e9, 0.05e9),
    ],
)
def test_number_has_half_a_unit_of_its_last_digit(text, value, half_unit):
    printed = parse(text)
    assert (printed.value, printed.half_unit) == (pytest.approx(value), pytest.approx(half_unit))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("10%", 10, "percent"),
        ("552 s", 552, "seconds"),
        ("4m", 240, "seconds"),
        ("4.4 h", 15840, "seconds"),
        ("3h25m", 12300, "seconds"),
        ("0.5", 0.5, None),
    ],
)
def test_unit_is_read_where_it_is_printed(text, value, unit):
    printed = parse(text)
    assert (printed.value, printed.unit) == (pytest.approx(value), unit)


@pytest.mark.parametrize("sign", [" +- ", "+-", " \N{PLUS-MINUS SIGN} "])
def test_spread_follows_its_sign(sign):
    printed = parse(f"0.868{sign}0.028")
    assert (printed.value, printed.half_unit) == (0.868, 0.0005)
    assert (printed.spread, printed.spread_half_unit) == (0.028, 0.0005)


@pytest.mark.parametrize(
    ("text", "bound", "value"), [(">500", ">", 500), ("> 2.0e7", ">", 2e7), ("<=0.05", "<=", 0.05)]
)
def test_bound_is_a_number_with_its_sign(text, bound, value):
    printed = parse(text)
    assert (printed.bound, printed.value) == (bound, value)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("30/0", [30, 0]),
        ("0/30/3", [0, 30, 3]),
        ("80.80/476", [80.8, 476]),
        ("6/-", [6, None]),
        ("31 (20)", [31, 20]),
        ("- (0)", [None, 0]),
        ("55-60", [55, 60]),
    ],
)
def test_several_numbers_are_items(text, items):
    printed = parse(text)
    assert printed.value is None
    assert [item.value for item in printed.items] == items


@pytest.mark.parametrize(("text", "value"), [("-5/6", -5 / 6), ("16/31", 16 / 31)])
def test_two_whole_numbers_are_a_fraction(text, value):
    assert parse(text).fraction == pytest.approx(value)


@pytest.mark.parametrize("text", ["3/0", "0/30/3", "6/-", "31 (20)"])
def test_other_items_are_no_fraction(text):
    assert parse(text).fraction is None


def test_nothing_printed_has_no_value():
    assert parse("-").value is None
    assert parse("-").items == ()


@pytest.mark.parametrize(
    "text",
    ["RF", "none", "a little more than 1", "1/(2 sigma^2)", "(1+2g)^2/(1-g)^2", "", "e5", "1 +- x"],
)
def test_words_and_formulas_are_errors_that_name_the_claim(text):
    with pytest.raises(PrintedError, match="claim 'accuracies'"):
        parse(text, where="claim 'accuracies'")


def test_numbers_that_lost_their_zeros_are_errors():
    with pytest.raises(PrintedError, match="quote printed numbers"):
        parse(75.0)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9))
def test_every_decimal_is_within_its_half_unit(number):
    text = f"{number:f}"
    printed = parse(text)
    assert printed.value == float(number)
    digits = len(text.partition(".")[2])
    assert printed.half_unit == pytest.approx(0.5 * 10.0**-digits)
