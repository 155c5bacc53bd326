"""One preference at a time: value iteration, policy evaluation and policy iteration."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse
from scipy.sparse.linalg import splu

from icml2008.methods.planning.mdp import check_weights


class ScalarSolution(NamedTuple):
    """Values and policy that are optimal for one preference.

    Attributes
    ----------
    values : ndarray of shape (n_states,)
        Weighted values.
    policy : ndarray of shape (n_states,), int
    n_iter : int
        Sweeps, or rounds of policy iteration.
    """

    values: np.ndarray
    policy: np.ndarray
    n_iter: int


@njit(cache=True)
def _sweep(indptr, indices, probabilities, rewards, n_actions, values, new, policy):
    change = 0.0
    for s in range(len(values)):
        best = -np.inf
        chosen = 0
        for a in range(n_actions):
            row = s * n_actions + a
            value = rewards[row]
            for j in range(indptr[row], indptr[row + 1]):
                value += probabilities[j] * values[indices[j]]
            if value > best:
                best = value
                chosen = a
        new[s] = best
        policy[s] = chosen
        change = max(change, abs(best - values[s]))
    return change


@njit(cache=True)
def _iterate(indptr, indices, probabilities, rewards, n_actions, start, smallest, max_sweeps):
    values = start.copy()
    new = np.empty_like(start)
    policy = np.zeros(len(values), dtype=np.int64)
    change = np.inf
    n = 0
    while change > smallest and n < max_sweeps:
        change = _sweep(indptr, indices, probabilities, rewards, n_actions, values, new, policy)
        values, new = new, values
        n += 1
    return values, policy, change, n


def value_iteration(mdp, weights, *, tol=1e-9, max_sweeps=100_000):
    """Plan for one preference by value iteration, from values of 0.

    Parameters
    ----------
    mdp : MultiObjectiveMDP
    weights : array-like of shape (n_criteria,)
        Nonnegative.
    tol : float
        Values are within `tol` of the optimal ones (with discount 1: the last change is).
    max_sweeps : int

    Returns
    -------
    ScalarSolution

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If `max_sweeps` did not do.

    References
    ----------
    R. Bellman. Dynamic Programming. Princeton University Press, 1957.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import value_iteration
    >>> from icml2008.methods.planning.mdp import MultiObjectiveMDP
    >>> maze = MultiObjectiveMDP(np.zeros((1, 3, 1)), [[[1, 0], [0, 1], [0.6, 0.6]]], 0.9)
    >>> value_iteration(maze, [0.5, 0.5])
    ScalarSolution(values=array([0.6]), policy=array([2]), n_iter=2)
    """
    weights = check_weights(weights, mdp.n_criteria)
    indptr, indices, probabilities, rewards = mdp.compiled()
    values, policy, change, n = _iterate(
        indptr,
        indices,
        probabilities,
        rewards @ weights,
        mdp.n_actions,
        np.zeros(mdp.n_states),
        smallest_change(mdp.discount, tol),
        max_sweeps,
    )
    if change > smallest_change(mdp.discount, tol):
        warn_of_sweeps(max_sweeps, change, mdp.discount)
    return ScalarSolution(values, policy, n)


def smallest_change(discount, tol):
    """Return the change in a sweep below which values are within `tol` of their limit."""
    return tol * (1 - discount) / discount if 0 < discount < 1 else tol


def warn_of_sweeps(max_sweeps, change, discount):
    from sklearn.exceptions import ConvergenceWarning

    hint = "; with discount 1, values exist only if every policy ends" if discount == 1 else ""
    msg = f"values still change by {change:.1e} after max_sweeps={max_sweeps} sweeps{hint}"
    warnings.warn(msg, ConvergenceWarning, stacklevel=3)


def evaluate_policy(mdp, policy):
    """Return the value vectors of a policy in each state, shape (n_states, n_criteria).

    Parameters
    ----------
    mdp : MultiObjectiveMDP
    policy : array-like of shape (n_states,), int
        The action in each state.

    Raises
    ------
    ValueError
        If the policy is not one action a state, or has no values: it never ends under discount 1.

    Examples
    --------
    >>> from icml2008.methods.planning.mdp import MultiObjectiveMDP
    >>> loop = MultiObjectiveMDP([[[1.0]]], [[[1.0, 2.0]]], discount=0.9)
    >>> evaluate_policy(loop, [0]).round(9)
    array([[10., 20.]])
    """
    policy = np.asarray(policy)
    if policy.shape != (mdp.n_states,) or not np.isin(policy, range(mdp.n_actions)).all():
        msg = (
            f"a policy is one of the actions 0..{mdp.n_actions - 1} for each of {mdp.n_states} "
            f"states; found shape {policy.shape}"
        )
        raise ValueError(msg)
    return _evaluate(mdp.compiled(), mdp.n_actions, policy)


def _evaluate(model, n_actions, policy):
    *transitions, rewards = model
    rows = np.arange(len(policy)) * n_actions + policy
    indptr, indices, data = _system(*transitions, rows)
    # Its rows are the columns that the solver wants of the transposed system.
    transposed = sparse.csc_array((data, indices, indptr), shape=(len(rows), len(rows)))
    try:
        return splu(transposed).solve(rewards[rows], trans="T")
    except RuntimeError:
        msg = "the policy has no values: under discount 1 it goes on for ever"
        raise ValueError(msg) from None


@njit(cache=True)
def _system(indptr, indices, probabilities, rows):
    """Return identity less the discounted transitions of some rows, in CSR."""
    n = len(rows)
    starts = np.zeros(n + 1, dtype=np.int64)
    for s in range(n):
        starts[s + 1] = starts[s] + 1 + indptr[rows[s] + 1] - indptr[rows[s]]
    columns = np.empty(starts[n], dtype=np.int64)
    data = np.empty(starts[n])
    at = 0
    for s in range(n):
        own = 1.0
        first = at
        for j in range(indptr[rows[s]], indptr[rows[s] + 1]):
            # A loop joins the 1 of the identity, so that the diagonal stands once in its row.
            if indices[j] == s:
                own -= probabilities[j]
            else:
                columns[at] = indices[j]
                data[at] = -probabilities[j]
                at += 1
        columns[at] = s
        data[at] = own
        at += 1
        starts[s] = first
    starts[n] = at
    return starts, columns[:at], data[:at]


def policy_iteration(mdp, weights, *, start=None, tol=1e-11, max_rounds=1000):
    """Plan for one preference by policy iteration.

    Parameters
    ----------
    mdp : MultiObjectiveMDP
    weights : array-like of shape (n_criteria,)
        Nonnegative.
    start : array-like of shape (n_states,), optional
        Policy to begin with; by default the one that is greedy for the immediate reward.
    tol : float
        An action is changed only if another is better by more, relative to the largest value.

    Returns
    -------
    policy : ndarray of shape (n_states,), int
    values : ndarray of shape (n_states, n_criteria)
        Its value vectors.

    Examples
    --------
    >>> from icml2008.methods.planning.mdp import MultiObjectiveMDP
    >>> maze = MultiObjectiveMDP(np.zeros((1, 3, 1)), [[[1, 0], [0, 1], [0.6, 0.6]]], 0.9)
    >>> policy_iteration(maze, [0.5, 0.5])
    (array([2]), array([[0.6, 0.6]]))
    """
    weights = check_weights(weights, mdp.n_criteria)
    model = mdp.compiled()
    n_actions = mdp.n_actions
    immediate = model[-1] @ weights
    if start is None:
        start = np.argmax(immediate.reshape(-1, n_actions), axis=1)
    policy = np.array(start, dtype=np.int64)
    improved = np.empty(len(policy))
    greedy = np.empty_like(policy)
    for _ in range(max_rounds):
        values = _evaluate(model, n_actions, policy)
        weighted = values @ weights
        _sweep(*model[:-1], immediate, n_actions, weighted, improved, greedy)
        better = improved - weighted > tol * np.abs(weighted).max()
        if not better.any():
            break
        policy = np.where(better, greedy, policy)
    return policy, values
