"""Kernels of R-MAXQ: models of tasks, values planned on them, and episodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from icml2008.methods.worlds._walk import drawn


class Tasks(NamedTuple):
    """What each composite task may call, where it ends, and which others it calls in the end."""

    children: np.ndarray
    ends: np.ndarray
    below: np.ndarray


class Compiled(NamedTuple):
    """A world by rows of state and action: where outcomes begin, lead to, and what they pay."""

    indptr: np.ndarray
    following: np.ndarray
    cumulative: np.ndarray
    paid: np.ndarray


class Models(NamedTuple):
    """The group of each row, where its outcomes lead; by group, mean reward and their shares."""

    group: np.ndarray
    to: np.ndarray
    mean: np.ndarray
    share: np.ndarray


class Samples(NamedTuple):
    """What models are made of, by group: tries, the sum of rewards, and outcomes seen."""

    n: np.ndarray
    total: np.ndarray
    seen: np.ndarray


class Composites(NamedTuple):
    """Values, rewards, chances of exits and policies of composite tasks (Equations 1 to 5)."""

    V: np.ndarray
    R: np.ndarray
    P: np.ndarray
    policy: np.ndarray


class Rule(NamedTuple):
    """Samples until a model is known, discount, whether it then stays, tolerance, steps at most."""

    m: int
    discount: float
    freeze: bool
    tol: float
    most: int


@njit(cache=True)
def settle(c, modelled, tol, states, exits, tasks, models, composites):
    """Solve Equations 1 to 3 for composite c in some states; if `modelled`, also 4 and 5.

    V and R are 0 where c has ended, and P[c, x, x] is 1; the last entry of each is for the end of
    an episode, and 0.
    """
    n_actions = len(models.group) // tasks.ends.shape[1]
    values = composites.V[c]
    rewards = composites.R[c]
    # The outcomes of all children, in a list: row r has those from begin[r] on.
    most = len(states) * tasks.children.shape[1]
    first = np.zeros(len(states) + 1, np.int64)
    begin = np.zeros(most + 1, np.int64)
    gain = np.empty(most)
    called = np.empty(most, np.int64)
    r = 0
    k = 0
    width = max(models.to.shape[1], exits[:, 0].max())
    after = np.empty(most * width, np.int64)
    chance = np.empty(most * width)
    for i, s in enumerate(states):
        for child in tasks.children[c]:
            composite = child - n_actions
            if child < 0 or tasks.ends[c, s] or (composite >= 0 and tasks.ends[composite, s]):
                continue
            called[r] = child
            if composite >= 0:
                gain[r] = composites.R[composite, s]
                for x in exits[composite, 1 : exits[composite, 0] + 1]:
                    after[k] = x
                    chance[k] = composites.P[composite, x, s]
                    k += chance[k] > 0
            else:
                row = s * n_actions + child
                gain[r] = models.mean[models.group[row]]
                for slot in range(models.to.shape[1]):
                    after[k] = models.to[row, slot]
                    chance[k] = models.share[models.group[row], slot]
                    k += chance[k] > 0
            r += 1
            begin[r] = k
        first[i + 1] = r
    change = np.inf
    picked = np.zeros(len(states), np.int64)
    while change >= tol:
        change = 0.0
        for i, s in enumerate(states):
            best = -np.inf
            for r in range(first[i], first[i + 1]):
                q = gain[r]
                for k in range(begin[r], begin[r + 1]):
                    q += chance[k] * values[after[k]]
                if q > best:
                    best = q
                    picked[i] = r
                    composites.policy[c, s] = called[r]
            if best > -np.inf:
                change = max(change, abs(best - values[s]))
                values[s] = best
    change = np.inf if modelled else 0.0
    for x in exits[c, 1 : exits[c, 0] + 1]:
        composites.P[c, x, x] = 1.0
    while change >= tol:
        change = 0.0
        for i, s in enumerate(states):
            if first[i] == first[i + 1]:
                continue
            r = picked[i]
            reward = gain[picked[i]]
            for k in range(begin[r], begin[r + 1]):
                reward += chance[k] * rewards[after[k]]
            change = max(change, abs(reward - rewards[s]))
            rewards[s] = reward
            for x in exits[c, 1 : exits[c, 0] + 1]:
                p = 0.0
                for k in range(begin[r], begin[r + 1]):
                    p += chance[k] * composites.P[c, x, after[k]]
                change = max(change, abs(p - composites.P[c, x, s]))
                composites.P[c, x, s] = p


@njit(cache=True)
def envelope(start, ends, models, exits):
    """Return the states that known primitive actions lead to, and list the exits among them."""
    n_states = ends.shape[1]
    n_actions = len(models.group) // n_states
    reached = np.empty(n_states, np.int64)
    inside = np.zeros(n_states + 1, np.bool_)
    at = 0
    k = 1
    reached[0] = start
    inside[start] = True
    inside[n_states] = True
    exits[:, 0] = 0
    while at < k:
        s = reached[at]
        for row in range(s * n_actions, (s + 1) * n_actions):
            for slot in range(models.to.shape[1]):
                x = models.to[row, slot]
                if models.share[models.group[row], slot] > 0 and not inside[x]:
                    reached[k] = x
                    inside[x] = True
                    k = k + 1
        for c in range(len(ends)):
            if ends[c, s]:
                exits[c, 0] += 1
                exits[c, exits[c, 0]] = s
        at += 1
    return reached[:k], inside


@njit(cache=True)
def explore(starts, rng, rule, world, tasks, models, samples, composites, tries):
    """Run Algorithm 1 from each start; return the rewards of episodes, or too few of them.

    Counts tries of each state and action. Plans for all states that known actions lead to, which
    changes no value in the paper's envelopes, and only where there is something to choose.
    """
    n_actions = tries.shape[1]
    root = len(tasks.ends) - 1
    exits = np.zeros((len(tasks.ends), tasks.ends.shape[1] + 1), np.int64)
    rewards = np.zeros(len(starts))
    version = 0
    done = np.zeros(len(tasks.ends), np.int64)
    stack = np.empty(len(tasks.ends), np.int64)
    states = np.empty(0, np.int64)
    inside = np.zeros(tasks.ends.shape[1] + 1, np.bool_)
    for episode in range(len(starts)):
        s = starts[episode]
        depth = 0
        steps = 0
        surveyed = -1
        stack[0] = root
        version += 1
        while s >= 0:
            c = stack[depth]
            options = 0
            choice = -1
            for child in tasks.children[c]:
                if child >= 0 and (child < n_actions or not tasks.ends[child - n_actions, s]):
                    options = options + 1
                    choice = child
            if options > 1:
                if surveyed != version:
                    surveyed = version
                    states, inside = envelope(s, tasks.ends, models, exits)
                for d in range(c + 1):  # models of what may be called, but only values of c
                    due = 2 * version + (d < c)
                    if (d == c or tasks.below[c, d]) and done[d] < due:
                        settle(d, d < c, rule.tol, states, exits, tasks, models, composites)
                        done[d] = due
                choice = composites.policy[c, s]
            if choice >= n_actions:
                depth += 1
                stack[depth] = choice - n_actions
                continue
            if steps == rule.most:
                return rewards[:episode]
            row = s * n_actions + choice
            steps = steps + 1
            g = models.group[row]
            at = drawn(world.cumulative, world.indptr[row], world.indptr[row + 1], rng.random())
            tries[s, choice] += 1
            rewards[episode] += world.paid[at]
            if samples.n[g] < rule.m or not rule.freeze:
                samples.n[g] += 1
                samples.total[g] += world.paid[at]
                samples.seen[g, at - world.indptr[row]] += 1
                if samples.n[g] >= rule.m:  # Equations 6 and 7
                    models.mean[g] = samples.total[g] / samples.n[g]
                    version = version + 1
                    for slot in range(samples.seen.shape[1]):
                        models.share[g, slot] = rule.discount * samples.seen[g, slot] / samples.n[g]
            s = world.following[at]
            if not inside[s]:
                version += 1  # nothing was planned from here
            while s >= 0 and depth > 0 and tasks.ends[stack[depth], s]:
                depth -= 1
    return rewards


def empty(world, hierarchy, groups, v_max):
    """Return models of groups, what they are made of, and V, R, P and policy of composites."""
    (n_tasks, n_states) = hierarchy.ends.shape
    count = int(groups.max()) + 1
    width = np.diff(world.indptr)
    places = world.indptr[:-1, None] + np.minimum(np.arange(width.max()), width[:, None] - 1)
    to = np.where(np.arange(width.max()) < width[:, None], world.following[places], -1) % (
        n_states + 1
    )
    mean = np.full(count, float(v_max))
    share = np.zeros((count, width.max()))
    seen = np.zeros((count, width.max()))
    V, R = np.zeros((2, n_tasks, n_states + 1))
    P = np.zeros((n_tasks, n_states, n_states + 1))
    policy = np.zeros((n_tasks, n_states), dtype=np.int64)
    samples = Samples(np.zeros(count, np.int64), np.zeros(count), seen)
    return Models(groups, to, mean, share), samples, Composites(V, R, P, policy)
