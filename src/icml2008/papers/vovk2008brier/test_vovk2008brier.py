from datetime import date
from functools import cache
from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest

from icml2008.catalogue import library
from icml2008.data import load
from icml2008.data.availability import ensure
from icml2008.harness.trial import Trial

from .experiments import (
    curvature,
    figures_1_and_2,
    played,
    regret_of,
    rows_of,
    slim_share,
    worst_regret,
)
from .method import (
    AggregatingForecaster,
    ForecastError,
    HedgeForecaster,
    WeightedAverageForecaster,
    brier_losses,
    hedge_rate,
    slack,
    substitute,
    suffered,
)

PRINTED = {"football": 6416, "tennis": 10087}
loaded = cache(load)


def odds_of(sport):
    if ensure(f"{sport}-odds").status != "available":
        pytest.skip(f"the odds of {sport} cannot be had")
    return loaded(f"{sport}-odds")


def loss(forecast, outcome):
    return sum((p - (o == outcome)) ** 2 for o, p in enumerate(forecast))


def algorithm_1(weights, experts):
    G = [
        -log(sum(w * exp(-loss(expert, o)) for w, expert in zip(weights, experts, strict=True)))
        for o in range(len(experts[0]))
    ]
    for wet in range(len(G), 0, -1):  # how many outcomes s is above
        s = (2 + sum(sorted(G)[:wet])) / wet
        if s > sorted(G)[wet - 1]:
            return [max(s - g, 0) / 2 for g in G]
    raise AssertionError


def mean(weights, values):
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


@pytest.mark.parametrize(
    ("sport", "n"),
    [
        *(("football", 1000), ("tennis", 1000)),
        *(pytest.param(*whole, marks=pytest.mark.thorough) for whole in PRINTED.items()),
    ],
)
def test_a_plain_loop_over_the_matches_finds_the_same_regrets(sport, n):
    """Rows, order, forecasts and three algorithms, from the text again."""
    data = odds_of(sport)
    rows = zip(data.day, data.group, range(len(data.y)), data.X.tolist(), data.y, strict=True)
    rows = sorted(row for row in rows if not any(a != a for odds in row[3] for a in odds))[:n]
    k = len(rows[0][3])
    beta = 1 / (1 + sqrt(2 * log(k) / n))
    theirs = [0.0] * k
    ours = {"aggregating": 0.0, "weighted-average": 0.0, "hedge": 0.0}
    regret = dict.fromkeys(ours, -9.0)
    for *_, quoted, label in rows:
        outcome = data.outcomes.index(label)
        experts = [
            [1 / a / sum(1 / b for b in odds) for a in odds]
            if all(odds)
            else [a == 0 for a in odds]
            for odds in quoted
        ]
        losses = [loss(expert, outcome) for expert in experts]
        weights = [exp(-(total - min(theirs)) / 4) for total in theirs]
        average = [mean(weights, column) for column in zip(*experts, strict=True)]
        best = algorithm_1([exp(min(theirs) - total) for total in theirs], experts)
        ours["aggregating"] += loss(best, outcome)
        ours["weighted-average"] += loss(average, outcome)
        ours["hedge"] += mean([beta ** ((total - min(theirs)) / 2) for total in theirs], losses)
        theirs = [total + loss for total, loss in zip(theirs, losses, strict=True)]
        regret = {name: max(regret[name], ours[name] - min(theirs)) for name in ours}
    choices = library.trial_choices("vovk2008brier", "matches", "default")
    trial = Trial("x", figures_1_and_2, {"sport": sport}, 0, choices=choices, load=loaded)
    forecasts, outcomes, _ = played(trial, sport)
    assert len(forecasts) == PRINTED[sport]
    game = forecasts[:n], outcomes[:n]
    for learner, name in (
        (AggregatingForecaster(), "aggregating"),
        (WeightedAverageForecaster(), "weighted-average"),
        (HedgeForecaster(hedge_rate(2 * n, k)), "hedge"),
    ):
        own_regret = regret_of(learner.fit(*game).losses_, suffered(*game))
        assert own_regret == pytest.approx(regret[name], abs=1e-9)


def test_without_league_one_the_6416_matches_reach_the_spring_of_2008():
    matches = odds_of("football")
    choices = library.trial_choices("vovk2008brier", "matches", "rows=without-league-one")
    trial = Trial("x", figures_1_and_2, {"sport": "football"}, 0, choices=choices, load=loaded)
    rows = rows_of(trial, "football")
    assert len(rows) == PRINTED["football"]
    assert date.fromordinal(matches.day[rows].max()) == date(2008, 4, 27)


def test_an_odd_of_0_is_no_slim_quote():
    odds = np.array([[2.0, 2.0], [1.9, 1.9], [0.0, 2.0], [1.5, 1.5]])
    assert slim_share(odds, 0.1) == 50


@pytest.mark.parametrize(
    ("sport", "row", "day", "odds", "outcome"),
    [
        ("football", 380, date(2005, 8, 6), [2.37, 3.25, 2.62], "H"),
        ("tennis", 2877, date(2005, 1, 3), [1.286, 3.25], "W"),
    ],
)
def test_a_match_as_a_person_reads_it(sport, row, day, odds, outcome):
    data = odds_of(sport)
    assert date.fromordinal(data.day[row]) == day
    assert (data.X[row, 0].tolist(), data.y[row]) == (odds, outcome)


def test_no_forecast_of_a_grid_leaves_as_much_below_as_pouring():
    rng = np.random.default_rng(0)
    grid = np.array([(i, j, 60 - i - j) for i in range(61) for j in range(61 - i)]) / 60
    for generalised in rng.normal(size=(20, 3)):
        best = substitute(generalised)
        assert best.sum() == pytest.approx(1)
        assert slack(generalised, best) >= slack(generalised, grid).max()


def game(n_rounds=30, n_experts=4, n_outcomes=3):
    rng = np.random.default_rng(0)
    forecasts = rng.dirichlet(np.ones(n_outcomes), size=(n_rounds, n_experts))
    return forecasts, rng.integers(n_outcomes, size=n_rounds)


@pytest.mark.parametrize("make", [AggregatingForecaster, WeightedAverageForecaster])
def test_a_game_in_two_parts_is_one_game_and_predict_announces_the_next_round(make):
    forecasts, outcomes = game()
    whole = make().fit(forecasts, outcomes)
    parts = make().fit(forecasts[:9], outcomes[:9])
    np.testing.assert_allclose(parts.predict(forecasts[9:10])[0], whole.forecasts_[9])
    parts.partial_fit(forecasts[9:], outcomes[9:])
    np.testing.assert_allclose(parts.losses_, whole.losses_[9:])


def test_within_a_block_nothing_is_learnt():
    forecasts, outcomes = game()
    blocks = np.repeat(np.arange(10), 3)
    mixed = AggregatingForecaster().fit(forecasts, outcomes, blocks=blocks).forecasts_[12:15]
    before = AggregatingForecaster().fit(forecasts[:12], outcomes[:12])
    np.testing.assert_allclose(mixed, before.predict(forecasts[12:15]))


@pytest.mark.parametrize(("name", "rate"), [("aggregating", 1.0), ("average", 0.3), ("hedge", 0.2)])
def test_backward_induction_finds_the_worst_of_all_sequences(name, rate):
    first = np.array([0.3, 0.5, 0.6])
    rounds = 7
    forecasts = np.tile(np.stack([first, 1 - first], axis=1), (rounds, 1, 1))
    makers = {"aggregating": AggregatingForecaster, "hedge": HedgeForecaster}
    worst = -np.inf
    for outcomes in product([0, 1], repeat=rounds):
        learner = makers.get(name, WeightedAverageForecaster)(rate)
        learner.fit(forecasts, np.array(outcomes))
        worst = max(worst, learner.losses_.sum() - learner.total_losses_.min())
    assert worst_regret(name, rate, first, rounds) == pytest.approx(worst)
    assert worst_regret("minimax", rate, first, rounds) < worst


@pytest.mark.parametrize("eta", [0.9, 1.01])
def test_curvature_is_the_determinant_of_equation_7(eta):
    u = np.array([0.5, 0.3, 0.2])
    t = 1 - 2 * eta * u
    assert curvature(u, eta) == pytest.approx(
        np.linalg.det([[t[0], 0, -t[2]], [0, t[1], -t[2]], u])
    )


def test_the_papers_example_of_a_loss():
    assert brier_losses(np.array([1 / 2, 1 / 4, 1 / 4]))[0] == 3 / 8


@pytest.mark.parametrize(
    ("learner", "forecasts", "outcomes", "message"),
    [
        (
            AggregatingForecaster(1.01),
            [[[0.5, 0.5]]],
            [0],
            r"eta is 1\.01; the Brier game is mixable",
        ),
        (HedgeForecaster(-1), [[[0.5, 0.5]]], [0], "eta is -1; a learning rate is at least 0"),
        (
            HedgeForecaster(),
            [[0.5, 0.5]],
            [0],
            r"not \(1, 2\), and outcomes \(n_rounds,\), not \(1,\)",
        ),
        (HedgeForecaster(), [[[0.5, 0.6]]], [0], "entries are at least 0 and add up to 1"),
        (HedgeForecaster(), [[[0.5, 0.5]]], [2], "outcomes are whole numbers from 0 to 1"),
    ],
)
def test_what_is_no_brier_game_is_refused(learner, forecasts, outcomes, message):
    with pytest.raises(ForecastError, match=message):
        learner.fit(forecasts, outcomes)
