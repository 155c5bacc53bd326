"""Campaigns of questions and answers: what is asked when, and what is known in the end."""

from __future__ import annotations

import json

import numpy as np
import pytest

from icml2008.methods import CompositeLevelSet, OrdinaryKriging

BOX = [[-2.0, 2.0], [-2.0, 2.0]]
FUNCTIONS = [lambda x: x[0] ** 2 + x[1], lambda x: x[1] ** 2 - x[1]]  # their sum is a paraboloid
HEURISTICS = [
    "random",
    "variance",
    "sequential-straddle",
    "variance-straddle",
    "variance-maxvarstraddle",
]
GRID = np.stack(np.meshgrid(*[np.linspace(-2, 2, 51)] * 2), axis=-1).reshape(-1, 2)
heuristics = pytest.mark.parametrize("heuristic", HEURISTICS)


def campaign(heuristic="variance-maxvarstraddle", n=0, seed=0, **options):
    level_set = CompositeLevelSet(
        BOX, 2, 1.0, heuristic, **{"slopes": 4.0, "random_state": seed} | options
    )
    go_on(level_set, n)
    return level_set


def go_on(level_set, n):
    asked = []
    for _ in range(n):
        x, i = level_set.ask()
        level_set.tell(x, i, FUNCTIONS[i](x))
        asked.append((x.tolist(), i))
    return asked


def plain_choice(level_set, heuristic, candidates, slopes, spread, costs):
    """What the paper's formulas choose, from models that are refitted."""
    means = []
    variances = []
    for i, slope in enumerate(slopes):
        X, y = zip(*[(x, y) for x, j, y in level_set.samples if j == i], strict=True)
        mean, std = OrdinaryKriging(slope, 0.0).fit(X, y).predict(candidates, return_std=True)
        means.append(mean)
        variances.append(std**2)
    distance = np.abs(sum(means) - level_set.threshold)
    root = np.sqrt if spread == "deviation" else np.asarray
    spreads = [root(v) / c for v, c in zip(variances, costs, strict=True)]
    if heuristic == "variance":
        return np.unravel_index(np.argmax(np.stack(spreads, axis=1)), (len(candidates), 2))
    if heuristic == "variance-maxvarstraddle":
        best = int(np.argmax(1.96 * np.maximum(*spreads) - distance))
        return best, int(np.argmax([s[best] for s in spreads]))
    best = int(np.argmax(1.96 * root(sum(variances)) - distance))
    if heuristic == "sequential-straddle":
        return best, int(np.argsort(costs, kind="stable")[0])
    return best, int(np.argmax([v[best] / c for v, c in zip(variances, costs, strict=True)]))


@pytest.mark.parametrize("heuristic", HEURISTICS[1:])
@pytest.mark.parametrize("spread", ["variance", "deviation"])
@pytest.mark.parametrize("costs", [(1.0, 1.0), (3.0, 1.0)])
def test_each_choice_is_that_of_the_formulas(heuristic, spread, costs):
    options = {"slopes": [4.0, 9.0], "spread": spread, "costs": costs, "nugget_ratio": 0.0}
    level_set = campaign(heuristic, n=20, **options)
    rng = np.random.default_rng(1)
    for _ in range(6):
        candidates = rng.uniform(-2, 2, (100, 2))
        best, function = plain_choice(level_set, heuristic, candidates, (4, 9), spread, costs)
        x, i = level_set.ask(candidates=candidates)
        assert (x.tolist(), i) == (candidates[best].tolist(), function)
        level_set.tell(x, i, FUNCTIONS[i](x))
        if heuristic == "sequential-straddle":
            go_on(level_set, 1)


@heuristics
def test_candidates_are_in_the_box(heuristic):
    points = np.array([x for x, _ in go_on(campaign(heuristic), 40)])
    assert np.all(np.abs(points) <= 2)


@heuristics
def test_the_same_seed_asks_the_same(heuristic):
    assert go_on(campaign(heuristic), 30) == go_on(campaign(heuristic), 30)


@heuristics
def test_another_seed_asks_something_else(heuristic):
    assert go_on(campaign(heuristic), 3) != go_on(campaign(heuristic, seed=1), 3)


def test_sequential_straddle_asks_every_function_at_a_point():
    asked = go_on(campaign("sequential-straddle"), 40)
    assert [i for _, i in asked] == [0, 1] * 20
    assert all(asked[k][0] == asked[k + 1][0] for k in range(0, 40, 2))


@heuristics
@pytest.mark.parametrize("form", ["textbook", "short"])
def test_with_every_grid_point_told_the_level_set_on_the_grid_is_exact(heuristic, form):
    level_set = campaign(heuristic, form=form)
    grid = GRID.reshape(51, 51, 2)[::3, ::3].reshape(-1, 2)
    for x in grid:
        for i, function in enumerate(FUNCTIONS):
            level_set.tell(x, i, function(x))
    truth = np.sum(grid**2, axis=1)
    clear = np.abs(truth - 1) > 1e-6  # the nugget keeps exact ties open
    side = level_set.predict(grid[clear]).side
    np.testing.assert_array_equal(side, np.where(truth[clear] > 1, 1, -1))


@pytest.mark.parametrize("slopes", [4.0, "steepest"])
@pytest.mark.parametrize("spread", ["variance", "deviation"])
def test_a_circle_is_found_up_to_points_beside_it(slopes, spread):
    prediction = campaign(n=100, slopes=slopes, spread=spread).predict(GRID)
    radius = np.linalg.norm(GRID, axis=1)
    wrong = prediction.side != np.where(radius > 1, 1, -1)
    assert wrong.mean() < 0.02
    assert np.all(np.abs(radius[wrong] - 1) < 0.25)


def test_predictions_are_sums_of_independent_models():
    level_set = campaign(n=30, slopes=[4.0, 9.0])
    means = []
    variances = []
    for i, slope in enumerate([4.0, 9.0]):
        X, y = zip(*[(x, y) for x, j, y in level_set.samples if j == i], strict=True)
        mean, std = OrdinaryKriging(slope, 0.0).fit(X, y).predict(GRID, return_std=True)
        means.append(mean)
        variances.append(std**2)
    prediction = level_set.predict(GRID)
    # The default nugget is 1e-10 of the diagonal; it shows in the variances at about that size.
    np.testing.assert_allclose(prediction.mean, sum(means), atol=1e-7)
    np.testing.assert_allclose(prediction.std**2, sum(variances), atol=1e-7)


def test_predictions_of_single_functions_add_up():
    level_set = campaign(n=30)
    parts = [level_set.predict_mean(GRID, [i]) for i in range(2)]
    np.testing.assert_array_equal(parts[0] + parts[1], level_set.predict_mean(GRID))
    np.testing.assert_array_equal(level_set.predict(GRID).mean, level_set.predict_mean(GRID))


@heuristics
def test_length_scales_are_the_same_as_rescaled_functions(heuristic):
    scales = np.array([1.0, 50.0])
    wide = CompositeLevelSet(
        BOX * scales[:, None], 2, 1.0, heuristic, slopes=4.0, length_scales=scales, random_state=0
    )
    plain = campaign(heuristic)
    for _ in range(25):
        x, i = wide.ask()
        wide.tell(x, i, FUNCTIONS[i](x / scales))
        point, j = plain.ask()
        plain.tell(point, j, FUNCTIONS[j](point))
        assert i == j
        np.testing.assert_allclose(x / scales, point, rtol=1e-12)


@heuristics
@pytest.mark.parametrize("slopes", [4.0, "steepest", "variogram", "likelihood"])
@pytest.mark.parametrize("n", [3, 25])
def test_a_campaign_restored_from_json_goes_on_as_if_it_had_not_stopped(heuristic, slopes, n):
    options = {"slopes": slopes, "costs": [1.0, 2.0], "lower_bounds": [-0.25, -0.25]}
    level_set = campaign(heuristic, n=n, **options)
    level_set.ask()
    restored = CompositeLevelSet.from_state(json.loads(json.dumps(level_set.get_state())))
    assert [(x.tolist(), i) for x, i in restored.pending] == [
        (x.tolist(), i) for x, i in level_set.pending
    ]
    assert go_on(restored, 15) == go_on(level_set, 15)


@pytest.mark.parametrize("generator", ["MT19937", "Philox", "SFC64"])
def test_the_state_keeps_any_bit_generator(generator):
    rng = np.random.Generator(getattr(np.random, generator)(3))
    level_set = campaign(n=3, seed=rng)
    restored = CompositeLevelSet.from_state(json.loads(json.dumps(level_set.get_state())))
    assert go_on(restored, 3) == go_on(level_set, 3)


@pytest.mark.parametrize("heuristic", HEURISTICS[1:])
def test_asking_ahead_equals_telling_the_predicted_values(heuristic):
    ahead = campaign(heuristic, n=20)
    teller = campaign(heuristic, n=20)
    batch = ahead.ask(6)
    for x, i in batch:
        point, j = teller.ask()
        assert (x.tolist(), i) == (point.tolist(), j)
        samples = [(x, y) for x, k, y in teller.samples if k == i]
        mean = OrdinaryKriging().fit(*zip(*samples, strict=True)).predict([point])[0]
        teller.tell(point, i, mean)
    assert ahead.ask()[0].tolist() == teller.ask()[0].tolist()


@heuristics
def test_a_batch_has_no_pair_twice(heuristic):
    batch = campaign(heuristic, n=10).ask(8)
    assert len({(*x, i) for x, i in batch}) == 8


def test_the_first_questions_of_a_batch_go_to_every_function():
    functions = [i for _, i in CompositeLevelSet(BOX, 4, 0.0, slopes=1.0).ask(8)]
    assert sorted(functions) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_pending_questions_leave_the_predictions_alone():
    level_set = campaign(n=20)
    before = level_set.predict(GRID)
    level_set.ask(5)
    after = level_set.predict(GRID)
    np.testing.assert_array_equal(after.mean, before.mean)
    np.testing.assert_array_equal(after.std, before.std)


def test_withdrawing_ends_the_wait():
    level_set = campaign(n=10)
    x, i = level_set.ask()
    level_set.withdraw(x, i)
    assert level_set.pending == []


def cheap_first(n, **options):
    """A cheap and a dear function, both with the least value 0."""
    functions = [lambda x: 4 * x[0] ** 2, lambda x: 4 * x[1] ** 2]
    level_set = CompositeLevelSet(BOX, 2, 1.0, slopes=16.0, costs=[1, 2], random_state=0, **options)
    for _ in range(n):
        x, i = level_set.ask()
        level_set.tell(x, i, functions[i](x))
    return level_set


def test_a_dear_function_is_evaluated_only_where_a_cheap_one_cannot_settle_the_side():
    samples = cheap_first(120, lower_bounds=[0, 0]).samples
    known = {}
    for x, i, y in samples[2:]:
        if i == 1:
            assert known[tuple(x)] <= 1.0
        known[tuple(x)] = y
    assert sum(i for _, i, _ in samples[2:]) > 5


def test_of_equal_costs_the_first_function_counts_as_cheaper():
    level_set = campaign(n=60, lower_bounds=[-0.25, -0.25])
    first = {tuple(x) for x, i, _ in level_set.samples[2:] if i == 0}
    second = {tuple(x) for x, i, _ in level_set.samples[2:] if i == 1}
    assert second < first


@pytest.mark.parametrize("slopes", ["steepest", "variogram", "likelihood"])
def test_a_function_that_looks_constant_at_first_is_still_looked_at(slopes):
    level_set = campaign(slopes=slopes)
    for x in ([0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]):
        level_set.tell(x, 0, x[0] + x[1])
        level_set.tell(x, 1, 0.5)
    asked = [i for _, i in level_set.ask(30)]
    assert asked.count(1) > 5


def test_an_unknown_lower_bound_spares_nothing():
    samples = cheap_first(60, lower_bounds=[0, -np.inf]).samples
    cheap = [tuple(x) for x, i, _ in samples[2:] if i == 0]
    dear = [tuple(x) for x, i, _ in samples[2:] if i == 1]
    assert len(dear) > 5
    assert set(dear) <= set(cheap)  # asked after, and whatever came out
    assert any(y > 1 and tuple(x) in dear for x, i, y in samples if i == 0)


@pytest.mark.parametrize("heuristic", HEURISTICS[2:])
def test_cheap_first_finds_the_level_set(heuristic):
    level_set = cheap_first(150, lower_bounds=[0, 0], heuristic=heuristic)
    assert level_set.accuracy(GRID, 4 * np.sum(GRID**2, axis=1)) > 0.97


def test_cheap_first_spares_a_point_that_the_cheap_function_settles():
    x = np.array([1.5, 0.0])
    level_set = cheap_first(2, lower_bounds=[0, 0])
    level_set._questions.plan(x, [0, 1])
    assert level_set.ask()[1] == 0
    level_set.tell(x, 0, 9.0)
    assert not np.array_equal(level_set.ask()[0], x)


def test_without_lower_bounds_no_question_waits_for_another():
    level_set = cheap_first(60)
    points = [tuple(x) for x, _, _ in level_set.samples]
    assert len(set(points)) == len(points)


def test_a_costly_function_is_asked_less_often():
    equal = campaign(n=60)
    dear = campaign(n=60, costs=[1, 5])
    counts = [np.bincount([i for _, i, _ in c.samples]) for c in (equal, dear)]
    assert counts[1][1] < counts[0][1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"heuristic": "variance-straddel"}, "did you mean 'variance-straddle'"),
        ({"slopes": "gradient"}, "slopes='gradient' is unknown; known: likelihood, steepest"),
        ({"slopes": [1.0, -1.0]}, r"slopes must be 2 positive numbers, got \[1.0, -1.0\]"),
        ({"slopes": [1.0]}, "slopes must be 2 positive numbers"),
        ({"spread": "sigma"}, "spread='sigma' is unknown"),
        ({"costs": [1.0, 0.0]}, "costs must be 2 positive numbers"),
        ({"lower_bounds": [0.0]}, "lower_bounds must be 2 numbers"),
        ({"form": "long"}, "form='long' is unknown"),
        ({"neighbors": 1}, "neighbors=1 must be at least 2"),
        ({"n_initial": 1, "slopes": "steepest"}, "n_initial=1 must be at least 4"),
        ({"bounds": [[1.0, 0.0]]}, "lower below upper"),
    ],
)
def test_a_wrong_option_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        CompositeLevelSet(**{"bounds": BOX, "n_functions": 2, "threshold": 0.0} | arguments)


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (([0.0, 0.0], 2, 1.0), "function 2 is unknown: 2 functions"),
        (([0.0, 0.0], 0, np.nan), r"not finite: tell a number, or withdraw\(x, i\)"),
        (([0.0], 0, 1.0), r"shape \(how many, 2\), got shape \(1, 1\)"),
    ],
)
def test_a_wrong_answer_is_refused_and_leaves_no_trace(sample, message):
    level_set = campaign()
    with pytest.raises(ValueError, match=message):
        level_set.tell(*sample)
    assert level_set.samples == []


def test_predicting_needs_a_sample_of_each_function():
    level_set = campaign()
    level_set.tell([0.0, 0.0], 0, 1.0)
    with pytest.raises(ValueError, match="function 1 has 0 samples and needs 1"):
        level_set.predict([[0.0, 0.0]])
