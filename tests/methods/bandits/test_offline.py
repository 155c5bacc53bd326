"""Rankings with full knowledge, against a search through all sets."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.methods.bandits.offline import (
    best_ranking,
    click_chance,
    greedy_ranking,
    popularity_ranking,
)

cases = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 9), st.booleans())


def audience(seed, n_users, n_documents, binary):
    rng = np.random.default_rng(seed)
    if binary:
        return (rng.random((n_users, n_documents)) < 0.3).astype(float)
    return rng.random((n_users, n_documents)) ** 3


@settings(max_examples=80)
@given(cases, st.data())
def test_the_best_ranking_is_that_of_a_full_search(case, data):
    clicks = audience(*case)
    n_ranks = data.draw(st.integers(1, case[2]))
    best = max(
        click_chance(clicks, chosen) for chosen in itertools.combinations(range(case[2]), n_ranks)
    )
    ranking = best_ranking(clicks, n_ranks)
    assert len(set(ranking.tolist())) == n_ranks
    assert math.isclose(click_chance(clicks, ranking), best, abs_tol=1e-12)


@settings(max_examples=80)
@given(cases, st.data())
def test_greedy_keeps_its_guarantee(case, data):
    clicks = audience(*case)
    n_ranks = data.draw(st.integers(1, case[2]))
    greedy = click_chance(clicks, greedy_ranking(clicks, n_ranks))
    best = click_chance(clicks, best_ranking(clicks, n_ranks))
    assert (1 - (1 - 1 / n_ranks) ** n_ranks) * best - 1e-12 <= greedy <= best + 1e-12


@settings(max_examples=50)
@given(cases)
def test_a_click_is_the_first_of_the_ranks_that_is_clicked(case):
    clicks = audience(*case)
    ranking = np.random.default_rng(case[0]).permutation(case[2])
    reached = np.ones(len(clicks))
    chance = 0.0
    for document in ranking:
        chance += np.mean(reached * clicks[:, document])
        reached = reached * (1 - clicks[:, document])
    assert math.isclose(click_chance(clicks, ranking), chance, abs_tol=1e-12)


def test_fifty_documents_and_twenty_users_are_searched_in_full():
    """A case in which greedy is not best, beside duplicates that a plain search would wade in."""
    users = np.eye(20)
    pairs = np.concatenate([users[:10] + users[10:], users, users])
    clicks = np.concatenate([pairs, [users[:9].sum(axis=0), users[9:18].sum(axis=0)]]).T
    ranking = best_ranking(clicks, 4)
    assert math.isclose(click_chance(clicks, ranking), 20 / 20)


def test_popularity_takes_one_topic_where_greedy_takes_two():
    clicks = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    assert popularity_ranking(clicks, 2).tolist() == [0, 1]
    assert greedy_ranking(clicks, 2).tolist() == [0, 2]


@pytest.mark.parametrize("choose", [best_ranking, greedy_ranking, popularity_ranking])
def test_what_cannot_be_ranked_is_said(choose):
    with pytest.raises(ValueError, match="n_ranks: found 3; there are 2 documents"):
        choose(np.zeros((4, 2)), 3)
    with pytest.raises(ValueError, match="probabilities"):
        choose(np.full((4, 2), 1.5), 1)
