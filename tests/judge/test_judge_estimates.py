"""Intervals against scipy, statsmodels, baycomp and brute force."""

import math

import baycomp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from icml2008.judge.estimates import mean_of
from icml2008.judge.ratio import ratio_of

VALUES = arrays(float, st.integers(2, 40), elements=st.floats(-50, 50, width=16))
LEVELS = st.sampled_from([0.8, 0.9, 0.95, 0.999])


@pytest.fixture
def rng():
    return np.random.default_rng(2008)


def test_mean_has_the_interval_of_scipy(rng):
    x = rng.normal(1, 2, size=12)
    expected = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    assert mean_of(x).ends(0.95) == pytest.approx(expected)


def test_paired_difference_has_the_p_value_of_scipy(rng):
    x, y = rng.normal(size=(2, 15))
    expected = stats.ttest_rel(x, y, alternative="greater").pvalue
    assert mean_of(x - y).p_above(0.0) == pytest.approx(expected)


def test_overlap_has_the_variance_of_baycomp(rng):
    x, y = rng.normal(size=(2, 50))  # five runs of ten folds
    mean, variance, df = baycomp.CorrelatedTTest.compute_statistics(x, y, runs=5)
    estimate = mean_of(y - x, overlap=1 / 9)
    parameters = estimate.effect, estimate.se**2, estimate.df
    assert parameters == pytest.approx((mean, variance, df))


def test_overlap_gives_the_published_corrected_t():
    # The worked example of scikit-learn's user guide ("Statistical comparison of models using grid
    # search"): 10 x 10 folds, t = 2.611 uncorrected, 0.750 with p = 0.227 corrected.
    x = np.arange(100.0) - 49.5
    x = x / x.std(ddof=1) + 2.611 / 10
    corrected = mean_of(x, overlap=1 / 9)
    assert mean_of(x).effect / mean_of(x).se == pytest.approx(2.611)
    assert corrected.effect / corrected.se == pytest.approx(0.750, abs=0.0005)
    assert corrected.p_above(0.0) == pytest.approx(0.227, abs=0.0005)


def test_overlap_widens_as_nadeau_and_bengio_say(rng):
    # Their Section 5: the variance grows by the factor 1 + J n2 / n1.
    x = rng.normal(size=15)
    growth = (mean_of(x, overlap=1 / 9).se / mean_of(x).se) ** 2
    assert growth == pytest.approx(1 + 15 / 9)


def test_shares_are_never_tighter_than_korn_and_graubard(rng):
    x = rng.binomial(45, 0.97, size=16) / 45
    estimate = mean_of(x, bounds=(0, 1), shares=True)
    p = x.mean()
    se = stats.sem(x)
    cases = p * (1 - p) / se**2 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 15)) ** 2
    low, high = proportion_confint(cases * p, cases, method="beta")
    t_low, t_high = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    assert estimate.ends(0.95) == pytest.approx((min(low, t_low), min(1, max(high, t_high))))


def test_equal_repeats_have_the_poisson_limit_of_none_seen():
    low, _ = mean_of(np.full(32, 100.0), bounds=(0, 100), case=100 / 45).ends(0.95)
    expected = stats.chi2.ppf(0.975, 2) / 2  # exact upper limit of a Poisson number, none seen
    assert (100 - low) * 32 * 45 / 100 == pytest.approx(expected)


def test_equal_bounded_repeats_have_the_exact_limit_of_other_repeats():
    # The share q of repeats at the other bound that leaves 20 equal ones with probability 2.5 %.
    low, _ = mean_of(np.ones(20), bounds=(0, 1)).ends(0.95)
    assert low**20 == pytest.approx(0.025)


def test_ratio_has_the_set_that_paired_tests_do_not_reject(rng):
    below = rng.normal(3, 1, size=10)
    above = 2 * below + rng.normal(size=10)
    low, high = ratio_of(above, below).ends(0.95)
    grid = np.linspace(0.5, 4, 3501)
    p = stats.ttest_1samp(above[:, None] - grid * below[:, None], 0).pvalue
    inside = grid[p >= 0.05]
    # Half a step of the grid.
    assert (low, high) == pytest.approx((inside[0], inside[-1]), abs=0.001)


def test_ratio_to_nothing_is_unbounded(rng):
    low, high = ratio_of(rng.normal(5, 1, size=10), rng.normal(0, 1, size=10)).ends(0.95)
    assert (low, high) == (-math.inf, math.inf)


def test_ratio_keeps_its_bounds(rng):
    above = rng.normal(0.1, 1, size=10)
    below = rng.normal(9, 1, size=10)
    assert ratio_of(above, below, bounds=(0, math.inf)).ends(0.95)[0] == 0


@given(x=VALUES, level=LEVELS, value=st.floats(-60, 60))
def test_p_values_agree_with_the_ends_of_a_mean(x, level, value):
    estimate = mean_of(x, bounds=(-50, 50), shares=True)
    tail = (1 - level) / 2
    low, high = estimate.ends(level)
    assume(min(abs(low - value), abs(high - value)) > 1e-6)
    assert (low > value) == (estimate.p_above(value) < tail)
    assert (high < value) == (estimate.p_below(value) < tail)


@given(x=VALUES, level=LEVELS, value=st.floats(-20, 20))
def test_p_values_agree_with_the_ends_of_a_ratio(x, level, value):
    below = 5 + np.cos(np.arange(len(x)))
    estimate = ratio_of(x, below)
    tail = (1 - level) / 2
    low, high = estimate.ends(level)
    assume(np.isfinite(low) and min(abs(low - value), abs(high - value)) > 1e-6)
    assert (low > value) == (estimate.p_above(value) < tail)
    assert (high < value) == (estimate.p_below(value) < tail)


@given(x=VALUES, level=LEVELS)
def test_no_interval_leaves_the_bounds(x, level):
    for shares in (False, True):
        low, high = mean_of(x, bounds=(-50, 50), shares=shares).ends(level)
        assert -50 <= low <= high <= 50


@given(x=VALUES, factor=st.floats(0.01, 100))
def test_units_scale_the_interval(x, factor):
    base = mean_of(x, bounds=(-50, 50), shares=True, case=2.0)
    other = mean_of(factor * x, bounds=(-50 * factor, 50 * factor), shares=True, case=2.0 * factor)
    # Rounding of the sums.
    expected = factor * np.array(base.ends(0.95))
    assert np.array(other.ends(0.95)) == pytest.approx(expected, rel=1e-6, abs=1e-6 * factor)


@given(x=VALUES)
def test_order_of_repeats_does_not_matter(x):
    # Rounding of the sums.
    assert mean_of(x[::-1]).ends(0.95) == pytest.approx(mean_of(x).ends(0.95), abs=1e-9)


def test_more_repeats_narrow_the_interval_on_average(rng):
    x = rng.binomial(45, 0.95, size=(500, 64)) / 45
    widths = []
    for n in (6, 8, 16, 32, 64):
        low, high = mean_of(x[:, :n], bounds=(0, 1), shares=True).ends(0.95)
        widths.append((high - low).mean())
    assert widths == sorted(widths, reverse=True)


def test_what_was_counted_is_worth_about_its_sum(rng):
    x = rng.poisson(3.0, size=4000)
    assert mean_of(x, counts=True).effective_things(0.025) == pytest.approx(x.sum(), rel=0.05)
    # Ten times the spread is worth a hundredth of the things.
    wide = x.mean() + 10 * (x - x.mean())
    assert mean_of(wide, counts=True).effective_things(0.025) == pytest.approx(
        x.sum() / 100, rel=0.05
    )
