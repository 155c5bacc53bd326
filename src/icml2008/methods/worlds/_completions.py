"""Kernels of MAXQ-Q: what is left to gain after each child of each task."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from icml2008.methods.worlds._walk import drawn


class Learning(NamedTuple):
    """MAXQ-Q's rate, first temperature, what cools it by task, and discount."""

    rate: float
    temperature: float
    cooling: np.ndarray
    discount: float


@njit(cache=True)
def worth(s, n_actions, tasks, C, leaf, completion, V):
    """Return the values of all tasks in a state; those of composites that have ended are 0."""
    values = np.zeros(n_actions + len(tasks.ends))
    for a in range(n_actions):
        values[a] = V[leaf[a, s]]
    for c in range(len(tasks.ends)):
        best = -np.inf
        for k, child in enumerate(tasks.children[c]):
            if child >= 0 and (child < n_actions or not tasks.ends[child - n_actions, s]):
                best = max(best, values[child] + C[completion[c, k, s]])
        values[n_actions + c] = 0.0 if tasks.ends[c, s] else best
    return values


@njit(cache=True)
def complete(starts, most, rng, world, tasks, how, C, leaf, completion, V, tries):
    """Run MAXQ-Q, with updates of all states on the way; return as `explore` does."""
    n_actions = len(leaf)
    root = len(tasks.ends) - 1
    temperature = np.full(len(tasks.ends), how.temperature)
    rewards = np.zeros(len(starts))
    stack, called, since = np.zeros((3, len(tasks.ends)), np.int64)
    path = np.empty(most, np.int64)
    for episode in range(len(starts)):
        s = starts[episode]
        depth = 0
        steps = 0
        stack[0] = root
        while s >= 0:
            c = stack[depth]
            values = worth(s, n_actions, tasks, C, leaf, completion, V)
            best = values[n_actions + c]
            weights = np.zeros(tasks.children.shape[1])
            last = 0
            for k, child in enumerate(tasks.children[c]):
                if child >= 0 and (child < n_actions or not tasks.ends[child - n_actions, s]):
                    value = values[child] + C[completion[c, k, s]]
                    # Less the best, so that no exponential overflows, however cold it is.
                    weights[k] = np.exp((value - best) / temperature[c])
                    last = k
            u = rng.random() * weights.sum()
            k = 0
            # The last child that may be called takes what rounding leaves of u.
            while k < last and weights[k] <= u:
                u = u - weights[k]
                k = k + 1
            called[depth] = k
            since[depth] = steps
            choice = tasks.children[c, k]
            if choice >= n_actions:
                depth += 1
                stack[depth] = choice - n_actions
                continue
            if steps == most:
                return rewards[:episode]
            row = s * n_actions + choice
            at = drawn(world.cumulative, world.indptr[row], world.indptr[row + 1], rng.random())
            tries[s, choice] += 1
            rewards[episode] += world.paid[at]
            V[leaf[choice, s]] += how.rate * (world.paid[at] - V[leaf[choice, s]])
            path[steps] = s
            steps = steps + 1
            s = world.following[at]
            values = worth(max(s, 0), n_actions, tasks, C, leaf, completion, V)
            while depth >= 0:
                c = stack[depth]
                ended = s < 0 or tasks.ends[c, s]
                target = 0.0 if ended else values[n_actions + c]
                # All states since the call learn at once, each with the discount of its own
                # distance.
                for back in range(steps - 1, since[depth] - 1, -1):
                    target *= how.discount
                    at = completion[c, called[depth], path[back]]
                    C[at] += how.rate * (target - C[at])
                if ended:
                    temperature[c] *= how.cooling[c]
                    depth -= 1
                    if depth >= 0 and s >= 0:
                        values = worth(s, n_actions, tasks, C, leaf, completion, V)
                else:
                    break
    return rewards
