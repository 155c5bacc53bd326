"""The worlds of the paper, and how their policies are named."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.methods.planning.convex_hull import ConvexHullValueIteration
from icml2008.methods.planning.envelope import upper_envelope
from icml2008.methods.planning.linear_support import OptimisticLinearSupport
from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import value_iteration
from icml2008.papers.barrett2008chvi.experiments import (
    all_directions,
    areas,
    misplaced,
    table_lines,
)
from icml2008.papers.barrett2008chvi.worlds import ResourceWorld, maze, optimal_actions

READINGS = list(product((3, 4, 5), ("never", "return", "return-and-attack"), (True, False)))


def numbers(world):
    planner = OptimisticLinearSupport(world.start).fit(world.mdp())
    return sorted(table_lines(world, world.mdp(), planner))


@pytest.mark.parametrize("reading", READINGS)
def test_every_move_leads_somewhere_or_ends_the_episode(reading):
    world = ResourceWorld(*reading)
    totals = world.mdp().transitions.sum(axis=1)
    if world.ending == "never":
        np.testing.assert_allclose(totals, 1)
    else:
        assert set(np.round(np.unique(totals), 12)) <= {0.0, 0.9, 0.1, 1.0}


def test_an_enemy_cell_attacks_one_time_in_ten_and_sends_home_without_the_load():
    world = ResourceWorld()
    mdp = world.mdp()
    states = world.states
    carrying = states.index(((0, 2), (1, 0)))
    down = 1
    row = mdp.transitions[[carrying * 4 + down]].toarray()[0]
    assert row[world.start] == pytest.approx(0.1)
    assert row[states.index(((1, 2), (1, 0)))] == pytest.approx(0.9)
    assert mdp.rewards[carrying, down].tolist() == [-0.1, 0, 0]


def test_a_load_is_paid_for_at_home():
    world = ResourceWorld()
    beside_home = world.states.index(((4, 1), (1, 1)))
    right = 3
    assert world.mdp().rewards[beside_home, right].tolist() == [0, 1, 1]


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_table_1_is_exact_where_returns_and_attacks_end_the_episode(rows):
    assert numbers(ResourceWorld(rows, "return-and-attack")) == [1, 2, 3, 4, 5, 6]


def test_without_an_end_six_others_are_optimal():
    assert numbers(ResourceWorld(5, "never")) == [0, 1, 2, 3, 5, 6]


def test_with_returns_as_the_only_end_the_second_policy_comes_twice():
    assert numbers(ResourceWorld(5, "return")) == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("reading", [(5, "never", True), (5, "return-and-attack", True)])
def test_values_of_routes_follow_from_their_lengths(reading):
    """Dodging, R1 is 6 moves away and 6 back: a tour takes 12, the last of which is paid."""
    world = ResourceWorld(*reading)
    values = OptimisticLinearSupport(world.start).fit(world.mdp()).envelope_.vectors
    once = 0.9**11 if world.ending != "never" else 0.9**11 / (1 - 0.9**12)
    assert np.abs(values - [0, once, 0]).max(axis=1).min() < 1e-12


def test_both_planners_find_the_same_where_hulls_stay_small():
    world = ResourceWorld(5, "return-and-attack")
    mdp = world.mdp()
    envelope, policies = ConvexHullValueIteration().fit(mdp).policies(world.start)
    other = OptimisticLinearSupport(world.start).fit(mdp)
    np.testing.assert_allclose(envelope.vectors, other.envelope_.vectors, atol=1e-12)
    hulls = SimpleNamespace(envelope_=envelope, policies_=policies)
    assert table_lines(world, mdp, hulls) == table_lines(world, mdp, other)


def test_both_resources_past_either_one_enemy_are_worth_the_same():
    world = ResourceWorld(5, "return-and-attack")
    mdp = world.mdp()
    planner = OptimisticLinearSupport(world.start).fit(mdp)
    (i,) = np.flatnonzero(np.isclose(planner.envelope_.vectors[:, 1], 0.9 * 0.9**13))
    weights = planner.envelope_.centre(i)
    routes = world.routes(optimal_actions(mdp, planner.policies_[i], weights))
    both = frozenset({"R1", "R2"})
    assert {(both, 0, 1), (both, 1, 0)} <= routes


def test_a_wrong_partition_is_seen():
    world = ResourceWorld(3, "return-and-attack")
    mdp = world.mdp()
    envelope = OptimisticLinearSupport(world.start).fit(mdp).envelope_
    weights = np.random.default_rng(0).dirichlet(np.ones(3), 60)
    assert areas(envelope).sum() == pytest.approx(1)
    assert misplaced(mdp, world.start, envelope, weights) < 1e-9
    lacking = upper_envelope(envelope.vectors[1:])
    assert misplaced(mdp, world.start, lacking, weights) > 1e-3


def test_vectors_of_all_signs_are_best_in_every_direction():
    world = ResourceWorld(3, "return-and-attack")
    mdp = world.mdp()
    parts = []
    for signs in product((1, -1), repeat=3):
        turned = MultiObjectiveMDP(mdp.transitions, mdp.rewards * signs, mdp.discount)
        planner = OptimisticLinearSupport(world.start).fit(turned)
        parts.append(planner.envelope_.vectors * signs)
    vectors = np.vstack(parts)
    for weights in np.random.default_rng(0).normal(size=(40, 3)):
        signs = np.sign(weights)
        turned = MultiObjectiveMDP(mdp.transitions, mdp.rewards * signs, mdp.discount)
        best = value_iteration(turned, np.abs(weights)).values[world.start]
        assert (vectors @ weights).max() == pytest.approx(best, abs=1e-8)
    assert all_directions(mdp, world.start) == len(np.unique(vectors.round(8) + 0.0, axis=0))


def test_with_discount_1_sweeps_need_not_converge():
    loop = MultiObjectiveMDP([[[1.0]]], [[[1.0, 0.5]]], discount=1.0)
    values = [
        planner.value([0.5, 0.5])[0]
        for _, planner in zip(range(6), ConvexHullValueIteration().sweeps(loop), strict=False)
    ]
    np.testing.assert_allclose(np.diff(values), 0.75)


def test_the_maze_pays_what_section_2_says():
    assert (maze().rewards[0] @ [0.5, 0.5]).tolist() == pytest.approx([0.5, 0.5, 0.6, 0.55])
