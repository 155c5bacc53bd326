"""Markov reward processes: a policy's transitions and rewards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class MarkovRewardProcess:
    """A Markov chain with rewards and a discount: a decision process under one policy.

    Parameters
    ----------
    transitions : array-like of shape (n_states, n_states)
        Probability of each next state; a row that adds up to less than 1 ends the process with the
        rest of its probability.
    rewards : array-like of shape (n_states,)
        Expected reward in each state.
    discount : float in [0, 1)

    Raises
    ------
    ValueError
        If shapes do not meet, or a number is not finite, negative or no probability.

    Examples
    --------
    >>> from icml2008.methods import MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> process.values().round(4)
    array([1.6667, 0.    ])
    """

    transitions: np.ndarray
    rewards: np.ndarray
    discount: float

    def __post_init__(self):
        transitions = np.array(self.transitions, dtype=float)
        rewards = np.array(self.rewards, dtype=float)
        n = len(rewards) if rewards.ndim == 1 else -1
        if transitions.shape != (n, n) or n == 0:
            msg = (
                f"transitions has shape {transitions.shape} and rewards {rewards.shape}; they need "
                "(n_states, n_states) and (n_states,)"
            )
            raise ValueError(msg)
        if not (np.isfinite(transitions).all() and np.isfinite(rewards).all()):
            msg = "transitions and rewards must be finite"
            raise ValueError(msg)
        totals = transitions.sum(axis=1)
        if (transitions < 0).any() or (totals > 1 + 1e-9).any():
            msg = (
                "transitions are probabilities: none is negative and no row adds up to more than "
                f"1; found {transitions.min():g} as the least and {totals.max():g} as a total"
            )
            raise ValueError(msg)
        if not 0 <= self.discount < 1:
            msg = f"discount is {self.discount!r}; it needs to lie in [0, 1)"
            raise ValueError(msg)
        object.__setattr__(self, "transitions", transitions)
        object.__setattr__(self, "rewards", rewards)
        object.__setattr__(self, "discount", float(self.discount))

    @classmethod
    def from_policy(cls, transitions, rewards, policy, discount):
        """Return the process of a decision process under a policy.

        Parameters
        ----------
        transitions : array-like of shape (n_states, n_actions, n_states)
        rewards : array-like of shape (n_states, n_actions)
        policy : array-like of shape (n_states,), int, or (n_states, n_actions)
            The action in each state, or the probability of each action.
        discount : float
        """
        transitions = np.asarray(transitions, float)
        rewards = np.asarray(rewards, float)
        policy = np.asarray(policy)
        if policy.ndim == 1:
            policy = np.eye(transitions.shape[1])[policy]
        P = np.einsum("sa,sat->st", policy, transitions)
        return cls(P, np.einsum("sa,sa->s", policy, rewards), discount)

    @property
    def n_states(self):
        return len(self.rewards)

    def values(self):
        """Return the expected discounted reward from each state, shape (n_states,)."""
        return np.linalg.solve(
            np.eye(self.n_states) - self.discount * self.transitions, self.rewards
        )
