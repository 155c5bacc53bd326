import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

from icml2008.catalogue.library import measured

from . import experiments
from .method import CostCurve, bootstrap_moments

KEY = "dugas2008costcurves"
W = np.arange(1, 100) / 100


@pytest.mark.parametrize("theta", [0.75, 3.0])
def test_coverage_is_that_summed_over_all_numbers_of_errors(theta):
    """From the text alone: a binomial number of misses times one of false alarms, at some w."""
    n = 1000
    coverage_of = measured(KEY, "spread", theta=theta)
    misses = np.arange(n + 1)[:, None]
    alarms = np.arange(n + 1)
    for w in (0.02, 0.05, 0.2, 0.5, 0.9):
        t = 9 / (2 * theta) * np.log((1 - w) / w)
        p = norm.cdf(t, theta, 3)
        q = norm.sf(t, -theta, 3)
        chance = binom.pmf(misses, n, p) * binom.pmf(alarms, n, q)
        off = abs(w * misses / n + (1 - w) * alarms / n - w * p - (1 - w) * q)
        inner = w**2 * misses * (1 - misses / n) + (1 - w) ** 2 * alarms * (1 - alarms / n)
        outer = (w * misses / n - (1 - w) * alarms / n) ** 2 * n * n / (2 * n)
        for method, variance in (("stratified", inner), ("full", inner + outer)):
            exact = min(1, np.sum(chance * (off * n < norm.ppf(0.95) * np.sqrt(variance))))
            slack = 5 * np.sqrt(exact * (1 - exact) / 1000) + 1e-3
            assert abs(coverage_of[method][round(100 * w) - 1] / 100 - exact) < slack, (method, w)


def test_coverage_of_a_difference_is_that_of_a_plain_loop():
    rng = np.random.default_rng(2)
    n = 1000
    hits = 0
    runs = 300
    w = np.array([0.01, 0.3, 0.4, 0.6, 0.99])
    ratio = np.log((1 - w) / w)
    # theta 1, shift 2
    t1 = 9 / 2 * ratio
    t2 = 1 + 9 / 4 * ratio
    true = w * (norm.sf(t1, 1, 3) - norm.sf(t2, 3, 3))
    true += (1 - w) * (norm.sf(t2, -1, 3) - norm.sf(t1, -1, 3))
    for _ in range(runs):
        mean = variance = 0
        for weight, first, second in ((w, 1, 3), (w - 1, -1, -1)):
            a, b = rng.standard_normal((2, n, 1))
            b = second + 3 * (0.6 * a + 0.8 * b)
            apart = (first + 3 * a >= t1).astype(int) - (b >= t2)
            mean = mean + weight * apart.mean(axis=0)
            variance = variance + weight**2 * apart.var(axis=0) / n
        hits += abs(mean - true) < 1.6449 * np.sqrt(variance)
    end_drop = measured(KEY, "difference", theta=1.0, shift=2.0, rho=0.6)["stratified", "end_drop"]
    coverage = 100 * hits / runs
    drop = coverage[1:-1].mean() - coverage[[0, -1]].mean()
    assert abs(drop - end_drop) < 5 * np.sqrt((30**2 + 50**2 / 2) / runs)


@pytest.mark.parametrize("errors", [(1, 0, 0, 1), (1, -1, -1, 0), (-1, 0, 1, 1)])
def test_moments_are_the_rational_ones_of_all_bootstrap_samples(errors):
    """A positive and three negatives at w = 2/5: errors cost 8/5 and 4/5."""
    costs = [e * c for e, c in zip(errors, [Fraction(8, 5)] + [Fraction(4, 5)] * 3, strict=True)]
    by_class = [(costs[0] + sum(sample)) / 4 for sample in itertools.product(costs[1:], repeat=3)]
    together = [sum(sample) / (4 * Fraction(8, 5)) for sample in itertools.product(costs, repeat=4)]
    sums = errors[0], sum(errors[1:])
    squares = errors[0] ** 2, sum(e**2 for e in errors[1:])
    for sampling, costs_drawn in (("stratified", by_class), ("full", together)):
        mean = sum(costs_drawn) / len(costs_drawn)
        variance = sum((cost - mean) ** 2 for cost in costs_drawn) / len(costs_drawn)
        ours = bootstrap_moments(sums, squares, [1, 3], 0.4, sampling=sampling)
        np.testing.assert_allclose(ours, (float(mean), float(variance)), atol=1e-15)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("paired", [False, True])
def test_intervals_are_those_of_drawn_bootstrap_samples_also_with_tied_scores(sampling, paired):
    rng = np.random.default_rng(3)
    n = 60
    w = np.array([0.2, 0.5, 0.8])
    cuts = np.array([1, 0, -1])
    y = np.arange(n) < 24
    scores, others = rng.integers(-3, 4, size=(2, n)) + y
    wrong = ((scores[:, None] >= cuts) != y[:, None]).astype(int)
    wrong -= paired * ((others[:, None] >= cuts - 1) != y[:, None])
    costs = np.where(y[:, None], w / 0.4, (1 - w) / 0.6) * wrong
    largest = 1
    drawn = rng.integers(n, size=(4000, n))
    if sampling == "stratified":
        drawn = np.where(y, drawn % 24, 24 + drawn % 36)
    else:
        largest = np.maximum(w / 0.4, (1 - w) / 0.6)
    given = {"w": w, "thresholds": cuts, "rival": (others, cuts - 1) if paired else None}
    interval = CostCurve(sampling, level=0.8).interval(y, scores, **given)
    np.testing.assert_allclose(interval.cost, costs.mean(axis=0) / largest)
    np.testing.assert_allclose(
        interval.std, (costs[drawn].mean(axis=1) / largest).std(axis=0), rtol=0.06
    )
    np.testing.assert_allclose(interval.high, norm.ppf(0.9, interval.cost, interval.std))
    np.testing.assert_allclose(interval.low, norm.ppf(0.1, interval.cost, interval.std))


def test_a_threshold_has_the_least_expected_cost():
    def cost(t):
        return W * norm.cdf(t, 5, 3) + (1 - W) * norm.sf(t, -1, 3)

    best = cost(experiments.thresholds(W, 5.0, -1.0, 3.0))
    assert np.all(best <= cost(np.linspace(-30, 30, 500)[:, None]) + 1e-15)


def test_counted_steps_lead_to_the_costs_of_the_curve():
    rng = np.random.default_rng(4)
    y = np.arange(50) < 20
    w = np.arange(1, 31) / 31
    scores = rng.standard_normal((2, 50)) + y
    cuts = np.linspace(2, -1, 30)
    for rows in (scores[:1], scores):
        rival = (scores[1], cuts) if len(rows) == 2 else None
        interval = CostCurve().interval(y, scores[0], w=w, thresholds=cuts, rival=rival)
        cost, variance, _ = experiments.counted_costs(rows, [cuts] * len(rows), y, w)
        np.testing.assert_allclose([cost, np.sqrt(variance)], [interval.cost, interval.std])


def test_wilsons_interval_of_one_class_is_scipys():
    errors = np.array([[[3]], [[9]]])
    sizes = np.array([[[40]], [[40]]])
    known = binomtest(3, 40).proportion_ci(0.9, "wilson")
    np.testing.assert_allclose(np.ravel(experiments.wilson(errors, None, sizes, np.ones(1))), known)


def test_a_threshold_beyond_all_negatives_is_among_all_scores_but_not_in_each_class():
    errors = np.array([[[2, 5]], [[0, 0]]])
    sizes = np.array([[[5]], [[5]]])
    assert experiments.among_scores(errors, sizes, "all-scores").tolist() == [[True, False]]
    assert experiments.among_scores(errors, sizes, "each-class").tolist() == [[False, False]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [1, 1, 1]}, "y has zeros and ones"),
        ({"scores": [1, 2]}, "scores: 3 numbers are needed, found shape"),
        ({"thresholds": [0, 1]}, "thresholds rise with w"),
        ({"w": [0.6, 1.2]}, "from 0 to 1"),
        ({"rival": ([1, 2, np.nan], [1, 0])}, "scores of the rival: .* with nan"),
    ],
)
def test_bad_input_is_named(change, message):
    given = {"y": [0, 1, 1], "scores": [0, 1, 2], "w": [0.3, 0.6], "thresholds": [1, 0]}
    with pytest.raises(ValueError, match=message):
        CostCurve().interval(**given | change)


def test_an_unknown_sampling_is_met_by_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'stratified'"):
        CostCurve("stratifed").interval([0, 1], [0, 1], w=[0.5], thresholds=[0.5])
