"""Comparisons, against statsmodels where it has the test, else by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

from icml2008.judge import decide
from icml2008.judge.estimates import mean_of

VALUES = arrays(float, 10, elements=st.floats(-3, 3, width=16))


@given(VALUES, st.floats(-1, 1), st.floats(0.1, 4))
def test_near_confirms_as_two_one_sided_tests(x, printed, tolerance):
    if np.ptp(x) < 1e-3:
        return
    p = DescrStatsW(x).ttost_mean(printed - tolerance, printed + tolerance)[0]
    code, _ = decide.near(mean_of(x), printed, tolerance)
    if abs(p - 0.05) > 1e-6:
        assert (code == decide.CONFIRMED) == (p < 0.05)


@given(VALUES, st.floats(-1, 1), st.floats(0.1, 4))
def test_near_is_the_rule_of_half_widths(x, printed, tolerance):
    estimate = mean_of(x)
    apart = abs(estimate.effect - printed)
    half90, half95 = (estimate.ends(level)[1] - estimate.effect for level in (0.90, 0.95))
    code, _ = decide.near(estimate, printed, tolerance)
    if np.isfinite(half95) and abs(apart + half90 - tolerance) > 1e-6:
        assert (code == decide.CONFIRMED) == (apart + half90 <= tolerance)
    if np.isfinite(half95) and abs(apart - half95 - tolerance) > 1e-6:
        assert (code == decide.REFUTED) == (apart - half95 > tolerance)


@given(VALUES, st.floats(-3, 3))
def test_below_mirrors_above(x, floor):
    code, p = decide.above(mean_of(x), floor)
    mirrored, q = decide.below(mean_of(-x), -floor)
    assert code == mirrored
    assert p == pytest.approx(q)


@given(VALUES, st.floats(-3, 3), st.floats(0, 3))
def test_a_higher_floor_never_helps(x, floor, more):
    estimate = mean_of(x)
    assert decide.above(estimate, floor + more)[0] <= decide.above(estimate, floor)[0]


@given(VALUES, st.floats(0, 2), st.floats(0, 2))
def test_a_wider_tolerance_never_hurts(x, tolerance, more):
    estimate = mean_of(x)
    assert decide.near(estimate, 0, tolerance + more)[0] >= decide.near(estimate, 0, tolerance)[0]


def test_one_violation_refutes():
    assert decide.never([0.0] * 99 + [2e-9], 1e-9, 100, 100) == decide.REFUTED


def test_rounding_errors_within_the_tolerance_confirm():
    assert decide.never([1e-10] * 100, 1e-9, 100, 100) == decide.CONFIRMED


def test_too_few_instances_confirm_nothing():
    assert decide.never([0.0] * 99, 1e-9, 99, 100) == decide.INCONCLUSIVE


@pytest.mark.parametrize(
    ("values", "code"),
    [([60.25, 60.35], 1), ([60.2, 60.4], -1), ([60.3, 60.4], 0)],
)
def test_exactly_is_all_that_rounds_to_the_printed_number(values, code):
    assert decide.exactly(values, 60.3, 0.05) == code


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.data())
def test_repeating_a_confirmed_part_changes_no_confirmation(p, data):
    codes = data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=len(p), max_size=len(p)))
    p = [0.001 if c < 0 else 0.5 for c in codes]
    again = decide.whole([*codes, 1], [*p, 0.9]) if 1 in codes else decide.whole(codes, p)
    assert (again == 1) == (decide.whole(codes, p) == 1)


def test_one_part_is_judged_by_its_own_interval():
    x = np.random.default_rng(0).normal(0.3, 1, size=(2000, 12))
    codes, p = decide.above(mean_of(x), 0.0)
    assert (decide.whole(codes[:, None], p[:, None]) == codes).all()


@pytest.mark.parametrize("gap", [0.3, 0.6, 1.0])
def test_repeats_needed_have_a_power_of_80_percent(gap):
    needed = decide.repeats_needed(1.0, gap)
    expected = TTestPower().solve_power(gap, power=0.8, alpha=0.05)
    # Central instead of noncentral t: a repeat or two apart.
    assert needed == pytest.approx(expected, abs=2)


def test_repeats_needed_are_none_at_no_distance():
    assert decide.repeats_needed(1.0, 0.0) is None


def test_repeats_needed_are_six_at_least():
    assert decide.repeats_needed(1.0, 1e6) == decide.MIN_REPEATS


def test_detectable_distance_and_repeats_needed_are_inverse():
    n = decide.repeats_needed(2.0, 0.7)
    assert decide.detectable(2.0, n) <= 0.7 < decide.detectable(2.0, n - 1)
