"""Finite Markov decision processes with several criteria."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True, eq=False)
class MultiObjectiveMDP:
    """A finite Markov decision process whose rewards are vectors.

    Parameters
    ----------
    transitions : array-like of shape (n_states, n_actions, n_states), or sparse matrix of shape \
            (n_states * n_actions, n_states)
        Probability of each next state; row ``s * n_actions + a`` of a matrix is action a in state
        s. A row that adds up to less than 1 ends the episode with the rest of its probability:
        nothing is earned afterwards. Where an action is not available, repeat another's row.
    rewards : array-like of shape (n_states, n_actions, n_criteria)
        Expected reward vectors.
    discount : float in [0, 1]
        With 1, values exist only if every policy ends sooner or later.

    Raises
    ------
    ValueError
        If shapes do not meet, or a number is not finite, negative or no probability.

    Examples
    --------
    A guinea pig runs to one of four stashes of hay and carrot, and is taken home (Barrett and
    Narayanan, Figure 2):

    >>> import numpy as np
    >>> from icml2008.methods import MultiObjectiveMDP
    >>> rewards = [[[1, 0], [0, 1], [0.6, 0.6], [0.7, 0.4]]]
    >>> MultiObjectiveMDP(np.zeros((1, 4, 1)), rewards, discount=0.9)
    MultiObjectiveMDP(n_states=1, n_actions=4, n_criteria=2, discount=0.9)
    """

    transitions: sparse.csr_array
    rewards: np.ndarray
    discount: float

    def __post_init__(self):
        rewards = np.array(self.rewards, dtype=float, order="C")
        if rewards.ndim != 3 or 0 in rewards.shape:
            msg = f"rewards has shape {rewards.shape}; it needs (n_states, n_actions, n_criteria)"
            raise ValueError(msg)
        n_states, n_actions, _ = rewards.shape
        given = self.transitions
        if not sparse.issparse(given):
            given = np.asarray(given, dtype=float)
            if given.shape != (n_states, n_actions, n_states):
                msg = (
                    f"transitions has shape {given.shape}; with rewards of shape {rewards.shape} "
                    f"it needs {(n_states, n_actions, n_states)}"
                )
                raise ValueError(msg)
            given = given.reshape(-1, n_states)
        elif given.shape != (n_states * n_actions, n_states):
            msg = (
                f"transitions is a sparse matrix of shape {given.shape}; with rewards of shape "
                f"{rewards.shape} it needs {(n_states * n_actions, n_states)}"
            )
            raise ValueError(msg)
        transitions = sparse.csr_array(given, dtype=float, copy=True)
        transitions.sum_duplicates()
        transitions.eliminate_zeros()
        totals = transitions.sum(axis=1)
        if not np.isfinite(rewards).all() or not np.isfinite(transitions.data).all():
            msg = "transitions and rewards must be finite"
            raise ValueError(msg)
        if (transitions.data < 0).any() or (totals > 1 + 1e-9).any():
            row = int(np.argmax(totals))
            msg = (
                "transitions are probabilities: none is negative and no row adds up to more than "
                f"1; found {transitions.data.min():g} as the least, and {totals[row]:g} in state "
                f"{row // n_actions} under action {row % n_actions}"
            )
            raise ValueError(msg)
        if not 0 <= self.discount <= 1:
            msg = f"discount is {self.discount!r}; it needs to lie in [0, 1]"
            raise ValueError(msg)
        object.__setattr__(self, "rewards", rewards)
        object.__setattr__(self, "transitions", transitions)
        object.__setattr__(self, "discount", float(self.discount))

    def __repr__(self):
        names = ("n_states", "n_actions", "n_criteria", "discount")
        return f"MultiObjectiveMDP({', '.join(f'{name}={getattr(self, name)}' for name in names)})"

    @property
    def n_states(self):
        return self.rewards.shape[0]

    @property
    def n_actions(self):
        return self.rewards.shape[1]

    @property
    def n_criteria(self):
        return self.rewards.shape[2]

    @classmethod
    def from_gymnasium(cls, env, discount, *, reward=None):
        """Read a Gymnasium environment that has a table of its dynamics, such as FrozenLake's.

        Parameters
        ----------
        env : gymnasium.Env
            ``env.unwrapped.P[state][action]`` is a list of (probability, next state, reward,
            terminated); the reward may be a vector, as in MO-Gymnasium.
        discount : float
        reward : callable, optional
            Makes a vector of ``(state, action, next_state, reward)``: the criteria of one's own.

        Raises
        ------
        TypeError
            If the environment has no such table.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> table = {0: {0: [(0.5, 1, [0, -1], False), (0.5, 0, [0, -1], False)]},
        ...          1: {0: [(1.0, 1, [5, 0], True)]}}
        >>> env = SimpleNamespace(unwrapped=SimpleNamespace(P=table))
        >>> mdp = MultiObjectiveMDP.from_gymnasium(env, discount=0.9)
        >>> mdp.transitions.toarray()
        array([[0.5, 0.5],
               [0. , 0. ]])
        """
        table = getattr(getattr(env, "unwrapped", env), "P", None)
        if table is None:
            msg = (
                f"{env} has no table of its dynamics, `env.unwrapped.P`; build MultiObjectiveMDP "
                "from arrays of transitions and rewards"
            )
            raise TypeError(msg)
        n_states = len(table)
        n_actions = len(table[0])
        rows = []
        columns = []
        shares = []
        vectors = {}
        for state in range(n_states):
            for action in range(n_actions):
                total = 0.0
                for p, following, earned, ended in table[state][action]:
                    vector = reward(state, action, following, earned) if reward else earned
                    total = total + p * np.atleast_1d(np.asarray(vector, dtype=float))
                    if not ended:
                        rows.append(state * n_actions + action)
                        columns.append(following)
                        shares.append(p)
                vectors[state, action] = total
        rewards = np.array(list(vectors.values())).reshape(n_states, n_actions, -1)
        shape = (n_states * n_actions, n_states)
        return cls(sparse.csr_array((shares, (rows, columns)), shape=shape), rewards, discount)

    def compiled(self):
        """Return (indptr, indices, discounted probabilities, rewards of shape (rows, criteria))."""
        P = self.transitions
        index = P.indptr.astype(np.int64), P.indices.astype(np.int64)
        rows = self.rewards.reshape(-1, self.n_criteria)
        return *index, self.discount * P.data, rows


def check_weights(weights, n_criteria):
    """Return weights as an array, nonnegative and not all 0.

    Raises
    ------
    ValueError
        If they are not.
    """
    weights = np.array(weights, dtype=float)
    if weights.shape != (n_criteria,):
        msg = f"weights has shape {weights.shape}; {n_criteria} criteria need ({n_criteria},)"
        raise ValueError(msg)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        msg = (
            f"weights are {weights.tolist()}; they need to be nonnegative and not all 0 (for a "
            "criterion to be avoided, give its reward the other sign)"
        )
        raise ValueError(msg)
    return weights
