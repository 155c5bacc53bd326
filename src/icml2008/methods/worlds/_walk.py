"""Compiled: one outcome, and a walk of many."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def cumulated(shares, indptr):
    """Return running totals within rows; from its last positive share on, a row's total is 1."""
    totals = np.empty_like(shares)
    for row in range(len(indptr) - 1):
        total = 0.0
        last = indptr[row]
        for at in range(indptr[row], indptr[row + 1]):
            total += shares[at]
            totals[at] = total
            if shares[at] > 0:
                last = at
        totals[last : indptr[row + 1]] = 1.0
    return totals


@njit(cache=True)
def drawn(cumulative, first, last, u):
    """Return the first place from `first` on, before `last`, whose running total exceeds `u`.

    Places are searched one by one: few outcomes share a row.
    """
    at = first
    while at < last - 1 and cumulative[at] <= u:
        at += 1
    return at


@njit(cache=True)
def walked(indptr, following, cumulative, rewards, policy, start, uniforms, state):
    """Return states (one more than steps), actions, rewards and ends of a walk.

    `policy`, of shape (n_states, n_actions), and `start` are cumulative too; of the three
    `uniforms` of a step the last is used where the world ends and begins again.
    """
    n_steps = len(uniforms)
    n_actions = policy.shape[1]
    states = np.empty(n_steps + 1, np.int64)
    actions = np.empty(n_steps, np.int64)
    earned = np.empty(n_steps)
    ends = np.zeros(n_steps, np.bool_)
    for step in range(n_steps):
        states[step] = state
        action = drawn(policy[state], 0, n_actions, uniforms[step, 0])
        row = state * n_actions + action
        outcome = drawn(cumulative, indptr[row], indptr[row + 1], uniforms[step, 1])
        actions[step] = action
        earned[step] = rewards[outcome]
        state = following[outcome]
        if state < 0:
            ends[step] = True
            state = drawn(start, 0, len(start), uniforms[step, 2])
    states[n_steps] = state
    return states, actions, earned, ends
