"""What the trials record, by hand and by learners that say no more than they know."""

import math

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .experiments import DELTA, EPSILON, RUNS, Enumeration, Linear, Memory


def test_the_excess_is_the_worst_of_four_instances_and_printed_bounds_are_smaller(monkeypatch):
    outcomes = [(-2, 1), (3, 0), (1, 7), (0, 0)]
    for name, printed in (("memory", None), ("example_2", 5), ("singles", 11)):
        left = iter(outcomes)
        asked = []

        def spy(rng, make, adversary, left=left, asked=asked):
            asked.append((make, adversary))
            return next(left)

        monkeypatch.setattr(experiments, "asked", spy)
        for nature in ("random",):
            seen = wire(experiments.run_exact, {"hypotheses": name, "nature": nature})
        assert asked == [(experiments.CLASSES[name], False)] * 4
        expected = {"excess": 3, "wrong": 7}
        if printed is not None:
            expected["printed_excess"] = printed
        assert seen["KWIK"] == expected
        assert seen.n_test["KWIK"]["excess"] == 4


def test_all_of_a_memory_is_asked_and_nothing_is_wrong():
    def bounded(rng, bound=5):
        return Memory(), list(range(8)), (lambda x: x + 1.0), bound

    for adversary in (False, True):
        rng = np.random.default_rng(0)
        assert experiments.asked(rng, bounded, adversary) == (3, 0)


def test_wrong_answers_are_counted_after_each_question():
    class Liar(Memory):
        def predict(self, x):
            return self.seen.get(x) if x else 0.5  # knows 0 wrongly from the first

    def make(rng):
        return Liar(), [0, 1, 2], float, 2

    assert experiments.asked(np.random.default_rng(0), make, False) == (0, 2)


def test_the_adversary_leaves_more_unknown_than_chance():
    hypotheses = np.eye(6, dtype=int)

    def make(rng):
        return Enumeration(hypotheses), list(range(6)), hypotheses[5].__getitem__, 0

    counts = {
        adversary: [
            experiments.asked(np.random.default_rng(seed), make, adversary)[0] for seed in range(20)
        ]
        for adversary in (False, True)
    }
    assert np.mean(counts[True]) > np.mean(counts[False])
    assert max(counts[True]) == 5


@pytest.mark.parametrize("chance", ["even", "drawn"])
def test_failures_of_coins_are_of_any_of_them(chance):
    for algorithm, n in (("coin", 1), ("mdp", 18)):
        seen = wire(experiments.run_noisy, {"algorithm": algorithm, "chance": chance})
        rng = seen.rng("runs")
        y = rng.uniform(0.2, 0.8) if chance == "drawn" else 0.5
        tosses = math.ceil(np.log(2 * n / DELTA) / 2 / EPSILON**2)
        heads = rng.binomial(tosses, np.full((RUNS, n), y))
        failed = [any(abs(h / tosses - y) > EPSILON for h in row) for row in heads]
        assert seen["KWIK"]["failed"] == pytest.approx(100 * np.mean(failed))
        assert seen.n_test["KWIK"]["failed"] == 1000


def test_a_union_fails_where_the_nearer_learner_has_the_larger_loss():
    seen = wire(experiments.run_noisy, {"algorithm": "union", "chance": "even"})
    rng = seen.rng("runs")
    rounds = math.ceil(np.log(3 / 0.05) / (2 * 0.025**2))
    failed = 0
    for ones in rng.binomial(rounds, 0.5, size=RUNS):
        near = ones * (1 - 0.525) ** 2 + (rounds - ones) * 0.525**2
        far = ones * (1 - 0.425) ** 2 + (rounds - ones) * 0.425**2
        failed += near > far
    assert seen["KWIK"]["failed"] == pytest.approx(failed / 10)
    # Squared losses of predictions 4 epsilon_0 apart meet where the mean is in their middle.
    ones = np.array([0.5 - 0.025 - 1e-6, 0.5 - 0.025 + 1e-6])
    assert (ones * 0.475**2 + (1 - ones) * 0.525**2 > ones * 0.575**2 + (1 - ones) * 0.425**2)[0]


def test_paths_cost_what_figure_1_says():
    seen = wire(experiments.run_paths)
    assert seen["top"] == {"cost": 12, "estimate": 14}
    assert seen["middle"] == {"cost": 13, "estimate": 13}
    assert seen["bottom"] == {"cost": 14, "estimate": 14}


def test_navigation_misses_are_means_and_the_excess_is_over_the_dimension(monkeypatch):
    monkeypatch.setattr(
        experiments, "walked", lambda paths, w, knows: 2 * len(w) + paths[0].sum() * knows
    )
    seen = wire(experiments.run_navigation, {"graph": "drawn"})
    rng = seen.rng("graphs")
    problems = []
    for d in rng.integers(2, 6, size=25):
        paths = [rng.integers(2, size=(rng.integers(3, 7), d)) for _ in range(6)]
        problems.append((paths[0].sum(), len(rng.integers(4, size=d))))
    knows = [2 * d + total for total, d in problems]
    assert seen["KWIK"] == pytest.approx(
        {"missed": np.mean(knows), "excess": max(d + total for total, d in problems)}
    )
    assert seen["guess"]["missed"] == pytest.approx(np.mean([2 * d for _, d in problems]))
    assert seen.n_test["KWIK"]["missed"] == 25


def test_an_agent_that_knows_takes_the_cheapest_in_the_end_and_a_guess_may_stay_wrong():
    seen = wire(experiments.run_navigation, {"graph": "figure-1"})
    assert seen.n_test["KWIK"]["missed"] == 1
    # The guess of ones takes the middle, 13, learns its edges, and never sees the top's 12.
    assert seen["guess"] == {"missed": 50, "excess": 47}
    assert seen["KWIK"]["excess"] == seen["KWIK"]["missed"] - 3
    assert seen["KWIK"]["missed"] < 4
    cheap = np.array([[1, 0]])
    dear = np.array([[0, 1]])
    w = np.array([1.0, 2.0])
    assert experiments.walked([dear, cheap], w, True, episodes=9) == 1
    assert experiments.walked([cheap, dear], w, True, episodes=9) == 1
    assert experiments.walked([cheap, dear], w, False, episodes=9) == 0
    assert experiments.walked([dear, cheap], w, False, episodes=9) == 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_unknowns_of_conjunctions_are_those_of_enumeration(n):
    seen = wire(experiments.run_conjunctions, {"n": n})
    inputs = np.array(list(np.ndindex(*[2] * n)))
    sets = inputs
    answers = np.array([[all(x[s == 1]) for x in inputs] for s in sets])
    learner = Enumeration(answers)
    unknown = 0
    for at in np.argsort(inputs.sum(axis=1), kind="stable"):
        if learner.predict(at) is None:
            unknown += 1
            learner.learn(at, bool(inputs[at].all()))
    assert seen["KWIK"]["doublings"] == pytest.approx(np.log2(unknown) - n / 2)


def test_a_linear_learner_knows_what_depends_on_what_it_saw():
    learner = Linear(2)
    assert learner.predict(np.array([1.0, 0.0])) is None
    learner.learn(np.array([1.0, 1.0]), 3.0)
    assert learner.predict(np.array([2.0, 2.0])) == pytest.approx(6)
    assert learner.predict(np.array([2.0, 1.0])) is None


def test_example_2_is_a_distance_on_a_line_or_a_line():
    kinds = set()
    for seed in range(8):
        _, _, truth, bound = experiments.example_2(np.random.default_rng(seed))
        a, b = np.random.default_rng(seed).normal(size=2)
        is_distance = truth([a]) == 0
        kinds.add(is_distance)
        for x in (-1.0, 0.0, 2.0):
            assert truth([x]) == pytest.approx(abs(x - a) if is_distance else a * x + b)
        assert bound == 5
    assert kinds == {True, False}
