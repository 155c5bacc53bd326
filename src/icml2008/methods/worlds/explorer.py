"""Agents whose optimism is a schedule over visits: OIM, R-max, MBIE-EB and more are such.

A pair of state and action that was tried n times is worth ``weight[n]`` times what the model of
what was seen says of it, and ``bonus[n]``. For OIM these are n / (n + 1) and V_max / (n + 1), which
is Section 3's model that begins with one visit to the garden of Eden. What is paid and what is
hoped for are kept apart; the action that is best by their sum has them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from icml2008.methods.worlds._walk import drawn


class OptimismSchedule(NamedTuple):
    """What an agent makes of its visits.

    Attributes
    ----------
    weight, bonus : ndarray of shape (n_counts,)
        For 0, 1, ... visits; the last for all beyond.
    epsilon : float
        How often an action is drawn instead of the best.
    rate : float
        Of Q-learning, which has no model, from values of ``bonus[0]``; 0 for the others.

    References
    ----------
    I. Szita and A. Lőrincz (2008), The Many Faces of Optimism, ICML.

    Examples
    --------
    Three that are known: OIM with V_max = 10, R-max from five visits on, and Q-learning.

    >>> import numpy as np
    >>> from icml2008.methods import OptimismSchedule
    >>> n = np.arange(101)
    >>> oim = OptimismSchedule(n / (n + 1), 10 / (n + 1))
    >>> r_max = OptimismSchedule((n >= 5) * 1.0, (n < 5) * 10.0)
    >>> q_learning = OptimismSchedule(np.ones(1), np.full(1, 10.0), epsilon=0.1, rate=0.5)
    >>> float(oim.bonus[4]), float(r_max.bonus[4]), q_learning.rate
    (2.0, 10.0, 0.5)
    """

    weight: np.ndarray
    bonus: np.ndarray
    epsilon: float = 0.0
    rate: float = 0.0


class Mind(NamedTuple):
    """What an agent knows; rows are pairs of state and action.

    Attributes
    ----------
    seen, visits : ndarray of shape (n_outcomes,) and (n_rows,), int
    q, v : ndarray of shape (2, n_rows) and (2, n_states)
        What is paid, and what is hoped for.
    policy : ndarray of shape (n_states,), int
        The best row of each state, for a small world.
    announced, queue, queued, ends : ndarray
        For a large one: the values that earlier states have heard of, and the rows that wait.
    """

    seen: np.ndarray
    visits: np.ndarray
    q: np.ndarray
    v: np.ndarray
    policy: np.ndarray
    announced: np.ndarray
    queue: np.ndarray
    queued: np.ndarray
    ends: np.ndarray


class OptimisticExplorer:
    """An agent in a world.

    Parameters
    ----------
    world : World
        One that never ends.
    schedule : OptimismSchedule
    discount : float in [0, 1)
    state : int
        Where it begins.
    limit : int
        Rows that are backed up after a step; 0 for planning to the end, in a small world.
    smallest : float
        Change of a state's value that is told to those before it, where there is a limit.

    Attributes
    ----------
    mind : Mind
    work_ : int
        Rows that were backed up.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import OptimismSchedule, OptimisticExplorer
    >>> from icml2008.methods.worlds import loop
    >>> n = np.arange(1001)
    >>> agent = OptimisticExplorer(loop(), OptimismSchedule(n / (n + 1), 10 / (n + 1)), 0.95)
    >>> float(agent.act(np.random.default_rng(0).random((1000, 3))).sum())
    369.0
    """

    def __init__(self, world, schedule, discount, *, state=0, limit=0, smallest=0.0):
        if (world.following < 0).any():
            msg = "the world ends; an explorer needs one that leads back to its start"
            raise ValueError(msg)
        if not 0 <= discount < 1:
            msg = f"discount is {discount!r}; it needs to lie in [0, 1)"
            raise ValueError(msg)
        self.schedule = schedule
        self.work_ = 0
        self._how = world.n_actions, float(discount), float(smallest), int(limit)
        n_rows = len(world.indptr) - 1
        n_actions = world.n_actions
        rows = np.repeat(np.arange(n_rows), np.diff(world.indptr))
        into = np.argsort(world.following, kind="stable")
        before = np.searchsorted(world.following[into], np.arange(world.n_states + 1))
        self._world = *world.compiled(), rows, into, before
        q = np.zeros((2, n_rows))
        q[1] = schedule.bonus[0]
        v = np.ascontiguousarray(q[:, ::n_actions])
        self.mind = Mind(
            np.zeros(len(world.following), np.int64),
            np.zeros(n_rows, np.int64),
            q,
            v,
            np.arange(0, n_rows, n_actions),
            v.copy(),
            np.zeros(n_rows, np.int64),
            np.zeros(n_rows, np.bool_),
            np.zeros(2, np.int64),
        )
        self.state = int(state)

    def act(self, uniforms):
        """Act and learn; three uniform numbers, (n_steps, 3), are used a step.

        Returns
        -------
        ndarray of shape (n_steps,)
            Rewards.
        """
        earned, self.state, work = explored(
            self._world, self.mind, self.schedule, *self._how, uniforms, self.state
        )
        self.work_ += work
        return earned


@njit(cache=True)
def best_row(q, state, n_actions, u):
    """Return the row that is best by the sum of both values, that of `u` among equals."""
    first = state * n_actions
    best = -np.inf
    equal = 0
    for row in range(first, first + n_actions):
        best = max(best, q[0, row] + q[1, row])
    # What only rounding tells apart is equal.
    least = best - 1e-9 * abs(best)
    for row in range(first, first + n_actions):
        equal += q[0, row] + q[1, row] >= least
    which = int(u * equal)
    for row in range(first, first + n_actions):
        if q[0, row] + q[1, row] >= least:
            which -= 1
            if which < 0:
                return row
    return first


@njit(cache=True)
def back_up(row, world, mind, schedule, gamma):
    """Set both values of a row from those of the states that it was seen to lead to."""
    indptr = world[0]
    following = world[1]
    rewards = world[3]
    n = mind.visits[row]
    at = min(n, len(schedule.weight) - 1)
    paid = 0.0
    hoped = 0.0
    for outcome in range(indptr[row], indptr[row + 1]):
        if mind.seen[outcome]:
            share = schedule.weight[at] * mind.seen[outcome] / n
            paid += share * (rewards[outcome] + gamma * mind.v[0, following[outcome]])
            hoped += share * gamma * mind.v[1, following[outcome]]
    mind.q[0, row] = paid
    mind.q[1, row] = hoped + schedule.bonus[at]


@njit(cache=True)
def solve(world, mind, schedule, n_actions, gamma):
    """Plan to the end by policy iteration from the last policy; return the rows backed up."""
    indptr = world[0]
    following = world[1]
    rewards = world[3]
    size = len(mind.policy)
    better = True
    done = 0
    while better:
        # Rows of I - gamma P outweigh their other entries, so that no pivots are needed.
        system = np.zeros((size, size + 2))
        for state in range(size):
            row = mind.policy[state]
            n = mind.visits[row]
            at = min(n, len(schedule.weight) - 1)
            system[state, state] = 1.0
            system[state, size + 1] = schedule.bonus[at]
            for outcome in range(indptr[row], indptr[row + 1]):
                if mind.seen[outcome]:
                    share = schedule.weight[at] * mind.seen[outcome] / n
                    system[state, following[outcome]] -= gamma * share
                    system[state, size] += share * rewards[outcome]
        for pivot in range(size):
            for below in range(pivot + 1, size):
                factor = system[below, pivot] / system[pivot, pivot]
                if factor != 0.0:
                    for column in range(pivot + 1, size + 2):
                        system[below, column] -= factor * system[pivot, column]
        for state in range(size - 1, -1, -1):
            for kind in range(2):
                left = system[state, size + kind]
                for other in range(state + 1, size):
                    left -= system[state, other] * mind.v[kind, other]
                mind.v[kind, state] = left / system[state, state]
        for row in range(size * n_actions):
            back_up(row, world, mind, schedule, gamma)
        better = False
        for state in range(size):
            old = mind.policy[state]
            new = best_row(mind.q, state, n_actions, 0.0)
            value = mind.q[0, new] + mind.q[1, new]
            if value - mind.q[0, old] - mind.q[1, old] > 1e-9 * abs(value):
                mind.policy[state] = new
                better = True
        done += size * n_actions
    return done


@njit(cache=True)
def sweep(world, mind, schedule, n_actions, gamma, smallest, limit):
    """Back up the rows that wait, first come, first served; return how many."""
    rows = world[4]
    into = world[5]
    before = world[6]
    v = mind.v
    announced = mind.announced
    done = 0
    queue = mind.queue
    queued = mind.queued
    ends = mind.ends
    while ends[0] < ends[1] and done < limit:
        # A ring suffices, since no row waits twice.
        row = queue[ends[0] % len(queue)]
        ends[0] += 1
        queued[row] = False
        back_up(row, world, mind, schedule, gamma)
        state = row // n_actions
        done = done + 1
        v[:, state] = mind.q[:, best_row(mind.q, state, n_actions, 0.0)]
        if (
            abs(v[0, state] - announced[0, state]) + abs(v[1, state] - announced[1, state])
            > smallest
        ):
            announced[:, state] = v[:, state]
            for outcome in into[before[state] : before[state + 1]]:
                if mind.seen[outcome] and not queued[rows[outcome]]:
                    queued[rows[outcome]] = True
                    queue[ends[1] % len(queue)] = rows[outcome]
                    ends[1] += 1
    return done


@njit(cache=True)
def explored(world, mind, schedule, n_actions, gamma, smallest, limit, uniforms, state):
    """Return rewards, the last state and the rows backed up, of an agent that acts and learns."""
    indptr, following, cumulative, rewards = world[:4]
    earned = np.empty(len(uniforms))
    work = 0
    for step in range(len(uniforms)):
        u = uniforms[step, 0]
        if u < schedule.epsilon:
            row = state * n_actions + int(u / schedule.epsilon * n_actions)
        else:
            row = best_row(mind.q, state, n_actions, uniforms[step, 2])
        outcome = drawn(cumulative, indptr[row], indptr[row + 1], uniforms[step, 1])
        earned[step] = rewards[outcome]
        state = following[outcome]
        if schedule.rate > 0:
            ahead = mind.q[1, best_row(mind.q, state, n_actions, 0.0)]
            mind.q[1, row] += schedule.rate * (earned[step] + gamma * ahead - mind.q[1, row])
            continue
        mind.seen[outcome] += 1
        mind.visits[row] += 1
        if limit:
            if not mind.queued[row]:
                mind.queued[row] = True
                mind.queue[mind.ends[1] % len(mind.queue)] = row
                mind.ends[1] += 1
            work += sweep(world, mind, schedule, n_actions, gamma, smallest, limit)
        else:
            work += solve(world, mind, schedule, n_actions, gamma)
    return earned, state, work
