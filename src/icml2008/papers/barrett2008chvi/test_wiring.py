"""What trials record, of planners whose vectors and policies are known."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.methods.planning.convex_hull import ConvexHullValueIteration
from icml2008.methods.planning.envelope import upper_envelope
from icml2008.methods.planning.linear_support import OptimisticLinearSupport
from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import value_iteration
from wiring import wire

from . import experiments as ours
from .worlds import ENDINGS, ResourceWorld

CHAIN = MultiObjectiveMDP(
    [[[0, 1], [0, 0]], [[0, 0], [0, 0]]], [[[1, 0], [0, 1]], [[0, 1], [0, 2]]], 0.5
)


class Stashes:
    """Goes to stashes 1, 2 and 4, of which the last is better in the middle than it is."""

    def __init__(self, start):
        assert start == 0
        self.envelope_ = upper_envelope([[1, 0], [0, 1], [0.8, 0.4]])
        places = {(1.0, 0.0): 0, (0.0, 1.0): 1, (0.8, 0.4): 3}
        self.policies_ = np.array([[places[tuple(v)]] for v in self.envelope_.vectors])

    def fit(self, mdp):
        return self


class Three(Stashes):
    """Goes to stashes 1, 2 and 3."""

    def __init__(self, start):
        self.envelope_ = upper_envelope([[1, 0], [0, 1], [0.6, 0.6]])
        self.policies_ = np.array([[1], [2], [0]])


def test_tastes_switch_where_the_third_stash_is_as_good_as_its_neighbours():
    seen = wire(ours.guinea_pig, methods={"mine": Three, "CHVI": ours.HullPlanner})
    assert seen["mine"] == pytest.approx(
        {"policies": 3, "location_4": 0, "lower_switch": 0.4, "upper_switch": 0.6, "louis_4": 0.55}
    )
    assert seen["CHVI"] == pytest.approx(seen["mine"])


def test_a_planner_that_goes_to_the_fourth_stash_is_seen_and_one_that_leaves_the_third_fails():
    class Four(Three):
        def __init__(self, start):
            self.envelope_ = upper_envelope([[1, 0], [0, 1], [0.5, 0.8]])
            self.policies_ = np.array([[3], [2], [0]])

    seen = wire(ours.guinea_pig, methods={"four": Four, "without": Stashes})
    assert seen["four"]["location_4"] == 1
    # Weights of the first criterion: 1 - w = 0.8 - 0.3 w, and w = 0.8 - 0.3 w.
    assert seen["four"]["lower_switch"] == pytest.approx(2 / 7)
    assert seen["four"]["upper_switch"] == pytest.approx(8 / 13)
    assert "KeyError: 2" in seen.failed["without"]


@pytest.fixture
def lines(monkeypatch):
    """Stub what is slow of the second world: the planner has seven policies."""
    met = []

    class Planner:
        def __init__(self, start):
            self.start = start

        def fit(self, mdp):
            met.append((self.start, mdp))
            corners = np.eye(3)
            self.envelope_ = SimpleNamespace(corners=corners, touches=corners > 0)
            return self

    monkeypatch.setattr(ours, "OptimisticLinearSupport", Planner)
    monkeypatch.setattr(ours, "table_lines", lambda world, mdp, planner: [0, 3, 1, 0, 2, 6, 5])
    monkeypatch.setattr(
        ours, "misplaced", lambda mdp, start, envelope, weights: weights.sum() + weights[3, 0]
    )
    return Planner, met


def test_policies_are_counted_by_whether_table_1_lists_them(lines):
    planner, met = lines
    seen = wire(ours.resource_gathering, repeat=1, methods={"mine": planner})
    weights = seen.rng("weights").dirichlet(np.ones(3), 51)
    assert seen["mine"] == pytest.approx(
        {"policies": 7, "listed": 5, "others": 2, "violation": 51 + weights[3, 0]}
    )
    assert seen.n_test["mine"]["violation"] == 50
    assert not seen.kept
    assert len(met) == 1


@pytest.mark.parametrize(
    ("choices", "world"),
    [
        ({}, ResourceWorld(5, "never", True)),
        ({"rows": "3"}, ResourceWorld(3, "never", True)),
        ({"ending": "return"}, ResourceWorld(5, "return", True)),
        ({"reappear": "no"}, ResourceWorld(5, "never", False)),
    ],
)
def test_choices_are_the_worlds_and_the_first_trial_keeps_all_endings(lines, choices, world):
    planner, met = lines
    seen = wire(ours.resource_gathering, methods={"mine": planner}, choices=choices)
    (start, mdp), *pictured = met
    assert start == world.start
    assert np.array_equal(mdp.rewards, world.mdp().rewards)
    assert (mdp.transitions != world.mdp().transitions).nnz == 0
    assert len(pictured) == len(ENDINGS)
    for ending, (_, shown) in zip(ENDINGS, pictured, strict=True):
        expected = ResourceWorld(world.rows, ending, world.reappear).mdp()
        assert (shown.transitions != expected.transitions).nnz == 0
        assert seen.kept[f"lines {ending}"].tolist() == [0, 3, 1, 0, 2, 6, 5]
        assert np.array_equal(seen.kept[f"corners {ending}"], np.eye(3))


def test_algorithm_1_plans_where_its_hulls_stay_small():
    assert list(ours.table_1_methods({"ending": "never"})) == ["corner refinement"]
    assert ours.table_1_methods({"ending": "return-and-attack"})["CHVI"] is ours.HullPlanner


def test_a_vector_is_misplaced_by_what_its_weights_lose():
    """Two of three rewards can be had; the planner's vectors are off by 0.3 in the third."""
    mdp = MultiObjectiveMDP(np.zeros((1, 3, 1)), np.eye(3)[None], 0.9)
    right = upper_envelope(np.eye(3))
    weights = np.array([[0.2, 0.2, 0.6], [0.1, 0.1, 0.8], [0.7, 0.2, 0.1]])
    assert ours.misplaced(mdp, 0, right, weights) == pytest.approx(0, abs=1e-9)
    off = upper_envelope([[1, 0, 0], [0, 1, 0], [0, 0, 1.3]])
    # The last weights are the end of a pair alone.
    assert ours.misplaced(mdp, 0, off, weights) == pytest.approx(0.3 * 0.8)
    only = SimpleNamespace(
        vectors=np.eye(3), region=lambda i: np.array([[0, 0, 1], [0, 1, 0], [0.5, 0.25, 0.25]])
    )
    # Three times a quarter or half of the triangle.
    share = ours.areas(only)
    assert share == pytest.approx([0.5] * 3)
    assert ours.misplaced(mdp, 0, only, weights) == pytest.approx(0.5)


def test_middles_are_between_weights_of_one_region(monkeypatch):
    asked = []

    def values(mdp, weights, tol):
        asked.append(weights.tolist())
        return SimpleNamespace(values=np.array([max(weights)]))

    monkeypatch.setattr(ours, "value_iteration", values)
    weights = np.array([[0.75, 0.25], [1.0, 0.0], [0.25, 0.75]])
    ours.misplaced(None, 0, upper_envelope(np.eye(2)), weights)
    assert asked == [[0.75, 0.25], [0.875, 0.125], [1.0, 0.0]]


@pytest.mark.parametrize(("world", "criteria"), [("maze", 2), ("random-2", 2)])
def test_the_violation_is_the_largest_gap_of_all_sweeps_states_and_weights(world, criteria):
    class Off(ConvexHullValueIteration):
        """Is a half too high for one weight in the last state after the third sweep."""

        def sweeps(self, mdp):
            for t, planner in enumerate(super().sweeps(mdp)):
                self.t = t
                yield planner

        def value(self, weights):
            values = np.array(super().value(weights))
            if self.t == 3 and np.array_equal(weights, chosen):
                values[-1] += 0.5
            return values

    plain = wire(ours.each_sweep, {"world": world}, repeat=1)
    weights = plain.rng("weights").dirichlet(np.ones(criteria), 50)
    chosen = weights[17]
    seen = wire(ours.each_sweep, {"world": world}, repeat=1, methods={"CHVI": Off})
    assert plain["CHVI"]["violation"] == pytest.approx(0, abs=1e-9)
    assert seen["CHVI"]["violation"] == pytest.approx(0.5)
    n_states = 1 if world == "maze" else 10
    sweeps = {"maze": 13, "random-2": 17}[world]
    assert seen.n_test["CHVI"]["violation"] == n_states * 50 * sweeps
    assert seen["CHVI"]["vectors"] == plain["CHVI"]["vectors"]
    if world == "maze":
        assert seen["CHVI"]["vectors"] == 3


def test_scalar_sweeps_begin_at_nothing_and_take_the_best_action():
    sweeps = ours.scalar_sweeps(CHAIN, np.array([[1.0, 0.0], [0.25, 0.75]]))
    np.testing.assert_allclose(next(sweeps), 0)
    np.testing.assert_allclose(next(sweeps), [[1, 0.75], [0, 1.5]])
    # First go on, for 1/4 now and half of 3/2; or take 3/4 and end.
    np.testing.assert_allclose(next(sweeps), [[1, 1.0], [0, 1.5]])


def test_random_worlds_have_two_ways_out_of_each_action_and_are_the_trials_own():
    seen = wire(ours.each_sweep, {"world": "random-3"}, methods={"CHVI": Quiet})
    mdp = ours.world_of(seen.trial)
    again = ours.random_world(seen.rng("world"), 3)
    assert np.array_equal(mdp.rewards, again.rewards)
    rows = mdp.transitions.toarray()
    assert np.all((rows > 0).sum(axis=1) == 2)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    assert mdp.rewards.shape == (10, 3, 3)
    assert mdp.discount == 0.9


class Quiet:
    """Knows of no reward."""

    def __init__(self, **settings):
        assert settings == {"prune": 1e-12, "max_vectors": 5000}

    def sweeps(self, mdp):
        self.n_states = mdp.n_states
        self.sizes_ = np.zeros(3)
        while True:
            self.sizes_[-1] += 20
            yield self

    def value(self, weights):
        return np.zeros(self.n_states)


def test_a_planner_without_rewards_is_off_by_the_values_themselves():
    seen = wire(ours.each_sweep, {"world": "random-2"}, methods={"CHVI": Quiet}, repeat=1)
    mdp = ours.random_world(seen.rng("world"), 2)
    weights = seen.rng("weights").dirichlet(np.ones(2), 50)
    sweeps = ours.scalar_sweeps(mdp, weights)
    largest = max(np.abs(next(sweeps)).max() for _ in range(17))
    assert seen["CHVI"]["violation"] == pytest.approx(largest)
    # Vectors are those after the last sweep, a state: 20 more in each.
    assert seen["CHVI"]["vectors"] == 17 * 20 / 10


def test_vertices_are_counted_with_and_without_negative_weights(monkeypatch):
    met = []

    class Planner:
        def __init__(self, start):
            self.start = start

        def fit(self, mdp):
            met.append((self.start, mdp))
            self.envelope_ = SimpleNamespace(vectors=np.zeros((6, 3)))
            return self

    monkeypatch.setattr(ours, "OptimisticLinearSupport", Planner)
    monkeypatch.setattr(ours, "all_directions", lambda mdp, start: met.append((start, mdp)) or 40)
    seen = wire(ours.partial_hull, choices={"ending": "return"})
    assert seen.metrics == {
        "any weights": {"vertices": 40},
        "nonnegative weights": {"vertices": 6},
    }
    world = ResourceWorld(ending="return")
    for start, mdp in met:
        assert start == world.start
        assert (mdp.transitions != world.mdp().transitions).nnz == 0


def test_all_directions_are_those_of_both_signs():
    """Of five rewards the four outer ones are best for some signs; for nonnegative ones, two."""
    rewards = np.array([[[1.0, 0], [0, 1], [-1, 0], [0, -1], [0.1, 0.1]]])
    mdp = MultiObjectiveMDP(np.zeros((1, 5, 1)), rewards, 0.5)
    assert ours.all_directions(mdp, 0) == 4
    assert len(OptimisticLinearSupport(0).fit(mdp).envelope_.vectors) == 2


@pytest.mark.parametrize("criteria", [2, 3])
def test_vertices_and_facets_of_normal_points_are_means_over_ten_draws(criteria):
    seen = wire(ours.random_hulls, {"criteria": criteria})
    draws = seen.rng("points").normal(size=(10, 200, criteria))
    assert seen["any weights"]["vertices"] * 10 == pytest.approx(
        round(seen["any weights"]["vertices"] * 10)
    )
    if criteria == 2:
        # A polygon has as many edges as corners.
        assert seen["any weights"]["facets"] == seen["any weights"]["vertices"]
        best = []
        for points in draws:
            # Corners to the upper right, in order of x, between the highest and the rightmost.
            angles = np.linspace(0, np.pi / 2, 2_001)
            outer = np.argmax(points @ [np.cos(angles), np.sin(angles)], axis=0)
            best.append(len(set(outer.tolist())))
        assert seen["nonnegative weights"]["vertices"] == pytest.approx(np.mean(best), abs=0.3)
        # One edge fewer lies between them.
        edges = seen["nonnegative weights"]["vertices"] - 1
        assert seen["nonnegative weights"]["facets"] == pytest.approx(edges)
    else:
        # Euler: a polyhedron of triangles has 2 v - 4.
        expected = 2 * seen["any weights"]["vertices"] - 4
        assert seen["any weights"]["facets"] == pytest.approx(expected)
        assert seen["nonnegative weights"]["facets"] < seen["any weights"]["facets"] / 4


def test_the_hull_planner_begins_where_it_is_told():
    planner = ours.HullPlanner(1).fit(CHAIN)
    best = value_iteration(CHAIN, np.array([0.5, 0.5])).values[1]
    assert planner.envelope_.value([0.5, 0.5]) == pytest.approx(best) == 1.0
