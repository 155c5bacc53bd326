"""Figures 1 and 2 on bookmakers' odds; Theorem 1, Eq. 7 and Proposition 1 in games of our own."""

from __future__ import annotations

from datetime import date
from itertools import product

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.vovk2008brier.method import (
    AggregatingForecaster,
    HedgeForecaster,
    WeightedAverageForecaster,
    brier_losses,
    expert_weights,
    generalised_prediction,
    hedge_rate,
    slack,
    substitute,
    suffered,
)
from icml2008.papers.vovk2008brier.odds import odds_to_forecast

# Football matches that are played, by the choice `last-match`.
LAST = {"6416th": 6416, "before-2008-01-12": 6399, "end-of-season": None}
# The day before which the first two seasons end, and the sign of League One.
SECOND_SUMMER = date(2007, 7, 1).toordinal()
LEAGUE_ONE = "E2"
# The overround that football quotes hardly exceed, and that of tennis quotes.
OVERROUND = {"football": 0.15, "tennis": 0.1}
# Learning rates of the rivals, the authors' and Algorithm 1's among them.
TRIED = 2.0 ** np.arange(-6, 3)
POINTS = 120


class Expert(WeightedAverageForecaster):
    """The bookmaker who is best in the end, followed from the first match on."""

    def _suffer(self, weights, theirs, outcomes):
        return theirs[:, theirs.sum(axis=0).argmin()]


def rows_of(trial: Trial, sport: str) -> np.ndarray:
    """Return which matches are played, in their order."""
    matches = trial.data(f"{sport}-odds")
    choices = trial.choices
    filled = ~np.isnan(matches.X).any(axis=(1, 2))
    if sport == "football" and choices["rows"] == "without-league-one":
        filled &= (matches.group != LEAGUE_ONE) | (matches.day >= SECOND_SUMMER)
    rows = np.flatnonzero(filled)
    rows = rows[np.lexsort((matches.group[rows], matches.day[rows]))]
    if choices["within-day"] == "reversed":
        rows = rows[np.argsort(-matches.day[rows], kind="stable")][::-1]
    return rows[: LAST[choices["last-match"]]] if sport == "football" else rows


def played(trial: Trial, sport: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return forecasts, outcomes and days of the matches that are played, in their order."""
    matches = trial.data(f"{sport}-odds")
    rows = rows_of(trial, sport)
    outcomes = np.array([matches.outcomes.index(label) for label in matches.y[rows]])
    return odds_to_forecast(matches.X[rows]), outcomes, matches.day[rows]


def slim_share(odds: np.ndarray, most: float) -> float:
    """Return the percentage of quotes of which the overround is at most so much."""
    with np.errstate(divide="ignore"):  # an odd of 0 has an overround without end
        overround = np.sum(1 / odds, axis=-1) - 1
    return 100 * np.mean(overround <= most)


def rate_of(choice: str, n: int, k: int, best: float) -> float:
    """Return a rival's learning rate: a number, or a rule for n matches and k bookmakers.

    ``textbook`` is the rate by which losses in [0, 1] are bounded (Cesa-Bianchi and Lugosi 2006,
    Theorem 2.2); ``horizon`` and ``hindsight`` are Freund and Schapire's, from what bounds the best
    bookmaker's loss before the end, or from that loss.
    """
    if choice == "textbook":
        return np.sqrt(8 * np.log(k) / n)
    bounds = {"horizon": 2 * n, "hindsight": best}
    return hedge_rate(bounds[choice], k) if choice in bounds else float(choice)


def regret_of(losses: np.ndarray, theirs: np.ndarray) -> float:
    """Return by how much a learner was at most behind the best expert so far."""
    return np.max(losses.cumsum() - theirs.cumsum(axis=0).min(axis=1))


@experiment(
    "matches",
    cells=grid(sport=["football", "tennis"]),
    repeats=2,
    cost=0.4,
    data=lambda cell: ("football-odds", "tennis-odds")[: 1 + (cell["sport"] == "tennis")],
    methods={
        "aggregating": AggregatingForecaster,
        "by-day": AggregatingForecaster,
        "weighted-average": WeightedAverageForecaster,
        "hedge": HedgeForecaster,
        "average": WeightedAverageForecaster,
        "best-bookmaker": Expert,
    },
)
def figures_1_and_2(trial: Trial) -> None:
    """Losses along the matches, against those of the best bookmaker so far."""
    forecasts, outcomes, days = played(trial, trial.cell["sport"])
    theirs = suffered(forecasts, outcomes)
    totals = theirs.cumsum(axis=0)
    (n, k) = theirs.shape
    rates = {
        "weighted-average": rate_of(trial.choices["average-rate"], n, k, totals[-1].min()),
        "hedge": rate_of(trial.choices["hedge-rate"], n, k, totals[-1].min()),
        "average": 0.0,
    }
    losses = {}
    for name, make in trial.methods.items():
        with trial.attempt(name):
            learner = make(rates[name]) if name in rates else make()
            learner.fit(forecasts, outcomes, blocks=days if name == "by-day" else None)
            losses[name] = learner.losses_
            regret = regret_of(learner.losses_, theirs)
            trial.measure(name, regret=regret, share=regret / np.log(k), loss=sum(learner.losses_))
            trial.measure(name, violation=regret - np.log(k), n_test=n)
    least = regret_of(losses["aggregating"], theirs)
    for name in ("weighted-average", "hedge"):
        learners = [trial.methods[name](rate).fit(forecasts, outcomes) for rate in TRIED]
        ratios = [regret_of(learner.losses_, theirs) / least for learner in learners]
        trial.measure(name, highest=max(ratios))
        trial.keep(f"ratios of {name}", np.round(ratios, 3))
    gap = totals - losses["aggregating"].cumsum()[:, None]
    shift = np.abs(np.cumsum(losses["by-day"] - losses["aggregating"])).max()
    trial.measure("by-day", shift=100 * shift / (gap.max() + np.log(k)))
    leader = totals[n // 2 :].argmin(axis=1)
    changes = np.sum(leader[1:] != leader[:-1])
    spread = np.ptp(totals[-1])
    trial.measure("best-bookmaker", matches=n, changes=changes, spread=spread / np.log(k))
    sport = trial.cell["sport"]
    odds = trial.data(f"{sport}-odds").X[rows_of(trial, sport)]
    trial.measure("best-bookmaker", slim=slim_share(odds, OVERROUND[sport]))
    if trial.cell["sport"] == "tennis":
        forecasts, outcomes, _ = played(trial, "football")
        others = suffered(forecasts, outcomes)
        regret = regret_of(AggregatingForecaster().fit(forecasts, outcomes).losses_, others)
        trial.measure("aggregating", tighter=least / np.log(k) - regret / np.log(others.shape[1]))
    at = np.linspace(0, n - 1, POINTS).astype(int)
    trial.keep("matches", at + 1)
    trial.keep("excess losses", np.round(gap[at].T, 3))


RATES = {"aggregating": 1.0, "weighted-average": 0.25, "average": 0.0}
SEQUENCES = 200
ROUNDS = 200


def announced(name: str, rate: float, theirs: np.ndarray, forecasts: np.ndarray) -> np.ndarray:
    """Return what a learner announces when the experts' losses, (..., K), are known."""
    weights = expert_weights(theirs, rate)
    if name == "aggregating":
        return substitute(generalised_prediction(weights, forecasts, rate))
    return np.sum(weights[..., None] * forecasts, axis=-2)


@experiment(
    "sequences",
    cells=grid(experts=[2, 4, 8, 10], outcomes=[2, 3, 5], nature=["random", "turns", "greedy"]),
    quick=grid(experts=[2, 10], outcomes=[2, 5], nature=["turns", "greedy"]),
    smoke=grid(experts=[10], outcomes=[2, 5], nature=["greedy"]),
    repeats={"quick": 1, "full": 9},
    cost=0.2,
    methods=RATES,
)
def random_experts(trial: Trial) -> None:
    """Theorem 1: 200 sequences of 200 rounds; the greedy nature hurts the learner most."""
    k, n, nature = (trial.cell[name] for name in ("experts", "outcomes", "nature"))
    experts = trial.rng("experts").dirichlet(np.ones(n), size=(ROUNDS, SEQUENCES, k))
    happens = trial.rng("nature").integers(n, size=(ROUNDS, SEQUENCES))
    if nature == "turns":
        happens = np.broadcast_to(np.arange(ROUNDS)[:, None] % n, happens.shape)
    for name, rate in trial.methods.items():
        theirs = np.zeros((SEQUENCES, k))
        ours = np.zeros(SEQUENCES)
        regret = -np.inf
        for forecasts, outcomes in zip(experts, happens, strict=True):
            forecast = announced(name, rate, theirs, forecasts)
            if nature == "greedy":
                outcomes = forecast.argmin(axis=-1)
            ours = ours + suffered(forecast, outcomes)
            theirs = theirs + suffered(forecasts, outcomes)
            regret = np.maximum(regret, ours - theirs.min(axis=-1))
        trial.measure(name, violation=regret.max() - np.log(k), n_test=SEQUENCES)


# Distances between neighbouring experts; the worst for a learner counts.
SPACINGS = (0.02, 0.04, 0.08, 0.12)


def worst_regret(name: str, rate: float, first: np.ndarray, rounds: int) -> float:
    """Return the largest regret over all 2^rounds sequences of two outcomes.

    Experts always give the first outcome the same probability, (K,), so that of the past nothing
    matters but how often it was: backward induction over this number is exact. The minimax learner
    makes both outcomes equally bad for itself.
    """
    pool = np.stack([first, 1 - first], axis=1)
    losses = brier_losses(pool)
    value = None
    for turn in range(rounds, -1, -1):
        firsts = np.arange(turn + 1)[:, None]
        theirs = firsts * losses[:, 0] + (turn - firsts) * losses[:, 1]
        if value is None:
            value = -theirs.min(axis=1)
            continue
        if name == "hedge":
            ours = expert_weights(theirs, rate) @ losses
        elif name == "minimax":
            p = np.clip(0.5 + np.diff(value) / 4, 0, 1)
            ours = brier_losses(np.stack([p, 1 - p], axis=1))
        else:
            ours = brier_losses(announced(name, rate, theirs, pool))
        value = np.maximum(ours[:, 0] + value[1:], ours[:, 1] + value[:-1])
    return float(value[0])


@experiment(
    "game",
    cells=grid(experts=[2, 4, 8], rounds=[30, 100, 300, 1000]),
    quick=grid(experts=[2, 8], rounds=[30, 100]),
    smoke=grid(experts=[8], rounds=[30]),
    repeats=2,
    cost=0.2,
    methods={**RATES, "hedge": None, "minimax": None},
)
def worst_sequences(trial: Trial) -> None:
    """Theorem 1, both parts: what each learner suffers at worst, and what none can avoid."""
    k = trial.cell["experts"]
    rounds = trial.cell["rounds"]
    pools = [0.5 + gap * (np.arange(k) - (k - 1) / 2) for gap in SPACINGS]
    for name, rate in trial.methods.items():
        if name == "hedge":
            rate = hedge_rate(2 * rounds, k)
        regrets = [worst_regret(name, rate, pool, rounds) for pool in pools if pool[0] > 0]
        trial.measure(name, share=max(regrets) / np.log(k))


POOLS = 1000
RIVALS = 10
STEPS = 8


def curvature(u: np.ndarray, eta: float) -> np.ndarray:
    """Return the expression of Eq. 7 for forecasts, (..., n)."""
    t = 1 - 2 * eta * u
    return sum(u[..., i] * np.prod(np.delete(t, i, axis=-1), axis=-1) for i in range(u.shape[-1]))


@experiment(
    "substitution",
    cells=grid(outcomes=[2, 3, 5], eta=[0.5, 0.9, 1.0, 1.01]),
    repeats={"quick": 6, "full": 6},
    cost=0.01,
    methods=dict.fromkeys(("aggregating", "average")),
)
def substitution(trial: Trial) -> None:
    """Eq. 7 on a grid; is there a forecast below each generalised prediction, and a better one?

    Half of the pools are two forecasts near the middle of an edge of the simplex, where the
    curvature vanishes first. Rivals are at distances of 1e-6 to 1.
    """
    n = trial.cell["outcomes"]
    eta = trial.cell["eta"]
    rng = trial.rng("pools")
    pools = rng.dirichlet(np.ones(n), size=(POOLS, 2))
    weights = rng.dirichlet([1, 1], size=POOLS)
    pools[::2] = np.eye(n)[:2].mean(axis=0)
    pools[::2, :, :2] += rng.uniform(-0.1, 0.1, size=(POOLS // 2, 2, 1)) * [1, -1]
    generalised = generalised_prediction(weights, pools, eta)
    best = substitute(generalised)
    steps = 10 ** rng.uniform(-6, 0, size=(RIVALS, POOLS, 1))
    rivals = best + steps * (rng.dirichlet(np.ones(n), size=(RIVALS, POOLS)) - best)
    forecasts = {"aggregating": best, "average": np.sum(weights[..., None] * pools, axis=1)}
    for name in trial.methods:
        left = slack(generalised, forecasts[name])
        apart = rivals - forecasts[name]
        better = slack(generalised, rivals) + np.sum(apart**2, axis=-1) - left
        trial.measure(name, excess=-left.min(), n_test=POOLS)
        trial.measure(name, better=better.max(), n_test=POOLS * RIVALS)
    points = [p for p in product(range(STEPS + 1), repeat=n) if sum(p) == STEPS]
    lowest = curvature(np.array(points) / STEPS, eta).min()
    trial.measure("aggregating", curvature=lowest)
