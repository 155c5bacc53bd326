"""R-MAXQ, whose hierarchy of tasks plans on models learned by R-MAX; and MAXQ-Q, without models."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from icml2008.methods.worlds._completions import Learning, complete
from icml2008.methods.worlds._planned import Compiled, Rule, Tasks, empty, explore, settle

FAILURE = "an episode takes more than {:,} steps: can a task be called where it never ends?"


class TaskHierarchy:
    """Tasks over the primitive actions of a world, children before their parents.

    Parameters
    ----------
    n_actions : int
        Tasks 0..n_actions - 1 are the primitive actions.
    tasks : list of (children, ends)
        Of task n_actions + i: the tasks that it may call, the first of equally good ones first, and
        in which states it ends, (n_states,), bool; there nobody calls it. The last is the root.

    Raises
    ------
    ValueError
        If a task calls itself or a later one, the root ends, or a task has nothing to call.

    References
    ----------
    T. G. Dietterich. Hierarchical reinforcement learning with the MAXQ value function
    decomposition. JAIR 13, 2000.

    Examples
    --------
    Two actions, of which the first alone is a task that ends in state 2, and a root.

    >>> import numpy as np
    >>> from icml2008.methods import TaskHierarchy
    >>> there = np.array([False, False, True])
    >>> hierarchy = TaskHierarchy(2, [([0], there), ([2, 1], np.zeros(3, dtype=bool))])
    >>> hierarchy.children.tolist()  # of the two tasks, numbers 2 and 3
    [[0, -1], [2, 1]]
    """

    def __init__(self, n_actions, tasks):
        self.n_actions = n_actions
        self.ends = np.array([ends for _, ends in tasks], dtype=bool)
        self.children = np.full((len(tasks), max(len(below) for below, _ in tasks)), -1)
        for i, (below, _) in enumerate(tasks):
            if not set(below) <= set(range(n_actions + i)):
                msg = f"task {n_actions + i} may call 0..{n_actions + i - 1}; it calls {below}"
                raise ValueError(msg)
            self.children[i, : len(below)] = below
            idle = ~self.ends[i]
            for child in below:
                idle &= self.ends[child - n_actions] if child >= n_actions else False
            if idle.any():
                msg = f"task {n_actions + i} has nothing to call in state {int(idle.argmax())}"
                raise ValueError(msg)
        # Which composites each calls, itself or through others.
        self.below = np.zeros((len(tasks), len(tasks)), dtype=bool)
        for i, (below, _) in enumerate(tasks):
            for child in set(below) - set(range(n_actions)):
                self.below[i] |= self.below[child - n_actions]
                self.below[i, child - n_actions] = True
        if self.ends[-1].any():
            msg = "the root ends only with the episode"
            raise ValueError(msg)

    def compiled(self):
        """Return what the kernels are given of the hierarchy."""
        return Tasks(self.children, self.ends, self.below)


class _Learner(BaseEstimator):
    def _begin(self, world, starts):
        """Check the parameters and return what the kernels are given of the world."""
        if not 0 < self.discount < 1:
            msg = f"discount is {self.discount!r}; it needs to lie in (0, 1)"
            raise ValueError(msg)
        shape = self.hierarchy.ends.shape[1], self.hierarchy.n_actions
        if shape != (world.n_states, world.n_actions):
            msg = f"the hierarchy is for {shape[0]} states and {shape[1]} actions; this is {world}"
            raise ValueError(msg)
        starts = np.asarray(starts, dtype=np.int64)
        if starts.ndim != 1 or not len(starts) or not np.isin(starts, range(shape[0])).all():
            msg = f"starts are one state of 0..{shape[0] - 1} for each episode"
            raise ValueError(msg)
        self.tries_ = np.zeros(shape, dtype=np.int64)
        return Compiled(*world.compiled()), starts

    def _keep(self, rewards, starts):
        if len(rewards) < len(starts):
            raise RuntimeError(FAILURE.format(self.max_steps))
        self.rewards_ = rewards
        return self


class RMAXQ(_Learner):
    """A hierarchy of tasks that explores by planning on optimistic models.

    R-MAX is the hierarchy of a root over all primitive actions.

    Parameters
    ----------
    hierarchy : TaskHierarchy
    n_known : int
        Samples from which on the model of a state and action is believed (the paper's m).
    v_max : float
        What an unknown action is taken to be worth; an upper bound on values.
    discount : float in (0, 1)
    groups : array-like of shape (n_states * n_actions,), int, optional
        Rows of states and actions (state * n_actions + action) with one number share a model: their
        outcomes, in the order in which the world lists them, have the same meaning.
    freeze : bool
        Whether a model is left as it is once it is known.
    tol : float
        Sweeps over the states end when no value changes by as much.
    max_steps : int
        Of an episode.

    Attributes
    ----------
    rewards_ : ndarray of shape (n_episodes,)
    tries_ : ndarray of shape (n_states, n_actions), int
        How often each action was tried in each state.
    explored_ : int
        Steps with an action that was not known yet.

    References
    ----------
    N. K. Jong and P. Stone. Hierarchical model-based reinforcement learning: R-MAX + MAXQ. ICML
    2008, Algorithms 1 to 4.

    Examples
    --------
    R-MAX in Taxi, where moves are sure and one try tells all:

    >>> import numpy as np
    >>> from icml2008.methods import RMAXQ, TaskHierarchy
    >>> from icml2008.methods.worlds import taxi
    >>> world = taxi()
    >>> root = TaskHierarchy(6, [(range(6), np.zeros(500, dtype=bool))])
    >>> starts = np.tile(np.flatnonzero(world.start), 2)
    >>> learner = RMAXQ(root, n_known=1, v_max=20.0).learn(world, starts, np.random.default_rng(0))
    >>> float(learner.rewards_[-300:].mean().round(2))  # as good as can be
    7.93
    """

    def __init__(
        self,
        hierarchy,
        n_known=5,
        v_max=0.0,
        discount=0.99,
        groups=None,
        freeze=False,
        tol=1e-3,
        max_steps=100_000,
    ):
        self.hierarchy = hierarchy
        self.n_known = n_known
        self.v_max = v_max
        self.discount = discount
        self.groups = groups
        self.freeze = freeze
        self.tol = tol
        self.max_steps = max_steps

    def learn(self, world, starts, rng):
        """Run one episode from each of the starts.

        Parameters
        ----------
        world : icml2008.methods.worlds.World
        starts : array-like of shape (n_episodes,), int
        rng : numpy.random.Generator
            A number of it is used for each step.

        Returns
        -------
        RMAXQ

        Raises
        ------
        ValueError
            If a parameter is out of range, or the hierarchy is not for this world.
        RuntimeError
            If an episode takes more than `max_steps`.
        """
        compiled, starts = self._begin(world, starts)
        groups = np.arange(self.tries_.size) if self.groups is None else np.asarray(self.groups)
        models, samples, composites = empty(world, self.hierarchy, groups, self.v_max)
        rule = Rule(
            int(self.n_known), float(self.discount), self.freeze, float(self.tol), self.max_steps
        )
        tasks = self.hierarchy.compiled()
        given = starts, rng, rule, compiled, tasks, models, samples, composites
        rewards = explore(*given, self.tries_)
        self.explored_ = int(np.minimum(samples.n, self.n_known).sum())
        return self._keep(rewards, starts)


def plan(world, hierarchy, discount, tol=1e-12):
    """Return values, rewards, transitions and policies of composite tasks in a world that is known.

    Parameters
    ----------
    world : icml2008.methods.worlds.World
    hierarchy : TaskHierarchy
    discount : float in (0, 1)
    tol : float

    Returns
    -------
    V, R : ndarray of shape (n_tasks, n_states)
        Equations 2 and 4; 0 where a task has ended.
    P : ndarray of shape (n_tasks, n_states, n_states)
        Equation 5: ``P[i, x, s]`` is the discounted chance that task i, called in s, ends in x.
    policy : ndarray of shape (n_tasks, n_states), int
    """
    models, _, composites = empty(world, hierarchy, np.arange(world.rewards.size), 0.0)
    models.mean[:] = world.rewards.ravel()
    for row, first in enumerate(world.indptr[:-1]):
        shares = world.probabilities[first : world.indptr[row + 1]]
        models.share[row, : len(shares)] = discount * shares
    exits = np.zeros((len(hierarchy.ends), world.n_states + 1), np.int64)
    for c, ends in enumerate(hierarchy.ends):
        exits[c, 0] = ends.sum()
        exits[c, 1 : 1 + ends.sum()] = np.flatnonzero(ends)
    tasks = hierarchy.compiled()
    states = np.arange(world.n_states)
    for c in range(len(exits)):
        settle(c, True, tol, states, exits, tasks, models, composites)
    V, R, P, policy = composites
    return V[:, :-1], R[:, :-1], P[:, :, :-1], policy


class MAXQQ(_Learner):
    """Learn what is left to gain after each child of each task, without a model.

    Parameters
    ----------
    hierarchy : TaskHierarchy
    rate : float in (0, 1]
        Of learning.
    cooling : array-like of shape (n_tasks,)
        By which the temperature of a composite task is multiplied whenever it ends.
    temperature : float
        Of Boltzmann exploration, at first.
    initial : float
        First values of actions and completions.
    discount : float in (0, 1)
    completions : ndarray of shape (n_tasks, n_children, n_states), int, optional
        Equal numbers share a completion value; by default, none do.
    leaves : ndarray of shape (n_actions, n_states), int, optional
        Equal numbers share the value of a primitive action; by default, none do.
    max_steps : int
        Of an episode.

    Attributes
    ----------
    rewards_, tries_
        As of `RMAXQ`.
    completions_, leaves_ : ndarray
        Values by number.

    References
    ----------
    T. G. Dietterich. Hierarchical reinforcement learning with the MAXQ value function
    decomposition. JAIR 13, 2000; without pseudo-rewards.

    Examples
    --------
    Taxi by its primitive actions alone, which is Q-learning:

    >>> import numpy as np
    >>> from icml2008.methods import MAXQQ, TaskHierarchy
    >>> from icml2008.methods.worlds import taxi
    >>> world = taxi()
    >>> root = TaskHierarchy(6, [(range(6), np.zeros(500, dtype=bool))])
    >>> starts = np.tile(np.flatnonzero(world.start), 20)
    >>> rng = np.random.default_rng(0)
    >>> learner = MAXQQ(root, rate=0.25, cooling=[0.99]).learn(world, starts, rng)
    >>> bool(learner.rewards_[-300:].mean() > 5)
    True
    """

    def __init__(
        self,
        hierarchy,
        rate,
        cooling,
        temperature=50.0,
        initial=0.123,
        discount=0.99,
        completions=None,
        leaves=None,
        max_steps=100_000,
    ):
        self.hierarchy = hierarchy
        self.rate = rate
        self.cooling = cooling
        self.temperature = temperature
        self.initial = initial
        self.discount = discount
        self.completions = completions
        self.leaves = leaves
        self.max_steps = max_steps

    def learn(self, world, starts, rng):
        """Run one episode from each of the starts, as `RMAXQ.learn` does."""
        compiled, starts = self._begin(world, starts)
        tasks = self.hierarchy.compiled()
        shape = (*tasks.children.shape, world.n_states)
        leaves = self.tries_.T
        where = np.arange(np.prod(shape)).reshape(shape)
        where = where if self.completions is None else self.completions
        leaf = np.arange(leaves.size).reshape(leaves.shape) if self.leaves is None else self.leaves
        self.completions_ = np.full(int(where.max()) + 1, float(self.initial))
        self.leaves_ = np.full(int(leaf.max()) + 1, float(self.initial))
        cooling = np.asarray(self.cooling, dtype=float)
        how = Learning(float(self.rate), float(self.temperature), cooling, float(self.discount))
        given = starts, self.max_steps, rng, compiled, tasks, how
        values = self.completions_, leaf, where, self.leaves_
        return self._keep(complete(*given, *values, self.tries_), starts)
