"""Planning for all preferences at once, against planning for 1,000 of them one by one.

Every planner gets the same process and, for the scalar ones, the same 1,000 preferences; values at
the start agree within the tolerance of value iteration. Three scalar peers: value iteration
written down with NumPy and a sparse matrix, the same for all preferences in one array, and our
compiled one. Each number is the processor time of the best of three runs, which take turns in one
process on one thread.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.planning.convex_hull import ConvexHullValueIteration
from icml2008.methods.planning.linear_support import OptimisticLinearSupport
from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import value_iteration
from icml2008.papers.barrett2008chvi.worlds import ResourceWorld

PACKAGES = ("icml2008", "numpy", "scipy", "numba")
TOL = 1e-6
RUNS = 3
PREFERENCES = 1000
COLUMNS = ("world", "states", "criteria", "planner", "seconds", "times_faster", "largest_gap")
REMARK = f"{PREFERENCES} preferences; processor seconds, best of {RUNS} runs"


def resource_world(ending):
    world = ResourceWorld(ending=ending)
    return world.mdp(), world.start


def treasure_grid(size=20):
    """Treasures of growing worth in growing depth, one step a move: two criteria."""
    worth = np.round(np.cumsum(np.linspace(8, 1, size)), 1)
    n = size * size
    transitions = np.zeros((n, 4, n))
    rewards = np.zeros((n, 4, 2))
    for row in range(size):
        for column in range(size):
            for action, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
                there = min(max(row + down, 0), size - 1), min(max(column + right, 0), size - 1)
                at = row * size + column
                rewards[at, action, 1] = -1
                if there[0] == there[1] and there != (0, 0):
                    rewards[at, action, 0] = worth[there[0]]
                else:
                    transitions[at, action, there[0] * size + there[1]] = 1
    return MultiObjectiveMDP(transitions, rewards, 0.95), 1


def numpy_one_by_one(mdp, start, weights):
    smallest = TOL * (1 - mdp.discount) / mdp.discount
    at_start = []
    for w in weights:
        immediate = mdp.rewards @ w
        values = np.zeros(mdp.n_states)
        change = np.inf
        while change > smallest:
            following = (mdp.transitions @ values).reshape(immediate.shape)
            new = (immediate + mdp.discount * following).max(axis=1)
            change = np.abs(new - values).max()
            values = new
        at_start.append(values[start])
    return np.array(at_start)


def numpy_all_in_one_array(mdp, start, weights):
    smallest = TOL * (1 - mdp.discount) / mdp.discount
    immediate = mdp.rewards @ weights.T
    change = np.inf
    values = np.zeros((mdp.n_states, len(weights)))
    while change > smallest:
        following = (mdp.transitions @ values).reshape(immediate.shape)
        new = (immediate + mdp.discount * following).max(axis=1)
        change = np.abs(new - values).max()
        values = new
    return values[start]


def compiled_one_by_one(mdp, start, weights):
    return np.array([value_iteration(mdp, w, tol=TOL).values[start] for w in weights])


def convex_hulls(mdp, start, weights):
    hulls = ConvexHullValueIteration(tol=TOL, prune=1e-12).fit(mdp)
    return (hulls.hulls_[start] @ weights.T).max(axis=0)


def linear_support(mdp, start, weights):
    planner = OptimisticLinearSupport(start).fit(mdp)
    return (planner.envelope_.vectors @ weights.T).max(axis=0)


PLANNERS = {
    "NumPy, one by one": numpy_one_by_one,
    "NumPy, one array": numpy_all_in_one_array,
    "compiled, one by one": compiled_one_by_one,
    "convex hulls": convex_hulls,
    "corner refinement": linear_support,
}
# Without an end, hulls between sweeps have tens of thousands of vectors.
WORLDS = {
    "resource gathering, ends": (resource_world("return-and-attack"), list(PLANNERS)),
    "resource gathering, never ends": (
        resource_world("never"),
        [name for name in PLANNERS if name != "convex hulls"],
    ),
    "treasure grid": (treasure_grid(), list(PLANNERS)),
}


def rows():
    """Yield the rows of the table."""
    for world, ((mdp, start), names) in WORLDS.items():
        weights = np.random.default_rng(0).dirichlet(np.ones(mdp.n_criteria), PREFERENCES)
        tasks = {name: partial(PLANNERS[name], mdp, start, weights) for name in names}
        timed = least_seconds(tasks, RUNS, np.inf)
        plain, _ = timed["NumPy, one by one"]
        _, expected = timed["compiled, one by one"]
        for name, (seconds, values) in timed.items():
            gap = np.abs(values - expected).max()
            yield (
                world,
                mdp.n_states,
                mdp.n_criteria,
                name,
                f"{seconds:.4g}",
                f"{plain / seconds:.3g}",
                f"{gap:.1e}",
            )


def draw(rows, path):
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "convex_hull_value_iteration"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(WORLDS), figsize=(9, 2.8), sharey=True, layout="constrained")
    names = list(PLANNERS)
    for panel, world in zip(axes, WORLDS, strict=True):
        for row in rows:
            if row["world"] == world:
                place = names.index(row["planner"])
                seconds = float(row["seconds"])
                ours = row["planner"] in ("convex hulls", "corner refinement")
                panel.plot(seconds, place, "o" if ours else "s", color="C0" if ours else "C1")
                text = f"{float(row['times_faster']):.0f}x"
                panel.annotate(
                    text, (seconds, place), textcoords="offset points", xytext=(0, 5), ha="center"
                )
        panel.set(title=world, xscale="log", xlabel="processor seconds")
        panel.margins(x=0.2, y=0.15)
        panel.grid(alpha=0.3)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    figure.savefig(path, metadata={"Date": None})
