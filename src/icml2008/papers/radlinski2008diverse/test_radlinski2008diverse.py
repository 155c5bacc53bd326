import math

import numpy as np
import pytest

from icml2008.methods.bandits.explore import RankedExploreAndCommit
from icml2008.methods.bandits.history import History
from icml2008.methods.bandits.offline import best_ranking, click_chance, greedy_ranking
from icml2008.methods.bandits.ranked import RankedBandits, exp3_regret
from icml2008.papers.radlinski2008diverse import experiments
from icml2008.papers.radlinski2008diverse.users import draw_users, topics_of_users


@pytest.mark.parametrize("overlap", ["disjoint", "independent"])
def test_topics_have_as_many_documents_as_users(overlap):
    for seed in range(20):
        users = draw_users(np.random.default_rng(seed), overlap)
        kinds, counts = np.unique(users.relevant, axis=0, return_counts=True)
        assert users.sizes.sum() == counts.sum() == 20
        if overlap == "disjoint":
            assert (kinds.sum(axis=1) == counts).all()
            assert kinds.sum(axis=0).max() == 1
            assert sorted(counts) == sorted(users.sizes)
        else:
            assert set(kinds.sum(axis=1)) <= set(users.sizes)


def test_independent_topics_share_documents_now_and_then():
    draws = [draw_users(np.random.default_rng(seed), "independent") for seed in range(20)]
    kinds = [np.unique(users.relevant, axis=0) for users in draws]
    assert max(kind.sum(axis=0).max() for kind in kinds) > 1


def test_the_number_of_topics_has_the_mean_of_the_process():
    """User i + 1 opens a topic with probability theta / (theta + i)."""
    chances = 3 / (3 + np.arange(20))
    counts = [len(set(topics_of_users(np.random.default_rng(seed)))) for seed in range(500)]
    deviation = math.sqrt(np.sum(chances * (1 - chances)) / 500)
    assert abs(np.mean(counts) - chances.sum()) < 5 * deviation
    assert round(chances.sum(), 2) == 6.57


def test_relevant_documents_are_clicked_with_one_chance_and_others_with_the_other():
    users = draw_users(np.random.default_rng(0), "disjoint")
    clicks = users.clicks(0.2)
    assert set(clicks[users.relevant]) == {0.8}
    assert set(clicks[~users.relevant]) == {0.2}


class OneByOne:
    """A ranker without a loop of its own."""

    def __init__(self, ranker):
        self.ask = ranker.ask
        self.tell = ranker.tell


def test_a_ranker_without_a_loop_of_its_own_meets_the_same_users(monkeypatch):
    monkeypatch.setattr(experiments, "PRESENTATIONS", 2400)
    users = draw_users(np.random.default_rng(0), "disjoint")
    rankers = [RankedBandits(50, 5, gamma=0.1, random_state=1) for _ in range(2)]
    fast, slow = (
        experiments.present(ranker, users, 0.1, 3, np.random.default_rng(2))
        for ranker in (rankers[0], OneByOne(rankers[1]))
    )
    np.testing.assert_array_equal(fast.clicks, slow.clicks)
    np.testing.assert_array_equal(fast.n_relevant, slow.n_relevant)


def test_theorem_1_is_met_by_the_best_list_and_broken_by_none():
    n = 10_000_000  # so many that the regret is a small share
    ranks = np.arange(1, 6)
    best_at_once = History(n, np.array([[0.9 * n, 0, 0, 0, 0]]), np.array([n]))
    nothing = History(n, np.zeros((1, 5)), np.array([0]))
    assert experiments.theorem_1_excess(best_at_once, 0.9, 0.003) < 0
    shares = 0.9 * (1 - 0.8**ranks) - ranks * exp3_regret(50, 0.003, n) / n
    excess = experiments.theorem_1_excess(nothing, 0.9, 0.003)
    assert math.isclose(excess, shares.max())
    assert excess > 0


def test_theorem_2_holds_in_the_limit_by_the_committed_ranking_alone():
    nothing = History(1000, np.zeros((1, 5)), np.array([0]))
    tries = 100_000
    loss = (1 - 1 / math.e) * 0.9 - experiments.epsilon_of(tries)
    assert math.isclose(experiments.theorem_2_excess(nothing, 0.0, 0.9, tries), loss)
    assert experiments.theorem_2_excess(nothing, 0.9, 0.9, tries) < 0


def test_theorem_2_allows_epsilon_and_the_explored_presentations_along_the_run():
    tries = 30_000
    per_rank = np.array([[1000.0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    history = History(10**8, per_rank, np.array([0, 0]))
    allowed = (1 - 1 / math.e) * 0.9 - experiments.epsilon_of(tries)
    explored = experiments.N_DOCUMENTS * experiments.N_RANKS * tries
    shares = [allowed - (explored + 1000) / (n * 10**8) for n in (1, 2)]
    excess = experiments.theorem_2_excess(history, 0.9, 0.9, tries)
    assert math.isclose(excess, max(shares))


def test_a_greedy_ranking_leaves_the_slack_of_lemma_2():
    users = draw_users(np.random.default_rng(3), "independent")
    clicks = users.clicks(0.1)
    slack = experiments.epsilon_of(1000) / 5
    excess = experiments.lemma_2_excess(clicks, greedy_ranking(clicks, 5), 1000)
    assert math.isclose(excess, -slack)
    worst = np.argsort(clicks.mean(axis=0))[:5]
    assert experiments.lemma_2_excess(clicks, worst, 100_000) > 0


def test_disjoint_topics_make_greedy_the_best():
    for seed in range(10):
        clicks = draw_users(np.random.default_rng(seed), "disjoint").clicks(0.0)
        best = best_ranking(clicks, 5)
        greedy = greedy_ranking(clicks, 5)
        assert math.isclose(click_chance(clicks, best), click_chance(clicks, greedy))


def test_the_better_of_two_decays_is_told():
    ranks = np.arange(1, 8)
    assert experiments.power_law_lead(60 / ranks**1.5) > 0
    assert experiments.power_law_lead(60 * 0.6**ranks) < 0
    assert experiments.power_law_lead(np.array([7, 3])) == 0
    assert experiments.power_law_lead(np.ones(9)) == 0


def test_hoeffding_at_the_printed_x_gives_delta_over_k():
    """Lemma 2: 2 exp(-2 x (epsilon / 2 k)^2) at x = 2 k^2 / epsilon^2 log(2 k / delta)."""
    for k, epsilon, delta in [(1, 0.2, 0.1), (5, 0.5, 0.05), (10, 0.1, 0.01)]:
        x = 2 * k**2 / epsilon**2 * math.log(2 * k / delta)
        chance = 2 * math.exp(-2 * x * (epsilon / (2 * k)) ** 2)
        assert math.isclose(chance, delta / k)
        assert chance > 1.9 * delta / (2 * k)


def test_explore_and_commit_fails_the_bound_of_section_4():
    """(1 - 1/e - epsilon) OPT is more than nothing, which REC earns if it never saw a click."""
    clicks = np.zeros((1, 5))
    clicks[0, -1] = 0.001
    n_runs = 400
    earned = 0
    for seed in range(n_runs):
        ranker = RankedExploreAndCommit(5, 1, epsilon=0.2, delta=0.1, random_state=seed)
        ranker.simulate(clicks, ranker.n_exploring, random_state=seed)
        earned += click_chance(clicks, ranker.ask()) > 0
    assert ranker.n_tries == 150
    failures = 0.999**150
    # Five deviations of a binomial share.
    assert abs(1 - earned / n_runs - failures) < 5 * math.sqrt(failures * (1 - failures) / n_runs)
    assert 1 - earned / n_runs > 0.1
