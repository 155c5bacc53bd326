"""Explorers: both planners against value iteration with heaven as a state."""

import numpy as np
import pytest

from icml2008.methods import MultiObjectiveMDP, value_iteration
from icml2008.methods.worlds import boyan_chain, chain, loop
from icml2008.methods.worlds.explorer import OptimismSchedule, OptimisticExplorer

n = np.arange(401.0)
SCHEDULES = {
    "OIM": OptimismSchedule(n / (n + 1), 10 / (n + 1)),
    "R-max": OptimismSchedule((n >= 3) * 1.0, (n < 3) * 30.0),
    "MBIE-EB": OptimismSchedule(n**0, np.append(30.0, 0.5 / np.sqrt(n[1:]))),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_both_planners_find_the_values_of_the_model_with_heaven_as_a_state(name):
    """Peer: value iteration in the model with a further state that pays 1 for ever."""
    world = chain()
    schedule = SCHEDULES[name]
    n = 5
    heaven = 1 / (1 - 0.9)
    agents = [OptimisticExplorer(world, schedule, 0.9, **how) for how in ({}, {"limit": 10**6})]
    for agent in agents:
        agent.act(np.random.default_rng(2).random((60, 3)))
    mind = agents[1].mind
    rows = np.repeat(np.arange(2 * n), np.diff(world.indptr))
    weight = schedule.weight[mind.visits]
    bonus = schedule.bonus[mind.visits]
    share = weight[rows] * mind.seen / np.maximum(mind.visits, 1)[rows]
    P = np.zeros((2 * n + 2, n + 1))
    R = np.ones(2 * n + 2)
    np.add.at(P, (rows, world.following), share)
    P[:, n] = 1.0
    P[: 2 * n, n] = 0.0 if name == "MBIE-EB" else 1 - weight
    R[: 2 * n] = np.bincount(rows, share * world.outcome_rewards) + bonus
    R[: 2 * n] -= 0.9 * heaven * P[: 2 * n, n]
    mdp = MultiObjectiveMDP(P.reshape(n + 1, 2, n + 1), R.reshape(n + 1, 2, 1), 0.9)
    values = value_iteration(mdp, [1.0]).values
    for agent in agents:
        np.testing.assert_allclose(agent.mind.v.sum(axis=0), values[:n], atol=1e-6)


def test_optimistic_q_learning_makes_the_printed_update():
    agent = OptimisticExplorer(
        loop(), OptimismSchedule(np.ones(1), np.full(1, 10.0), rate=0.5), 0.9
    )
    agent.act(np.array([[0.5, 0.5, 0.9]]))
    assert agent.mind.q[1, 1] == pytest.approx(10 + 0.5 * (0 + 0.9 * 10 - 10))


def test_what_cannot_be_explored_is_named():
    with pytest.raises(ValueError, match="the world ends"):
        OptimisticExplorer(boyan_chain(), SCHEDULES["OIM"], 0.9)
    with pytest.raises(ValueError, match="discount is 1"):
        OptimisticExplorer(loop(), SCHEDULES["OIM"], 1)
