"""GRIM, GRIMMER and DEBIT against published examples, brute force and honest data."""

import itertools
import math
from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.audit.granularity import Grim, grim, grim_of_splits
from icml2008.audit.spreads_of_outcomes import Debit, Grimmer, debit, grimmer

ROUNDINGS = [ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_HALF_DOWN, ROUND_DOWN, ROUND_UP]


def printed(number, digits, rounding):
    """Print a fraction; the square root of one is given as Decimal."""
    if isinstance(number, Fraction):
        # Enough digits that no rounding happens before the one that is meant.
        number = Decimal(number.numerator * 10**40 // number.denominator).scaleb(-40) + (
            Decimal(0) if number.numerator * 10**40 % number.denominator == 0 else Decimal("1e-41")
        )
    return str(number.quantize(Decimal(1).scaleb(-digits), rounding=rounding))


# Results that the documentation of the R package scrutiny prints for its example data.
SCRUTINY_MEANS = [
    ("7.22", 32, True), ("4.74", 25, False), ("5.23", 29, False), ("2.57", 24, False),
    ("6.77", 27, False), ("2.68", 28, True), ("7.01", 29, False), ("7.38", 26, True),
    ("3.14", 27, False), ("6.89", 31, False), ("5.00", 25, True), ("0.24", 28, False),
]  # fmt: skip
SCRUTINY_PERCENTAGES = [
    ("67.4", False), ("54.2", False), ("54.0", True), ("69.8", False), ("68.1", False),
    ("55.4", False),
]  # fmt: skip
SCRUTINY_BINARY = [
    ("0.53", "0.50", True), ("0.44", "0.50", True), ("0.77", "0.42", True),
    ("0.19", "0.35", False), ("0.34", "0.47", True), ("0.93", "0.25", True),
    ("0.12", "0.33", True),
]  # fmt: skip


@pytest.mark.parametrize(("mean", "n", "possible"), SCRUTINY_MEANS)
def test_grim_agrees_with_scrutiny_on_means(mean, n, possible):
    assert grim(mean, n) == possible


@pytest.mark.parametrize(("share", "possible"), SCRUTINY_PERCENTAGES)
def test_grim_agrees_with_scrutiny_on_percentages(share, possible):
    assert grim(share, 150, scale=100) == possible


@pytest.mark.parametrize(("mean", "sd", "possible"), SCRUTINY_BINARY)
def test_debit_agrees_with_scrutiny(mean, sd, possible):
    assert debit(mean, sd, 1683) == possible


@pytest.mark.parametrize(
    ("mean", "sd", "n", "possible"),
    [("0.50", "0.503", 100, True), ("0.05", "0.21", 20, False), ("0.05", "0.22", 20, True),
     ("0.00", "0.00", 50, True), ("1.00", "0.00", 50, True), ("1.00", "0.50", 50, False)],
)  # fmt: skip
def test_debit_agrees_with_scrutiny_at_the_edges(mean, sd, n, possible):
    assert debit(mean, sd, n) == possible


@pytest.mark.parametrize(("mean", "n"), [("5.93", 49), ("3.48", 20)])
def test_grim_finds_the_published_examples(mean, n):
    assert not grim(mean, n)


@pytest.mark.parametrize(
    ("mean", "sd", "n", "possible"), [("5.21", "1.6", 28, True), ("3.44", "2.47", 18, False)]
)
def test_grimmer_agrees_with_the_published_examples(mean, sd, n, possible):
    assert grimmer(mean, sd, n) == possible


def test_grim_is_exactly_the_set_of_rounded_means():
    means = {printed(Fraction(k, 28), 2, ROUND_HALF_EVEN) for k in range(281)}
    means |= {printed(Fraction(k, 28), 2, ROUND_HALF_UP) for k in range(281)}
    every = {f"{Decimal(k) / 100:.2f}" for k in range(1001)}
    assert {text for text in every if grim(text, 28)} == means


def test_debit_is_exactly_the_set_of_rounded_samples():
    real = set()
    for k, divisor, way in itertools.product(range(8), (6, 7), (ROUND_HALF_UP, ROUND_HALF_DOWN)):
        sd = (Decimal(k * (7 - k)) / Decimal(7 * divisor)).sqrt()
        real.add((printed(Fraction(k, 7), 2, way), printed(sd, 2, way)))
    every = itertools.product(
        (f"{k / 100:.2f}" for k in range(101)), (f"{k / 100:.2f}" for k in range(60))
    )
    assert {pair for pair in every if debit(*pair, 7)} == real


def test_grimmer_rejects_no_sample_of_four_counts_and_some_other_pairs():
    real = set()
    for sample in itertools.combinations_with_replacement(range(6), 4):
        total = sum(sample)
        squares = sum(x * x for x in sample)
        sd = (Decimal(4 * squares - total**2) / 12).sqrt()
        real.add((printed(Fraction(total, 4), 2, ROUND_HALF_UP), printed(sd, 2, ROUND_HALF_UP)))
    assert all(grimmer(*pair, 4) for pair in real)
    means = {mean for mean, _ in real}
    every = set(itertools.product(means, (f"{k / 100:.2f}" for k in range(200))))
    assert sum(not grimmer(*pair, 4) for pair in every - real) / len(every - real) > 0.5


counts = st.lists(st.integers(0, 40), min_size=2, max_size=12)


@given(counts, st.integers(0, 4), st.sampled_from(ROUNDINGS), st.sampled_from([1, 100]))
def test_an_honest_mean_never_alarms(sample, digits, rounding, scale):
    mean = printed(Fraction(sum(sample) * scale, len(sample)), digits, rounding)
    declared = Grim(rule="GRIM", where="x", numbers={"a": mean}, n={"n": len(sample)}, scale=scale)
    assert declared.check().certainty == "consistent"


@given(st.lists(st.integers(0, 45), min_size=1, max_size=10), st.sampled_from(ROUNDINGS))
def test_honest_mean_percentages_of_a_test_set_never_alarm(hits, rounding):
    numbers = {
        str(i): printed(Fraction(100 * sum(hits[: i + 1]), 45 * len(hits)), 2, rounding)
        for i in range(len(hits))
    }
    n = {"45 x repeats": 45 * len(hits)}
    outcome = Grim(rule="GRIM", where="x", numbers=numbers, n=n, scale=100).check()
    assert outcome.certainty == "consistent"


@given(counts, st.integers(1, 3), st.sampled_from(ROUNDINGS), st.booleans())
def test_honest_standard_deviations_of_counts_never_alarm(sample, digits, rounding, whole):
    n = len(sample)
    total = sum(sample)
    squares = sum(x * x for x in sample)
    divisor = n if whole else n - 1
    sd = (Decimal(n * squares - total**2) / Decimal(n * divisor)).sqrt()
    pair = [printed(Fraction(total, n), digits, rounding), printed(sd, digits, rounding)]
    outcome = Grimmer(rule="GRIMMER", where="x", numbers={"a": pair}, n=n).check()
    assert outcome.certainty == "consistent"


@given(st.integers(2, 400), st.data(), st.integers(1, 3), st.sampled_from(ROUNDINGS))
def test_honest_binary_samples_never_alarm(n, data, digits, rounding):
    k = data.draw(st.integers(0, n))
    sd = (Decimal(k * (n - k)) / Decimal(n * (n - 1))).sqrt()
    pair = [printed(Fraction(k, n), digits, rounding), printed(sd, digits, rounding)]
    outcome = Debit(rule="DEBIT", where="x", numbers={"a": pair}, n=n).check()
    assert outcome.certainty == "consistent"


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 7)), min_size=1, max_size=6),
    st.sampled_from(ROUNDINGS),
)
def test_honest_means_over_splits_of_two_sizes_never_alarm(splits, rounding):
    shares = [Fraction(min(hits, 6 + large), 6 + large) for large, hits in splits]
    mean = printed(100 * sum(shares) / len(shares), 2, rounding)
    about = {"rule": "GRIM", "where": "x", "numbers": {"a": mean}, "scale": 100}
    outcome = Grim(**about, splits=len(splits), sizes=[6, 7]).check()
    assert outcome.certainty == "consistent"


def test_means_over_splits_are_exactly_those_of_both_sizes():
    real = {
        printed((Fraction(a, first) + Fraction(b, second)) / 2, 3, way)
        for first, second in itertools.product((3, 4), repeat=2)
        for a, b in itertools.product(range(first + 1), range(second + 1))
        for way in (ROUND_HALF_UP, ROUND_HALF_DOWN)
    }
    every = {f"{Decimal(k) / 1000:.3f}" for k in range(1001)}
    assert {text for text in every if grim_of_splits(text, 2, (3, 4))} == real


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"splits": 2},
        {"n": {"all": 6}, "splits": 2, "sizes": [3, 4]},
        {"splits": 2, "sizes": [3, 4], "step": "1/2"},
    ],
)
def test_grim_takes_one_way_to_count(wrong):
    with pytest.raises(ValueError, match=r"give `n`, or both|goes with `n`"):
        Grim(rule="GRIM", where="x", numbers={"a": "0.5"}, **wrong)


def test_grim_names_the_neighbours_and_the_repeats_that_would_explain():
    outcome = Grim(
        rule="GRIM", where="x", numbers={"a": "82.4", "b": "80.2"}, n={"bags": 200}, scale=100
    ).check()
    assert outcome.certainty == "impossible"
    assert "a 82.4 lies between 164/200 = 82 and 165/200 = 82.5" in outcome.evidence
    assert "4 x 200 = 800" in outcome.evidence


def test_grim_says_when_it_cannot_fail():
    outcome = Grim(rule="GRIM", where="x", numbers={"a": "0.5"}, n={"many": 5000}).check()
    assert "every number of these digits can" in outcome.evidence


def test_numbers_that_need_two_conventions_are_unlikely():
    # 1/3 truncated and 2/3 rounded to nearest, but 0.34 only by rounding up.
    declared = Grim(rule="GRIM", where="x", numbers={"a": "0.34", "b": "0.66"}, n={"three": 3})
    assert declared.check().certainty == "unlikely"


def test_half_hits_double_the_number_of_steps():
    assert not grim("67.87", 652, scale=100)
    assert grim("67.87", 652, scale=100, step=Fraction(1, 2))
    assert math.isclose(442.5 / 652, 0.6787, abs_tol=5e-5)
