"""The paper's four problems, its campaigns and what it says about its formulas."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import chi2

from icml2008.catalogue.library import load_paper
from icml2008.methods.active.heuristics import straddle
from icml2008.methods.active.kriging import OrdinaryKriging
from icml2008.papers.bryan2008composite import regions
from icml2008.papers.bryan2008composite.campaigns import (
    Kriging,
    points_of_judgement,
    steps,
    until_target,
)
from icml2008.papers.bryan2008composite.experiments import DEFAULTS, MODELS
from icml2008.papers.bryan2008composite.peers import GaussianProcess, samples_of_grid
from icml2008.papers.bryan2008composite.tasks import TASKS, make_task

every_task = pytest.mark.parametrize("name", TASKS)


def started(name, heuristic="variance-maxvarstraddle", seed=0, **changed):
    settings = DEFAULTS | changed
    task = make_task(name, settings)
    rng = np.random.default_rng(seed)
    slopes = task.slopes(settings["slope"])
    sampler = Kriging(heuristic, task=task, slopes=slopes, rng=rng, settings=settings)
    return task, sampler, points_of_judgement(task, "grid-50", rng)


def test_the_functions_are_the_printed_ones_at_a_point():
    x = 0.7
    y = 1.3
    expected = {
        "Sin2D": [
            np.sin(7) + np.cos(5.2) - np.cos(3 * 0.91),
            np.sin(13) + np.cos(2.8) - np.cos(3 * 0.91),
        ],
        "SimpleSin2D": [
            np.sin(2.8) + np.cos(5.2) - np.cos(0.91),
            np.sin(5.2) + np.cos(2.8) - np.cos(0.91),
        ],
        "4-Sin2D": [
            np.sin(2.8) + np.cos(2.6) - np.cos(2.1),
            np.sin(0.6) + np.cos(1.4) - np.cos(2.1),
            np.sin(3 * 0.91) + np.cos(1.4) + 1,
            np.cos(0.91) - np.sin(0.91),
        ],
    }
    for name, values in expected.items():
        sums = [f(np.array([x, y])) for f in make_task(name, DEFAULTS).functions]
        np.testing.assert_allclose(sums, values, rtol=1e-12)


def test_the_gaussian_functions_are_log_densities_of_the_stated_covariances():
    from scipy.stats import multivariate_normal

    points = np.random.default_rng(0).uniform(-3.4, 3.4, (20, 2))
    task = make_task("Gaussian", DEFAULTS)
    for f, diagonal in zip(task.functions, ([1, 16], [16, 1]), strict=True):
        density = multivariate_normal(cov=np.diag(diagonal))
        expected = density.logpdf([0, 0]) - density.logpdf(points)
        np.testing.assert_allclose(f(points), expected, rtol=1e-9)


@pytest.mark.parametrize("scale", ["log-density", "chi-square"])
@pytest.mark.parametrize(
    ("threshold", "freedom", "radius"), [("9.488", 4, 2.988), ("5.991", 2, 2.375)]
)
def test_the_gaussian_level_set_is_a_circle(scale, threshold, freedom, radius):
    assert float(threshold) == pytest.approx(chi2.ppf(0.95, freedom), abs=5e-4)
    task = make_task(
        "Gaussian", DEFAULTS | {"gaussian-scale": scale, "gaussian-threshold": threshold}
    )
    # Linear interpolation on a grid of 0.017 errs by the square of that.
    np.testing.assert_allclose(np.linalg.norm(task.level_set(), axis=1), radius, atol=1e-3)


def test_the_smaller_circle_holds_95_percent_of_the_product_of_the_densities():
    draws = np.random.default_rng(0).normal(size=(200_000, 2)) * np.sqrt(16 / 17)
    task = make_task("Gaussian", DEFAULTS | {"gaussian-threshold": "5.991"})
    # Two hundred thousand draws know a share of 95 % to 0.05 %.
    assert np.mean(task.total(draws) <= task.threshold) == pytest.approx(0.95, abs=0.002)


@every_task
def test_the_level_set_lies_in_the_box_and_on_the_threshold(name):
    task = make_task(name, DEFAULTS)
    points = task.level_set()
    assert np.all((points >= task.bounds[:, 0]) & (points <= task.bounds[:, 1]))
    # The steepest function, Sin2D, has second derivatives of 100; steps are 0.005.
    np.testing.assert_allclose(task.total(points), task.threshold, atol=2e-3)


@pytest.mark.parametrize("domain", ["0..1", "-1..1"])
def test_squares_that_are_no_alternative_hold_no_level_set(domain):
    assert len(make_task("4-Sin2D", DEFAULTS | {"domain": domain}).level_set()) == 0


@pytest.mark.parametrize("rule", ["variogram", "variogram-local", "likelihood", "gradient"])
@pytest.mark.parametrize("name", TASKS[:3])
def test_mirror_images_share_a_slope(name, rule):
    task = make_task(name, DEFAULTS)
    first, second = task.slopes(rule)
    assert first == second > 0
    points = np.random.default_rng(0).uniform(*task.bounds.T, (10, 2))
    f, g = task.functions
    np.testing.assert_array_equal(f(points), g(points[:, ::-1]))


@pytest.mark.parametrize("heuristic", ["random", *MODELS])
def test_accuracies_are_those_of_the_plain_predictions(heuristic):
    task, sampler, points = started("4-Sin2D", heuristic)
    truth = task.total(points) > task.threshold
    for n, step in enumerate(islice(steps(sampler, task, points), 40), start=1):
        assert step.y == task.functions[step.i](step.x)
        if n < len(task.functions):
            assert step.accuracy == 0
        elif step.accuracy:
            predicted = super(Kriging, sampler).predict_mean(points)
            assert step.accuracy == np.mean((predicted > task.threshold) == truth)
    assert step.accuracy > 0.7


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 5))
def test_the_target_is_met_at_the_first_stretch_of_accuracies_that_is_long_enough(
    accuracies, patience
):
    cap = len(accuracies)
    met = [
        n + 1
        for n in range(cap)
        if all(a >= 0.6 for a in [*accuracies, *[1.0] * patience][n : n + patience + 1])
    ]
    endless = iter([*accuracies, *[1.0] * patience])
    samples, reached = until_target(endless, 0.6, cap, patience)
    assert (samples, reached) == ((met[0], True) if met else (cap, False))


@every_task
def test_methods_meet_the_same_candidates(name):
    starts = [started(name, heuristic, seed=3)[1] for heuristic in ("random", *MODELS)]
    first, *others = [s.rng.uniform(*s.bounds.T, (1000, 2)) for s in starts]
    for other in others:
        np.testing.assert_array_equal(other, first)


def test_settings_are_the_defaults_of_the_choices():
    choices = load_paper("bryan2008composite").choices
    defaults = DEFAULTS | regions.DEFAULTS
    assert {name: choice.default for name, choice in choices.items()} == defaults


def test_a_gaussian_process_takes_every_function_at_each_point_and_learns():
    task = make_task("SimpleSin2D", DEFAULTS)
    rng = np.random.default_rng(0)
    sampler = GaussianProcess(True, task=task, slopes=(), rng=rng, settings=DEFAULTS)
    points = points_of_judgement(task, "grid-50", rng)
    taken = list(islice(steps(sampler, task, points), 80))
    assert [step.i for step in taken] == [0, 1] * 40
    assert all(np.array_equal(a.x, b.x) for a, b in zip(taken[::2], taken[1::2], strict=True))
    assert taken[8].accuracy == 0 < taken[9].accuracy
    assert taken[-1].accuracy > 0.98


def test_the_grid_is_the_coarsest_that_meets_the_target():
    task = make_task("4-Sin2D", DEFAULTS)
    points = points_of_judgement(task, "grid-50", None)
    samples, reached = samples_of_grid(task, points, 500)
    assert reached
    assert samples % 4 == 0
    assert samples_of_grid(task, points, samples - 1) == (samples - 1, False)


def test_negative_scores_mean_95_percent_with_deviations_and_not_with_variances():
    """Walks of normal steps have a linear semivariance, so that kriging them errs as it says."""
    rng = np.random.default_rng(0)
    places = np.arange(1.0, 51.0)[:, None]
    known = np.arange(50) % 10 == 0
    right = {(spread, unit): [] for spread in ("variance", "deviation") for unit in (0.1, 1, 10)}
    for walk in rng.normal(size=(100, 50)).cumsum(axis=1):
        for (spread, unit), outcomes in right.items():
            model = OrdinaryKriging(slope=0.5 * unit**2).fit(places[known], unit * walk[known])
            mean, std = model.predict(places[~known], return_std=True)
            truth = unit * walk[~known]
            threshold = unit * walk.mean()
            ruled_out = straddle(mean, std**2, threshold, spread) < 0
            outcomes.extend(((mean > threshold) == (truth > threshold))[ruled_out])
    deviations = [right["deviation", unit] for unit in (0.1, 1, 10)]
    assert min(map(np.mean, deviations)) > 0.95
    assert len(set(map(len, deviations))) == 1
    assert np.mean(right["variance", 0.1]) < 0.9
    assert right["variance", 10] == []  # nothing is ever far enough


@pytest.mark.parametrize("heuristic", MODELS[1:])
@pytest.mark.parametrize("slope", ["gradient", "variogram"])
@pytest.mark.parametrize("spread", ["one-unit", "two-units"])
def test_scores_of_one_unit_choose_alike_when_functions_are_scaled(heuristic, slope, spread):
    task = make_task("SimpleSin2D", DEFAULTS)
    taken = []
    for unit in (1.0, 64.0):  # a power of two leaves the digits as they are
        functions = tuple(lambda x, f=f, unit=unit: unit * f(x) for f in task.functions)
        scaled = replace(task, functions=functions, threshold=unit * task.threshold)
        sampler = Kriging(
            heuristic,
            task=scaled,
            slopes=scaled.slopes(slope),
            rng=np.random.default_rng(0),
            settings=DEFAULTS | {"slope": slope, "spread": spread},
        )
        points = scaled.bounds[:1]
        taken.append([(*step.x, step.i) for step in islice(steps(sampler, scaled, points), 30)])
    assert (taken[0] == taken[1]) == (spread == "one-unit")


def test_simplesin2d_has_the_smaller_semivariances_by_every_slope_but_the_line_of_all_lags():
    """Section 3: its functions "were chosen to reduce the problem's semi-variances"."""
    waves, simple = (make_task(name, DEFAULTS) for name in ("Sin2D", "SimpleSin2D"))
    for rule in ("gradient", "variogram-local", "likelihood"):
        assert simple.slopes(rule)[0] < 0.5 * waves.slopes(rule)[0]
    assert simple.slopes("variogram")[0] > waves.slopes("variogram")[0]


def test_test_points_are_a_grid_to_the_edges_centres_of_squares_or_drawn():
    task = make_task("Gaussian", DEFAULTS)
    kinds = ("grid", "centres", "uniform")
    grid, centres, drawn = (
        points_of_judgement(
            task, f"{kind}-{2500 if kind == 'uniform' else 50}", np.random.default_rng(0)
        )
        for kind in kinds
    )
    assert grid.shape == centres.shape == drawn.shape == (2500, 2)
    assert (grid.min(), grid.max()) == (-3.4, 3.4)
    # Squares of 6.8 / 50 have their centres half of that inside the edges.
    np.testing.assert_allclose([centres.min(), centres.max()], [-3.332, 3.332])
    np.testing.assert_allclose(np.diff(np.unique(centres[:, 0].round(9))), 0.136, atol=1e-8)
    assert -3.4 < drawn.min() < drawn.max() < 3.4


def test_equation_2_with_covariances_is_largest_at_a_sample():
    rng = np.random.default_rng(0)
    X = rng.random((20, 2))
    points = rng.random((200, 2))
    # A constant less the distance is a covariance of contrasts, here a positive definite one.
    covariance = 2.0 - cdist(X, X)
    assert np.linalg.eigvalsh(covariance).min() > 0

    def equation_2(at):
        vector = 2.0 - cdist(at, X)
        return np.sum(vector * np.linalg.solve(covariance, vector.T).T, axis=1)

    np.testing.assert_allclose(equation_2(X), 2.0)  # the prior variance: no more can be had
    assert np.all(equation_2(points) < 2.0)


def test_the_threshold_of_section_5_is_that_of_fishers_statistic():
    assert round(chi2.ppf(0.95, 2 * 3), 1) == 12.6


def test_sequential_steps_were_not_counted_as_a_whole():
    """The printed 98.1 for 4-Sin2D is no mean of 20 multiples of four."""
    assert all(round(4 * total / 20, 1) != 98.1 for total in range(1000))
