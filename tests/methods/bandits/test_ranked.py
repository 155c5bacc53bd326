"""Ranked bandits against bandits written plainly, and their loop against ask and tell."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.methods.bandits import kernels
from icml2008.methods.bandits.explore import RankedExploreAndCommit
from icml2008.methods.bandits.history import History
from icml2008.methods.bandits.offline import best_ranking, click_chance, greedy_ranking
from icml2008.methods.bandits.ranked import RankedBandits, exp3_regret

seeds = st.integers(0, 2**32 - 1)
RANKERS = {
    "exp3": lambda seed, **more: RankedBandits(7, 3, gamma=0.2, random_state=seed, **more),
    "ucb1": lambda seed, **more: RankedBandits(7, 3, bandit="ucb1", random_state=seed, **more),
    "explore": lambda seed: RankedExploreAndCommit(7, 3, 4, random_state=seed),
}


def audience(seed, n_users=5, n_documents=7):
    return np.random.default_rng(seed).random((n_users, n_documents)) ** 2


@pytest.mark.parametrize("name", RANKERS)
def test_the_compiled_loop_is_ask_and_tell(name):
    clicks = audience(0)
    looped = RANKERS[name](5)
    stepped = RANKERS[name](5)
    history = looped.simulate(clicks, 300, n_windows=3, random_state=9)
    users = np.random.default_rng(9)
    counts = np.zeros((3, 3), dtype=int)
    for t in range(300):
        ranking = stepped.ask()
        user = int(users.random() * len(clicks))
        clicked = kernels.click(clicks, user, ranking, users)
        stepped.tell(clicked if clicked >= 0 else None)
        if clicked >= 0:
            counts[t // 100, clicked] += 1
    np.testing.assert_array_equal(history.clicks, counts)
    np.testing.assert_array_equal(looped.ask(), stepped.ask())
    assert looped.n_seen_ == stepped.n_seen_ == 300


@pytest.mark.parametrize("name", RANKERS)
def test_a_run_can_be_cut_in_two(name):
    clicks = audience(1)
    whole = RANKERS[name](3)
    halves = RANKERS[name](3)
    users = np.random.default_rng(4)
    first = halves.simulate(clicks, 120, n_windows=2, random_state=users)
    both = first.then(halves.simulate(clicks, 180, n_windows=3, random_state=users))
    once = whole.simulate(clicks, 300, n_windows=5, random_state=4)
    np.testing.assert_array_equal(both.clicks, once.clicks)
    np.testing.assert_array_equal(both.n_relevant, once.n_relevant)


@settings(max_examples=30)
@given(seeds, st.sampled_from(["exp3", "ucb1"]), st.sampled_from(["random", "first"]))
def test_a_ranking_has_no_document_twice(seed, bandit, replacement):
    ranker = RANKERS[bandit](seed, replacement=replacement)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        ranking = ranker.ask()
        assert len(set(ranking.tolist())) == 3
        assert ranking.min() >= 0
        assert ranking.max() < 7
        ranker.tell(rng.choice([None, 0, 1, 2]))


def ucb1_plainly(order, shown_and_clicked, constant):
    """Return what UCB1 at each rank chooses, one step after the other, from what happened."""
    n_ranks, n = order.shape
    wins = np.zeros((n_ranks, n))
    plays = np.zeros((n_ranks, n))
    for t, (shown, clicked) in enumerate(shown_and_clicked):
        chosen = []
        for i in range(n_ranks):
            if t < n:
                arm = t
            else:
                bonus = np.sqrt(constant * np.log(t) / plays[i])
                index = wins[i] / plays[i] + bonus
                arm = int(np.argmax(index > index.max() - 1e-12))
            chosen.append(order[i, arm])
            plays[i, arm] += 1
            wins[i, arm] += clicked == i and order[i, arm] == shown[i]
        yield chosen


@settings(max_examples=15)
@given(seeds, st.sampled_from([0.3, 2.0]))
def test_ucb1_chooses_what_its_index_says(seed, constant):
    ranker = RANKERS["ucb1"](seed, constant=constant)
    rng = np.random.default_rng(seed)
    events = []
    asked = []
    for _ in range(150):
        shown = ranker.ask()
        clicked = rng.choice([-1, 0, 1, 2])
        ranker.tell(None if clicked < 0 else clicked)
        events.append((shown, clicked))
        asked.append(shown)
    for shown, chosen in zip(asked, ucb1_plainly(ranker._order, events, constant), strict=True):
        taken = set()
        for document, expected in zip(shown, chosen, strict=True):
            assert document == expected or expected in taken
            taken.add(document)


@settings(max_examples=15)
@given(seeds)
def test_exp3_weighs_as_published(seed):
    """Auer et al. (2002), Figure 1: w = exp(gamma / n sum of rewards over their chances)."""
    ranker = RANKERS["exp3"](seed)
    gamma = 0.2
    n = 7
    rng = np.random.default_rng(seed)
    log_weights = np.zeros((3, 7))
    for _ in range(80):
        shown = ranker.ask()
        arms = ranker._arms.copy()
        weights = np.exp(log_weights)
        chances = (1 - gamma) * weights / weights.sum(axis=1, keepdims=True) + gamma / n
        np.testing.assert_allclose(ranker._chances, chances[range(3), arms], rtol=1e-9)
        clicked = rng.choice([-1, 0, 1, 2])
        ranker.tell(None if clicked < 0 else clicked)
        if clicked >= 0 and ranker._order[clicked, arms[clicked]] == shown[clicked]:
            log_weights[clicked, arms[clicked]] += gamma / n / chances[clicked, arms[clicked]]


def test_exp3_draws_with_its_chances():
    ranker = RankedBandits(5, 1, gamma=0.3, random_state=0)
    for _ in range(200):
        document = ranker.ask()[0]
        ranker.tell(0 if document in (1, 4) else None)
    n = 20_000
    counts = np.zeros(5)
    for _ in range(n):
        counts[ranker.ask()[0]] += 1
    weights = ranker._state[0][0]
    chances = (0.7 * weights / weights.sum() + 0.06)[np.argsort(ranker._order[0])]
    # Five deviations of a binomial share: one run in a million is outside.
    assert (np.abs(counts / n - chances) < 5 * np.sqrt(chances / n)).all()


def test_weights_of_exp3_do_not_overflow():
    ranker = RankedBandits(2, 1, gamma=1.0, random_state=0)
    history = ranker.simulate(np.array([[1.0, 0.0]]), 100_000, n_windows=2)
    assert np.isfinite(ranker._state[0]).all()
    assert abs(history.click_rate[1] - 0.5) < 0.02  # gamma 1 draws at random for ever


@pytest.mark.parametrize("bandit", ["exp3", "ucb1"])
def test_one_rank_is_a_plain_bandit_that_finds_the_best_arm(bandit):
    clicks = np.array([[0.1, 0.2, 0.6, 0.3]])
    ranker = RankedBandits(4, 1, bandit=bandit, gamma=0.05 if bandit == "exp3" else None)
    rate = ranker.simulate(clicks, 40_000, n_windows=4, random_state=1).click_rate
    assert rate[-1] > 0.55


def test_exp3_stays_within_its_regret():
    n = 10
    plays = 20_000
    clicks = np.full((1, n), 0.3)
    clicks[0, 6] = 0.5
    regrets = []
    for seed in range(8):
        ranker = RankedBandits(n, 1, horizon=plays, random_state=seed)
        regrets.append(0.5 * plays - ranker.simulate(clicks, plays, random_state=seed).clicks.sum())
    assert np.mean(regrets) < exp3_regret(n, ranker.gamma_, plays)


def test_users_who_change_are_followed():
    """A ranker goes on learning from other users."""
    ranker = RankedBandits(4, 1, gamma=0.3, random_state=0)
    ranker.simulate(np.array([[1.0, 0, 0, 0]]), 500, random_state=0)
    history = ranker.simulate(np.array([[0, 0, 1.0, 0]]), 4000, n_windows=4, random_state=1)
    assert history.click_rate[0] < 0.5 < history.click_rate[-1]


@settings(max_examples=20)
@given(seeds)
def test_explore_and_commit_is_greedy_for_users_who_do_not_err(seed):
    """Counts of clicks are then within sampling error of the gains that greedy compares."""
    rng = np.random.default_rng(seed)
    clicks = (rng.random((12, 6)) < 0.3).astype(float)
    ranker = RankedExploreAndCommit(6, 3, 4000, random_state=seed)
    ranker.simulate(clicks, ranker.n_exploring, random_state=seed)
    chance = click_chance(clicks, ranker.ask())
    reached = []
    missed = np.ones(12)
    for document in ranker.ask():
        gains = missed @ clicks / 12
        reached.append(gains.max() - gains[document])
        missed = missed * (1 - clicks[:, document])
    # Two counts of 4000 presentations differ by 5 deviations, sqrt(1 / 2 / 4000) each, at most.
    assert max(reached) < 5 * math.sqrt(0.5 / 4000)
    assert chance >= (1 - 1 / math.e) * click_chance(clicks, best_ranking(clicks, 3)) - 0.1


def test_after_exploring_the_click_rate_is_that_of_the_ranking():
    clicks = audience(2)
    ranker = RankedExploreAndCommit(7, 3, 50, random_state=0)
    ranker.simulate(clicks, ranker.n_exploring, random_state=0)
    chance = click_chance(clicks, ranker.ask())
    n = 40_000
    rate = ranker.simulate(clicks, n, random_state=1).click_rate[0]
    assert abs(rate - chance) < 5 * math.sqrt(chance * (1 - chance) / n)


def test_a_document_shown_twice_is_passed_over_twice():
    clicks = np.array([[0.5, 0.0]])
    users = np.random.default_rng(0)
    clicked = [kernels.click(clicks, 0, np.array([0, 0]), users) for _ in range(2000)]
    assert set(clicked) == {-1, 0}


def test_a_ranker_learns_the_topics_of_its_users():
    """Two documents for each of three tastes: greedy reaches all users, and so do the bandits."""
    clicks = np.repeat(np.eye(3), 2, axis=1)[[0, 0, 0, 1, 1, 2]]
    ranker = RankedBandits(6, 3, bandit="ucb1", constant=0.5, random_state=0)
    rate = ranker.simulate(clicks, 60_000, n_windows=6, random_state=1).click_rate
    assert click_chance(clicks, greedy_ranking(clicks, 3)) == 1.0
    assert rate[-1] > 0.97
    assert click_chance(clicks, ranker.learnt()) == 1.0


def test_the_number_of_tries_follows_from_epsilon_and_delta():
    ranker = RankedExploreAndCommit(10, 2, epsilon=0.5, delta=0.1)
    assert ranker.n_tries == math.ceil(2 * 4 / 0.25 * math.log(40))
    assert ranker.n_exploring == 10 * 2 * ranker.n_tries


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RankedBandits(3, 4, gamma=0.1), "n_ranks: found 4; there are 3"),
        (lambda: RankedBandits(9, 2, bandit="ucb"), "did you mean 'ucb1'"),
        (lambda: RankedBandits(9, 2), "exactly one of gamma and horizon"),
        (lambda: RankedBandits(9, 2, gamma=1.5), "gamma: found 1.5"),
        (lambda: RankedBandits(9, 2, bandit="ucb1", constant=-1), "constant: found -1"),
        (lambda: RankedBandits(9, 2, gamma=0.1, replacement="last"), "replacement: found 'last'"),
        (lambda: RankedExploreAndCommit(9, 2), "either n_tries, or epsilon and delta"),
        (lambda: RankedExploreAndCommit(9, 2, 0), "n_tries: found 0"),
        (lambda: RankedExploreAndCommit(1, 2, 5), "n_ranks: found 2"),
    ],
)
def test_what_cannot_be_built_is_said(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", RANKERS)
def test_what_cannot_be_told_or_simulated_is_said(name):
    ranker = RANKERS[name](0)
    with pytest.raises(ValueError, match="call ask"):
        ranker.tell(0)
    ranker.ask()
    with pytest.raises(ValueError, match="ranks are 0 to 2"):
        ranker.tell(3)
    with pytest.raises(ValueError, match="positive multiple of n_windows"):
        ranker.simulate(audience(0), 100, n_windows=3)
    with pytest.raises(ValueError, match=r"it is \(n_users, 7\)"):
        ranker.simulate(audience(0, n_documents=6), 100)
    with pytest.raises(ValueError, match="they are probabilities"):
        ranker.simulate(audience(0) + 1, 100)
    with pytest.raises(ValueError, match="relevant: found shape"):
        ranker.simulate(audience(0), 100, relevant=np.ones((2, 7)))


def test_histories_of_other_windows_are_not_joined():
    short, long = (History(n, np.zeros((1, 2)), np.zeros(1)) for n in (10, 20))
    with pytest.raises(ValueError, match="windows of 10 and of 20"):
        short.then(long)
