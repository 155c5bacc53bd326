"""What the agents must agree with."""

import numpy as np
import pytest

from icml2008.methods.worlds import chain
from icml2008.methods.worlds.explorer import OptimisticExplorer

from .experiments import bound, crossed, oim, tried


def plain_loop(world, paid, gamma, uniforms):
    """Algorithm 1 as it stands, with an array for the garden of Eden: rewards of each step."""
    S = world.n_states
    A = world.n_actions
    v_max = paid / (1 - gamma)
    ends = world.indptr
    N = np.ones((S, A))
    Ny = np.zeros((S, A, S))
    C = np.zeros((S, A, S))
    Q = np.full((S, A), v_max)
    x = 0
    earned = []
    for _, u, tie in uniforms:
        best = np.flatnonzero(Q[x] >= Q[x].max() * (1 - 1e-9))
        a = best[int(tie * len(best))]
        row = slice(ends[x * A + a], ends[x * A + a + 1])
        at = row.start + int(np.argmax(np.cumsum(world.probabilities[row]) > u))
        y = world.following[at]
        reward = world.outcome_rewards[at]
        N[x, a] = N[x, a] + 1
        Ny[x, a, y] = Ny[x, a, y] + 1
        C[x, a, y] = C[x, a, y] + reward
        for _ in range(150):
            Q = (C.sum(axis=2) + gamma * Ny @ Q.max(axis=1) + v_max) / N
        earned.append(reward)
        x = y
    return np.array(earned)


def test_oim_acts_as_a_plain_loop_over_algorithm_1():
    uniforms = np.random.default_rng(1).random((50, 3))
    agent = OptimisticExplorer(chain(), oim(5.0, 0.9, np.arange(51.0)), 0.9)
    np.testing.assert_array_equal(agent.act(uniforms), plain_loop(chain(), 5.0, 0.9, uniforms))


def test_each_half_of_the_runs_is_counted_at_the_setting_that_the_other_prefers():
    runs = np.array([[[1.0], [9.0]], [[5.0], [2.0]]])
    assert crossed(runs) == pytest.approx([(1 + 2) / 2])


def test_a_refined_search_comes_within_a_sixth_of_a_step_of_the_best():
    def rewards_at(k):
        return [[-((k - 2.41) ** 2)]] * 4

    coarse, fine = (tried(rewards_at, np.arange(6.0), refined) for refined in (False, True))
    assert coarse.shape == (6, 4, 1)
    assert coarse.max() == pytest.approx(-(0.41**2))
    assert fine.max() >= -((1 / 12) ** 2) - 1e-12


def test_inequality_2_holds_for_all_visits_at_the_theorems_r_max():
    paid = bound(1.0, 0.5, 1.0, 0.1, 3, 2)
    gamma = 0.5
    eps_2 = 0.125
    N = np.arange(1, 100_000)
    beta = np.sqrt(paid * eps_2 / (1 - gamma))  # as Theorem 4.1 has R_max from it
    assert (paid / (N * (1 - gamma)) + eps_2 >= beta / np.sqrt(N)).all()
