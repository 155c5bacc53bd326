"""What trials of Taxi and of the bound record, from agents and instances whose counts are known."""

import numpy as np
import pytest

from icml2008.catalogue import library
from wiring import wire

from . import experiments as ours
from . import towns
from .doormax import Doormax
from .towns import DROPOFF, PICKUP

CHOICES = library.trial_choices("diuk2008objectoriented", "scaling", "default")
SCALED = [((4, 4), 2, 0), ((4, 4), 2, 1), ((4, 4), 2, 3), ((4, 4), 0, 3), ((0, 8), 2, 0),
          ((0, 6), 3, 1)]  # fmt: skip


def agent_of(learner, **choices):
    return ours.Agent(learner, CHOICES | choices, np.random.default_rng(0))


@pytest.mark.parametrize("name", ["run_taxi", "run_scaling"])
def test_counts_of_an_agent_become_steps_work_and_the_percent_of_unknowns_that_failed(
    monkeypatch, name
):
    met = []

    def learn(town, agent, rng, probes):
        met.append((town, rng.random(), agent.rng.random(), probes))
        agent.backups = 1234
        return 40, 0 if type(agent.learner) is ours.Given else 8, 3

    monkeypatch.setattr(ours, "learn", learn)
    seen = wire(getattr(ours, name), repeat=3)
    learners = set(ours.LEARNERS) - ({"Rmax"} if name == "run_scaling" else set())
    assert set(seen.metrics) == learners
    for learner in learners - {"known model"}:
        assert seen[learner] == {"steps": 40, "log_steps": 3.69, "work": 31, "failures": 37.5}
    assert seen["known model"]["failures"] == 300
    # All learners meet the same town, first states and ties.
    assert len({id(town) for town, *_ in met}) == 1
    assert {start for _, start, *_ in met} == {seen.rng("starts").random()}
    assert {tie for *_, tie, _ in met} == {seen.rng("ties").random()}


@pytest.mark.parametrize(
    ("choices", "squares"), [({}, ours.PROBES), ({"probes": "scaled"}, SCALED)]
)
def test_probes_are_errands_from_the_printed_squares_or_from_twice_as_far(
    monkeypatch, choices, squares
):
    met = []
    monkeypatch.setattr(
        ours, "learn", lambda town, agent, rng, probes: met.append((town, probes)) or (1, 1, 1)
    )
    seen = wire(ours.run_scaling, methods={"known model": ours.Given}, choices=choices)
    ((town, probes),) = met
    assert town.walls == towns.large("drawn", seen.rng("walls")).walls
    for (errand, state, length), (square, passenger, destination) in zip(
        probes, squares, strict=True
    ):
        assert (errand.passenger, errand.destination) == (passenger, destination)
        assert state == town.state(square)
        assert length == ours.shortest(errand)[state]


@pytest.mark.parametrize(("layout", "walls"), [("stretched", 12), ("tiled", 24)])
def test_the_choice_of_walls_is_the_large_towns(monkeypatch, layout, walls):
    met = []
    monkeypatch.setattr(ours, "learn", lambda town, *_: met.append(town) or (1, 1, 1))
    wire(ours.run_scaling, methods={"known model": ours.Given}, choices={"walls": layout})
    wire(ours.run_taxi, methods={"known model": ours.Given})
    assert met[0].walls == towns.large(layout, None).walls
    assert len(met[0].walls) == walls
    assert met[1].walls == towns.small().walls


def test_unknowns_are_what_was_asked_and_failures_those_that_led_nowhere():
    town = towns.small()
    taught = []

    class Noted(ours.Tables):
        def see(self, errand, state, action):
            assert not self.knows(errand, action)[state]
            taught.append(errand.following[state, action] == state)
            super().see(errand, state, action)

    learner = Noted(town, CHOICES, ours.factored)
    agent = agent_of(learner)
    probes = ours.probes_of(town, scaled=False)
    steps, unknown, failures = ours.learn(town, agent, np.random.default_rng(2), probes)
    assert unknown == len(taught) < steps
    assert failures == sum(taught)
    assert 0 < failures < unknown


def test_an_agent_that_never_learns_stops_at_the_cap(monkeypatch):
    class Ignorant(ours.Given):
        def knows(self, errand, action):
            return np.zeros(len(errand.values), dtype=bool)

        def see(self, errand, state, action):
            pass

    monkeypatch.setattr(ours, "MOST_STEPS", 12)
    town = towns.small()
    agent = agent_of(Ignorant(town, CHOICES))
    counts = ours.learn(town, agent, np.random.default_rng(0), ours.probes_of(town, scaled=False))
    assert counts[:2] == (12, 12)


@pytest.mark.parametrize(
    ("choices", "best"),
    [
        ({}, -1 + 0.95 * 400),
        ({"s-max": "once"}, -1 + 0.95 * 20),
        ({"discount": "0.99"}, -1 + 0.99 * 2000),
        ({"reward": "learnt"}, 20 + 0.95 * 400),
        ({"unknown": "twenty"}, 20),
    ],
)
def test_the_choices_say_what_is_hoped_of_an_unknown_step(choices, best):
    town = towns.small()
    errand = town.errand(0, 1)
    known = np.zeros(errand.rewards.shape, dtype=bool)
    agent = agent_of(ours.Given(town, CHOICES), **choices)
    values = np.zeros(len(known))
    agent.policy(errand, known, values)
    # In most states the best step costs 1; a delivery pays 20.
    assert np.median(values) == pytest.approx(best)
    # A sweep sets the values, and another one finds that they stay.
    assert agent.backups == 2 * known.size


def test_a_probe_is_solved_in_the_length_of_the_shortest_way_and_not_in_less():
    town = towns.small()
    agent = agent_of(ours.Given(town, CHOICES))
    for errand, state, length in ours.probes_of(town, scaled=False):
        assert agent.solves(errand, state, length)
        assert not agent.solves(errand, state, length - 1)


@pytest.mark.parametrize(("probed", "solved"), [("agent", False), ("known", True)])
def test_the_policy_that_is_probed_explores_or_avoids_the_unknown(probed, solved):
    """It is not known what a second PICKUP does, which is on no way to a delivery."""

    class NoSecond(ours.Given):
        def knows(self, errand, action):
            return (errand.conditions & 1 == 0) | (action != PICKUP)

    town = towns.small()
    agent = agent_of(NoSecond(town, CHOICES), probed=probed)
    assert [agent.solves(*probe) for probe in ours.probes_of(town, scaled=False)] == [solved] * 6


@pytest.mark.parametrize(
    ("choices", "k", "proved", "inside"),
    [
        ({}, 1, False, {"increment", "assignment"}),
        ({"k": "2"}, 2, False, {"increment", "assignment"}),
        ({"k": "2-assigned"}, 2, False, {"assignment"}),
        ({"rules": "proved"}, 1, True, {"increment", "assignment"}),
    ],
)
def test_k_and_rules_are_the_models(choices, k, proved, inside):
    model = ours.Objects(towns.small(), CHOICES | choices).model
    assert (model.k, model.proved) == (k, proved)
    assert len(model.pairs) == 6
    assert model.every_term == 127
    for types in model.pairs:
        assert [set(names) for names in types] == [*[{"increment", "assignment"}] * 2, inside]


@pytest.mark.parametrize(
    ("network", "pickup", "moves"), [("place", 50, 3), ("feature", 3, 3), ("learnt", 50, 4)]
)
def test_the_network_says_what_a_pickup_depends_on_and_whether_arrivals_are_learnt(
    network, pickup, moves
):
    town = towns.small()
    errand = town.errand(2, 0)
    columns = {
        action: ours.factored(CHOICES | {"network": network}, town, errand, action)
        for action in range(6)
    }
    # Each square, with her waiting or inside; or where she is not, at hers, and with her inside.
    assert len(np.unique(columns[PICKUP][2])) == pickup
    assert len(np.unique(columns[DROPOFF][2])) == 4
    assert [len(columns[action]) for action in range(4)] == [moves] * 4
    # North and south depend on y alone for y; east and west on the square for x.
    assert [len(np.unique(columns[action][0])) for action in range(4)] == [5, 5, 25, 25]
    assert all(len(np.unique(columns[action][1])) == 5 for action in range(6))
    if network == "learnt":
        other = ours.factored(CHOICES | {"network": network}, town, town.errand(2, 1), 0)
        assert not np.any(other[3] == columns[0][3])


def test_rmax_shares_nothing_between_errands():
    town = towns.small()
    rmax = ours.LEARNERS["Rmax"](town, CHOICES)
    rmax.see(town.errand(2, 0), 7, 3)
    assert np.flatnonzero(rmax.knows(town.errand(2, 0), 3)).tolist() == [7]
    assert not rmax.knows(town.errand(2, 0), 2).any()
    assert not rmax.knows(town.errand(2, 1), 3).any()


def test_a_violation_is_the_largest_excess_and_wrong_the_largest_number_of_wrong_states(
    monkeypatch,
):
    calls = []

    def asked(rng, *setting):
        calls.append((rng.random(), setting))
        at = len(calls) % 100
        return (0.25 if at == 41 else -at / 1000), (5 if at == 7 else at % 4)

    monkeypatch.setattr(ours, "asked", asked)
    seen = wire(ours.run_unknowns, {"nature": "greedy", "types": 2, "k": 3})
    for name in ("as printed", "as proved"):
        assert seen[name] == {"violation": 0.25, "wrong": 5}
        assert seen.n_test[name]["violation"] == 100
    assert [setting for _, setting in calls] == (
        [(3, 2, False, "greedy")] * 100 + [(3, 2, True, "greedy")] * 100
    )
    draws = [draw for draw, _ in calls]
    assert draws[:100] == draws[100:] == seen.rng("instances").random(100).tolist()


@pytest.mark.parametrize("types", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2])
def test_the_excess_relates_what_was_asked_to_the_theorems_bound(monkeypatch, types, k):
    lessons = []

    class Counted(Doormax):
        def update(self, condition, values, action, after):
            # Failures are no effects, and the bound counts none.
            assert not np.array_equal(values, after)
            lessons.append(condition)
            super().update(condition, values, action, after)

    monkeypatch.setattr(ours, "Doormax", Counted)
    for seed in range(5):
        lessons.clear()
        n, *_ = ours.drawn(np.random.default_rng(seed), k)
        excess, _ = ours.asked(np.random.default_rng(seed), k, types, True, "random")
        bound = types * (n * k + k + 1) + types - 1
        assert len(lessons) > 0
        assert excess == pytest.approx((len(lessons) - bound) / bound)


def test_what_a_model_tells_wrongly_is_counted_once_a_state(monkeypatch):
    class Sure(Doormax):
        """Says that all stays as it is, of the first state once it was taught twice."""

        taught = 0

        def predict(self, conditions, values, action):
            return (np.arange(len(values)) > 0) | (self.taught == 2), values

        def update(self, *_):
            self.taught += 1

    def drawn(rng, k):
        return 2, np.arange(4), np.zeros(4, dtype=int), np.array([1, 0, 1, 1])

    monkeypatch.setattr(ours, "Doormax", Sure)
    monkeypatch.setattr(ours, "drawn", drawn)
    # Asked twice for state 0, of at most 1 (2 + 1 + 1); then all three changes are told wrongly.
    assert ours.asked(np.random.default_rng(0), 1, 1, False, "random") == (2 / 4 - 1, 3)


def test_an_insistent_adversary_asks_for_what_teaches_nothing(monkeypatch):
    chosen = []

    class Noted(Doormax):
        def predict(self, conditions, values, action):
            return np.isin(conditions, chosen), values.copy()

        def update(self, condition, *_):
            chosen.append(int(condition))

    n = 4
    monkeypatch.setattr(
        ours, "drawn", lambda rng, k: (2, np.arange(n), np.zeros(n, int), np.ones(n, int))
    )
    monkeypatch.setattr(ours, "Doormax", Noted)
    monkeypatch.setattr(ours, "lost", lambda *_: np.array([3, 1, 0, 2]))
    ours.asked(np.random.default_rng(0), 2, 1, False, "greedy")
    assert chosen == [2, 1, 3, 0]
    for seed in range(4):
        chosen.clear()
        ours.asked(np.random.default_rng(seed), 2, 1, False, "insistent")
        assert chosen[0] == 2
        assert sorted(chosen) == [0, 1, 2, 3]
