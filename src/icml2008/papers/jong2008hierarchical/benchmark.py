"""R-MAX and R-MAXQ beside R-MAX of simple_rl, and beside R-MAX on pymdptoolbox's value iteration.

All go through the same first episode of stochastic Taxi, or its first steps: simple_rl, which looks
three steps ahead and plans no further, is stopped after 200.
pymdptoolbox solves the sparse model anew, from the last values, whenever an action becomes known,
as R-MAX is usually written; ours with `freeze` does the same, else it plans after every step. Least
processor time of three runs that take turns on one thread; what compiles has run before.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from mdptoolbox.mdp import ValueIteration
from scipy import sparse
from simple_rl.agents import RMaxAgent
from simple_rl.mdp import State

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.worlds.tasks import RMAXQ
from icml2008.papers.jong2008hierarchical.experiments import hierarchy, stochastic_taxi

PACKAGES = ("numpy", "numba", "pymdptoolbox", "simple-rl")

START = 25
M = 5
V_MAX = 20.0
DISCOUNT = 0.99
TOL = 1e-3


def ours(world, shape, freeze):
    learner = RMAXQ(hierarchy(world, shape), M, V_MAX, DISCOUNT, freeze=freeze, tol=TOL)
    learned = learner.learn(world, [START], np.random.default_rng(0))
    return int(learned.tries_.sum()), learned.rewards_[0]


class _Unbounded(ValueIteration):
    """Value iteration without a bound on iterations, which fails if some state is left by all."""

    def _boundIter(self, epsilon):
        pass


class _Walk:
    """An episode, step by step."""

    def __init__(self, world):
        self.world = world
        self.rng = np.random.default_rng(0)
        self.state = START
        self.steps = 0
        self.reward = 0.0

    def act(self, action):
        row = self.state * self.world.n_actions + action
        among = slice(*self.world.indptr[row : row + 2])
        at = among.start + self.rng.choice(
            among.stop - among.start, p=self.world.probabilities[among]
        )
        self.state = int(self.world.following[at])
        paid = self.world.outcome_rewards[at]
        self.steps = self.steps + 1
        self.reward = self.reward + paid
        return paid


def with_pymdptoolbox(world):
    """Run R-MAX on pymdptoolbox; the end, and what is unknown, lead to a last state."""
    n = world.n_states
    end = world.n_states
    walk = _Walk(world)
    seen = np.zeros((6, n + 1, n + 1))
    totals = np.zeros((n + 1, 6))
    P = [sparse.lil_matrix((n + 1, n + 1)) for _ in range(6)]
    for matrix in P:
        matrix[:, end] = 1.0
    R = np.full((n + 1, 6), V_MAX)
    R[end] = 0.0
    values = np.zeros(n + 1)
    policy = None
    while walk.state >= 0:
        if policy is None:
            given = [matrix.tocsr() for matrix in P], R, DISCOUNT
            epsilon = TOL * DISCOUNT / (1 - DISCOUNT)  # it stops when values change by TOL
            solver = _Unbounded(*given, epsilon, 10_000, values.tolist())
            solver.run()
            values = np.array(solver.V)
            policy = solver.policy
        s = walk.state
        a = policy[walk.state]
        paid = walk.act(a)
        if seen[a, s].sum() < M:
            seen[a, s, walk.state] += 1  # the end is -1, the last
            totals[s, a] += paid
            if seen[a, s].sum() == M:
                P[a][s] = seen[a, s] / M
                R[s, a] = totals[s, a] / M
                policy = None
    return walk.steps, walk.reward


def with_simple_rl(world, most=200):
    agent = RMaxAgent(list(range(6)), DISCOUNT, 3, M)
    walk = _Walk(world)
    agent.rmax = V_MAX
    paid = 0.0
    while walk.state >= 0 and walk.steps < most:
        paid = walk.act(agent.act(State(walk.state), paid))
    return walk.steps, walk.reward


def rows():
    """Yield the rows of the table."""
    world = stochastic_taxi()
    tasks = {
        "icml2008 RMAXQ, flat": partial(ours, world, "flat", False),
        "icml2008 RMAXQ, flat, freeze": partial(ours, world, "flat", True),
        "icml2008 RMAXQ, Figure 1b": partial(ours, world, "figure-1b", False),
        "pymdptoolbox ValueIteration": partial(with_pymdptoolbox, world),
        "simple_rl RMaxAgent, horizon 3": partial(with_simple_rl, world),
    }
    for name, (seconds, (steps, reward)) in least_seconds(tasks, times=3).items():
        yield {
            "program": name,
            "steps": steps,
            "reward": f"{reward:g}",
            "seconds": f"{seconds:.2g}",
            "microseconds_a_step": f"{1e6 * seconds / steps:.3g}",
        }
