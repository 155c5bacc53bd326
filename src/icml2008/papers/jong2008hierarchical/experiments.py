"""R-MAXQ, R-MAX and MAXQ-Q in Taxi; and composite models of random hierarchies."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.worlds.tasks import MAXQQ, RMAXQ, TaskHierarchy, plan
from icml2008.methods.worlds.taxi import IN_TAXI, LANDMARKS, taxi
from icml2008.methods.worlds.world import World

MOVES = [0, 1, 2, 3]
PICKUP = 4
PUTDOWN = 5
NAVIGATE = [6, 7, 8, 9]
GET = 10
PUT = 11
KNOWN = 5
LATE = 200
WINDOW = 100
# Dietterich (2000), Section 7: learning rate, and cooling rates of navigation, GET, PUT and ROOT.
CONSTANTS = {
    "plain": (0.5, [0.9879] * 4 + [0.9939, 0.9996, 0.9996]),
    "abstract": (0.25, [0.9879] * 4 + [0.9526, 0.9526, 0.9074]),
}
DRAWN = 10


def stochastic_taxi():
    """Return Section 5's Taxi: a passenger is put down at her destination or not at all."""
    world = taxi(slip=0.2)
    following = world.following.copy()
    paid = world.outcome_rewards.copy()
    at = world.indptr[PUTDOWN :: world.n_actions][: world.n_states]
    elsewhere = (following[at] >= 0) & (following[at] != np.arange(world.n_states))
    following[at[elsewhere]] = np.flatnonzero(elsewhere)
    paid[at[elsewhere]] = -10.0
    return replace(world, following=following, outcome_rewards=paid)


def right(world):
    """Return in which states a pickup and a putdown succeed, (2, n_states)."""
    allowed = [
        (
            passenger < IN_TAXI and (row, column) == LANDMARKS[passenger],
            passenger == IN_TAXI and (row, column) == LANDMARKS[destination],
        )
        for row, column, passenger, destination in world.labels
    ]
    return np.array(allowed).T


def hierarchy(world, shape="figure-1b", ties="listed"):
    """Return the hierarchy of Figure 1b, or the flat or the augmented one."""
    row, column, passenger, _ = np.array(world.labels).T
    carries = passenger == IN_TAXI
    never = np.zeros(world.n_states, dtype=bool)
    order = slice(None, None, 1 if ties == "listed" else -1)
    navigate = [(MOVES[order], (row == y) & (column == x)) for y, x in LANDMARKS]
    primitive = [*MOVES, PICKUP, PUTDOWN]
    if shape == "flat":
        return TaskHierarchy(6, [(primitive[order], never)])
    if shape == "augmented":
        return TaskHierarchy(6, [*navigate, ([*primitive, *NAVIGATE][order], never)])
    get = [PICKUP, *NAVIGATE][order], carries
    put = [PUTDOWN, *NAVIGATE][order], ~carries
    return TaskHierarchy(6, [*navigate, get, put, ([GET, PUT], never)])


def numbered(keys):
    """Return a number for each key, (..., n), equal ones for equal keys."""
    flat = keys.reshape(-1, keys.shape[-1])
    return np.unique(flat, axis=0, return_inverse=True)[1].reshape(keys.shape[:-1])


def shared_models(world, shielded):
    """Return groups of rows: moves ignore passenger and destination, pickups the destination.

    Putdowns ignore the passenger if they are `shielded`, called with her on board only.
    """
    row, column, passenger, destination = np.array(world.labels).T
    keys = np.full((world.n_states, world.n_actions, 5), -1)
    keys[..., 0] = np.arange(6)
    keys[..., 1] = row[:, None]
    keys[..., 2] = column[:, None]
    keys[:, PICKUP, 3] = passenger
    keys[:, PUTDOWN, 3] = destination
    keys[:, PUTDOWN, 4] = -1 if shielded else passenger
    return numbered(keys).ravel()


def shared_values(world, tasks):
    """Return Dietterich's abstractions for MAXQ-Q: which completions and which leaves are one."""
    row, column, passenger, destination = np.array(world.labels).T
    keys = np.full((*tasks.children.shape, world.n_states, 6), -1)
    for c, children in enumerate(tasks.children):
        task = c + 6
        known = {GET: passenger, PUT: destination}
        for k, child in enumerate(children):
            keys[c, k, :, :2] = task, child
            if child < 6:
                keys[c, k, :, 2] = row
                keys[c, k, :, 3] = column
            if task in known:
                keys[c, k, :, 4] = known[task]
            elif child == GET:  # all of PUT is nothing, as the episode is over
                keys[c, k, :, 4] = passenger
                keys[c, k, :, 5] = destination
    leaves = np.arange(6)[:, None] + np.zeros(world.n_states, dtype=int)
    leaves[[PICKUP, PUTDOWN]] += 2 * right(world)
    return {"completions": numbered(keys), "leaves": leaves}


def learners(choices):
    """Return makers of learners, from a world and m; and the two that bound them."""
    discount = float(choices["discount"])
    forever = {"best-state": 20.0, "reward-forever": 20.0 / (1 - discount)}

    def planner(shape, shared, world, m):
        tasks = hierarchy(world, shape, choices["ties"])
        groups = shared_models(world, shape != "flat") if shared else None
        freeze = choices["estimates"] == "first-m"
        bound = forever[choices["v-max"]]
        return RMAXQ(tasks, m, bound, discount, groups=groups, freeze=freeze)

    def model_free(shared, world, m):
        tasks = hierarchy(world, ties=choices["ties"])
        own = "abstract" if shared or choices["constants"] == "abstract" else "plain"
        values = shared_values(world, tasks) if shared else {}
        return MAXQQ(tasks, *CONSTANTS[own], discount=discount, **values)

    return {
        "R-MAXQ": partial(planner, "figure-1b", False),
        "R-MAX": partial(planner, "flat", False),
        "MAXQ-Q": partial(model_free, False),
        "augmented": partial(planner, "augmented", False),
        "R-MAXQ, abstract": partial(planner, "figure-1b", True),
        "R-MAX, abstract": partial(planner, "flat", True),
        "MAXQ-Q, abstract": partial(model_free, True),
        "random": None,
        "optimal": None,
    }


def expected(world, name):
    """Return the mean reward of an episode of random actions, or of the best ones."""
    if name == "optimal":
        return world.start @ plan(world, hierarchy(world, "flat"), 1.0, 1e-9)[0][-1]
    steps = world.transitions.reshape((world.n_states, -1)).toarray()
    steps = steps.reshape(world.n_states, world.n_actions, -1).mean(axis=1)
    values = np.linalg.solve(np.eye(world.n_states) - steps, world.rewards.mean(axis=1))
    return world.start @ values


def settled(rewards, best):
    """Return after how many episodes a window of them is within 1 of the best mean reward."""
    means = np.convolve(rewards, np.full(WINDOW, 1 / WINDOW), "valid")
    near = np.flatnonzero(means >= best - 1)
    return int(near[0]) + WINDOW if len(near) else len(rewards)


def draw_starts(trial):
    """Return the first state of each episode."""
    begin = stochastic_taxi().start
    return trial.rng("starts").choice(len(begin), trial.cell["episodes"], p=begin)


@experiment(
    "curves",
    cells=grid(episodes=[200, 2000]),
    smoke=grid(episodes=[200]),
    repeats={"quick": 1, "full": lambda cell: 12 if cell["episodes"] == 2000 else 1},
    cost=lambda cell: 0.5 if cell["episodes"] == 200 else 3.0,  # seconds a trial, roughly
    methods=learners,
)
def run_curves(trial):
    """Rewards and wrong pickups and putdowns of one run of each learner."""
    world = stochastic_taxi()
    starts = draw_starts(trial)
    best = expected(world, "optimal")
    totals = {}
    explored = {}
    carries = np.array(world.labels)[:, 2] == IN_TAXI
    for name, make in trial.methods.items():
        with trial.attempt(name):
            if make is None:
                mean = expected(world, name)
                trial.measure(name, total=mean * len(starts), late=mean)
                continue
            learned = make(world, KNOWN).learn(world, starts, trial.rng("steps"))
            totals[name] = learned.rewards_.sum()
            putdowns = learned.tries_[~right(world)[1], PUTDOWN].sum()
            pickups = learned.tries_[carries, PICKUP].sum()
            trial.measure(
                name,
                total=totals[name],
                late=learned.rewards_[-LATE:].mean(),
                settled=settled(learned.rewards_, best),
                putdowns=putdowns / KNOWN,
                pickups=pickups / KNOWN,
                penalty=10 * (putdowns + pickups),
            )
            if isinstance(learned, RMAXQ):
                explored[name] = learned.explored_
                trial.measure(name, explored=explored[name])
            plain = name.removesuffix(", abstract")
            # Plain learners stand before abstract ones in the methods: only what ran is compared.
            if plain != name and plain in totals:
                trial.measure(name, gain=totals[name] - totals[plain])
                if name in explored:
                    trial.measure(name, saved=1 - explored[name] / explored[plain])
            trial.keep(name, np.cumsum(learned.rewards_)[19::20])


@experiment(
    "larger-m",
    cells=[*grid(m=[5], episodes=[20]), *grid(m=[5, 10], episodes=[2000])],
    quick=grid(m=[5], episodes=[20]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.1 if cell["episodes"] == 20 else 2.0,
    methods=lambda choices: {name: learners(choices)[name] for name in ("R-MAXQ", "R-MAX")},
)
def run_larger_m(trial):
    """Late rewards and exploration of the two that learn whole models."""
    world = stochastic_taxi()
    starts = draw_starts(trial)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            learned = make(world, trial.cell["m"]).learn(world, starts, trial.rng("steps"))
            late = learned.rewards_[-LATE:].mean()
            trial.measure(name, late=late, explored=learned.explored_)


def random_tasks(rng, n_states=6, n_actions=2):
    """Return a random world and a hierarchy of three levels, all of whose tasks end."""
    shares = rng.dirichlet(np.full(n_states, 0.5), size=(n_states, n_actions))
    paid = rng.normal(size=(n_states, n_actions))

    def outcomes(s, a):
        yield 0.05, None, paid[s, a]
        yield from ((0.95 * p, x, paid[s, a]) for x, p in enumerate(shares[s, a]))

    ends = rng.random((3, n_states)) < 0.4
    tasks = [([0, 1], ends[0]), ([1, 0], ends[1]), ([2, 0, 3], ends[2]), ([4, 3, 1], 0 * ends[0])]
    return World.of(n_states, n_actions, outcomes), TaskHierarchy(n_actions, tasks)


def flat_evaluation(world, tasks, policy, c, discount):
    """Return R and P of a task by what its policy does step by step: states with their callers."""
    n = tasks.n_actions
    calls = {}
    todo = [((c,), s) for s in range(world.n_states) if not tasks.ends[c, s]]
    for place in todo:
        stack, s = place
        while (child := int(policy[stack[-1], s])) >= n:
            stack = (*stack, child - n)
        after = []
        row = s * n + child
        for at in range(world.indptr[row], world.indptr[row + 1]):
            x = int(world.following[at])
            left = stack
            while x >= 0 and left and tasks.ends[left[-1], x]:
                left = left[:-1]
            if x >= 0:
                after.append((world.probabilities[at], left, x))
        calls[place] = world.rewards[s, child], after
        todo += [(left, x) for _, left, x in after if left and (left, x) not in {*calls, *todo}]
    number = {place: i for i, place in enumerate(calls)}
    steps = np.eye(len(calls))
    target = np.zeros((len(calls), 1 + world.n_states))
    for place, (reward, after) in calls.items():
        target[number[place], 0] = reward
        for p, left, x in after:
            if left:
                steps[number[place], number[left, x]] -= discount * p
            else:
                target[number[place], 1 + x] += discount * p
    solution = np.linalg.solve(steps, target)
    whole = np.zeros((world.n_states, 1 + world.n_states))
    for s in range(world.n_states):
        if not tasks.ends[c, s]:
            whole[s] = solution[number[(c,), s]]
    return whole[:, 0], whole[:, 1:].T


@experiment(
    "models",
    cells=grid(discount=[0.9]),
    repeats=30,
    cost=0.1,
    methods={"hierarchical": plan},
)
def run_models(trial):
    """Largest distance of composite models from a flat evaluation, in random hierarchies."""
    rng = trial.rng("tasks")
    discount = trial.cell["discount"]
    worst = 0.0
    for name, method in trial.methods.items():
        with trial.attempt(name):
            for _ in range(DRAWN):
                world, tasks = random_tasks(rng)
                _, R, P, policy = method(world, tasks, discount)
                for c, ends in enumerate(tasks.ends):
                    reward, chance = flat_evaluation(world, tasks, policy, c, discount)
                    apart = np.abs(R[c] - reward), np.abs(P[c] - chance)[:, ~ends]
                    worst = max(worst, *(part.max(initial=0) for part in apart))
            trial.measure(name, n_test=DRAWN, violation=worst)
