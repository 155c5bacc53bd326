"""What the trials record, derived by plain loops over simulations and conditions."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from wiring import wire

from . import experiments
from .experiments import DEVIATIONS, LEVEL, SIMULATIONS, Z, bootstrap_moments


def never(sums, squares, sizes, w):
    return np.full((2, SIMULATIONS, len(w)), np.nan)


def where(share):
    """Return a method that covers in that share of the simulations at each condition."""

    def interval(sums, squares, sizes, w):
        covered = np.arange(SIMULATIONS)[:, None] < np.round(share(w) * SIMULATIONS)
        return np.where(covered, -9.0, 8.0), np.full(covered.shape, 9.0)

    return interval


def test_metrics_summarise_coverage_over_the_conditions():
    def share(w):
        return 0.9 - 0.2 * np.abs(w - 0.5)

    seen = wire(experiments.coverage_over_spreads, methods={"stratified": where(share)})
    w = np.arange(1, 100) / 100
    coverage = np.round(share(w) * SIMULATIONS) / SIMULATIONS * 100
    off = np.abs(coverage - 90)
    middle = np.mean([c for c, at in zip(coverage, w, strict=True) if 0.25 <= round(at, 2) <= 0.75])
    expected = {
        "coverage_error": off.mean(),
        "width": 100 * np.mean(off <= 2.5 + 1e-9),
        "middle": middle,
        "end_drop": middle - (coverage[0] + coverage[-1]) / 2,
        "lowest": min(coverage),
    }
    assert seen["stratified"] == pytest.approx(expected, abs=6e-4)
    np.testing.assert_allclose(seen.kept["stratified"], coverage)


@pytest.mark.parametrize("choices", [{}, {"scale": "variance"}, {"conditions": "per-mille"}])
@pytest.mark.parametrize("n", [25])
def test_errors_and_costs_are_those_of_two_normal_classes(choices, n):
    """Over a thousand test sets mean errors are the truth, to five standard errors."""
    given = {}

    def spy(sums, squares, sizes, w):
        given.update(sums=sums, squares=squares, sizes=sizes, w=w)
        return np.full((2, *sums.shape[1:]), 0.5)

    wire(experiments.coverage_over_sizes, {"n": n}, methods={"mine": spy}, choices=choices)
    deviation = DEVIATIONS[choices.get("scale", "deviation")]
    steps = 1000 if "conditions" in choices else 100
    np.testing.assert_allclose(given["w"], np.arange(1, steps) / steps)
    assert (given["sizes"] == n).all()
    assert given["sums"] is given["squares"]
    w = given["w"]
    cut = -(deviation**2) / 6 * np.log(w / (1 - w))
    truth = norm.cdf(cut, 3, deviation), norm.sf(cut, -3, deviation)
    for rates, expected in zip(given["sums"] / n, truth, strict=True):
        error = np.sqrt(expected * (1 - expected) / n / SIMULATIONS)
        assert (np.abs(rates.mean(axis=0) - expected) <= 6 * error + 1e-4).all()
        assert rates.std() > 0


def test_the_truth_is_the_weighted_error_of_both_classes():
    w = np.arange(1, 100) / 100
    cut = -9 / 1.5 * np.log(w / (1 - w))
    truth = w * norm.cdf(cut, 0.75, 3) + (1 - w) * norm.sf(cut, -0.75, 3)

    def about(shift):
        def interval(sums, squares, sizes, w):
            ends = truth + shift + np.array([-1e-9, 1e-9])[:, None]
            return [np.broadcast_to(end, sums.shape[1:]) for end in ends]

        return interval

    methods = {"exact": about(0), "high": about(1e-6), "low": about(-1e-6)}
    seen = wire(experiments.coverage_over_spreads, {"theta": 0.75}, methods=methods)
    assert [seen[name]["lowest"] for name in methods] == [100, 0, 0]


@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_differences_have_the_first_classifier_taken_from_the_second(shift):
    given = {}

    def spy(sums, squares, sizes, w):
        given.update(sums=sums, squares=squares, sizes=sizes)
        return np.full((2, *sums.shape[1:]), 0.5)

    cell = {"theta": 1.0, "shift": shift, "rho": 0.6}
    wire(experiments.coverage_of_differences, cell, methods={"mine": spy})
    w = np.arange(1, 100) / 100
    rates = []
    for positive in (1.0, 1.0 + shift):
        cut = (positive - 1) / 2 - 9 / (positive + 1) * np.log(w / (1 - w))
        rates.append((norm.cdf(cut, positive, 3), norm.sf(cut, -1, 3)))
    for label in (0, 1):
        expected = rates[1][label] - rates[0][label]
        seen = given["sums"][label] / 1000
        error = seen.std(axis=0) / np.sqrt(SIMULATIONS)
        assert (np.abs(seen.mean(axis=0) - expected) <= 6 * error + 1e-5).all()
        assert (given["squares"][label] >= np.abs(given["sums"][label])).all()


def test_the_truth_of_a_difference_is_the_weighted_difference_of_errors():
    w = np.arange(1, 100) / 100
    costs = []
    for positive in (1.0, 3.0):
        cut = (positive - 1) / 2 - 9 / (positive + 1) * np.log(w / (1 - w))
        costs.append(w * norm.cdf(cut, positive, 3) + (1 - w) * norm.sf(cut, -1, 3))
    truth = costs[1] - costs[0]

    def interval(sums, squares, sizes, w):
        return [np.broadcast_to(truth + end, sums.shape[1:]) for end in (-1e-9, 1e-9)]

    cell = {"theta": 1.0, "shift": 2.0, "rho": 0.6}
    seen = wire(experiments.coverage_of_differences, cell, methods={"exact": interval})
    assert seen["exact"]["coverage_error"] == 10


def simple():
    """Return sums of errors, class sizes and w of one test set."""
    return np.array([[[3.0]], [[5.0]]]), np.array([[[20]], [[40]]]), np.array([0.3])


def test_intervals_are_those_of_their_formulas():
    sums, sizes, w = simple()
    a = 3 / 20
    b = 5 / 40
    cost = 0.3 * a + 0.7 * b
    variance = 0.09 * a * (1 - a) / 20 + 0.49 * b * (1 - b) / 40
    assert pytest.approx(1.6448536) == Z
    low, high = experiments.stratified(sums, sums, sizes, w)
    assert (low.item(), high.item()) == pytest.approx(
        (cost - Z * variance**0.5, cost + Z * variance**0.5)
    )
    for squares, most in ((sums, 0.25), (sums.copy(), 1.0)):
        half = Z * np.sqrt(most * (0.09 / 20 + 0.49 / 40))
        low, high = experiments.widest(sums, squares, sizes, w)
        assert (low.item(), high.item()) == pytest.approx((cost - half, cost + half))
    ends = []
    for rate, n in ((a, 20), (b, 40)):
        middle = (rate + Z**2 / 2 / n) / (1 + Z**2 / n)
        half = Z / (1 + Z**2 / n) * np.sqrt(rate * (1 - rate) / n + Z**2 / 4 / n**2)
        ends.append((rate - middle + half, middle + half - rate))
    down, up = np.hypot(0.3 * np.array(ends[0]), 0.7 * np.array(ends[1]))
    low, high = experiments.wilson(sums, sums, sizes, w)
    assert (low.item(), high.item()) == pytest.approx((cost - down, cost + up))
    mean, variance = bootstrap_moments(sums, sums, sizes, w, sampling="full", positive_rate=0.5)
    low, high = experiments.full(sums, sums, sizes, w)
    scale = 2 * 0.7
    assert (low + high).item() / 2 == pytest.approx(scale * mean.item())
    assert (high - low).item() / 2 == pytest.approx(scale * Z * variance.item() ** 0.5)
    many = np.array([[[3.0], [5.0]], [[5.0], [9.0]]])
    low, high = experiments.known(many, many, np.broadcast_to(sizes, (2, 2, 1)), w)
    costs = 0.3 * many[0] / 20 + 0.7 * many[1] / 40
    np.testing.assert_allclose(high - costs, Z * costs.std())
    np.testing.assert_allclose(costs - low, Z * costs.std())


@pytest.mark.parametrize(("of", "expected"), [("all-scores", [True, True, False]),
                                              ("each-class", [True, False, False])])  # fmt: skip
def test_a_threshold_is_among_scores_of_all_or_of_each_class(of, expected):
    """Of two positives and three negatives: errors of each, where the threshold is."""
    errors = np.array([[[1, 2, 2]], [[1, 1, 0]]])
    sizes = np.array([[[2]], [[3]]])
    assert experiments.among_scores(errors, sizes, of)[0].tolist() == expected


def test_intervals_without_length_miss_or_cover_by_choice():
    truth = np.full((SIMULATIONS, 99), 0.0)

    def point(sums, squares, sizes, w):
        return truth, truth

    for choice, lowest in (("misses", 0), ("covers", 100)):
        trial = wire(
            experiments.coverage_of_differences,
            methods={"mine": never},
            choices={"no-length": choice},
        ).trial
        trial.methods = {"mine": point}
        before = len(trial._lines)
        sums = np.ones((2, SIMULATIONS, 99))
        sizes = np.full((2, SIMULATIONS), 9)
        w = np.arange(1, 100) / 100
        experiments.measure_all(trial, sums, sums, sizes, w, 0.0, ["lowest"])
        assert [line["value"] for line in trial._lines[before:]] == [lowest]


def test_class_counts_are_fixed_or_binomial():
    for choice in ("fixed", "binomial"):
        sizes = {}

        def spy(sums, squares, given, w, sizes=sizes):
            sizes["seen"] = given
            return np.full((2, *sums.shape[1:]), 0.5)

        seen = wire(
            experiments.coverage_over_sizes,
            methods={"mine": spy},
            choices={"class-counts": choice},
        )
        expected = np.full(SIMULATIONS, 25)
        if choice == "binomial":
            expected = seen.rng("classes").binomial(50, 0.5, SIMULATIONS)
        np.testing.assert_array_equal(sizes["seen"][0, :, 0], expected)
        np.testing.assert_array_equal(sizes["seen"][1, :, 0], 50 - expected)


def test_coverage_is_of_the_simulations_that_count_where_there_are_enough():
    class Spy:
        cell = {"rho": 0.3}

        def measure(self, name, **values):
            self.values = values

    covers = np.zeros((SIMULATIONS, 3), dtype=bool)
    covers[:60] = True
    counted = np.zeros_like(covers)
    counted[:100, 0] = True
    counted[:99, 1] = True
    counted[:200, 2] = True
    spy = Spy()
    w = np.array([0.4, 0.5, 0.6])
    experiments.measure(spy, "mine", covers, w, counted, ["lowest", "coverage_error", "middle"])
    assert spy.values == pytest.approx({"lowest": 30, "coverage_error": 45, "middle": 45})
    assert LEVEL == 0.9


@pytest.mark.parametrize("of", ["cost", "difference"])
def test_the_violation_is_the_worst_of_mean_and_variance_over_all_samples(monkeypatch, of):
    """Moments that are 0.01 too large in the mean and 0.02 in the variance."""
    exact = bootstrap_moments

    def wrong(*given, **how):
        mean, variance = exact(*given, **how)
        return mean + 0.01, variance + 0.02

    seen = wire(experiments.moments_by_enumeration, {"of": of})
    assert max(seen[how]["violation"] for how in ("stratified", "full")) < 1e-12
    assert seen.n_test["full"]["violation"] == 20
    monkeypatch.setattr(experiments, "bootstrap_moments", wrong)
    seen = wire(experiments.moments_by_enumeration, {"of": of})
    assert seen["full"]["violation"] == pytest.approx(0.02)


def test_resampled_sums_are_of_every_draw_of_each_stratum():
    values = np.array([1.0, 10.0, 100.0])
    sums_drawn = experiments.resampled_sums(values, [np.array([0, 1]), np.array([2])])
    assert sorted(sums_drawn) == sorted(a + b + 100 for a, b in product((1, 10), repeat=2))


@pytest.mark.parametrize("of", ["cost", "difference"])
def test_steps_are_counted_for_the_formula_and_for_ten_resamples(of):
    seen = wire(experiments.work_of_intervals, {"of": of, "n": 100})
    rng = seen.rng("scores")
    n = 100
    y = np.arange(n) % 2 == 0
    w = np.arange(1, 101) / 101
    count = 1 if of == "cost" else 2
    scores = 3 * rng.standard_normal((count, n)) + np.where(y, 3, -3)
    cuts = [-1.5 * np.log(w / (1 - w))] * count
    mean, variance, steps = experiments.counted_costs(scores, cuts, y, w)
    wrong = [np.where(y[:, None], s[:, None] <= cuts[0], s[:, None] > cuts[0]) for s in scores]
    errors = wrong[0].astype(float) - (wrong[1] if count == 2 else 0)
    plain = w * errors[y].mean(axis=0) + (1 - w) * errors[~y].mean(axis=0)
    np.testing.assert_allclose(np.ravel(mean), plain, atol=1e-12)
    drawn = []
    total = 0
    for _ in range(10):
        rows = [rng.choice(np.flatnonzero(y == label), 50) for label in (True, False)]
        rows = np.concatenate(rows)
        cost, _, more = experiments.counted_costs(scores[:, rows], cuts, y[rows], w)
        drawn.append(np.ravel(cost))
        total += more
    unit = n * np.log(n)
    for name, work in {"formula": steps, "naive": count * n * n, "resampled": total}.items():
        assert seen[name]["log_work"] == pytest.approx(np.log(work / unit), abs=6e-5)
    variance = np.ravel(variance)
    spread = np.std(drawn, axis=0, ddof=1)
    off = np.abs(spread[variance > 0] / np.sqrt(variance[variance > 0]) - 1)
    assert seen["resampled"]["imprecision"] == pytest.approx(100 * off.mean(), abs=0.006)


def test_switches_count_comparisons_of_the_sort_and_moves_of_the_pass():
    """Three scores in order are merged by three comparisons, then met with two thresholds."""
    at, steps = experiments.switches(np.array([5.0, 3.0, 1.0]), np.array([4.0, 2.0]))
    assert at.tolist() == [0, 1, 2]
    assert steps == 3 + 3 + 2
