"""Learners with hierarchies of tasks: against plain recursions over their papers' algorithms."""

from collections import defaultdict

import numpy as np
import pytest

from icml2008.methods.worlds import World
from icml2008.methods.worlds.tasks import MAXQQ, RMAXQ, TaskHierarchy


def random_tasks(seed, n_states=4):
    """Return a random world of two actions and a hierarchy of three levels, whose tasks end."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_states, 0.5), size=(n_states, 2))
    paid = rng.normal(size=(n_states, 2))

    def outcomes(s, a):
        yield 0.05, None, paid[s, a]
        yield from ((0.95 * p, x, paid[s, a]) for x, p in enumerate(shares[s, a]))

    ends = rng.random((3, n_states)) < 0.4
    tasks = [([0, 1], ends[0]), ([1, 0], ends[1]), ([2, 0, 3], ends[2]), ([4, 3, 1], 0 * ends[0])]
    return World.of(n_states, 2, outcomes), TaskHierarchy(2, tasks)


def outcomes(world, s, a):
    rows = range(*world.indptr[s * world.n_actions + a :][:2])
    return [
        (world.probabilities[at], int(world.following[at]), world.outcome_rewards[at])
        for at in rows
    ]


def step(world, rng, s, a):
    u = rng.random()
    total = 0.0
    for p, x, r in outcomes(world, s, a):
        total += p
        if u < total:
            return x, r
    raise AssertionError


def plain_rmaxq(world, tasks, starts, rng, m, v_max, gamma):
    """Algorithms 1 to 4, by recursion."""
    A = world.n_actions
    seen = defaultdict(list)
    earned = defaultdict(float)
    rewards = []

    def allowed(c, s):
        kids = [k for k in tasks.children[c] if k >= 0]
        return [k for k in kids if k < A or not tasks.ends[k - A, s]]

    def model(a, S):  # R^a and P^a, (n, n)
        R = np.zeros(S)
        P = np.zeros((S, S))
        if a >= A:
            return composite(a - A, S)[1:]
        for s in range(S):
            n = len(seen[s, a])
            R[s] = earned[s, a] / n if n >= m else v_max
            for x in seen[s, a] if n >= m else ():
                if x >= 0:
                    P[s, x] += gamma / n
        return R, P

    def composite(c, S):
        below = {k: model(k, S) for k in tasks.children[c] if k >= 0}
        V = np.zeros(S)
        policy = {}
        for _ in range(100):
            for s in np.flatnonzero(~tasks.ends[c]):
                Q = [below[k][0][s] + below[k][1][s] @ V for k in allowed(c, s)]
                V[s] = max(Q)
                policy[s] = allowed(c, s)[int(np.argmax(Q))]
        go = np.zeros((S, S))
        R = np.zeros(S)
        T = np.zeros((S, S))
        for s, k in policy.items():
            R[s] = below[k][0][s]
            stays = ~tasks.ends[c]
            go[s, stays] = below[k][1][s, stays]
            T[s, ~stays] = below[k][1][s, ~stays]
        return policy, *(np.linalg.solve(np.eye(S) - go, right) for right in (R, T))

    def run(a, s):
        if a < A:
            x, r = step(world, rng, s, a)
            rewards[-1] += r
            seen[s, a].append(x)
            earned[s, a] += r
            return x
        while True:
            s = run(composite(a - A, world.n_states)[0][s], s)
            if s < 0 or tasks.ends[a - A, s]:
                return s

    for s in starts:
        rewards.append(0.0)
        run(A + len(tasks.ends) - 1, s)
    return rewards


def plain_maxqq(world, tasks, starts, rng, rate, cooling, gamma):
    """Dietterich's MAXQ-Q without pseudo-rewards, by recursion."""
    A = world.n_actions
    C = defaultdict(lambda: 0.123)
    leaf = defaultdict(lambda: 0.123)
    hot = dict.fromkeys(range(len(cooling)), 50.0)

    def options(c, s):
        kids = [k for k in tasks.children[c] if k >= 0]
        return [k for k in kids if k < A or not tasks.ends[k - A, s]]

    def value(a, s):
        if a < A:
            return leaf[a, s]
        return max(value(k, s) + C[a - A, s, k] for k in options(a - A, s))

    def run(a, s):
        if a < A:
            x, r = step(world, rng, s, a)
            leaf[a, s] += rate * (r - leaf[a, s])
            return [s], x
        c = a - A
        path = []
        while s >= 0 and not tasks.ends[c, s]:
            Q = np.array([value(k, s) + C[c, s, k] for k in options(c, s)])
            weights = np.exp((Q - Q.max()) / hot[c])
            u = rng.random() * weights.sum()
            k = options(c, s)[np.searchsorted(np.cumsum(weights), u, side="right")]
            way, s = run(k, s)
            ahead = 0.0 if s < 0 or tasks.ends[c, s] else value(a, s)
            for far, z in enumerate(reversed(way), start=1):
                C[c, z, k] += rate * (gamma**far * ahead - C[c, z, k])
            path += way
        hot[c] *= cooling[c]
        return path, s

    for s in starts:
        run(A + len(tasks.ends) - 1, s)
    return C


def test_rmaxq_is_a_plain_recursion_over_algorithms_1_to_4():
    world, tasks = random_tasks(2)
    starts = [0, 3, 1]
    learner = RMAXQ(tasks, n_known=2, v_max=10.0, discount=0.8, tol=1e-12)
    expected = plain_rmaxq(world, tasks, starts, np.random.default_rng(5), 2, 10.0, 0.8)
    learned = learner.learn(world, starts, np.random.default_rng(5))
    np.testing.assert_allclose(learned.rewards_, expected)


def test_maxqq_is_a_plain_recursion():
    world, tasks = random_tasks(3)
    starts = [0, 3, 1, 2] * 3
    cooling = [0.9, 0.8, 0.7, 0.6]
    C = plain_maxqq(world, tasks, starts, np.random.default_rng(5), 0.5, cooling, 0.8)
    learner = MAXQQ(tasks, 0.5, cooling, discount=0.8)
    learned = learner.learn(world, starts, np.random.default_rng(5))
    values = learned.completions_.reshape(*tasks.children.shape, 4)
    for (c, s, child), value in C.items():
        k = tasks.children[c].tolist().index(child)
        assert values[c, k, s] == pytest.approx(value)


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([([0, 2], np.zeros(3))], "may call 0..1; it calls"),
        ([([0], np.ones(3)), ([2], np.zeros(3))], "nothing to call in state 0"),
        ([([0], np.ones(3))], "the root ends only with the episode"),
    ],
)
def test_impossible_hierarchies_are_refused(tasks, message):
    with pytest.raises(ValueError, match=message):
        TaskHierarchy(2, tasks)


def test_parameters_out_of_range_are_refused():
    world, tasks = random_tasks(0)
    with pytest.raises(ValueError, match=r"discount is 1.0; it needs to lie in \(0, 1\)"):
        RMAXQ(tasks, discount=1.0).learn(world, [0], None)
    with pytest.raises(ValueError, match="for 4 states and 2 actions"):
        RMAXQ(tasks).learn(random_tasks(0, 5)[0], [0], None)
    with pytest.raises(ValueError, match=r"one state of 0\.\.3"):
        MAXQQ(tasks, 0.5, [1.0] * 4).learn(world, [4], None)
