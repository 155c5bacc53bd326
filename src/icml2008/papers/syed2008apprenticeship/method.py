"""Apprentices: policies worth at least an expert's, whatever mixture of rewards is the true one."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import highspy
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu
from sklearn.base import BaseEstimator

from icml2008.papers.syed2008apprenticeship.cones import largest_by_clarabel
from icml2008.silent import SilentHighs

SOLVERS = ("ipm", "simplex", "clarabel")


class Problem(NamedTuple):
    """What an apprentice knows but for the expert's values; pairs are ``s * n_actions + a``.

    Attributes
    ----------
    transitions : csr_array of shape (n_pairs, n_states)
    rewards : csr_array of shape (n_criteria, n_pairs)
        The basis reward functions.
    start : ndarray of shape (n_states,)
    discount : float
    """

    transitions: sparse.csr_array
    rewards: sparse.csr_array
    start: np.ndarray
    discount: float

    @property
    def flow(self):
        """Return the matrix of the Bellman flow constraints (Equation 5), (n_states, n_pairs)."""
        pairs, n = self.transitions.shape
        leaves = sparse.kron(sparse.eye_array(n), np.ones((1, pairs // n)))
        return sparse.csr_array(leaves - self.discount * self.transitions.T)

    def occupancy(self, policy):
        """Return discounted visits (Equation 1), (n_states, n_actions), of such a policy."""
        n = len(self.start)
        taken = sparse.csr_array(
            (policy.ravel(), np.arange(policy.size), np.arange(n + 1) * policy.shape[1]),
            shape=(n, policy.size),
        )
        system = sparse.eye_array(n) - self.discount * (taken @ self.transitions)
        return splu(system.tocsc()).solve(self.start, trans="T")[:, None] * policy

    def values(self, policy):
        """Return the basis values of a policy, (n_criteria,), by Lemma 1."""
        return self.rewards @ self.occupancy(policy).ravel()


def stationary(occupancy):
    """Return the policy (n_states, n_actions) of visits; where there are none, any action alike."""
    visits = np.maximum(occupancy, 0)
    totals = visits.sum(axis=1, keepdims=True)
    even = np.full_like(visits, 1 / visits.shape[1])
    return np.divide(visits, totals, out=even, where=totals > 0)


def best_actions(problem, rewards, actions):
    """Plan by policy iteration.

    Parameters
    ----------
    problem : Problem
    rewards : ndarray of shape (n_pairs,)
    actions : ndarray of shape (n_states,), int
        To begin with; they are kept where no other is better by more than rounding.

    Returns
    -------
    actions : ndarray of shape (n_states,), int
    values : ndarray of shape (n_states,)
    n_rounds : int
        Policies that were evaluated.
    """
    P = problem.transitions
    n = len(problem.start)
    states = np.arange(n)
    n_rounds = 0
    better = np.ones(n, dtype=bool)
    while better.any():
        rows = states * (P.shape[0] // n) + actions
        system = sparse.eye_array(n) - problem.discount * P[rows]
        values = splu(system.tocsc()).solve(rewards[rows])
        n_rounds = n_rounds + 1
        ahead = (rewards + problem.discount * (P @ values)).reshape(n, -1)
        better = ahead.max(axis=1) - ahead[states, actions] > 1e-9 * np.abs(values).max()
        actions = np.where(better, ahead.argmax(axis=1), actions)
    return actions, values, n_rounds


def largest(costs, matrix, sides, free=0, solver="ipm"):
    """Maximise costs' x over x >= 0 but for the last `free` ones, lower <= matrix x <= upper.

    Parameters
    ----------
    costs : ndarray of shape (n,)
    matrix : sparse array of shape (m, n)
    sides : pair of ndarray of shape (m,)
        Lower and upper.
    free : int
    solver : {'ipm', 'simplex', 'clarabel'}
        Of HiGHS: its interior point method without crossover, or its dual simplex method; or
        Clarabel's interior point method.

    Returns
    -------
    x : ndarray of shape (n,)
    n_iter : int

    Raises
    ------
    RuntimeError
        If the solver finds no optimum.
    """
    if solver == "clarabel":
        return largest_by_clarabel(costs, matrix, sides, free)
    columns = sparse.csc_array(matrix)
    program = highspy.HighsLp()
    program.num_row_, program.num_col_ = columns.shape
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_cost_ = costs
    program.col_lower_ = np.where(np.arange(len(costs)) < len(costs) - free, 0.0, -np.inf)
    program.col_upper_ = np.full(len(costs), np.inf)
    program.row_lower_, program.row_upper_ = sides
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = columns.indptr
    program.a_matrix_.index_ = columns.indices
    program.a_matrix_.value_ = columns.data
    highs = SilentHighs()
    for name, value in {
        "output_flag": False,
        "threads": 1,
        "solver": solver,
        "presolve": "off",  # postsolve loses the dual solution where all rewards are alike
        "run_crossover": "off",
    }.items():
        highs.setOptionValue(name, value)
    highs.passModel(program)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        msg = f"HiGHS ended with: {highs.modelStatusToString(highs.getModelStatus())}"
        raise RuntimeError(msg)
    info = highs.getInfo()
    n_iter = info.ipm_iteration_count if solver == "ipm" else info.simplex_iteration_count
    return np.array(highs.getSolution().col_value), n_iter


def apprentice_program(problem, expert_values):
    """Return costs, matrix, sides and number of free variables of LPAL's program (8) to (11).

    Its variables are the visits to each pair and, last, the smallest lead B over the expert.
    """
    k, pairs = problem.rewards.shape
    lead = sparse.csr_array(-np.ones((k, 1)))
    matrix = sparse.block_array([[problem.flow, None], [problem.rewards, lead]])
    lower = np.concatenate([problem.start, expert_values])
    upper = np.concatenate([problem.start, np.full(k, np.inf)])
    return np.eye(1, pairs + 1, pairs)[0], matrix, (lower, upper), 1


def game(problem, expert_values, n_rounds, scaled=False):
    """Play MWAL (Algorithm 1) without end.

    Parameters
    ----------
    problem : Problem
    expert_values : ndarray of shape (n_criteria,)
    n_rounds : int
        The T of beta.
    scaled : bool
        Whether exponents are brought to a range of 1, for rewards in [-1, 1]; else they are values.

    Yields
    ------
    weights : ndarray of shape (n_criteria,)
    actions, values : ndarray of shape (n_states,)
        Best for these weights; planning begins with those of the round before.
    occupancy : ndarray of shape (n_states, n_actions)
    """
    (k, pairs) = problem.rewards.shape
    n = len(problem.start)
    beta = 1 / (1 + np.sqrt(2 * np.log(k) / n_rounds))
    share = (1 - problem.discount) / 4 if scaled else 1.0
    weights = np.full(k, 1 / k)
    actions = np.zeros(n, dtype=int)
    while True:
        actions, values, _ = best_actions(problem, weights @ problem.rewards, actions)
        visits = problem.occupancy(np.eye(pairs // n)[actions])
        yield weights, actions, values, visits
        exponents = share * (problem.rewards @ visits.ravel() - expert_values)
        weights = weights * beta ** (exponents - exponents.min())
        weights /= weights.sum()


class _Apprentice(BaseEstimator):
    def fit(self, mdp, expert_values, start=None):
        """Find a policy.

        Parameters
        ----------
        mdp : MultiObjectiveMDP
            Its criteria are the basis reward functions; its discount is below 1.
        expert_values : array-like of shape (n_criteria,)
            Discounted sum of each that the expert earns.
        start : array-like of shape (n_states,), optional
            Probability of each first state; by default all alike.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If shapes do not meet, the discount is 1, or a parameter is out of range.
        """
        n = mdp.n_states
        k = mdp.n_criteria
        expert_values = np.asarray(expert_values, dtype=float)
        start = np.full(n, 1 / n) if start is None else np.asarray(start, dtype=float)
        if expert_values.shape != (k,) or not np.isfinite(expert_values).all():
            msg = f"expert_values are one finite number for each of {k} criteria"
            raise ValueError(msg)
        if start.shape != (n,) or (start < 0).any() or not np.isclose(start.sum(), 1):
            msg = f"start is a distribution over {n} states; it adds up to {start.sum():g}"
            raise ValueError(msg)
        if mdp.discount == 1:
            msg = "discount is 1; visits are counted with one below 1"
            raise ValueError(msg)
        rewards = sparse.csr_array(mdp.rewards.reshape(-1, k).T)
        problem = Problem(mdp.transitions, rewards, start, mdp.discount)
        self.policy_ = stationary(self._visits(problem, expert_values).reshape(n, -1))
        self.values_ = problem.values(self.policy_)
        self.lead_ = float(np.min(self.values_ - expert_values))
        return self


class LinearProgramApprentice(_Apprentice):
    """LPAL: the policy whose smallest lead over the expert, over all criteria, is largest.

    Parameters
    ----------
    solver : {'ipm', 'simplex', 'clarabel'}
        HiGHS's interior point or simplex method, or Clarabel's interior point method, which needs
        ``pip install 'icml2008[clarabel]'`` and is two to nine times as fast as HiGHS's, the more
        the larger the problem. Where several policies are best, the simplex method returns a
        vertex, the others a policy that mixes them.

    Attributes
    ----------
    policy_ : ndarray of shape (n_states, n_actions)
        Probability of each action.
    values_ : ndarray of shape (n_criteria,)
    lead_ : float
        Smallest of the values less the expert's: at least 0 if these are exact (Equation 3).
    n_iter_ : int
        Of the linear program.

    References
    ----------
    U. Syed, M. Bowling and R. E. Schapire. Apprenticeship learning using linear programming. ICML
    2008, Algorithm 2.

    Examples
    --------
    An expert collects hay and carrots in turn, and some stash has more of both:

    >>> import numpy as np
    >>> from icml2008.methods import LinearProgramApprentice
    >>> from icml2008.methods import MultiObjectiveMDP
    >>> mdp = MultiObjectiveMDP(np.ones((1, 3, 1)), [[[1, 0], [0, 1], [0.6, 0.6]]], 0.9)
    >>> model = LinearProgramApprentice("simplex").fit(mdp, [5, 5])
    >>> model.policy_, round(model.lead_, 9)
    (array([[0., 0., 1.]]), 1.0)
    """

    def __init__(self, solver="ipm"):
        self.solver = solver

    def _visits(self, problem, expert_values):
        if self.solver not in SOLVERS:
            msg = f"solver is {self.solver!r}; it needs to be one of {', '.join(SOLVERS)}"
            raise ValueError(msg)
        program = apprentice_program(problem, expert_values)
        solution, self.n_iter_ = largest(*program, solver=self.solver)
        return solution[:-1]


class MultiplicativeWeightsApprentice(_Apprentice):
    """MWAL: the mean of the policies that are best for weights which follow what was neglected.

    Parameters
    ----------
    n_rounds : int
        Policies; the lead is short of the largest by the root of log(n_criteria) / n_rounds.
    scaled : bool
        Whether exponents are brought to a range of 1, for rewards in [-1, 1].

    Attributes
    ----------
    policy_, values_, lead_
        As of `LinearProgramApprentice`; the mixture is made one stationary policy (Theorem 3).
    weights_ : ndarray of shape (n_criteria,)
        Of the last round.

    References
    ----------
    Syed, Bowling and Schapire (2008), Algorithm 1 and Section 6.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MultiObjectiveMDP
    >>> from icml2008.methods import MultiplicativeWeightsApprentice
    >>> mdp = MultiObjectiveMDP(np.ones((1, 3, 1)), [[[1, 0], [0, 1], [0.6, 0.6]]], 0.9)
    >>> MultiplicativeWeightsApprentice(200).fit(mdp, [5, 5]).lead_ > 0.9
    True
    """

    def __init__(self, n_rounds=100, scaled=False):
        self.n_rounds = n_rounds
        self.scaled = scaled

    def _visits(self, problem, expert_values):
        if not (isinstance(self.n_rounds, int) and self.n_rounds > 0):
            msg = f"n_rounds is {self.n_rounds!r}; it needs to be a whole number above 0"
            raise ValueError(msg)
        rounds = game(problem, expert_values, self.n_rounds, self.scaled)
        played = list(islice(rounds, self.n_rounds))
        self.weights_ = played[-1][0]
        return sum(visits for *_, visits in played)
