"""Sections 2, 5, 6 and 8: all optimal policies of two worlds, and value iteration beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.planning.convex_hull import ConvexHullValueIteration
from icml2008.methods.planning.envelope import Envelope, upper_envelope
from icml2008.methods.planning.linear_support import OptimisticLinearSupport
from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import value_iteration
from icml2008.papers.barrett2008chvi.worlds import (
    ENDINGS,
    ResourceWorld,
    matched_with_table_1,
    maze,
    number_in_table_1,
    optimal_actions,
)

LOUIS = [0.5, 0.5]
N_WEIGHTS = 50
# Hulls of policies that change from step to step: they grow with the sweeps, the more so the more
# criteria there are.
SWEEPS = {"maze": 12, "resource-gathering": 24, "random-2": 16, "random-3": 6}
EXACT = 1e-12


class PreferencePlanner(Protocol):
    """A method of one's own: a planner for all linear preferences, made by ``Class(start)``.

    `start` is the number of the state in which policies begin.
    """

    policies_: np.ndarray
    envelope_: Envelope

    def fit(self, mdp: MultiObjectiveMDP) -> Any:
        """Plan; `policies_` (n, n_states) are then as `envelope_.vectors`, their values."""


class HullPlanner:
    """Algorithm 1, asked for one start."""

    def __init__(self, start: int) -> None:
        self.start = start

    def fit(self, mdp: MultiObjectiveMDP) -> HullPlanner:
        planner = ConvexHullValueIteration(tol=1e-6).fit(mdp)
        self.envelope_, self.policies_ = planner.policies(self.start)
        return self


def policies_by_location(planner: PreferencePlanner) -> dict[int, int]:
    """Return, for each stash that some preference leads to, the number of its vector."""
    return {int(policy[0]): i for i, policy in enumerate(planner.policies_)}


@experiment(
    "guinea-pig",
    cells=grid(world=["maze"]),
    repeats={"smoke": 2, "full": 2},
    cost=0.05,
    methods={"CHVI": HullPlanner, "corner refinement": OptimisticLinearSupport},
    expects=PreferencePlanner,
)
def guinea_pig(trial: Trial) -> None:
    """Section 2: which stashes are optimal for some taste, and where the best one changes."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            planner = make(0).fit(maze())
            places = policies_by_location(planner)
            middle = planner.envelope_.region(places[2])[:, 0]
            trial.measure(
                name,
                policies=len(places),
                location_4=float(3 in places),
                lower_switch=middle.min(),
                upper_switch=middle.max(),
                louis_4=float(maze().rewards[0, 3] @ LOUIS),
            )


def areas(envelope: Envelope) -> np.ndarray:
    """Return the area of each region of the weights' triangle, as a share of it; three criteria."""
    doubled = []
    for i in range(len(envelope.vectors)):
        corners = envelope.region(i)[:, :2]
        around = corners - corners.mean(axis=0)
        x, y = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))].T
        doubled.append(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
    return np.array(doubled)


def misplaced(mdp: MultiObjectiveMDP, start: int, envelope: Envelope, weights: np.ndarray) -> float:
    """Return by how much regions fail to tile the weights, and to be convex, at most.

    Each weight's own best value, found for it alone, less that of the vector in whose region it
    lies; and the same in the middle between weights of one region. Beside it, the areas' sum.
    """
    best = np.argmax(weights @ envelope.vectors.T, axis=1)
    gaps = [abs(areas(envelope).sum() - 1)]
    for i in range(len(weights) - 1):
        value = value_iteration(mdp, weights[i], tol=1e-11).values[start]
        gaps.append(abs(value - envelope.vectors[best[i]] @ weights[i]))
        if best[i] == best[i + 1]:
            middle = (weights[i] + weights[i + 1]) / 2
            value = value_iteration(mdp, middle, tol=1e-11).values[start]
            gaps.append(abs(value - envelope.vectors[best[i]] @ middle))
    return max(gaps)


def table_lines(
    world: ResourceWorld, mdp: MultiObjectiveMDP, planner: PreferencePlanner
) -> list[int]:
    """Return the line of Table 1 for each policy, 0 where there is none (left).

    A policy stands for all of its value: which of several equal ways is taken does not matter.
    """
    numbers = []
    for i, policy in enumerate(planner.policies_):
        actions = optimal_actions(mdp, policy, planner.envelope_.centre(i))
        numbers.append({number_in_table_1(route) for route in world.routes(actions)} - {0})
    return matched_with_table_1(numbers)


def table_1_methods(choices: dict[str, str]) -> dict[str, Any]:
    """Return the planners: Algorithm 1 only where its hulls stay small, see the notes."""
    ends = choices["ending"] == "return-and-attack"
    both = {"corner refinement": OptimisticLinearSupport}
    return {**both, "CHVI": HullPlanner} if ends else both


@experiment(
    "table-1",
    cells=grid(world=["resource-gathering"]),
    repeats={"smoke": 2, "quick": 6, "full": 20},
    cost=0.05,
    methods=table_1_methods,
    expects=PreferencePlanner,
)
def resource_gathering(trial: Trial) -> None:
    """Section 6: the optimal policies from home, as Table 1 lists them, and their regions."""
    world = ResourceWorld.of(trial.choices)
    mdp = world.mdp()
    start = world.start
    weights = trial.rng("weights").dirichlet(np.ones(3), N_WEIGHTS + 1)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            planner = make(start).fit(mdp)
            envelope = planner.envelope_
            lines = table_lines(world, mdp, planner)
            listed = sum(line > 0 for line in lines)
            trial.measure(name, policies=len(lines), listed=listed, others=len(lines) - listed)
            gap = misplaced(mdp, start, envelope, weights)
            trial.measure(name, violation=gap, n_test=N_WEIGHTS)
    if trial.repeat == 0:
        keep_regions(trial)


def keep_regions(trial: Trial) -> None:
    """Keep the regions of all readings of when an episode ends, for a figure."""
    for ending in ENDINGS:
        world = replace(ResourceWorld.of(trial.choices), ending=ending)
        mdp = world.mdp()
        planner = OptimisticLinearSupport(world.start).fit(mdp)
        trial.keep(f"lines {ending}", table_lines(world, mdp, planner))
        trial.keep(f"corners {ending}", planner.envelope_.corners)
        trial.keep(f"touches {ending}", planner.envelope_.touches)


def random_world(rng: np.random.Generator, n_criteria: int) -> MultiObjectiveMDP:
    """Draw a process of 10 states and 3 actions, each of which leads to 2 states."""
    n_states = 10
    n_actions = 3
    transitions = np.zeros((n_states, n_actions, n_states))
    for s, a in product(range(n_states), range(n_actions)):
        share = rng.uniform()
        transitions[s, a, rng.choice(n_states, 2, replace=False)] = share, 1 - share
    rewards = rng.normal(size=(n_states, n_actions, n_criteria))
    return MultiObjectiveMDP(transitions, rewards, 0.9)


def world_of(trial: Trial) -> MultiObjectiveMDP:
    match trial.cell["world"]:
        case "maze":
            return maze()
        case "resource-gathering":
            return ResourceWorld(ending=trial.choices["ending"]).mdp()
        case name:
            return random_world(trial.rng("world"), int(name[-1]))


def scalar_sweeps(mdp: MultiObjectiveMDP, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the values of each preference before the first and after each sweep, (n_states, m).

    Written down from the text, apart from the planners that it is to check.
    """
    immediate = mdp.rewards @ weights.T
    values = np.zeros((mdp.n_states, len(weights)))
    while True:
        yield values
        values = (
            immediate + mdp.discount * (mdp.transitions @ values).reshape(immediate.shape)
        ).max(axis=1)


@experiment(
    "section-8",
    cells=grid(world=["maze", "resource-gathering", "random-2", "random-3"]),
    repeats={"smoke": 2, "quick": 4, "full": 20},
    cost=0.1,
    methods={"CHVI": ConvexHullValueIteration},
)
def each_sweep(trial: Trial) -> None:
    """Section 8: the best of each hull against value iteration, sweep by sweep."""
    mdp = world_of(trial)
    weights = trial.rng("weights").dirichlet(np.ones(mdp.n_criteria), N_WEIGHTS)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            pairs = zip(
                make(prune=EXACT, max_vectors=5000).sweeps(mdp),
                scalar_sweeps(mdp, weights),
                strict=False,
            )
            gaps = []
            for planner, values in islice(pairs, SWEEPS[trial.cell["world"]] + 1):
                ours = np.array([planner.value(w) for w in weights]).T
                gaps.append(np.abs(ours - values).max())
            instances = mdp.n_states * len(weights) * len(gaps)
            trial.measure(name, violation=max(gaps), n_test=instances)
            trial.measure(name, vectors=planner.sizes_[-1] / mdp.n_states)
    # Both readings of how an episode ends are in the figure, whichever this universe has.
    if trial.repeat == 0 and trial.cell["world"] == "resource-gathering":
        for ending in ENDINGS:
            mdp = ResourceWorld(ending=ending).mdp()
            trial.keep(f"sizes {ending}", sizes_between_sweeps(mdp))


def sizes_between_sweeps(mdp: MultiObjectiveMDP) -> np.ndarray:
    """Return the vectors a state after each sweep, for a figure."""
    sweeps = ConvexHullValueIteration(prune=EXACT, max_vectors=5000).sweeps(mdp)
    last = next(islice(sweeps, SWEEPS["resource-gathering"], None))
    return last.sizes_ / mdp.n_states


def all_directions(mdp: MultiObjectiveMDP, start: int) -> int:
    """Return the number of vectors that are best for some weights of any signs.

    Weights of given signs are nonnegative weights of criteria with these signs.
    """
    vectors = []
    for signs in product((1, -1), repeat=mdp.n_criteria):
        turned = MultiObjectiveMDP(mdp.transitions, mdp.rewards * signs, mdp.discount)
        vectors.append(OptimisticLinearSupport(start).fit(turned).envelope_.vectors * signs)
    return len(np.unique(np.round(np.vstack(vectors), 8) + 0.0, axis=0))


@experiment(
    "hull-cost",
    cells=grid(world=["resource-gathering"]),
    repeats={"smoke": 2, "full": 2},
    cost=0.2,
    methods={"any weights": all_directions, "nonnegative weights": None},
)
def partial_hull(trial: Trial) -> None:
    """Section 5.1: vertices of the hull at home, with and without weights below 0."""
    world = ResourceWorld(ending=trial.choices["ending"])
    mdp = world.mdp()
    start = world.start
    for name in trial.methods:
        with trial.attempt(name):
            if name == "any weights":
                vertices = all_directions(mdp, start)
            else:
                vertices = len(OptimisticLinearSupport(start).fit(mdp).envelope_.vectors)
            trial.measure(name, vertices=vertices)


DRAWS = 10


@experiment(
    "random-hulls",
    cells=grid(criteria=[2, 3, 4]),
    repeats={"smoke": 2, "quick": 20, "full": 200},
    cost=0.01,
    methods={"any weights": None, "nonnegative weights": None},
)
def random_hulls(trial: Trial) -> None:
    """Section 5.1: vertices and facets of the hull of 200 normal points, means over ten draws."""
    from scipy.spatial import ConvexHull

    counts = []
    for points in trial.rng("points").normal(size=(DRAWS, 200, int(trial.cell["criteria"]))):
        hull = ConvexHull(points)
        # Only facets that face weights without a negative part matter to an agent with such tastes.
        upward = (hull.equations[:, :-1] >= 0).all(axis=1)
        best = len(upper_envelope(points).vectors)
        counts.append([len(hull.vertices), len(upward), best, upward.sum()])
    vertices, facets, best, upward = np.mean(counts, axis=0)
    trial.measure("any weights", vertices=vertices, facets=facets)
    trial.measure("nonnegative weights", vertices=best, facets=upward)
