"""Smallest, largest and counted means, Holm's correction and the bootstrap."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pandas import DataFrame
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multitest import multipletests

from icml2008.judge.cases import case_variances, over_cases
from icml2008.judge.combined import Count, Extreme, bootstrap_of, holm
from icml2008.judge.estimates import mean_of
from icml2008.judge.formula import Formula

P_VALUES = arrays(float, st.integers(1, 12), elements=st.floats(0, 1))
GROUPS = arrays(float, st.tuples(st.integers(1, 5), st.just(8)), elements=st.floats(-9, 9))


@pytest.fixture
def rng():
    return np.random.default_rng(2008)


@given(P_VALUES)
def test_holm_agrees_with_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_holm_on_the_textbook_example():
    # 0.005 and 0.01 are rejected at 5 %; 0.03 is not (2 x 0.03), so 0.04 is not either.
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(P_VALUES)
def test_holm_rejects_something_if_bonferroni_does(p):
    assert (holm(p).min() <= 0.05) == (min(1, p.min() * len(p)) <= 0.05)


@given(GROUPS)
def test_smallest_is_above_a_floor_if_all_are(x):
    means = mean_of(x)
    assert Extreme(means, -1).p_above(0.0) == means.p_above(0.0).max()


@given(GROUPS)
def test_largest_of_the_negatives_mirrors_the_smallest(x):
    low, high = Extreme(mean_of(x), -1).ends(0.95)
    assert Extreme(mean_of(-x), 1).ends(0.95) == pytest.approx((-high, -low))


@given(GROUPS)
def test_extreme_of_one_is_that_one(x):
    single = mean_of(x[:1])
    assert Extreme(single, -1).ends(0.95) == pytest.approx(
        tuple(end[0] for end in single.ends(0.95))
    )


@given(GROUPS, st.integers(-1, 6))
def test_p_values_of_a_count_agree_with_its_ends(x, value):
    count = Count(mean_of(x))
    low, high = count.ends(0.95)
    assert (low > value) == (count.p_above(value) < (1 - 0.95) / 2)
    assert (high < value) == (count.p_below(value) < (1 - 0.95) / 2)


def test_count_runs_from_shown_above_to_not_shown_below(rng):
    x = rng.normal([[9], [9], [0], [-9]], 1, size=(4, 8))
    count = Count(mean_of(x))
    assert tuple(map(float, count.ends(0.95))) == (2.0, 3.0)


def test_bootstrap_has_the_percentiles_of_scipy_at_student_tails(rng):
    x = rng.gamma(2, size=20)
    tail = stats.norm.cdf(math.sqrt(20 / 19) * stats.t.ppf(0.025, 19))
    expected = stats.bootstrap(
        (x,), np.median, confidence_level=1 - 2 * tail, method="percentile", random_state=rng
    ).confidence_interval
    estimate = bootstrap_of(lambda v: np.median(v[..., 0, 0, 0], axis=-1), x[:, None, None, None])
    # Both draw 9999 resamples: their percentiles of a median differ by about a hundredth.
    assert estimate.ends(0.95) == pytest.approx(tuple(expected), abs=0.05)


def test_bootstrap_is_the_same_each_time(rng):
    x = rng.normal(size=(8, 1, 1, 1))
    first, second = (bootstrap_of(lambda v: v.mean(axis=(-4, -3, -2, -1)), x) for _ in range(2))
    assert first.ends(0.95) == second.ends(0.95)


def test_bootstrap_widens_by_the_overlap(rng):
    x = rng.normal(size=(8, 1, 1, 1))
    plain, wide = (
        bootstrap_of(lambda v: v.mean(axis=(-4, -3, -2, -1)), x, overlap=overlap)
        for overlap in (0.0, 1 / 3)
    )
    growth = (wide.ends(0.95)[1] - wide.effect) / (plain.ends(0.95)[1] - plain.effect)
    assert growth == pytest.approx(math.sqrt(1 + 8 / 3))


def test_resample_without_the_feature_lies_on_either_side():
    values = np.zeros((6, 1, 1, 1))
    estimate = bootstrap_of(lambda v: np.full(v.shape[:-4], np.nan), values)
    assert estimate.ends(0.95) == (-math.inf, math.inf)


def test_variance_over_cases_is_that_of_crossed_random_effects(rng):
    x = rng.normal(size=(5, 1)) + 2 * rng.normal(size=(1, 9)) + rng.normal(size=(5, 9))
    row, column = np.indices(x.shape)
    data = DataFrame({"x": x.ravel(), "row": row.ravel(), "column": column.ravel()})
    squares = anova_lm(ols("x ~ C(row) + C(column)", data).fit())["mean_sq"]
    expected = (squares["C(row)"] + squares["C(column)"] - squares["Residual"]) / x.size
    estimate = over_cases(x.mean(axis=1), case_variances(x), 9, Formula("mean"))
    assert estimate.se**2 == pytest.approx(expected)


def test_degrees_of_freedom_over_cases_are_satterthwaites(rng):
    x = rng.normal(size=(5, 9))
    estimate = over_cases(x.mean(axis=1), case_variances(x), 9, Formula("mean"))
    welch = stats.ttest_ind(x.mean(axis=1), x.mean(axis=0), equal_var=False)
    assert estimate.df == pytest.approx(welch.df)
