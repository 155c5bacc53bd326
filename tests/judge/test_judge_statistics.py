"""Statistics against numpy, scipy and plain loops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from icml2008.errors import Icml2008Error
from icml2008.judge.formula import Formula, statistic

POINTS = (1.0, 2.0, 4.0, 8.0)


@pytest.fixture
def values():
    """Return measurements of shape (7 repeats, 3 methods, 2 cells, 4 points)."""
    return np.random.default_rng(2008).normal(size=(7, 3, 2, 4))


@pytest.fixture
def curves(values):
    return values[:, :1, :1]


def test_slope_is_that_of_least_squares(curves):
    expected = [stats.linregress(POINTS, curve).slope for curve in curves[:, 0, 0]]
    slopes = Formula("slope", points=POINTS).per_repeat(curves)[:, 0]
    assert slopes == pytest.approx(expected)


def test_second_difference_is_twice_the_quadratic_term(curves):
    expected = [2 * np.polyfit(POINTS, curve, 2)[0] for curve in curves[:, 0, 0]]
    differences = Formula("second_difference", points=POINTS).per_repeat(curves)[:, 0]
    assert differences == pytest.approx(expected)


def test_second_difference_of_three_steps_is_the_textbook_one():
    curve = np.array([5.0, 3.0, 2.0]).reshape(1, 1, 1, 3)
    formula = Formula("second_difference", points=(0.0, 1.0, 2.0))
    assert formula.per_repeat(curve)[0, 0] == pytest.approx(5 - 2 * 3 + 2)


def test_rank_correlation_is_spearmans(curves):
    expected = [stats.spearmanr(POINTS, curve).statistic for curve in curves[:, 0, 0]]
    correlations = Formula("rank_correlation", points=POINTS).per_repeat(curves)[:, 0]
    assert correlations == pytest.approx(expected)


def test_rank_correlation_of_a_constant_curve_is_0():
    formula = Formula("rank_correlation", points=POINTS)
    assert formula.per_repeat(np.ones((2, 1, 1, 4))).tolist() == [[0.0], [0.0]]


def test_difference_is_averaged_over_cells_in_each_repeat(values):
    differences = Formula("difference").per_repeat(values[:, :2, :, :1])[:, 0]
    expected = (values[:, 0, :, 0] - values[:, 1, :, 0]).mean(axis=1)
    assert differences == pytest.approx(expected)


def test_lower_is_better_turns_differences_round(values):
    both = values[:, :2, :1, :1]
    differences = Formula("difference", sign=-1).per_repeat(both)
    assert differences == pytest.approx(-Formula("difference").per_repeat(both))


def test_lead_is_the_smallest_mean_difference_to_a_rival(values):
    part = values[..., :1, :1]
    means = part.mean(axis=0)[:, 0, 0]
    assert Formula("lead").effect(part) == pytest.approx(means[0] - means[1:].max())


def test_largest_of_cells_is_the_largest_of_their_means(values):
    part = values[:, :1, :, :1]
    assert Formula("mean", "max").effect(part) == part.mean(axis=0).max()


def test_count_is_the_number_of_cells_whose_mean_is_above_0(values):
    two = values[:, :2, :, :1]
    expected = ((two[:, 0] - two[:, 1]).mean(axis=0) > 0).sum()
    assert Formula("difference", "count").effect(two) == expected


def test_ratio_of_times_says_how_many_times_faster(values):
    times = np.broadcast_to(np.array([2.0, 6.0])[:, None, None], (7, 2, 1, 1))
    assert Formula("ratio", sign=-1).effect(times) == 3.0


def test_crossing_is_interpolated_where_the_first_overtakes():
    ahead = np.array([-3.0, -1.0, 3.0, 5.0])
    curves = np.stack([ahead, np.zeros(4)])[None, :, None, :]
    assert Formula("crossing", points=POINTS).effect(curves) == pytest.approx(2 + 2 * 1 / 4)


def test_the_last_crossing_is_that_after_which_the_first_stays_ahead():
    ahead = np.array([[-1.0, 2.0, -1.0, 2.0], [-1.0, 2.0, -1.0, -1.0]])
    curves = np.stack([ahead, np.zeros((2, 4))], axis=1)[:, None, :, None, :]
    formula = Formula("last_crossing", points=POINTS)
    assert formula.effect(curves[0]) == pytest.approx(4 + 4 * 1 / 3)
    assert math.isnan(formula.effect(curves[1]))


def test_curves_that_do_not_cross_have_no_crossing():
    curves = np.stack([np.ones(4), np.zeros(4)])[None, :, None, :]
    assert math.isnan(Formula("crossing", points=POINTS).effect(curves))


def test_crosses_is_positive_only_if_behind_first_and_ahead_last():
    for ahead, positive in (([-1, 0, 0, 1], True), ([1, 0, 0, 1], False), ([-1, 0, 0, -1], False)):
        curves = np.stack([np.array(ahead, float), np.zeros(4)])[None, :, None, :]
        assert (Formula("crosses", points=POINTS).effect(curves) > 0) == positive


def test_argbest_is_the_point_of_the_best_mean(curves):
    best = POINTS[curves.mean(axis=0)[0, 0].argmin()]
    assert Formula("argbest", sign=-1, points=POINTS).effect(curves) == best


def test_estimates_of_many_experiments_are_those_of_each():
    many = np.random.default_rng(1).normal(size=(5, 7, 2, 2, 4))
    for formula in (
        Formula("slope", points=POINTS),
        Formula("difference", "min"),
        Formula("difference", "count"),
        Formula("ratio"),
        Formula("crosses", points=POINTS),
    ):
        picked = many if formula.kind != "slope" else many[:, :, :1]
        together = np.array(formula.estimate(picked).ends(0.95))
        apart = np.array([formula.estimate(experiment).ends(0.95) for experiment in picked]).T
        assert together == pytest.approx(apart)


@given(
    arrays(float, (6, 2, 1, 4), elements=st.floats(0, 100)),
    st.sampled_from(["mean", "difference", "rank_correlation", "crosses", "argbest"]),
)
def test_effects_stay_in_their_range(x, kind):
    formula = Formula(kind, points=POINTS, bounds=(0.0, 100.0))
    low, high = formula.range
    single = kind in ("mean", "rank_correlation", "argbest")
    effect = formula.effect(x[:, :1] if single else x)
    assert low - 1e-9 <= effect <= high + 1e-9


def test_one_test_case_of_a_slope_counts_at_its_heaviest_point():
    formula = Formula("slope", points=(0.0, 1.0, 2.0), bounds=(0.0, 100.0), n_test=50)
    assert formula.case == pytest.approx(2.0 * 0.5)


def test_papers_add_statistics_of_their_own():
    @statistic("test-range", per_repeat=False)
    def spread(values):
        return np.ptp(values[..., 0, 0].mean(axis=-2), axis=-1)

    x = np.random.default_rng(0).normal(size=(8, 3, 1, 1))
    assert Formula("test-range").effect(x) == np.ptp(x[..., 0, 0].mean(axis=0))


def test_unknown_statistic_names_the_nearest():
    statistic("test-spread")(lambda values: values)
    with pytest.raises(Icml2008Error, match="did you mean 'test-spread'"):
        Formula("test-spraed").estimate(np.zeros((6, 1, 1, 1)))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("kind", "reduce"),
    [
        *((kind, "mean") for kind in ("mean", "difference", "ratio", "lead", "slope", "crosses")),
        *(("difference", reduce) for reduce in ("min", "max", "count")),
    ],
)
def test_the_effect_is_that_of_the_estimate_and_of_the_means_over_repeats(
    values, kind, reduce, sign
):
    measured = values if kind == "lead" else values[:, :2]
    formula = Formula(kind, reduce, sign=sign, points=POINTS)
    effect = formula.effect(measured)
    assert effect == formula.estimate(measured).effect
    means = formula.by_repeat(measured).mean(axis=-2)
    assert formula.of_means(means) == pytest.approx(float(effect))


def test_a_ratio_to_nothing_is_infinite(values):
    measured = values[:, :2] * [[[0.0]], [[0.0]]] + [[[1.0]], [[0.0]]]
    formula = Formula("ratio", points=POINTS)
    assert formula.effect(measured) == math.inf
    assert formula.of_means(formula.by_repeat(measured).mean(axis=-2)) == math.inf
