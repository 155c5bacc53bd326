"""What the trials record, on learners whose rewards and tries are known."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.methods.worlds.tasks import RMAXQ
from wiring import wire

from . import experiments
from .experiments import IN_TAXI, KNOWN, PICKUP, PUTDOWN, right, settled, stochastic_taxi


def maker(level, explored=None, taught=None):
    """Return a maker of a learner whose rewards rise to a level and whose tries are a pattern."""

    class Learned(RMAXQ if explored else SimpleNamespace):
        def __init__(self):
            pass

        explored_ = explored

    def make(world, m):
        def learn(world, starts, rng):
            if taught is not None:
                taught.append((m, starts, rng.random()))
            learned = Learned()
            learned.rewards_ = np.minimum(level, np.arange(len(starts), dtype=float) - 50)
            tries = np.arange(world.n_states * 6, dtype=float).reshape(-1, 6)
            learned.tries_ = tries * (1 + (level > 5))
            if explored:
                learned.explored_ = explored
            return learned

        return SimpleNamespace(learn=learn)

    return make


def test_totals_wrong_calls_and_gains_are_those_of_each_run():
    methods = {
        "R-MAXQ": maker(3.0, 0.5),
        "MAXQ-Q": maker(2.0),
        "R-MAXQ, abstract": maker(7.0, 0.2),
        "MAXQ-Q, abstract": maker(1.0),
        "random": None,
        "optimal": None,
    }
    seen = wire(experiments.run_curves, methods=methods)
    world = stochastic_taxi()
    tries = np.arange(world.n_states * 6).reshape(-1, 6)
    pickups = 0
    putdowns = 0
    for state, (row, column, passenger, destination) in enumerate(world.labels):
        if passenger == IN_TAXI:
            pickups += tries[state, PICKUP]
        there = (row, column) == experiments.LANDMARKS[destination]
        if not (passenger == IN_TAXI and there):
            putdowns += tries[state, PUTDOWN]
    totals = {}
    for name, level in (("R-MAXQ", 3), ("MAXQ-Q", 2), ("R-MAXQ, abstract", 7)):
        rewards = np.minimum(level, np.arange(200) - 50)
        totals[name] = rewards.sum()
        twice = 1 + (level > 5)
        recorded = seen[name]
        assert recorded["total"] == rewards.sum()
        assert recorded["late"] == pytest.approx(np.mean(rewards))
        assert recorded["pickups"] == pytest.approx(twice * pickups / KNOWN)
        assert recorded["putdowns"] == pytest.approx(twice * putdowns / KNOWN)
        assert recorded["penalty"] == twice * 10 * (putdowns + pickups)
        best = experiments.expected(world, "optimal")
        assert recorded["settled"] == settled(rewards, best)
        assert ("explored" in recorded) == name.startswith("R-MAX")
        np.testing.assert_allclose(seen.kept[name], np.cumsum(rewards)[19::20])
    assert seen["R-MAXQ, abstract"]["gain"] == totals["R-MAXQ, abstract"] - totals["R-MAXQ"]
    assert seen["MAXQ-Q, abstract"]["gain"] < 0
    assert seen["R-MAXQ, abstract"]["saved"] == pytest.approx(1 - 0.2 / 0.5)
    assert "saved" not in seen["MAXQ-Q, abstract"]
    assert "gain" not in seen["R-MAXQ"]
    for name in ("random", "optimal"):
        mean = experiments.expected(world, name)
        assert seen[name] == pytest.approx({"total": 200 * mean, "late": mean})
    assert seen["random"]["late"] < seen["optimal"]["late"]


def test_a_run_is_settled_from_the_first_window_near_the_best_on():
    rewards = np.r_[np.zeros(150), np.full(150, 10.0)]
    assert settled(rewards, 10.95) == 250
    assert settled(rewards, 5.95) == 200
    assert settled(rewards, 11.1) == 300


def test_larger_m_reaches_the_learners_and_late_is_the_end():
    taught = []
    methods = {"R-MAXQ": maker(3.0, 0.5, taught), "R-MAX": maker(2.0, 0.7, taught)}
    cell = {"m": 10, "episodes": 300}
    seen = wire(experiments.run_larger_m, cell, methods=methods)
    begin = stochastic_taxi().start
    starts = seen.rng("starts").choice(len(begin), 300, p=begin)
    for m, given, drawn in taught:
        assert m == 10
        np.testing.assert_array_equal(given, starts)
        assert drawn == seen.rng("steps").random()
    assert seen["R-MAXQ"] == {"late": 3.0, "explored": 0.5}
    assert seen["R-MAX"] == {"late": 2.0, "explored": 0.7}


def test_the_violation_is_the_largest_distance_from_a_flat_evaluation():
    exact = wire(experiments.run_models)["hierarchical"]["violation"]
    assert exact < 1e-9

    def wrong(world, tasks, discount):
        values, R, P, policy = experiments.plan(world, tasks, discount)
        return values, [part + 0.25 for part in R], P, policy

    seen = wire(experiments.run_models, methods={"hierarchical": wrong})
    assert seen["hierarchical"]["violation"] == pytest.approx(0.25)
    assert seen.n_test["hierarchical"]["violation"] == 10


@pytest.mark.parametrize(
    ("changed", "discount", "bound", "freeze"),
    [
        ({}, 0.99, 20.0, False),
        ({"discount": "0.95"}, 0.95, 20.0, False),
        ({"v-max": "reward-forever"}, 0.99, 2000.0, False),
        ({"discount": "0.95", "v-max": "reward-forever"}, 0.95, 400.0, False),
        ({"estimates": "first-m"}, 0.99, 20.0, True),
    ],
)
def test_choices_reach_the_learners(monkeypatch, changed, discount, bound, freeze):
    monkeypatch.setattr(experiments, "RMAXQ", lambda *given, **how: (given, how))
    monkeypatch.setattr(experiments, "MAXQQ", lambda *given, **how: (given, how))
    plain = {
        "discount": "0.99",
        "v-max": "best-state",
        "estimates": "all",
        "ties": "listed",
        "constants": "plain",
    }
    world = stochastic_taxi()
    made = experiments.learners({**plain, **changed})
    for name in ("R-MAXQ", "R-MAX", "augmented", "R-MAXQ, abstract", "R-MAX, abstract"):
        (_, m, most, by), how = made[name](world, 7)
        assert (m, by, how["freeze"]) == (7, discount, freeze)
        assert most == pytest.approx(bound)
        assert (how["groups"] is not None) == name.endswith("abstract")
    for constants in ("plain", "abstract"):
        made = experiments.learners({**plain, **changed, "constants": constants})
        for name, own in (("MAXQ-Q", constants), ("MAXQ-Q, abstract", "abstract")):
            (_, rate, cooling), how = made[name](world, 7)
            assert (rate, cooling) == experiments.CONSTANTS[own]
            assert how["discount"] == discount
            assert ("completions" in how) == name.endswith("abstract")
    for ties, step in (("listed", 1), ("reversed", -1)):
        tasks = experiments.hierarchy(world, "flat", ties)
        assert list(tasks.children[0]) == [*experiments.MOVES, PICKUP, PUTDOWN][::step]


def test_wrong_putdowns_cost_ten_and_leave_the_passenger_in_the_taxi():
    world = stochastic_taxi()
    allowed = right(world)[1]
    for state in range(world.n_states):
        row = state * 6 + PUTDOWN
        at = range(world.indptr[row], world.indptr[row + 1])
        after = {int(world.following[i]) for i in at}
        paid = {float(world.outcome_rewards[i]) for i in at}
        if allowed[state]:
            assert after == {-1}
            assert min(paid) > 0
        else:
            assert after == {state}
            assert paid == {-10.0}


def test_a_move_towards_a_place_is_completed_alike_in_each_square_alone():
    world = stochastic_taxi()
    tasks = experiments.hierarchy(world)
    completions = experiments.shared_values(world, tasks)["completions"]
    squares = [state[:2] for state in world.labels]
    for c in range(4):
        for k in range(4):
            shared = {}
            for name, square in zip(completions[c, k].tolist(), squares, strict=True):
                shared.setdefault(name, set()).add(square)
            assert sorted(map(list, shared.values())) == sorted(
                [[square] for square in set(squares)]
            )
