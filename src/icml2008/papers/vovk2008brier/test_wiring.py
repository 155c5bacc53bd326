"""What is measured of learners beside bookmakers, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.papers.vovk2008brier import experiments
from icml2008.papers.vovk2008brier.method import brier_losses, expert_weights, slack
from icml2008.papers.vovk2008brier.odds import odds_to_forecast
from wiring import wire


def season(seed, n, k=3, sport="football"):
    """Return matches whose days and groups are out of order, the fourth with an odd missing."""
    rng = np.random.default_rng(seed)
    outcomes = ["H", "D", "A"] if sport == "football" else ["first", "second"]
    X = rng.uniform(1.5, 4, size=(n, k, len(outcomes)))
    X[3, 0, 0] = np.nan
    day = experiments.SECOND_SUMMER + rng.integers(-3, 4, size=n)
    group = rng.choice(["E0", "E2"], size=n)
    return SimpleNamespace(X=X, y=rng.choice(outcomes, size=n), outcomes=outcomes, day=day,
                           group=group)  # fmt: skip


DATA = {"football-odds": season(1, 40), "tennis-odds": season(2, 30, 4, "tennis")}


class Follower:
    """Suffers what its rate, its blocks and the place of a match say."""

    def __init__(self, rate=8.0):
        self.rate = rate

    def fit(self, forecasts, outcomes, blocks=None):
        n = len(outcomes)
        self.losses_ = 0.3 + self.rate * np.arange(n) / 100 + 0.1 * (blocks is not None)
        return self


NAMES = ("aggregating", "by-day", "weighted-average", "hedge", "average", "best-bookmaker")
METHODS = dict.fromkeys(NAMES, Follower)


def order(matches, sport, choices):
    """Return the rows of the matches that are played, one sort after the other."""
    rows = [row for row in range(len(matches.y)) if row != 3]
    if sport == "football" and choices.get("rows") == "without-league-one":
        rows = [
            row
            for row in rows
            if matches.group[row] != "E2" or matches.day[row] >= experiments.SECOND_SUMMER
        ]
    rows.sort(key=lambda row: (matches.day[row], matches.group[row], row))
    if choices.get("within-day") == "reversed":
        rows.reverse()
        rows.sort(key=lambda row: matches.day[row])
    return rows


def losses_of(matches, rows):
    """Return what each bookmaker suffers, (matches, bookmakers)."""
    losses = []
    for row in rows:
        happened = np.array([matches.y[row] == outcome for outcome in matches.outcomes])
        losses.append(np.sum((odds_to_forecast(matches.X[row]) - happened) ** 2, axis=1))
    return np.array(losses)


def regret(ours, theirs):
    """Return the most by which sums of losses were above the least of the bookmakers'."""
    most = -np.inf
    for t in range(1, len(ours) + 1):
        most = max(most, ours[:t].sum() - min(theirs[:t].sum(axis=0)))
    return most


@pytest.mark.parametrize(
    "choices", [{}, {"rows": "without-league-one"}, {"within-day": "reversed"}], ids=str
)
@pytest.mark.parametrize("sport", ["football", "tennis"])
def test_regrets_shares_and_changes_are_those_of_the_matches_in_their_order(sport, choices):
    wired = wire(
        experiments.figures_1_and_2, {"sport": sport}, methods=METHODS, choices=choices, data=DATA
    )
    matches = DATA[f"{sport}-odds"]
    rows = order(matches, sport, choices)
    theirs = losses_of(matches, rows)
    n, k = theirs.shape
    rates = {
        "weighted-average": 0.25,
        "hedge": experiments.hedge_rate(2 * n, k),
        "average": 0.0,
    }
    ours = {}
    for name in NAMES:
        learner = Follower(rates.get(name, 8.0))
        learner.fit(None, theirs, blocks=True if name == "by-day" else None)
        ours[name] = learner.losses_
        lag = regret(ours[name], theirs)
        assert wired[name]["regret"] == pytest.approx(lag)
        assert wired[name]["share"] == pytest.approx(lag / np.log(k))
        assert wired[name]["loss"] == pytest.approx(ours[name].sum())
        assert wired[name]["violation"] == pytest.approx(lag - np.log(k))
        assert wired.n_test[name]["violation"] == n
    least = regret(ours["aggregating"], theirs)
    highest = max(
        regret(Follower(rate).fit(None, theirs).losses_, theirs) / least
        for rate in (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4)
    )
    assert wired["hedge"]["highest"] == pytest.approx(highest)
    totals = theirs.cumsum(axis=0)
    gap = (totals - ours["aggregating"].cumsum()[:, None]).max() + np.log(k)
    assert wired["by-day"]["shift"] == pytest.approx(100 * 0.1 * n / gap)
    leaders = [int(np.argmin(row)) for row in totals[n // 2 :]]
    metrics = wired["best-bookmaker"]
    assert metrics["matches"] == n
    assert metrics["changes"] == sum(a != b for a, b in zip(leaders, leaders[1:], strict=False))
    assert metrics["spread"] == pytest.approx((max(totals[-1]) - min(totals[-1])) / np.log(k))
    over = [sum(1 / odds) - 1 for row in rows for odds in matches.X[row]]
    most = {"football": 0.15, "tennis": 0.1}[sport]
    assert metrics["slim"] == pytest.approx(100 * np.mean([value <= most for value in over]))
    if sport == "tennis":
        football = losses_of(
            DATA["football-odds"], order(DATA["football-odds"], "football", choices)
        )
        fitted = experiments.AggregatingForecaster()
        forecasts, outcomes, _ = experiments.played(wired.trial, "football")
        other = regret(fitted.fit(forecasts, outcomes).losses_, football) / np.log(3)
        assert wired["aggregating"]["tighter"] == pytest.approx(least / np.log(k) - other)


def test_football_ends_with_the_match_of_the_choice(monkeypatch):
    monkeypatch.setattr(experiments, "LAST", {"6416th": 6, "end-of-season": None})
    for choice, n in (("6416th", 6), ("end-of-season", 39)):
        wired = wire(
            experiments.figures_1_and_2,
            {"sport": "football"},
            methods=METHODS,
            choices={"last-match": choice},
            data=DATA,
        )
        assert wired["best-bookmaker"]["matches"] == n


@pytest.mark.parametrize(
    ("name", "method", "value", "rate"),
    [
        ("average-rate", "weighted-average", "0.125", 0.125),
        ("average-rate", "weighted-average", "textbook", (8 * np.log(3) / 39) ** 0.5),
        ("hedge-rate", "hedge", "2", 2.0),
        ("hedge-rate", "hedge", "hindsight", None),
    ],
)
def test_a_rate_is_its_own_rivals_alone(name, method, value, rate):
    wired = wire(
        experiments.figures_1_and_2,
        {"sport": "football"},
        methods=METHODS,
        choices={name: value},
        data=DATA,
    )
    theirs = losses_of(DATA["football-odds"], order(DATA["football-odds"], "football", {}))
    rates = {"weighted-average": 0.25, "hedge": experiments.hedge_rate(2 * 39, 3)}
    rates[method] = experiments.hedge_rate(min(theirs.sum(axis=0)), 3) if rate is None else rate
    for rival, expected in rates.items():
        losses = Follower(expected).fit(None, theirs).losses_
        assert wired[rival]["loss"] == pytest.approx(losses.sum())


@pytest.mark.parametrize("nature", ["random", "turns", "greedy"])
def test_the_violation_is_the_largest_regret_of_all_sequences(monkeypatch, nature):
    monkeypatch.setattr(experiments, "SEQUENCES", 3)
    monkeypatch.setattr(experiments, "ROUNDS", 5)
    cell = {"experts": 4, "outcomes": 3, "nature": nature}
    wired = wire(experiments.random_experts, cell)
    experts = wired.rng("experts").dirichlet(np.ones(3), size=(5, 3, 4))
    happens = wired.rng("nature").integers(3, size=(5, 3))
    for name, rate in (("weighted-average", 0.25), ("average", 0.0)):
        most = -np.inf
        for sequence in range(3):
            ours = 0.0
            theirs = np.zeros(4)
            for t in range(5):
                pool = experts[t, sequence]
                weights = np.exp(-rate * (theirs - theirs.min()))
                forecast = weights @ pool / weights.sum()
                outcome = {
                    "random": happens[t, sequence],
                    "turns": t % 3,
                    "greedy": int(np.argmin(forecast)),
                }[nature]
                ours += np.sum((forecast - np.eye(3)[outcome]) ** 2)
                theirs = theirs + np.sum((pool - np.eye(3)[outcome]) ** 2, axis=1)
                most = max(most, ours - min(theirs))
        assert wired[name]["violation"] == pytest.approx(most - np.log(4))
        assert wired.n_test[name]["violation"] == 3


def test_a_game_is_worth_the_worst_of_its_spacings(monkeypatch):
    asked = []

    def worst(name, rate, pool, rounds):
        asked.append((name, rate, rounds))
        return np.ptp(pool)

    monkeypatch.setattr(experiments, "worst_regret", worst)
    wired = wire(experiments.worst_sequences, {"experts": 8, "rounds": 30})
    # Of eight experts 0.12 apart, and even 0.16, the outer ones stay inside (0, 1).
    for name in ("aggregating", "weighted-average", "average", "hedge", "minimax"):
        assert wired[name]["share"] == pytest.approx(0.12 * 7 / np.log(8))
    rates = {name: rate for name, rate, _ in asked}
    assert rates == {
        "aggregating": 1.0,
        "weighted-average": 0.25,
        "average": 0.0,
        "hedge": experiments.hedge_rate(60, 8),
        "minimax": None,
    }
    assert {rounds for *_, rounds in asked} == {30}


def test_a_forecasts_excess_is_the_most_that_it_is_above_a_generalised_prediction(monkeypatch):
    monkeypatch.setattr(experiments, "POOLS", 6)
    wired = wire(experiments.substitution, {"outcomes": 3, "eta": 1.0})
    rng = wired.rng("pools")
    pools = rng.dirichlet(np.ones(3), size=(6, 2))
    weights = rng.dirichlet([1, 1], size=6)
    moved = rng.uniform(-0.1, 0.1, size=(3, 2, 1))
    for k in range(3):
        pools[2 * k] = np.array([0.5, 0.5, 0]) + moved[k] * [1, -1, 0]
    steps = 10 ** rng.uniform(-6, 0, size=(10, 6, 1))
    corners = rng.dirichlet(np.ones(3), size=(10, 6))
    most = {"average": -np.inf, "aggregating": -np.inf}
    better = {"average": -np.inf, "aggregating": -np.inf}
    for k in range(6):
        mixed = -np.log(weights[k] @ np.exp(-brier_losses(pools[k])))
        generalised = experiments.generalised_prediction(weights[k], pools[k], 1.0)
        np.testing.assert_allclose(generalised, mixed)
        best = experiments.substitute(generalised)
        for name, forecast in (("average", weights[k] @ pools[k]), ("aggregating", best)):
            left = min(mixed - brier_losses(forecast))
            assert left == pytest.approx(slack(generalised, forecast))
            most[name] = max(most[name], -left)
            for step, corner in zip(steps[:, k], corners[:, k], strict=True):
                rival = best + step * (corner - best)
                gain = min(mixed - brier_losses(rival)) + np.sum((rival - forecast) ** 2) - left
                better[name] = max(better[name], gain)
    for name in most:
        assert wired[name]["excess"] == pytest.approx(most[name], abs=1e-9)
        assert wired[name]["better"] == pytest.approx(better[name], abs=1e-9)
    lowest = np.inf
    for i in range(9):
        for j in range(9 - i):
            lowest = min(lowest, experiments.curvature(np.array([i, j, 8 - i - j]) / 8, 1.0))
    assert wired["aggregating"]["curvature"] == pytest.approx(lowest)


def test_weights_are_the_more_the_less_was_suffered():
    weights = expert_weights(np.array([1.0, 2.0]), 0.5)
    assert weights[0] / weights[1] == pytest.approx(np.exp(0.5))
