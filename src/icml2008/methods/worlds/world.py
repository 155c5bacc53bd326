"""A world: a finite Markov decision process that can be planned in and walked through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from icml2008.methods.worlds._walk import cumulated, walked

Outcomes = Callable[[int, int], Iterable[tuple[float, int | None, float]]]


class Walk(NamedTuple):
    """What was met on a walk.

    Attributes
    ----------
    states : ndarray of shape (n_steps + 1,), int
        Before each step, and after the last.
    actions : ndarray of shape (n_steps,), int
    rewards : ndarray of shape (n_steps,)
    ends : ndarray of shape (n_steps,), bool
        Whether the episode ended with the step; the next begins at a start state.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray


@dataclass(frozen=True, eq=False)
class World:
    """A finite Markov decision process, outcome by outcome.

    Most are made by a function of this package, or by `World.of`.

    Parameters
    ----------
    indptr : array-like of shape (n_states * n_actions + 1,), int
        The outcomes of action a in state s are those from ``indptr[s * n_actions + a]`` to the next
        of `indptr`.
    following : array-like of shape (n_outcomes,), int
        The next state; -1 where the episode ends.
    probabilities, outcome_rewards : array-like of shape (n_outcomes,)
    start : array-like of shape (n_states,)
        Probability of each state as the first.
    labels : sequence, optional
        What each state is: coordinates, or what is observed there.

    Raises
    ------
    ValueError
        If shapes do not meet, or probabilities are none or do not add up to 1.

    Examples
    --------
    A step to the right is worth 1 and may end the world:

    >>> world = World.of(2, 1, lambda s, a: [(0.5, 1, 0.0), (0.5, None, 1.0)])
    >>> world
    World(n_states=2, n_actions=1)
    >>> world.rewards
    array([[0.5],
           [0.5]])
    >>> walk = world.walk([0, 0], 1000, np.random.default_rng(0))
    >>> bool(walk.ends.sum() == walk.rewards.sum())
    True
    """

    indptr: np.ndarray
    following: np.ndarray
    probabilities: np.ndarray
    outcome_rewards: np.ndarray
    start: np.ndarray
    labels: Sequence[Any] | None = None

    def __post_init__(self):
        for name, kind in (
            ("indptr", np.int64),
            ("following", np.int64),
            ("probabilities", float),
            ("outcome_rewards", float),
            ("start", float),
        ):
            object.__setattr__(self, name, np.array(getattr(self, name), dtype=kind))
        n_states = len(self.start)
        n_rows = len(self.indptr) - 1
        n = len(self.following)
        if not n_states or n_rows < n_states or n_rows % n_states:
            msg = f"{n_rows} rows of outcomes are no whole number of actions for {n_states} states"
            raise ValueError(msg)
        if self.indptr[0] or self.indptr[-1] != n or (np.diff(self.indptr) < 1).any():
            msg = "indptr needs to rise from 0 to the number of outcomes, one or more to a row"
            raise ValueError(msg)
        if not n == len(self.probabilities) == len(self.outcome_rewards):
            msg = (
                f"{n} next states, {len(self.probabilities)} probabilities and "
                f"{len(self.outcome_rewards)} rewards: each outcome has one of each"
            )
            raise ValueError(msg)
        if self.following.min() < -1 or self.following.max() >= n_states:
            msg = f"next states are 0..{n_states - 1}, or -1 for an end"
            raise ValueError(msg)
        if not np.isfinite(self.outcome_rewards).all():
            msg = "rewards must be finite"
            raise ValueError(msg)
        totals = np.add.reduceat(self.probabilities, self.indptr[:-1])
        wrong = ~np.isclose(totals, 1, rtol=0, atol=1e-9)
        if wrong.any() or not (self.probabilities > 0).all():
            state, action = divmod(int(np.argmax(wrong)), n_rows // n_states)
            msg = (
                "probabilities are positive and add up to 1 for each state and action; those of "
                f"action {action} in state {state} add up to {totals[np.argmax(wrong)]:g}"
            )
            raise ValueError(msg)
        if (self.start < 0).any() or not np.isclose(self.start.sum(), 1, rtol=0, atol=1e-9):
            msg = f"start is a distribution over states; it adds up to {self.start.sum():g}"
            raise ValueError(msg)
        if self.labels is not None and len(self.labels) != n_states:
            msg = f"{len(self.labels)} labels for {n_states} states"
            raise ValueError(msg)

    def __repr__(self):
        return f"World(n_states={self.n_states}, n_actions={self.n_actions})"

    @classmethod
    def of(cls, n_states, n_actions, outcomes, start=0, labels=None):
        """Make a world of a function that lists outcomes.

        Parameters
        ----------
        n_states, n_actions : int
        outcomes : callable
            ``outcomes(state, action)`` yields (probability, next state or None for an end, reward);
            outcomes that are alike are added up, impossible ones left out.
        start : int or array-like of shape (n_states,)
            The first state, or the probability of each.
        labels : sequence, optional

        Returns
        -------
        World
        """
        indptr = [0]
        following = []
        probabilities = []
        rewards = []
        for state in range(n_states):
            for action in range(n_actions):
                merged: dict[tuple[int, float], float] = {}
                for p, after, reward in outcomes(state, action):
                    if p:
                        key = -1 if after is None else after, float(reward)
                        merged[key] = merged.get(key, 0.0) + p
                for (after, reward), p in merged.items():
                    following.append(after)
                    rewards.append(reward)
                    probabilities.append(p)
                indptr.append(len(following))
        if np.ndim(start) == 0:
            start = np.eye(1, n_states, start)[0]
        return cls(indptr, following, probabilities, rewards, start, labels)

    @classmethod
    def from_gymnasium(cls, env):
        """Read a Gymnasium environment that has a table of its dynamics, such as Taxi's.

        Parameters
        ----------
        env : gymnasium.Env
            ``env.unwrapped.P[state][action]`` is a list of (probability, next state, reward,
            terminated), ``env.unwrapped.initial_state_distrib`` the distribution of the first.

        Returns
        -------
        World

        Raises
        ------
        TypeError
            If the environment has no such table.
        """
        bare = getattr(env, "unwrapped", env)
        try:
            table = bare.P
            start = bare.initial_state_distrib
        except AttributeError:
            msg = f"{env} has no table of its dynamics; list outcomes for `World.of`"
            raise TypeError(msg) from None

        def outcomes(state, action):
            for p, after, reward, ended in table[state][action]:
                yield p, None if ended else after, reward

        return cls.of(len(table), len(table[0]), outcomes, start)

    @property
    def n_states(self):
        return len(self.start)

    @property
    def n_actions(self):
        return (len(self.indptr) - 1) // self.n_states

    @property
    def transitions(self):
        """Probability of each next state, (n_states * n_actions, n_states); ends are left out."""
        goes_on = self.following >= 0
        rows = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))[goes_on]
        shape = (len(self.indptr) - 1, self.n_states)
        columns = self.following[goes_on]
        return sparse.csr_array((self.probabilities[goes_on], (rows, columns)), shape=shape)

    @property
    def rewards(self):
        """Expected rewards, (n_states, n_actions)."""
        expected = np.add.reduceat(self.probabilities * self.outcome_rewards, self.indptr[:-1])
        return expected.reshape(self.n_states, self.n_actions)

    def model(self):
        """Return what a `MultiObjectiveMDP` of one criterion is made of, but for the discount.

        Examples
        --------
        >>> from icml2008.methods import MultiObjectiveMDP, value_iteration
        >>> from icml2008.methods.worlds import loop
        >>> mdp = MultiObjectiveMDP(*loop().model(), discount=0.9)
        >>> value_iteration(mdp, [1.0]).policy[0]
        np.int64(1)
        """
        return self.transitions, self.rewards[:, :, None]

    def compiled(self):
        """Return (indptr, next states, cumulative probabilities, rewards) for compiled loops.

        The last of a row's cumulative probabilities is 1 exactly.
        """
        cumulative = cumulated(self.probabilities, self.indptr)
        return self.indptr, self.following, cumulative, self.outcome_rewards

    def walk(self, policy, n_steps, rng, state=None):
        """Walk by a policy.

        Parameters
        ----------
        policy : array-like of shape (n_states,), int, or (n_states, n_actions)
            The action in each state, or the probability of each.
        n_steps : int
        rng : numpy.random.Generator
            Three numbers of it are used for each step.
        state : int, optional
            Where to begin; by default, a start state.

        Returns
        -------
        Walk

        Raises
        ------
        ValueError
            If the policy or the state is none of this world.
        """
        policy = self._shares(policy)
        start = cumulated(self.start, np.array([0, self.n_states]))
        if state is None:
            state = np.searchsorted(start, rng.random(), side="right")
        elif not 0 <= state < self.n_states:
            msg = f"state {state} is none of 0..{self.n_states - 1}"
            raise ValueError(msg)
        rows = np.arange(self.n_states + 1) * self.n_actions
        policy = cumulated(policy.ravel(), rows).reshape(policy.shape)
        return Walk(*walked(*self.compiled(), policy, start, rng.random((n_steps, 3)), int(state)))

    def _shares(self, policy):
        """Return a policy as probabilities of actions."""
        policy = np.asarray(policy)
        shape = (self.n_states, self.n_actions)
        if policy.shape == shape[:1] and np.isin(policy, range(self.n_actions)).all():
            return np.eye(self.n_actions)[policy.astype(int)]
        if policy.shape != shape or (policy < 0).any() or not np.allclose(policy.sum(axis=1), 1):
            msg = (
                f"a policy is one of the actions 0..{self.n_actions - 1} for each of "
                f"{self.n_states} states, or probabilities of shape {shape}; found shape "
                f"{policy.shape}"
            )
            raise ValueError(msg)
        return policy.astype(float)
