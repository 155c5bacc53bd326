"""R-MAXQ, whose hierarchy of tasks plans on models learned by R-MAX; and MAXQ-Q, without models."""

from __future__ import annotations

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator

from icml2008.methods.worlds._walk import drawn

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


@njit(cache=True)
def settle(c, modelled, tol, states, exits, tasks, models, composites):
    """Solve Equations 1 to 3 for composite c in some states; if `modelled`, also 4 and 5.

    V and R are 0 where c has ended, and P[c, x, x] is 1; the last entry of each is for the end of
    an episode, and 0.
    """
    (children, ends, _) = tasks
    (group, to, mean, share) = models
    (V, R, P, policy) = composites
    n_actions = len(group) // ends.shape[1]
    values = V[c]
    rewards = R[c]
    # The outcomes of all children, in a list: row r has those from begin[r] on.
    most = len(states) * children.shape[1]
    first = np.zeros(len(states) + 1, np.int64)
    begin = np.zeros(most + 1, np.int64)
    gain = np.empty(most)
    called = np.empty(most, np.int64)
    r = 0
    k = 0
    width = max(to.shape[1], exits[:, 0].max())
    after = np.empty(most * width, np.int64)
    chance = np.empty(most * width)
    for i, s in enumerate(states):
        for child in children[c]:
            composite = child - n_actions
            if child < 0 or ends[c, s] or (composite >= 0 and ends[composite, s]):
                continue
            called[r] = child
            if composite >= 0:
                gain[r] = R[composite, s]
                for x in exits[composite, 1 : exits[composite, 0] + 1]:
                    after[k] = x
                    chance[k] = P[composite, x, s]
                    k += chance[k] > 0
            else:
                row = s * n_actions + child
                gain[r] = mean[group[row]]
                for slot in range(to.shape[1]):
                    after[k] = to[row, slot]
                    chance[k] = share[group[row], slot]
                    k += chance[k] > 0
            r += 1
            begin[r] = k
        first[i + 1] = r
    change = np.inf
    picked = np.zeros(len(states), np.int64)
    while change >= tol:
        change = 0.0
        for i, s in enumerate(states):
            best = -np.inf
            for r in range(first[i], first[i + 1]):
                q = gain[r]
                for k in range(begin[r], begin[r + 1]):
                    q += chance[k] * values[after[k]]
                if q > best:
                    best = q
                    picked[i] = r
                    policy[c, s] = called[r]
            if best > -np.inf:
                change = max(change, abs(best - values[s]))
                values[s] = best
    change = np.inf if modelled else 0.0
    for x in exits[c, 1 : exits[c, 0] + 1]:
        P[c, x, x] = 1.0
    while change >= tol:
        change = 0.0
        for i, s in enumerate(states):
            if first[i] == first[i + 1]:
                continue
            r = picked[i]
            reward = gain[picked[i]]
            for k in range(begin[r], begin[r + 1]):
                reward += chance[k] * rewards[after[k]]
            change = max(change, abs(reward - rewards[s]))
            rewards[s] = reward
            for x in exits[c, 1 : exits[c, 0] + 1]:
                p = 0.0
                for k in range(begin[r], begin[r + 1]):
                    p += chance[k] * P[c, x, after[k]]
                change = max(change, abs(p - P[c, x, s]))
                P[c, x, s] = p


@njit(cache=True)
def envelope(start, ends, models, exits):
    """Return the states that known primitive actions lead to, and list the exits among them."""
    (group, to, _, share) = models
    n_states = ends.shape[1]
    n_actions = len(group) // n_states
    reached = np.empty(n_states, np.int64)
    inside = np.zeros(n_states + 1, np.bool_)
    at = 0
    k = 1
    reached[0] = start
    inside[start] = True
    inside[n_states] = True
    exits[:, 0] = 0
    while at < k:
        s = reached[at]
        for row in range(s * n_actions, (s + 1) * n_actions):
            for slot in range(to.shape[1]):
                x = to[row, slot]
                if share[group[row], slot] > 0 and not inside[x]:
                    reached[k] = x
                    inside[x] = True
                    k = k + 1
        for c in range(len(ends)):
            if ends[c, s]:
                exits[c, 0] += 1
                exits[c, exits[c, 0]] = s
        at += 1
    return reached[:k], inside


@njit(cache=True)
def explore(starts, rng, rule, world, tasks, models, data, composites, tries):
    """Run Algorithm 1 from each start; return the rewards of episodes, or too few of them.

    Counts tries of each state and action. Plans for all states that known actions lead to, which
    changes no value in the paper's envelopes, and only where there is something to choose.
    """
    (indptr, following, cumulative, paid) = world
    (children, ends, below) = tasks
    (group, _, mean, share) = models
    (n, total, seen) = data
    policy = composites[3]
    m, discount, freeze, tol, most = rule
    n_actions = tries.shape[1]
    root = len(ends) - 1
    exits = np.zeros((len(ends), ends.shape[1] + 1), np.int64)
    rewards = np.zeros(len(starts))
    version = 0
    done = np.zeros(len(ends), np.int64)
    stack = np.empty(len(ends), np.int64)
    states = np.empty(0, np.int64)
    inside = np.zeros(ends.shape[1] + 1, np.bool_)
    for episode in range(len(starts)):
        s = starts[episode]
        depth = 0
        steps = 0
        surveyed = -1
        stack[0] = root
        version += 1
        while s >= 0:
            c = stack[depth]
            options = 0
            choice = -1
            for child in children[c]:
                if child >= 0 and (child < n_actions or not ends[child - n_actions, s]):
                    options = options + 1
                    choice = child
            if options > 1:
                if surveyed != version:
                    surveyed = version
                    states, inside = envelope(s, ends, models, exits)
                for d in range(c + 1):  # models of what may be called, but only values of c
                    due = 2 * version + (d < c)
                    if (d == c or below[c, d]) and done[d] < due:
                        settle(d, d < c, tol, states, exits, tasks, models, composites)
                        done[d] = due
                choice = policy[c, s]
            if choice >= n_actions:
                depth += 1
                stack[depth] = choice - n_actions
                continue
            if steps == most:
                return rewards[:episode]
            row = s * n_actions + choice
            steps = steps + 1
            g = group[row]
            at = drawn(cumulative, indptr[row], indptr[row + 1], rng.random())
            tries[s, choice] += 1
            rewards[episode] += paid[at]
            if n[g] < m or not freeze:
                n[g] += 1
                total[g] += paid[at]
                seen[g, at - indptr[row]] += 1
                if n[g] >= m:  # Equations 6 and 7
                    mean[g] = total[g] / n[g]
                    version = version + 1
                    for slot in range(seen.shape[1]):
                        share[g, slot] = discount * seen[g, slot] / n[g]
            s = following[at]
            if not inside[s]:
                version += 1  # nothing was planned from here
            while s >= 0 and depth > 0 and ends[stack[depth], s]:
                depth -= 1
    return rewards


def _empty(world, hierarchy, groups, v_max):
    """Return models of groups, what they are made of, and V, R, P and policy of composites."""
    (n_tasks, n_states) = hierarchy.ends.shape
    count = int(groups.max()) + 1
    width = np.diff(world.indptr)
    places = world.indptr[:-1, None] + np.minimum(np.arange(width.max()), width[:, None] - 1)
    to = np.where(np.arange(width.max()) < width[:, None], world.following[places], -1) % (
        n_states + 1
    )
    mean = np.full(count, float(v_max))
    share = np.zeros((count, width.max()))
    seen = np.zeros((count, width.max()))
    V, R = np.zeros((2, n_tasks, n_states + 1))
    P = np.zeros((n_tasks, n_states, n_states + 1))
    composites = V, R, P, np.zeros((n_tasks, n_states), dtype=np.int64)
    return (groups, to, mean, share), (np.zeros(count, np.int64), np.zeros(count), seen), composites


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
        return world.compiled(), starts

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
        models, data, composites = _empty(world, self.hierarchy, groups, self.v_max)
        rule = int(self.n_known), float(self.discount), self.freeze, float(self.tol), self.max_steps
        tasks = self.hierarchy.children, self.hierarchy.ends, self.hierarchy.below
        given = starts, rng, rule, compiled, tasks, models, data, composites
        rewards = explore(*given, self.tries_)
        self.explored_ = int(np.minimum(data[0], self.n_known).sum())
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
    models, _, composites = _empty(world, hierarchy, np.arange(world.rewards.size), 0.0)
    models[2][:] = world.rewards.ravel()
    for row, first in enumerate(world.indptr[:-1]):
        shares = world.probabilities[first : world.indptr[row + 1]]
        models[3][row, : len(shares)] = discount * shares
    exits = np.zeros((len(hierarchy.ends), world.n_states + 1), np.int64)
    for c, ends in enumerate(hierarchy.ends):
        exits[c, 0] = ends.sum()
        exits[c, 1 : 1 + ends.sum()] = np.flatnonzero(ends)
    tasks = hierarchy.children, hierarchy.ends, hierarchy.below
    states = np.arange(world.n_states)
    for c in range(len(exits)):
        settle(c, True, tol, states, exits, tasks, models, composites)
    V, R, P, policy = composites
    return V[:, :-1], R[:, :-1], P[:, :, :-1], policy


@njit(cache=True)
def worth(s, n_actions, tasks, C, leaf, completion, V):
    """Return the values of all tasks in a state; those of composites that have ended are 0."""
    children, ends = tasks
    values = np.zeros(n_actions + len(ends))
    for a in range(n_actions):
        values[a] = V[leaf[a, s]]
    for c in range(len(ends)):
        best = -np.inf
        for k, child in enumerate(children[c]):
            if child >= 0 and (child < n_actions or not ends[child - n_actions, s]):
                best = max(best, values[child] + C[completion[c, k, s]])
        values[n_actions + c] = 0.0 if ends[c, s] else best
    return values


@njit(cache=True)
def complete(starts, most, rng, world, tasks, how, C, leaf, completion, V, tries):
    """Run MAXQ-Q, with updates of all states on the way; return as `explore` does."""
    (indptr, following, cumulative, paid) = world
    (children, ends) = tasks
    rate, initial_temperature, cooling, discount = how
    n_actions = len(leaf)
    root = len(ends) - 1
    temperature = np.full(len(ends), initial_temperature)
    rewards = np.zeros(len(starts))
    stack, called, since = np.zeros((3, len(ends)), np.int64)
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
            weights = np.zeros(children.shape[1])
            last = 0
            for k, child in enumerate(children[c]):
                if child >= 0 and (child < n_actions or not ends[child - n_actions, s]):
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
            choice = children[c, k]
            if choice >= n_actions:
                depth += 1
                stack[depth] = choice - n_actions
                continue
            if steps == most:
                return rewards[:episode]
            row = s * n_actions + choice
            at = drawn(cumulative, indptr[row], indptr[row + 1], rng.random())
            tries[s, choice] += 1
            rewards[episode] += paid[at]
            V[leaf[choice, s]] += rate * (paid[at] - V[leaf[choice, s]])
            path[steps] = s
            steps = steps + 1
            s = following[at]
            values = worth(max(s, 0), n_actions, tasks, C, leaf, completion, V)
            while depth >= 0:
                c = stack[depth]
                ended = s < 0 or ends[c, s]
                target = 0.0 if ended else values[n_actions + c]
                # All states since the call learn at once, each with the discount of its own
                # distance.
                for back in range(steps - 1, since[depth] - 1, -1):
                    target *= discount
                    at = completion[c, called[depth], path[back]]
                    C[at] += rate * (target - C[at])
                if ended:
                    temperature[c] *= cooling[c]
                    depth -= 1
                    if depth >= 0 and s >= 0:
                        values = worth(s, n_actions, tasks, C, leaf, completion, V)
                else:
                    break
    return rewards


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
        tasks = self.hierarchy.children, self.hierarchy.ends
        shape = (*tasks[0].shape, world.n_states)
        leaves = self.tries_.T
        where = np.arange(np.prod(shape)).reshape(shape)
        where = where if self.completions is None else self.completions
        leaf = np.arange(leaves.size).reshape(leaves.shape) if self.leaves is None else self.leaves
        self.completions_ = np.full(int(where.max()) + 1, float(self.initial))
        self.leaves_ = np.full(int(leaf.max()) + 1, float(self.initial))
        cooling = np.asarray(self.cooling, dtype=float)
        how = float(self.rate), float(self.temperature), cooling, float(self.discount)
        given = starts, self.max_steps, rng, compiled, tasks, how
        values = self.completions_, leaf, where, self.leaves_
        return self._keep(complete(*given, *values, self.tries_), starts)
