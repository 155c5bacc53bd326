"""Optimistic linear support: all optimal policies from a few well-chosen preferences."""

from __future__ import annotations

import numpy as np

from icml2008.methods.planning._envelope import first_corners, insert, lasting, region_centres
from icml2008.methods.planning.envelope import envelope_of, lexicographic
from icml2008.methods.planning.mdp import check_weights
from icml2008.methods.planning.scalar import policy_iteration


class OptimisticLinearSupport:
    """Find the policies that are optimal for some preference by refining corners.

    The value of the policies found so far, as a function of the preference, is an envelope; where
    it can be raised at all, it can be raised at a corner. So plan for the preferences of the
    corners, one by one, until none brings a better policy. The work grows with the number of
    optimal policies, not with that of hulls between sweeps.

    Parameters
    ----------
    start : int, array-like of shape (n_states,) or None
        The state that policies start in, or the probability of each. None: the uniform
        distribution, which finds what is optimal in any state.
    tol : float
        A policy that is nowhere better than the others by more than this, times the largest
        magnitude of a value, is left out.

    Attributes
    ----------
    envelope_ : Envelope
        The value vectors of the optimal policies at the start, and their regions of preference.
    policies_ : ndarray of shape (n, n_states), int
        A policy for each vector.
    values_ : ndarray of shape (n, n_states, n_criteria)
        Its value vectors in each state.
    n_plans_ : int
        Preferences that were planned for.

    References
    ----------
    D. M. Roijers, S. Whiteson, F. A. Oliehoek. Computing Convex Coverage Sets for Faster
    Multi-objective Coordination. JAIR 52, 2015. For partially observable processes: H.-T. Cheng.
    Algorithms for Partially Observable Markov Decision Processes. PhD thesis, 1988.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MultiObjectiveMDP, OptimisticLinearSupport
    >>> rewards = [[[1, 0], [0, 1], [0.6, 0.6], [0.7, 0.4]]]
    >>> maze = MultiObjectiveMDP(np.zeros((1, 4, 1)), rewards, discount=0.9)
    >>> planner = OptimisticLinearSupport().fit(maze)
    >>> planner.envelope_.vectors
    array([[0. , 1. ],
           [0.6, 0.6],
           [1. , 0. ]])
    >>> planner.policies_.ravel()
    array([1, 2, 0])
    """

    def __init__(self, start=None, *, tol=1e-10):
        self.start = start
        self.tol = tol

    def fit(self, mdp):
        """Plan for all preferences.

        Parameters
        ----------
        mdp : MultiObjectiveMDP

        Returns
        -------
        self
        """
        start = self._distribution(mdp.n_states)
        d = mdp.n_criteria
        policy, values = policy_iteration(mdp, np.full(d, 1 / d))
        policies = [policy]
        all_values = [values]
        vector_list = [start @ values]
        weights, heights, tight = first_corners(vector_list[0])
        checked = 0
        self.n_plans_ = 1
        while checked < len(weights):
            weight = weights[checked]
            height = heights[checked]
            checked += 1
            known = int(np.argmax(np.array(vector_list) @ weight))
            policy, values = policy_iteration(mdp, weight, start=policies[known])
            self.n_plans_ += 1
            vector = start @ values
            tol = self.tol * max(np.abs(values).max(), np.finfo(float).tiny)
            if weight @ vector <= height + tol:
                continue
            # Corners that stay keep their order: those already checked stay in front.
            checked = int(np.sum(weights[:checked] @ vector <= heights[:checked] + tol))
            weights, heights, tight = insert(weights, heights, tight, vector, len(vector_list), tol)
            policies.append(policy)
            all_values.append(values)
            vector_list.append(vector)
        vectors = np.array(vector_list)
        tol = self.tol * max(np.abs(vectors).max(), np.finfo(float).tiny)
        keep = lasting(vectors, region_centres(weights, tight, len(vector_list)), tol / 100)
        keep = np.flatnonzero(keep)
        keep = keep[lexicographic(vectors[keep])]
        self.mdp_ = mdp
        self.envelope_ = envelope_of(vectors[keep], tol)
        self.policies_ = np.array(policies)[keep]
        self.values_ = np.array(all_values)[keep]
        return self

    def _distribution(self, n_states):
        if self.start is None:
            return np.full(n_states, 1 / n_states)
        start = np.asarray(self.start)
        if start.ndim == 0 and start.dtype.kind in "iu" and 0 <= start < n_states:
            return np.eye(n_states)[start]
        if start.shape != (n_states,) or (start < 0).any() or not np.isclose(start.sum(), 1):
            msg = (
                f"start is {self.start!r}; it needs to be a state, 0..{n_states - 1}, or the "
                "probabilities of all states"
            )
            raise ValueError(msg)
        return start.astype(float)

    def policy(self, weights):
        """Return the policy that is best for a preference, shape (n_states,)."""
        return self.policies_[self.envelope_.best(weights)]

    def value(self, weights):
        """Return the best value of the start for a preference."""
        return self.envelope_.value(check_weights(weights, self.mdp_.n_criteria))
