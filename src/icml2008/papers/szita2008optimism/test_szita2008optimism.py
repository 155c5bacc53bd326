"""What the agents must agree with."""

import numpy as np
import pytest

from icml2008.methods import MultiObjectiveMDP, value_iteration
from icml2008.methods.worlds import boyan_chain, chain, loop

from .experiments import bound, crossed, mbie_eb, oim, r_max
from .method import Explorer


def plain_loop(world, paid, gamma, uniforms):
    """Algorithm 1 as it stands, with an array for the garden of Eden: rewards of each step."""
    S, A, v_max, ends = world.n_states, world.n_actions, paid / (1 - gamma), world.indptr
    N, Ny, C = np.ones((S, A)), np.zeros((S, A, S)), np.zeros((S, A, S))
    Q, x, earned = np.full((S, A), v_max), 0, []
    for _, u, tie in uniforms:
        best = np.flatnonzero(Q[x] >= Q[x].max() * (1 - 1e-9))
        a = best[int(tie * len(best))]
        row = slice(ends[x * A + a], ends[x * A + a + 1])
        at = row.start + int(np.argmax(np.cumsum(world.probabilities[row]) > u))
        y, reward = world.following[at], world.outcome_rewards[at]
        N[x, a], Ny[x, a, y], C[x, a, y] = N[x, a] + 1, Ny[x, a, y] + 1, C[x, a, y] + reward
        for _ in range(150):
            Q = (C.sum(axis=2) + gamma * Ny @ Q.max(axis=1) + v_max) / N
        earned.append(reward)
        x = y
    return np.array(earned)


def test_oim_acts_as_a_plain_loop_over_algorithm_1():
    uniforms = np.random.default_rng(1).random((50, 3))
    agent = Explorer(chain(), oim(5.0, 0.9, np.arange(51.0)), 0.9)
    np.testing.assert_array_equal(agent.act(uniforms), plain_loop(chain(), 5.0, 0.9, uniforms))


SCHEDULES = {
    "OIM": oim(1.0, 0.9, np.arange(401.0)),
    "R-max": r_max(3, 3.0, 0.9, np.arange(401.0)),
    "MBIE-EB": mbie_eb(0.5, 3.0, 0.9, np.arange(401.0)),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_both_planners_find_the_values_of_the_model_with_heaven_as_a_state(name):
    """Peer: value iteration in the model with a further state that pays 1 for ever."""
    world, schedule, n, heaven = chain(), SCHEDULES[name], 5, 1 / (1 - 0.9)
    agents = [Explorer(world, schedule, 0.9, **how) for how in ({}, {"limit": 10**6})]
    for agent in agents:
        agent.act(np.random.default_rng(2).random((60, 3)))
    mind, rows = agents[1].mind, np.repeat(np.arange(2 * n), np.diff(world.indptr))
    weight, bonus = schedule.weight[mind.visits], schedule.bonus[mind.visits]
    share = weight[rows] * mind.seen / np.maximum(mind.visits, 1)[rows]
    P, R = np.zeros((2 * n + 2, n + 1)), np.ones(2 * n + 2)
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
    agent = Explorer(loop(), mbie_eb(0.0, 1.0, 0.9, np.arange(2.0))._replace(rate=0.5), 0.9)
    agent.act(np.array([[0.5, 0.5, 0.9]]))
    assert agent.mind.q[1, 1] == pytest.approx(10 + 0.5 * (0 + 0.9 * 10 - 10))


def test_each_half_of_the_runs_is_counted_at_the_setting_that_the_other_prefers():
    runs = np.array([[[1.0], [9.0]], [[5.0], [2.0]]])
    assert crossed(runs) == pytest.approx([(1 + 2) / 2])


def test_inequality_2_holds_for_all_visits_at_the_theorems_r_max():
    paid, gamma, eps_2, N = bound(1.0, 0.5, 1.0, 0.1, 3, 2), 0.5, 0.125, np.arange(1, 100_000)
    beta = np.sqrt(paid * eps_2 / (1 - gamma))  # as Theorem 4.1 has R_max from it
    assert (paid / (N * (1 - gamma)) + eps_2 >= beta / np.sqrt(N)).all()


def test_what_cannot_be_explored_is_named():
    with pytest.raises(ValueError, match="the world ends"):
        Explorer(boyan_chain(), SCHEDULES["OIM"], 0.9)
    with pytest.raises(ValueError, match="discount is 1"):
        Explorer(loop(), SCHEDULES["OIM"], 1)
