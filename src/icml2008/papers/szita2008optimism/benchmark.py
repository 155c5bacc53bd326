"""OIM beside agents that plan by quantecon, by a numpy loop of value iteration, and OIM's rivals.

All act by the same random numbers in RiverSwim; a peer plans after each step, as Section 5.1 does,
from the values of the last one. Least processor time of three runs on one thread. `reward` is that
of the steps: the agents differ by the planner's rounding alone.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import quantecon

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.worlds import chain, loop, river_swim
from icml2008.methods.worlds.explorer import OptimisticExplorer
from icml2008.papers.szita2008optimism.experiments import oim

PACKAGES = ("numpy", "numba", "quantecon")

GAMMA = 0.95
R_MAX = {"river_swim": 500.0, "chain": 4.0, "loop": 0.5}
STEPS = 500


def by_quantecon(P, R, values):
    """Return Q of a model, (n, m, n) and (n, m), by quantecon's modified policy iteration."""
    model = quantecon.markov.DiscreteDP(R, P, GAMMA)
    values = model.solve(method="policy_iteration", v_init=values).v
    return R + GAMMA * P @ values, values


def by_numpy(P, R, values):
    """Return Q by value iteration to the same precision."""
    while True:
        Q = R + GAMMA * P @ values
        if np.abs(Q.max(axis=1) - values).max() < 1e-6 * (1 - GAMMA) * np.abs(Q).max():
            return Q, Q.max(axis=1)
        values = Q.max(axis=1)


def peer(world, paid, uniforms, plan):
    """Return the rewards of OIM with a planner, the garden of Eden being a state."""
    S = world.n_states
    A = world.n_actions
    ends = world.indptr
    N = np.zeros((S + 1, A, S + 1))
    C = np.zeros((S + 1, A))
    Q = None
    N[:, :, S] = 1
    C[S] = paid
    values = np.full(S + 1, paid / (1 - GAMMA))
    x = 0
    earned = []
    Q = np.full((S + 1, A), values[0])
    for _, u, tie in uniforms:
        best = np.flatnonzero(Q[x] >= Q[x].max() * (1 - 1e-9))
        a = best[int(tie * len(best))]
        row = slice(ends[x * A + a], ends[x * A + a + 1])
        at = row.start + int(np.argmax(np.cumsum(world.probabilities[row]) > u))
        y = world.following[at]
        reward = world.outcome_rewards[at]
        N[x, a, y] = N[x, a, y] + 1
        C[x, a] = C[x, a] + reward
        visits = N.sum(axis=2)
        R = C / visits
        # Heaven is paid for on the way there, too (Section 3).
        R[:S] += N[:S, :, S] / visits[:S] * paid
        Q, values = plan(N / visits[:, :, None], R, values)
        earned.append(reward)
        x = y
    return np.array(earned)


def rows():
    """Yield the rows of the table."""
    counts = np.arange(STEPS + 1.0)
    uniforms = np.random.default_rng(0).random((STEPS, 3))
    for make in (river_swim, chain, loop):
        world = make()
        paid = R_MAX[make.__name__]
        schedule = oim(paid, GAMMA, counts)
        tasks = {
            "ours": lambda w=world, schedule=schedule: OptimisticExplorer(w, schedule, GAMMA).act(
                uniforms
            ),
            "quantecon": partial(peer, world, paid, uniforms, by_quantecon),
            "numpy": partial(peer, world, paid, uniforms, by_numpy),
        }
        timed = least_seconds(tasks, times=3)
        for name, (seconds, rewards) in timed.items():
            yield {
                "world": make.__name__,
                "planner": name,
                "microseconds_a_step": f"{1e6 * seconds / STEPS:.3g}",
                "ratio": f"{seconds / timed['ours'][0]:.3g}",
                "reward": f"{rewards.sum():.6g}",
            }
