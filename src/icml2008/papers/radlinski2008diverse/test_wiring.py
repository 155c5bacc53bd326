"""What is measured of rankers, and what each choice changes."""

import math

import numpy as np
import pytest

from icml2008.methods.bandits.history import History
from icml2008.methods.bandits.offline import best_ranking, click_chance
from icml2008.papers.radlinski2008diverse import experiments
from icml2008.papers.radlinski2008diverse.users import draw_users, topics_of_users
from wiring import wire

RANKS = experiments.N_RANKS


class Ranker:
    """Presents a fixed list; its clicks rise from window to window."""

    gamma_ = 0.2
    n_tries = 1000

    def __init__(self, n_documents, n_ranks, random_state):
        self.ranking = np.arange(3, 3 + n_ranks)

    def ask(self):
        return self.ranking

    def simulate(self, clicks, n_presentations, *, relevant, n_windows, random_state):
        size = n_presentations // n_windows
        counts = np.zeros((n_windows, RANKS), int)
        counts[:, 0] = size * (1 + np.arange(n_windows)) // 20
        counts[:, 1] = size // 20
        self.seen = relevant
        return History(size, counts, size * (2 + np.arange(n_windows)) // 20)


RATE = 100 * (2 + np.arange(12)) / 20  # clicks of a window, in percent
FOUND = RATE


def best_of(users, noise):
    clicks = users.clicks(noise)
    return click_chance(clicks, best_ranking(clicks, RANKS))


@pytest.mark.parametrize("overlap", ["disjoint", "independent"])
@pytest.mark.parametrize("name", ["RBA-EXP3", "REC-1000", "RBA-UCB1"])
def test_a_learner_is_measured_in_the_last_two_windows_and_the_second(name, overlap):
    wired = wire(
        experiments.relevant_documents_found,
        {"p_nonrelevant": 0.2},
        methods={name: Ranker},
        choices={"overlap": overlap},
    )
    users = draw_users(wired.rng("users", across=("p_nonrelevant",)), overlap)
    best = best_of(users, 0.2)
    end = (RATE[10] + RATE[11]) / 2
    metrics = wired[name]
    assert metrics["click_rate"] == pytest.approx(end, abs=0.01)
    assert metrics["early_click_rate"] == pytest.approx(RATE[1], abs=0.01)
    assert metrics["found_rate"] == pytest.approx((FOUND[10] + FOUND[11]) / 2, abs=0.01)
    assert metrics["over_guarantee"] == pytest.approx(end - 100 * (1 - 1 / math.e) * best, abs=0.01)
    np.testing.assert_allclose(wired.kept[f"{name} clicks"], RATE, atol=0.01)
    history = Ranker(50, RANKS, None).simulate(
        None, 300_000, relevant=None, n_windows=12, random_state=None
    )
    if name == "RBA-EXP3":
        excess = experiments.theorem_1_excess(history, best, 0.2)
        assert metrics["bound_excess"] == pytest.approx(excess)
        assert wired.n_test[name]["bound_excess"] == 12 * RANKS
    if name == "REC-1000":
        clicks = users.clicks(0.2)
        chance = click_chance(clicks, np.arange(3, 3 + RANKS))
        excess = experiments.theorem_2_excess(history, chance, best, 1000)
        assert metrics["bound_excess"] == pytest.approx(excess)
        excess = experiments.lemma_2_excess(clicks, np.arange(3, 3 + RANKS), 1000)
        assert metrics["rank_excess"] == pytest.approx(excess)
        assert wired.n_test[name] == {
            **dict.fromkeys(
                ("click_rate", "early_click_rate", "found_rate", "over_guarantee"), None
            ),
            "bound_excess": 13,
            "rank_excess": RANKS,
        }


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_fixed_rankings_are_measured_by_the_chances_of_all_users(noise):
    wired = wire(
        experiments.relevant_documents_found,
        {"p_nonrelevant": noise},
        methods=experiments.OFFLINE,
    )
    users = draw_users(wired.rng("users", across=("p_nonrelevant",)), "disjoint")
    clicks = users.clicks(noise)
    # Static lists are by popularity: of equally relevant documents the first come first.
    popular = np.argsort(-users.relevant.sum(axis=0), kind="stable")[:RANKS]
    missed = np.ones(len(clicks))
    for document in popular:
        missed = missed * (1 - clicks[:, document])
    rate = 100 * (1 - missed.mean())
    assert wired["Static"]["click_rate"] == pytest.approx(rate)
    shown = 100 * users.relevant[:, popular].any(axis=1).mean()
    assert wired["Static"]["found_rate"] == pytest.approx(shown)
    best = wired["Best"]["click_rate"]
    assert best == pytest.approx(100 * best_of(users, noise))
    for name in ("Static", "Greedy", "Best"):
        over = wired[name]["click_rate"] - (1 - 1 / math.e) * best
        assert wired[name]["over_guarantee"] == pytest.approx(over)
    assert rate <= wired["Greedy"]["click_rate"] + 1e-9
    assert wired["Greedy"]["click_rate"] <= best + 1e-9


def test_bandits_have_the_gamma_the_constant_and_the_replacement_of_the_choices():
    usual = {"gamma": "horizon", "replacement": "random", "ucb-constant": "2"}
    exp3 = {"bandit": "exp3", "horizon": 300_000, "replacement": "random"}
    ucb1 = {"bandit": "ucb1", "constant": 2.0, "replacement": "random"}
    for changed, first, second in (
        ({}, exp3, ucb1),
        ({"gamma": "0.1"}, {"bandit": "exp3", "gamma": 0.1, "replacement": "random"}, ucb1),
        ({"ucb-constant": "0.5"}, exp3, {**ucb1, "constant": 0.5}),
        (
            {"replacement": "first"},
            {**exp3, "replacement": "first"},
            {**ucb1, "replacement": "first"},
        ),
    ):
        made = experiments.bandits({**usual, **changed})
        assert made["RBA-EXP3"].keywords == first
        assert made["RBA-UCB1"].keywords == second
    made = experiments.explorers(1000, 10)
    assert {name: make.keywords["n_tries"] for name, make in made.items()} == {
        "REC-1000": 1000,
        "REC-10": 10,
    }


def test_of_users_who_change_the_end_is_the_second_halfs():
    wired = wire(experiments.users_who_change, methods={"RBA-EXP3": Ranker, "REC-100": Ranker})
    rng = wired.rng("users")
    clicks = np.concatenate([draw_users(rng, "disjoint").clicks(0.0) for _ in range(2)])
    best = click_chance(clicks, best_ranking(clicks, RANKS))
    rates = np.tile(RATE[:6], 2)
    for name in ("RBA-EXP3", "REC-100"):
        assert wired[name]["click_rate"] == pytest.approx(rates[-2:].mean(), abs=0.01)
        over = rates.mean() - 100 * (1 - 1 / math.e) * best
        assert wired[name]["over_guarantee"] == pytest.approx(over, abs=0.01)
    share = rates.mean() / 100
    # Of all presentations: a twentieth at the second rank, the rest at the first.
    at = np.array([share - 0.05, *[share] * (RANKS - 1)])
    ranks = np.arange(1, RANKS + 1)
    regret = experiments.exp3_regret(experiments.N_DOCUMENTS, 0.2, 300_000) / 300_000
    excess = max(best * (1 - (1 - 1 / RANKS) ** ranks) - at - ranks * regret)
    assert wired["RBA-EXP3"]["bound_excess"] == pytest.approx(excess, abs=1e-4)


def test_topics_are_counted_and_their_sizes_told_by_rank():
    wired = wire(experiments.topics_and_their_sizes)
    rng = wired.rng("users")
    counts = []
    sums = np.zeros(experiments.N_USERS)
    for _ in range(50):
        topic_sizes = sorted(np.bincount(topics_of_users(rng)), reverse=True)
        counts.append(len([size for size in topic_sizes if size]))
        for rank, size in enumerate(topic_sizes):
            sums[rank] += size / 50
    assert wired["users"]["topics"] == pytest.approx(np.mean(counts))
    sizes = sums[sums > 0]
    lead = experiments.power_law_lead(sizes)
    assert wired["users"]["power_lead"] == pytest.approx(lead)
