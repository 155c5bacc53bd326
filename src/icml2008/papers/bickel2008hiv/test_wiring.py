"""What trials record, of methods that decide by a feature and contenders that note their split."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import ttest_rel

from wiring import wire

from . import experiments
from .cohort import PRINTED, simulate
from .contenders import Contender
from .split import Examples

NAMES = [
    "separate",
    "Gaussian process",
    *(
        f"{name}{known}"
        for name in ("pooled", "hierarchical kernel", "matching")
        for known in ("", ", drugs", ", mutations")
    ),
]


def by_feature(column, noted=None):
    """Return a method that decides by a feature, and for success where it has none."""

    class ByFeature:
        def fit(self, X, y, *, task, tasks):
            if noted is not None:
                noted.append((X, y, task, list(tasks)))
            return self

        def decision_function(self, X, *, task):
            return np.where(X[:, column] > 0, -1.0, 1.0)

    return ByFeature


def last_fifth(cohort):
    n = round(len(cohort.y) / 5)
    return Examples(cohort.X[-n:], cohort.y[-n:], cohort.task[-n:]), cohort.task[:-n]


def right(test, column):
    return (np.where(test.X[:, column] > 0, -1.0, 1.0) == test.y).astype(float)


@pytest.fixture(scope="module")
def cohorts():
    """Return a trial of all names, method i by feature 3 i, with its cohort drawn again."""
    methods = {name: by_feature(3 * i) for i, name in enumerate(NAMES)}
    seen = wire(experiments.simulated_cohorts, methods=methods)
    cohort = simulate(PRINTED["virus-load"].shrunk(8), seen.rng("cohort"))
    return seen, cohort


def test_accuracy_is_that_on_the_last_fifth(cohorts):
    seen, cohort = cohorts
    test, _ = last_fifth(cohort)
    for i, name in enumerate(NAMES):
        assert seen[name]["accuracy"] == pytest.approx(100 * right(test, 3 * i).mean())
        assert seen.n_test[name]["accuracy"] == len(test.y)


def test_groups_are_by_training_records_of_the_combination_and_leads_over_separate_models(cohorts):
    seen, cohort = cohorts
    test, earlier = last_fifth(cohort)
    n_seen = np.array([np.sum(earlier == task) for task in test.task])
    rest = np.sort(n_seen[n_seen > 2])
    third = rest[len(rest) // 3]
    two_thirds = rest[2 * len(rest) // 3]
    group = np.where(n_seen <= 2, 1, 2 + (n_seen >= third) + (n_seen >= two_thirds))
    base = right(test, 0)
    for i, name in enumerate(NAMES):
        hit = right(test, 3 * i)
        gain = {g: 100 * (hit - base)[group == g].mean() for g in set(group.tolist())}
        for g in gain:
            accuracy = 100 * hit[group == g].mean()
            assert seen[name][f"accuracy_{g}"] == pytest.approx(accuracy)
            if g > 1 and name != "separate":
                assert seen[name][f"lead_{g}"] == pytest.approx(gain[1] - gain[g])
    assert set(gain) == {1, 2, 3, 4}
    assert not any(metric.startswith("lead") for metric in seen["separate"])


def test_few_are_two_records_of_virus_loads_and_one_of_many_conditions(monkeypatch):
    asked = []
    monkeypatch.setattr(
        experiments, "groups", lambda n, few: asked.append(few) or np.zeros(len(n), dtype=int)
    )
    for labelling in PRINTED:
        wire(
            experiments.simulated_cohorts,
            {"labelling": labelling},
            methods=dict.fromkeys(NAMES, by_feature(0)),
            repeat=1,
        )
    assert asked == [2, 1]


def test_knowledge_gains_over_the_same_method_without_it(cohorts):
    seen, cohort = cohorts
    test, _ = last_fifth(cohort)
    hit = {name: right(test, 3 * i) for i, name in enumerate(NAMES)}
    for name in NAMES:
        if "," in name:
            gain = 100 * (hit[name] - hit[name.split(",")[0]]).mean()
            assert seen[name]["knowledge_gain"] == pytest.approx(gain)
        else:
            assert "knowledge_gain" not in seen[name]


def test_significant_are_the_comparisons_that_a_paired_test_says_matching_wins(cohorts):
    seen, cohort = cohorts
    test, _ = last_fifth(cohort)
    hit = {name: right(test, 3 * i) for i, name in enumerate(NAMES)}
    pairs = [("matching", "Gaussian process")] + [
        (f"matching{known}", rival)
        for known in ("", ", drugs", ", mutations")
        for rival in ("separate", f"pooled{known}", f"hierarchical kernel{known}")
    ]
    wins = [ttest_rel(hit[a], hit[b], alternative="greater").pvalue < 0.05 for a, b in pairs]
    assert len(pairs) == 10
    assert seen["matching"]["significant"] == pytest.approx(10 * np.sum(wins))


def test_the_first_cohort_keeps_its_sizes_and_its_share_of_successes(cohorts):
    seen, cohort = cohorts
    sizes = sorted((int(np.sum(cohort.task == t)) for t in set(cohort.task)), reverse=True)
    assert seen.kept["records of each combination"].tolist() == sizes
    assert seen.kept["share of successes"] == pytest.approx([np.mean(cohort.y == 1)])


def test_where_a_method_fails_the_others_are_measured_but_no_share_of_all_comparisons():
    methods = dict.fromkeys(NAMES, by_feature(0)) | {"pooled": lambda: 1 / 0}
    seen = wire(experiments.simulated_cohorts, methods=methods, repeat=1)
    assert list(seen.failed) == ["pooled"]
    assert "significant" not in seen["matching"]
    assert "accuracy" in seen["pooled, drugs"]
    assert not seen.kept


def test_an_own_method_learns_from_all_but_the_last_fifth_and_is_told_the_tasks_of_that():
    noted = []
    methods = dict.fromkeys(NAMES, by_feature(0)) | {"pooled": by_feature(0, noted)}
    seen = wire(experiments.simulated_cohorts, methods=methods)
    cohort = simulate(PRINTED["virus-load"].shrunk(8), seen.rng("cohort"))
    test, earlier = last_fifth(cohort)
    ((X, y, task, tasks),) = noted
    np.testing.assert_array_equal(X, cohort.X[: len(y)])
    np.testing.assert_array_equal(y, cohort.y[: len(earlier)])
    np.testing.assert_array_equal(task, earlier)
    assert tasks == sorted(set(test.task.tolist()))


@pytest.mark.parametrize(
    ("choices", "tuned_by", "landmarks", "retrained"),
    [
        ({}, 0.2, None, True),
        ({"tuning-set": "half"}, 0.5, None, True),
        ({"kernel": "landmarks"}, 0.2, 150, True),
        ({"retrain": "no"}, 0.2, None, False),
    ],
)
def test_choices_say_by_what_contenders_are_tuned_and_on_what_they_learn(
    monkeypatch, choices, tuned_by, landmarks, retrained
):
    monkeypatch.setattr(experiments, "MOST_TO_TUNE_ON", 60)
    splits = []

    def decide(split, parameters):
        """Is right of a share of the examples that is largest at 3."""
        splits.append((split, parameters["gamma"]))
        n = len(split.test.y)
        share = {1.0: 0.4, 2.0: 0.5, 3.0: 0.9, 4.0: 0.6}[parameters["gamma"]]
        return split.test.y * np.where(np.arange(n) < share * n, 1.0, -1.0)

    contender = Contender(decide, {"gamma": 1.0}, {"gamma": (2.0, 3.0, 4.0)})
    seen = wire(experiments.strength_of_own_effects, methods={"mine": contender}, choices=choices)
    counts = PRINTED["virus-load"].shrunk(20)
    cohort = simulate(counts, seen.rng("cohort", across=("own",)), own=0.3)
    n_test = round(0.2 * len(cohort.y))
    y = cohort.y[:-n_test]
    n_late = round(tuned_by * len(y))
    *tuning, (final, gamma) = splits
    assert [tried for _, tried in tuning] == [1.0, 2.0, 3.0, 4.0]
    assert gamma == 3.0
    for split, _ in tuning:
        np.testing.assert_array_equal(split.test.y, y[-n_late:])
        np.testing.assert_array_equal(split.train.y, y[:-n_late][-60:])
    np.testing.assert_array_equal(final.test.y, cohort.y[-n_test:])
    np.testing.assert_array_equal(final.train.y, y if retrained else y[:-n_late][-60:])
    seed = int(seen.rng("landmarks").integers(2**31))
    assert {(split.landmarks, split.seed) for split, _ in splits} == {(landmarks, seed)}
    assert seen["mine"]["accuracy"] == pytest.approx(
        100 * np.mean(np.arange(n_test) < 0.9 * n_test)
    )


def test_many_examples_are_carried_by_landmarks_in_any_case(monkeypatch):
    monkeypatch.setattr(experiments, "MOST_FOR_EXACT", 50)
    shown = []

    def decide(split, parameters):
        shown.append(split.landmarks)
        return split.test.y

    wire(experiments.strength_of_own_effects, methods={"mine": Contender(decide, {"gamma": 1.0})})
    assert set(shown) == {150}


@pytest.mark.parametrize("own", [0, 90])
def test_cohorts_of_the_sweep_differ_in_the_strength_of_own_effects_alone(own):
    cell = {"own": own, "shrink": 20}
    seen = wire(experiments.strength_of_own_effects, cell, methods={"mine": by_feature(2)})
    rng = seen.rng("cohort", across=("own",))
    cohort = simulate(PRINTED["virus-load"].shrunk(20), rng, own=own / 100)
    test, _ = last_fifth(cohort)
    assert seen["mine"]["accuracy"] == pytest.approx(100 * right(test, 2).mean())
    assert seen.n_test["mine"]["accuracy"] == len(test.y)
    likelier = np.where(cohort.chance[-len(test.y) :] > 0.5, 1.0, -1.0)
    assert seen.kept["best possible"] == pytest.approx([100 * np.mean(likelier == test.y)])


def test_people_of_the_census_are_drawn_and_the_last_fifth_of_them_tested(monkeypatch):
    rng = np.random.default_rng(0)
    n = 500
    people = Examples(
        rng.integers(0, 2, size=(n, 3)).astype(float),
        rng.choice([-1.0, 1.0], size=n),
        np.array(list("abcd"))[np.arange(n) % 4],
    )
    adult = SimpleNamespace()
    monkeypatch.setattr(
        experiments, "people_by_origin", lambda data: people if data is adult else None
    )
    noted = []
    seen = wire(
        experiments.income_by_origin, methods={"mine": by_feature(1, noted)}, data={"adult": adult}
    )
    drawn = seen.rng("people").permutation(n)[:300]
    hit = right(people.take(drawn[240:]), 1)
    assert seen["mine"]["accuracy"] == pytest.approx(100 * hit.mean())
    assert seen.n_test["mine"]["accuracy"] == 60
    np.testing.assert_array_equal(noted[0][0], people.X[drawn[:240]])


@pytest.mark.parametrize("tasks", [2, 20])
def test_the_gap_is_the_largest_of_a_hundred_toys_with_the_weights_of_the_equation(tasks):
    called = []

    def gap(joint, loss, *, posterior):
        called.append((len(joint), posterior))
        return joint[0, 0, 0] * (2 if posterior else 1)

    methods = dict.fromkeys(experiments.IDENTITIES, gap)
    seen = wire(experiments.density_ratio_identity, {"tasks": tasks}, methods=methods)
    rng = seen.rng("toys")
    toys = [experiments.random_toy(tasks, rng) for _ in range(100)]
    largest = max(joint[0, 0, 0] for joint, _ in toys)
    assert seen["Eq. 4"]["gap"] == pytest.approx(largest)
    assert seen["Eq. 8"]["gap"] == pytest.approx(2 * largest)
    assert seen.n_test["Eq. 4"]["gap"] == 100
    assert called == [(tasks, False)] * 100 + [(tasks, True)] * 100


@pytest.mark.parametrize("repeat", [0, 1])
def test_weights_are_estimated_from_the_same_examples_and_pictured_where_they_are(repeat):
    met = []

    def estimate(name, toy, X, label, task):
        met.append((toy, X, label, task))
        return len(name) / 4, np.full((2, 2), len(name))

    methods = dict.fromkeys(experiments.WEIGHTINGS, estimate)
    cell = {"examples": 30}
    seen = wire(experiments.estimated_against_true_weights, cell, methods=methods, repeat=repeat)
    toy = experiments.label_split_toy(seen.rng("toy", across=("examples",)))
    drawn = toy.draw(30, seen.rng("examples"))
    for given, *examples in met:
        np.testing.assert_array_equal(given.chance, toy.chance)
        for part, expected in zip(examples, drawn, strict=True):
            np.testing.assert_array_equal(part, expected)
    assert {name: seen[name]["error"] for name in methods} == {
        "matching": 2.0,
        "covariate shift": 3.75,
        "unweighted": 2.5,
    }
    shown = {f"{name}: true and estimated" for name in ("matching", "covariate shift")}
    assert set(seen.kept) == (shown if repeat == 0 else set())


def test_weights_of_one_are_off_by_what_the_true_ones_differ_from_it():
    seen = wire(experiments.estimated_against_true_weights)
    toy = experiments.label_split_toy(seen.rng("toy", across=("examples",)))
    X, label, _ = toy.draw(250, seen.rng("examples"))
    true = toy.posterior(X, label) / toy.prior
    off = np.abs(true - 1).mean(axis=0) @ toy.prior
    assert seen["unweighted"]["error"] == pytest.approx(off)
    assert seen["matching"]["error"] < off
