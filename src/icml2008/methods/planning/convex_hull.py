"""Convex-hull value iteration: what is optimal for every preference, state by state."""

from __future__ import annotations

import numpy as np

from icml2008.methods.planning._backup import hull_of_rows, sweep
from icml2008.methods.planning.envelope import upper_envelope
from icml2008.methods.planning.mdp import check_weights
from icml2008.methods.planning.scalar import evaluate_policy, smallest_change, warn_of_sweeps


class ConvexHullValueIteration:
    """Value iteration that backs up hulls of value vectors: all linear preferences at once.

    For each state it keeps the value vectors that are optimal for some nonnegative weights of the
    criteria, and replaces them by what one more step can reach, as value iteration does with the
    one value of one preference.

    Parameters
    ----------
    tol : float
        For every preference with weights that add up to 1, values are within `tol` of the optimal
        ones (with discount 1: the last change is).
    prune : float, optional
        In each sweep, a vector that is nowhere better than the others of its hull by more is left
        out. By default a quarter of what `tol` allows, ``tol * (1 - discount) / 4``: over all
        sweeps such losses add up to ``prune / (1 - discount)``.
    max_sweeps : int
    max_vectors : int
        Gives up where the hull of a state has more. Policies that go on for ever can make hulls
        between the sweeps grow far beyond that of the optimal policies;
        `OptimisticLinearSupport` does not see those.

    Attributes
    ----------
    hulls_ : list of ndarray of shape (n, n_criteria)
        The value vectors of each state.
    n_iter_ : int
        Sweeps.
    change_ : float
        Largest change in the last sweep.
    sizes_ : ndarray of shape (n_iter_,), int
        Vectors of all states together, after each sweep.

    See Also
    --------
    OptimisticLinearSupport : optimal policies of a start alone, by way of single preferences.

    Notes
    -----
    A back-up does not add up hulls (Eq. 4): the best sum of vectors for given weights is the sum of
    the best ones, so that it asks for the best at the corners of the envelope found so far, until
    none has a better one. Its cost follows the size of the result.

    References
    ----------
    L. Barrett and S. Narayanan. Learning All Optimal Policies with Multiple Criteria. ICML 2008,
    Algorithm 1 and Eq. 6.

    Examples
    --------
    Two criteria, to earn or to rest: in state 0 one may stay and rest or go to work in state 1.

    >>> import numpy as np
    >>> from icml2008.methods import ConvexHullValueIteration, MultiObjectiveMDP
    >>> transitions = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    >>> rewards = [[[0, 1], [0, 0]], [[1, 0], [0, 0]]]
    >>> planner = ConvexHullValueIteration().fit(MultiObjectiveMDP(transitions, rewards, 0.5))
    >>> envelope, policies = planner.policies(0)
    >>> envelope.vectors.round(6), policies
    (array([[0., 2.],
           [1., 0.]]), array([[0, ...],
           [1, 0]]))
    >>> envelope.region(1).round(6)
    array([[0.666667, 0.333333],
           [1.      , 0.      ]])
    >>> planner.policy([0.9, 0.1])
    array([1, 0])
    >>> planner.value([0.9, 0.1]).round(3)
    array([0.9, 1.8])
    """

    def __init__(self, *, tol=1e-4, prune=None, max_sweeps=100_000, max_vectors=1000):
        self.tol = tol
        self.prune = prune
        self.max_sweeps = max_sweeps
        self.max_vectors = max_vectors

    def fit(self, mdp):
        """Plan for all preferences.

        Parameters
        ----------
        mdp : MultiObjectiveMDP

        Returns
        -------
        self

        Raises
        ------
        RuntimeError
            If the hull of a state grows beyond `max_vectors`.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If `max_sweeps` did not do.
        """
        self._start(mdp)
        smallest = smallest_change(mdp.discount, self.tol / 2)
        while self.change_ > smallest and self.n_iter_ < self.max_sweeps:
            self._step()
        if self.change_ > smallest:
            warn_of_sweeps(self.max_sweeps, self.change_, mdp.discount)
        return self

    def sweeps(self, mdp):
        """Yield the planner itself before the first and after each sweep, without end.

        Parameters
        ----------
        mdp : MultiObjectiveMDP
        """
        self._start(mdp)
        while True:
            yield self
            self._step()

    def _start(self, mdp):
        n = mdp.n_states
        d = mdp.n_criteria
        self.mdp_ = mdp
        self._model = mdp.compiled()
        share = 1 - mdp.discount if mdp.discount < 1 else 1e-3
        self._prune = float(self.tol * share / 4 if self.prune is None else self.prune)
        self._offsets = np.arange(n + 1)
        self._vectors = np.zeros((n, d))
        self._guesses = np.full((n, d), 1 / d)
        self.n_iter_ = 0
        self.change_ = np.inf
        self._sizes = []

    def _step(self):
        limits = self._prune, int(self.max_vectors)
        state = self._vectors, self._offsets, self._guesses
        *after, change, given_up = sweep(self.mdp_.n_actions, self._model, *state, *limits)
        if given_up >= 0:
            msg = (
                f"in sweep {self.n_iter_ + 1} the hull of state {given_up} has more than "
                f"max_vectors={self.max_vectors} vectors; use OptimisticLinearSupport, or a larger "
                f"prune (now {self._prune:g})"
            )
            raise RuntimeError(msg)
        self._vectors, self._offsets, self._guesses = after
        self.n_iter_ = self.n_iter_ + 1
        self.change_ = change
        self._sizes.append(len(self._vectors))

    @property
    def hulls_(self):
        return np.split(self._vectors, self._offsets[1:-1])

    @property
    def sizes_(self):
        return np.array(self._sizes, dtype=int)

    def q_hull(self, state, action):
        """Return the value vectors of an action in a state, shape (n, n_criteria) (Eq. 6)."""
        row = state * self.mdp_.n_actions + action
        guesses = np.full((1, self.mdp_.n_criteria), 1 / self.mdp_.n_criteria)
        state = self._model, self._vectors, self._offsets, guesses
        hull, *_, complete = hull_of_rows(row, row + 1, *state, self._prune, int(self.max_vectors))
        if not complete:
            msg = f"the hull has more than max_vectors={self.max_vectors} vectors"
            raise RuntimeError(msg)
        return hull

    def value(self, weights):
        """Return the best value of each state for a preference, shape (n_states,) (Eq. 5)."""
        weights = check_weights(weights, self.mdp_.n_criteria)
        return np.maximum.reduceat(self._vectors @ weights, self._offsets[:-1])

    def q_values(self, weights):
        """Return the value of each action for a preference, shape (n_states, n_actions)."""
        following = (self.mdp_.transitions @ self.value(weights)).reshape(
            self.mdp_.rewards.shape[:2]
        )
        return self.mdp_.rewards @ np.asarray(weights, dtype=float) + self.mdp_.discount * following

    def policy(self, weights):
        """Return the action in each state that is best for a preference, shape (n_states,)."""
        return self.q_values(weights).argmax(axis=1)

    def policies(self, state):
        """Return the optimal policies for a start, with their exact values.

        Returns
        -------
        envelope : Envelope
            Their value vectors in `state`, evaluated exactly, and their regions of preference.
        policies : ndarray of shape (n, n_states), int
            A policy for each vector.
        """
        centres = self._guesses[self._offsets[state] : self._offsets[state + 1]]
        policies = np.unique([self.policy(weights) for weights in centres], axis=0)
        values = np.array([evaluate_policy(self.mdp_, policy)[state] for policy in policies])
        envelope = upper_envelope(values, tol=1e-10)
        places = [np.abs(values - v).max(axis=1).argmin() for v in envelope.vectors]
        return envelope, policies[places]
