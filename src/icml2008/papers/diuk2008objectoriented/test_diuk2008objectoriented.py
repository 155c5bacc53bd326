"""What the model, the towns and the planner must agree with."""

import itertools

import numpy as np
import pytest

from icml2008.catalogue import library
from icml2008.methods.worlds import taxi

from . import experiments as ours
from . import towns
from .doormax import EFFECTS, Doormax
from .towns import DROPOFF, PICKUP

CHOICES = library.trial_choices("diuk2008objectoriented", "scaling", "default")


class Plain:
    """Algorithms 2 and 3 on strings, for one action and attribute, straight from the text."""

    def __init__(self, k, types):
        self.k = k
        self.F = set()
        self.pred = {name: [] for name in types}

    @staticmethod
    def matches(condition, other):
        return all(a in ("*", b) for a, b in zip(condition, other, strict=True))

    def predict(self, condition, value):
        if any(self.matches(c, condition) for c in self.F):
            return value
        E = {
            EFFECTS[name][1](np.array(value), effect).item()
            for name, pairs in self.pred.items()
            for model, effect in pairs
            if self.matches(model, condition)
        }
        return E.pop() if len(E) == 1 else None

    def update(self, condition, value, after):
        if value == after:
            self.F.add(condition)
            return
        for name in list(self.pred):
            effect = EFFECTS[name][0](value, after)
            pairs = self.pred[name]
            old = [pair for pair in pairs if pair[1] == effect]
            others = [model for model, e in pairs if e != effect]
            if old:
                old[0][0] = "".join(
                    a if a == b else "*" for a, b in zip(old[0][0], condition, strict=True)
                )
                wrong = any(self.matches(old[0][0], c) for c in others)
            else:
                wrong = any(self.matches(c, condition) for c in others)
                pairs.append([condition, effect])
            if wrong or len(pairs) > self.k:
                del self.pred[name]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_model_does_what_algorithms_2_and_3_do_on_strings(k):
    rng = np.random.default_rng(k)
    outcomes = set()
    for _ in range(12):
        n, conditions, values, after = ours.drawn(rng, k)
        model = Doormax(n, 1, [EFFECTS], k)
        plain = Plain(k, EFFECTS)
        for at in rng.integers(len(values), size=20):
            known, predicted = model.predict(conditions, values[:, None], 0)
            for i in rng.integers(len(values), size=8):
                want = plain.predict(f"{conditions[i]:0{n}b}", values[i])
                assert (predicted[i, 0] if known[i] else None) == want
                outcomes.add(want is None)
            model.update(conditions[at], values[at, None], 0, after[at, None])
            plain.update(f"{conditions[at]:0{n}b}", values[at], after[at])
    assert outcomes == {True, False}


def plain_steps(town, ties, starts, probes):
    """Return Section 6.1's steps by Algorithms 1 to 3 for k = 1, with conditions as strings."""
    F = {a: set() for a in range(6)}
    pred = {}
    for key in itertools.product(range(6), range(3), ours.BOTH):
        pred[key] = []

    def told(a, c, values):
        if c in F[a]:
            return values
        after = []
        for att, value in enumerate(values):
            E = set()
            for kind in ours.BOTH:
                for model, e in pred.get((a, att, kind), ()):
                    if Plain.matches(model, c):
                        E.add(value + e if kind == "increment" else e)
            if len(E) != 1:
                return None
            after += E
        return tuple(after)

    def learn(a, c, values, after):
        if values == after:
            F[a].add(c)
            return
        for att, (old, new) in enumerate(zip(values, after, strict=True)):
            for kind, effect in (("increment", new - old), ("assignment", new)):
                pairs = pred.get((a, att, kind))
                if pairs and pairs[0][1] == effect:
                    star = (x if x == y else "*" for x, y in zip(pairs[0][0], c, strict=True))
                    pairs[0] = "".join(star), effect
                elif pairs:
                    del pred[a, att, kind]
                elif pairs is not None:
                    pairs.append((c, effect))

    def seen(errand, s):
        return f"{errand.conditions[s]:07b}", tuple(errand.values[s].tolist())

    def plan(errand):
        places = [seen(errand, s) for s in range(50)]
        known = [[told(a, *place) is not None for a in range(6)] for place in places]
        V = np.full(50, 400.0)
        old = 0.0
        then = errand.following
        draws = ties.random((50, 6))
        while np.abs(V - old).max() > 1e-7:
            ahead = np.where(known, np.where(then >= 0, V[then], 0.0), 20 / (1 - 0.95))
            old = V
            V = (errand.rewards + 0.95 * ahead).max(axis=1)
        best = V[:, None] - errand.rewards - 0.95 * ahead < 1e-4
        return np.where(best, draws, -1.0).argmax(axis=1)

    def solves(errand, s, length):
        policy = plan(errand)
        for _ in range(length):
            s = errand.following[s, policy[s]]
        return s < 0

    steps = 0
    while True:
        passenger, other, s = starts.integers([4, 3, 25])
        errand = town.errand(passenger, (passenger + 1 + other) % 4)
        policy = plan(errand)
        while s >= 0:
            a = policy[s]
            steps = steps + 1
            then = errand.following[s, a]
            (c, values) = seen(errand, s)
            if told(a, c, values) is None:
                after = seen(errand, then)[1] if then >= 0 else (*values[:2], 0)
                learn(a, c, values, after)
                policy = plan(errand)
            s = then
        if all(solves(*probe) for probe in probes):
            return steps


def test_steps_of_doormax_are_those_of_a_plain_loop_over_the_text():
    town = towns.small()
    probes = ours.probes_of(town, scaled=False)
    agent = ours.Agent(ours.Objects(town, CHOICES), CHOICES, np.random.default_rng(0))
    steps, *_ = ours.learn(town, agent, np.random.default_rng(1), probes)
    assert steps == plain_steps(town, *map(np.random.default_rng, (0, 1)), probes)


def test_the_small_town_is_dietterichs_with_26_walls():
    town = towns.small()
    world = taxi()
    assert 4 * town.size + len(town.walls) == 26
    number = {label: state for state, label in enumerate(world.labels)}
    order = [1, 0, 2, 3, 4, 5]  # of its actions: it begins with south
    for passenger, destination in ((2, 0), (3, 1)):
        errand = town.errand(passenger, destination)
        states = [
            number[4 - y, x, 4 if inside else passenger, destination]
            for x, y, inside in errand.values.tolist()
        ]
        rows = np.array(states)[:, None] * 6 + order
        then = world.following[rows]
        there = np.where(errand.following < 0, -1, np.array(states)[errand.following])
        differ = np.argwhere(there != then)
        # A passenger can be put down at three other places there, and at none here.
        assert len(differ) == 3
        assert np.all(differ[:, 1] == DROPOFF)
        same = there == then
        assert np.array_equal(errand.rewards[same], world.outcome_rewards[rows][same])


def test_conditions_are_those_of_section_42():
    errand = towns.small().errand(2, 1)  # to G
    for square, string in (((2, 4), "1001001"), ((3, 4), "1000001"), ((4, 4), "1010011")):
        assert f"{errand.conditions[towns.small().state(square, True)]:07b}" == string


@pytest.mark.parametrize("layout", ["drawn", "stretched", "tiled"])
def test_large_towns_have_7200_states_and_can_be_crossed(layout):
    town = towns.large(layout, np.random.default_rng(0))
    assert town.size**2 * (town.n + 1) * town.n == 7200
    assert len(town.walls) == (12 if layout == "stretched" else 24)
    assert town.connected
    assert not towns.Town(2, {(0, 0), (0, 1)}, [(0, 0), (1, 1)]).connected


def test_shortest_ways_are_those_of_a_breadth_first_search():
    town = towns.small()

    def distances(goal):
        steps = {goal: 0}
        frontier = [goal]
        for at in frontier:
            for next_ in town.moves[at].tolist():  # walls hold from both sides
                if next_ not in steps:
                    steps[next_] = steps[at] + 1
                    frontier.append(next_)
        return np.array([steps[at] for at in range(25)])

    for passenger, destination in ((2, 0), (3, 1)):
        here, there = (town.state(town.places[i]) for i in (passenger, destination))
        expected = distances(here) + distances(there)[here] + 2
        steps = ours.shortest(town.errand(passenger, destination))
        assert np.array_equal(steps[:25], expected)
        assert np.array_equal(steps[25:], distances(there) + 1)


@pytest.mark.parametrize("name", ["DOORMAX", "Factored-Rmax"])
def test_what_a_learner_knows_is_right_and_its_unknowns_are_bounded(name):
    town = towns.small()
    right = []
    learner = ours.LEARNERS[name](town, CHOICES)
    knows = learner.knows

    def checked(errand, action):
        known = knows(errand, action)
        if name == "DOORMAX":
            then = errand.following[:, action]
            after = np.where(then[:, None] < 0, errand.values * [1, 1, 0], errand.values[then])
            predicted = learner.model.predict(errand.conditions, errand.values, action)[1]
            right.append(np.array_equal(predicted[known], after[known]))
        return known

    learner.knows = checked
    agent = ours.Agent(learner, CHOICES, np.random.default_rng(0))
    probes = ours.probes_of(town, scaled=False)
    steps, unknown, failures = ours.learn(town, agent, np.random.default_rng(1), probes)
    assert all(right)
    assert 0 < failures < unknown < steps < ours.MOST_STEPS
    for state, action in np.argwhere(known := agent.known(probes[0][0])):
        learner.see(probes[0][0], state, action)  # teaches nothing if k = 1
    assert np.array_equal(agent.known(probes[0][0]), known)
    # Entries of the network: north and south 12 each, east and west 32, PICKUP 135, DROPOFF 14.
    assert unknown <= (6 * 2**7 if name == "DOORMAX" else 237)


def test_an_agent_with_the_model_needs_one_episode_on_the_shortest_way():
    town = towns.small()
    agent = ours.Agent(ours.Given(town, CHOICES), CHOICES, np.random.default_rng(0))
    rng = np.random.default_rng(3)
    steps, *_ = ours.learn(town, agent, rng, ours.probes_of(town, scaled=False))
    passenger, other, state = np.random.default_rng(3).integers([4, 3, 25])
    assert steps == ours.shortest(town.errand(passenger, (passenger + 1 + other) % 4))[state]


def test_a_greedy_adversary_asks_more_than_chance():
    asked = {
        nature: [
            ours.asked(np.random.default_rng(seed), 2, 1, False, nature)[0] for seed in range(20)
        ]
        for nature in ("random", "greedy")
    }
    assert np.mean(asked["greedy"]) > np.mean(asked["random"])


@pytest.mark.parametrize(
    ("tables", "whole"),
    [("stated", []), ("dropoff-whole", [DROPOFF]), ("both-whole", [PICKUP, DROPOFF])],
)
def test_a_table_over_the_whole_state_has_an_entry_for_each_state_of_each_errand(tables, whole):
    town = towns.small()
    choices = CHOICES | {"tables": tables}
    for action in (PICKUP, DROPOFF):
        errands = [
            town.errand(start, end) for start in range(4) for end in range(4) if start != end
        ]
        outside = [ours.factored(choices, town, errand, action)[2][:25] for errand in errands]
        entries = len(np.unique(outside))
        assert (entries == 25 * len(errands)) == (action in whole)


def test_an_unknown_worth_twenty_in_all_is_worth_no_more_than_the_delivery():
    town = towns.small()
    errand = town.errand(0, 1)
    known = np.zeros(errand.rewards.shape, dtype=bool)
    worth = {}
    for unknown in ("added", "twenty"):
        choices = CHOICES | {"unknown": unknown, "s-max": "once"}
        agent = ours.Agent(ours.Given(town, choices), choices, np.random.default_rng(0))
        values = np.full(len(known), agent.top)
        agent.policy(errand, known, values)
        worth[unknown] = values.max()
    assert worth["twenty"] == pytest.approx(20)
    assert worth["added"] == pytest.approx(20 + 0.95 * 20)
