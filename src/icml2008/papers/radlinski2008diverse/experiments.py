"""Section 6: clicks on learnt rankings, without and with click noise, and the theorems' bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.bandits.explore import RankedExploreAndCommit
from icml2008.methods.bandits.history import History
from icml2008.methods.bandits.kernels import click
from icml2008.methods.bandits.offline import (
    best_ranking,
    click_chance,
    greedy_ranking,
    popularity_ranking,
)
from icml2008.methods.bandits.ranked import RankedBandits, exp3_regret
from icml2008.papers.radlinski2008diverse.users import (
    N_DOCUMENTS,
    N_RANKS,
    N_USERS,
    Users,
    draw_users,
    topics_of_users,
)

PRESENTATIONS = 300_000
N_WINDOWS = 12
POPULATIONS = 50  # in a repeat of `topics`
LAST = 2  # windows that count as the end: REC with x = 1000 has explored for the ten before them
EARLY = 1  # the window after REC with x = 100 has explored
GUARANTEED = 1 - 1 / math.e
DELTA = 0.05


class ClickRanker(Protocol):
    """A method of one's own: a class that learns a ranking from clicks.

    It is made by ``Class(n_documents, n_ranks, random_state=generator)``.
    """

    def ask(self) -> np.ndarray:
        """Return the documents to present, the top first, (n_ranks,) ints below n_documents."""

    def tell(self, clicked: int | None) -> None:
        """Learn that the user clicked at this rank, 0 being the top, or nowhere."""


def bandits(choices: Mapping[str, str]) -> dict[str, Callable[..., ClickRanker]]:
    """Return ranked bandits with EXP3 and with UCB1."""
    gamma = choices["gamma"]
    exp3 = {"horizon": PRESENTATIONS} if gamma == "horizon" else {"gamma": float(gamma)}
    common = {"replacement": choices["replacement"]}
    constant = float(choices.get("ucb-constant", 2))
    return {
        "RBA-EXP3": partial(RankedBandits, bandit="exp3", **exp3, **common),
        "RBA-UCB1": partial(RankedBandits, bandit="ucb1", constant=constant, **common),
    }


def explorers(*tries: int) -> dict[str, Callable[..., ClickRanker]]:
    """Return ranked explore and commit with x tries of each document, for several x."""
    return {f"REC-{x}": partial(RankedExploreAndCommit, n_tries=x) for x in tries}


OFFLINE = {"Static": popularity_ranking, "Greedy": greedy_ranking, "Best": best_ranking}


def present(
    ranker: ClickRanker, users: Users, p_nonrelevant: float, n_windows: int, rng
) -> History:
    """Present rankings to users drawn uniformly, by the ranker's own loop if it has one."""
    clicks = users.clicks(p_nonrelevant)
    size = PRESENTATIONS // N_WINDOWS
    if hasattr(ranker, "simulate"):
        options = {"relevant": users.relevant, "n_windows": n_windows, "random_state": rng}
        return ranker.simulate(clicks, n_windows * size, **options)
    counts = np.zeros((n_windows, N_RANKS), dtype=int)
    n_relevant = np.zeros(n_windows, dtype=int)
    for t in range(n_windows * size):
        ranking = np.asarray(ranker.ask())
        user = int(rng.random() * len(clicks))
        clicked = click(clicks, user, ranking, rng)
        ranker.tell(clicked if clicked >= 0 else None)
        if clicked >= 0:
            counts[t // size, clicked] += 1
        n_relevant[t // size] += users.relevant[user, ranking].any()
    return History(size, counts, n_relevant)


def theorem_1_excess(history: History, best: float, gamma: float) -> float:
    """Return the largest excess over inequality (5), as a share of the presentations so far.

    At every window's end and every rank i: OPT - sum of G_i <= (1 - 1/k)^i OPT + i R(t), with the
    regret of EXP3 (Auer et al. 2002b, Theorem 3.1). The last rank is Theorem 1 with (1 - 1/k)^k in
    place of 1/e.
    """
    t = history.size * np.arange(1, len(history.n_relevant) + 1)[:, None]
    ranks = np.arange(1, N_RANKS + 1)
    payoff = np.cumsum(history.clicks, axis=0).cumsum(axis=1)
    regret = exp3_regret(N_DOCUMENTS, gamma, t)
    excess = best * t * (1 - (1 - 1 / N_RANKS) ** ranks) - payoff - ranks * regret
    return float(np.max(excess / t))


def epsilon_of(tries: int) -> float:
    """Return the epsilon whose x, by Lemma 2 with delta = 0.05, is the number of tries."""
    return math.sqrt(2 * N_RANKS**2 * math.log(2 * N_RANKS / DELTA) / tries)


def theorem_2_excess(history: History, chance: float, best: float, tries: int) -> float:
    """Return the largest excess over Theorem 2 along the run, and after ever so many more.

    The limit compares the committed ranking's chance of a click with (1 - 1/e) OPT / T - epsilon.
    """
    t = history.size * np.arange(1, len(history.n_relevant) + 1)
    bound = (GUARANTEED * best - epsilon_of(tries)) * t - N_DOCUMENTS * N_RANKS * tries
    along = (bound - np.cumsum(history.clicks.sum(axis=1))) / t
    return float(max(along.max(), GUARANTEED * best - epsilon_of(tries) - chance))


def lemma_2_excess(clicks: np.ndarray, ranking: np.ndarray, tries: int) -> float:
    """Return by how much a committed document falls short of the best one, beyond epsilon / k."""
    missed = np.ones(len(clicks))
    worst = -math.inf
    for i, document in enumerate(ranking):
        gains = missed @ clicks / len(clicks)
        gains[ranking[:i]] = 0.0  # a document that was passed over is passed over again
        worst = max(worst, gains.max() - gains[document])
        missed = missed * (1 - clicks[:, document])
    return worst - epsilon_of(tries) / N_RANKS


def power_law_lead(sizes: np.ndarray) -> float:
    """Return by how much R^2 is higher for log size along log rank than along rank.

    It is 0 for fewer than three sizes, or equal ones, which both describe alike.
    """
    if len(sizes) < 3 or sizes[0] == sizes[-1]:
        return 0.0
    ranks = np.arange(1, len(sizes) + 1)
    power, exponential = (
        np.corrcoef(along, np.log(sizes))[0, 1] ** 2 for along in (np.log(ranks), ranks)
    )
    return float(power - exponential)


def measure_fixed(trial: Trial, name: str, users: Users, p_nonrelevant: float) -> None:
    """Measure a ranking that is chosen with full knowledge of the users."""
    clicks = users.clicks(p_nonrelevant)
    best = click_chance(clicks, best_ranking(clicks, N_RANKS))
    # The static list orders documents by the chance that they are relevant.
    known = users.relevant.astype(float) if name == "Static" else clicks
    ranking = OFFLINE[name](known, N_RANKS)
    chance = click_chance(clicks, ranking)
    trial.measure(
        name,
        click_rate=100 * chance,
        found_rate=100 * click_chance(users.relevant, ranking),
        over_guarantee=100 * (chance - GUARANTEED * best),
    )


def measure_learner(trial: Trial, name: str, users: Users, p_nonrelevant: float) -> None:
    """Measure a ranker that learns from clicks; keep its curve."""
    ranker = trial.methods[name](N_DOCUMENTS, N_RANKS, random_state=trial.rng(f"ranker {name}"))
    history = present(ranker, users, p_nonrelevant, N_WINDOWS, trial.rng("clicks"))
    clicks = users.clicks(p_nonrelevant)
    best = click_chance(clicks, best_ranking(clicks, N_RANKS))
    rates = 100 * history.click_rate
    shares = 100 * history.found_rate
    end = float(rates[-LAST:].mean())
    trial.measure(
        name,
        click_rate=end,
        early_click_rate=rates[EARLY],
        found_rate=float(shares[-LAST:].mean()),
        over_guarantee=end - 100 * GUARANTEED * best,
    )
    if name == "RBA-EXP3":
        excess = theorem_1_excess(history, best, ranker.gamma_)
        trial.measure(name, bound_excess=excess, n_test=history.clicks.size)
    if name.startswith("REC-"):
        chance = click_chance(clicks, ranker.ask())
        excess = theorem_2_excess(history, chance, best, ranker.n_tries)
        trial.measure(name, bound_excess=excess, n_test=len(rates) + 1)
        excess = lemma_2_excess(clicks, ranker.ask(), ranker.n_tries)
        trial.measure(name, rank_excess=excess, n_test=N_RANKS)
    trial.keep(f"{name} clicks", rates)
    trial.keep(f"{name} found", shares)


def measure_all(trial: Trial) -> None:
    """Draw users, the same for all click noises, and measure every method on them."""
    users = draw_users(trial.rng("users", across=("p_nonrelevant",)), trial.choices["overlap"])
    for name in trial.methods:
        with trial.attempt(name):
            measure = measure_fixed if name in OFFLINE else measure_learner
            measure(trial, name, users, trial.cell["p_nonrelevant"])


REPEATS = {"smoke": 1, "quick": 6, "full": 20}


@experiment(
    "no-noise",
    cells=grid(p_nonrelevant=[0.0]),
    repeats=REPEATS,
    cost=0.2,
    methods=lambda choices: {
        "RBA-EXP3": bandits(choices)["RBA-EXP3"],
        **explorers(1000, 100, 10),
        **OFFLINE,
    },
    expects=ClickRanker,
)
def clicks_without_noise(trial: Trial) -> None:
    """Figure 1: click rate along the presentations, for users who click all that is relevant."""
    measure_all(trial)


@experiment(
    "click-noise",
    cells=grid(p_nonrelevant=[0.0, 0.1, 0.2, 0.3]),
    quick=grid(p_nonrelevant=[0.0, 0.3]),
    smoke=grid(p_nonrelevant=[0.0]),
    repeats=REPEATS,
    cost=0.2,
    methods=lambda choices: {
        "RBA-EXP3": bandits(choices)["RBA-EXP3"],
        **explorers(1000),
        **OFFLINE,
    },
    expects=ClickRanker,
)
def relevant_documents_found(trial: Trial) -> None:
    """Figure 2: users who are shown a relevant document, along click noise."""
    measure_all(trial)


@experiment(
    "variants",
    cells=grid(p_nonrelevant=[0.2]),
    repeats=REPEATS,
    cost=0.3,
    methods=lambda choices: {**bandits(choices), **OFFLINE},
    expects=ClickRanker,
)
def exp3_against_ucb1(trial: Trial) -> None:
    """Figure 3: ranked bandits with EXP3 and with UCB1, for clicks as noisy as in practice."""
    measure_all(trial)


@experiment(
    "change",
    cells=grid(p_nonrelevant=[0.0]),
    repeats=REPEATS,
    cost=0.25,
    methods=lambda choices: {**bandits(choices), **explorers(100)},
    expects=ClickRanker,
)
def users_who_change(trial: Trial) -> None:
    """Section 6.1's warning: other users, with other documents, after half of the presentations."""
    draws = trial.rng("users")
    overlap = trial.choices["overlap"]
    halves = [draw_users(draws, overlap), draw_users(draws, overlap)]
    clicks = [users.clicks(0.0) for users in halves]
    both = np.concatenate(clicks)
    best = click_chance(both, best_ranking(both, N_RANKS))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            ranker = make(N_DOCUMENTS, N_RANKS, random_state=trial.rng(f"ranker {name}"))
            rng = trial.rng("clicks")
            first, second = (present(ranker, users, 0.0, N_WINDOWS // 2, rng) for users in halves)
            history = first.then(second)
            rates = 100 * history.click_rate
            trial.measure(
                name,
                click_rate=float(rates[-LAST:].mean()),
                over_guarantee=float(rates.mean()) - 100 * GUARANTEED * best,
            )
            if name == "RBA-EXP3":
                whole = History(
                    PRESENTATIONS, history.clicks.sum(axis=0, keepdims=True), np.ones(1)
                )
                excess = theorem_1_excess(whole, best, ranker.gamma_)
                trial.measure(name, bound_excess=excess, n_test=N_RANKS)
            trial.keep(f"{name} clicks", rates)


@experiment(
    "topics",
    cells=[{"n_users": N_USERS}],
    repeats={"smoke": 4, "quick": 40, "full": 200},
    cost=0.01,
    methods={"users": topics_of_users},
)
def topics_and_their_sizes(trial: Trial) -> None:
    """Section 6: the mean number of topics, and whether mean sizes by rank follow a power law."""
    rng = trial.rng("users")
    sizes = np.zeros((POPULATIONS, N_USERS))
    for row in sizes:
        topic_sizes = np.sort(np.bincount(topics_of_users(rng)))[::-1]
        row[: len(topic_sizes)] = topic_sizes
    by_rank = sizes.mean(axis=0)
    lead = power_law_lead(by_rank[by_rank > 0])
    trial.measure("users", topics=float((sizes > 0).sum(axis=1).mean()), power_lead=lead)
