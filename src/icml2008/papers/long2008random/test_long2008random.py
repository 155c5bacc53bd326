from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.catalogue.library import load_experiment
from icml2008.harness.trial import Trial, run_trial
from icml2008.papers.long2008random import experiments
from icml2008.papers.long2008random.method.potentials import check_potential
from icml2008.papers.long2008random.samples import binary_sample, flipped, some

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=10)
@given(seeds, st.sampled_from(["exact", "random"]))
def test_the_majority_of_the_features_is_always_right(seed, groups):
    X, y = binary_sample(np.random.default_rng(seed), groups)
    assert X.shape == (4000, 21)
    assert set(np.unique(X)) == {-1.0, 1.0}
    assert experiments.majority_error(X, y) == 0


def test_the_three_groups_agree_with_their_labels_as_printed():
    X, y = binary_sample(np.random.default_rng(0))
    agreeing = X * y[:, None] > 0
    first = agreeing[:, :11].sum(axis=1)
    last = agreeing[:, 11:].sum(axis=1)
    kinds, counts = np.unique(np.stack([first, last], axis=1), axis=0, return_counts=True)
    assert kinds.tolist() == [[5, 6], [11, 0], [11, 10]]
    assert counts.tolist() == [2000, 1000, 1000]


def test_random_groups_have_the_sizes_on_average():
    rng = np.random.default_rng(0)
    pullers = [np.sum(np.abs(binary_sample(rng, "random")[0].sum(axis=1)) == 1) for _ in range(30)]
    # Pullers and penalizers alike have a majority of one; 3000 of them, five deviations.
    assert abs(np.mean(pullers) - 3000) < 5 * np.sqrt(4000 * 0.75 * 0.25 / 30)
    assert np.std(pullers) > 0


def test_each_feature_of_a_penalizer_agrees_equally_often():
    rows = some(np.random.default_rng(0), 5, 11, 20_000)
    assert (rows.sum(axis=1) == 5).all()
    # Five deviations of a binomial share.
    assert np.abs(rows.mean(axis=0) - 5 / 11).max() < 5 * np.sqrt(5 / 11 * 6 / 11 / 20_000)


def test_labels_are_flipped_at_the_rate_of_noise():
    y = np.ones(100_000)
    share = np.mean(flipped(y, 0.1, np.random.default_rng(0)) < 0)
    assert abs(share - 0.1) < 5 * np.sqrt(0.1 * 0.9 / 100_000)
    assert (flipped(y, 0.0, np.random.default_rng(0)) == y).all()


@settings(max_examples=15)
@given(seeds)
def test_drawn_potentials_are_convex_potentials(seed):
    check_potential(experiments.drawn_potential(np.random.default_rng(seed)), reach=20.0)


@pytest.mark.parametrize("step", ["line-search", "own"])
@pytest.mark.parametrize("complements", ["no", "yes"])
def test_choices_make_the_boosters_that_they_name(step, complements):
    made = experiments.papers_boosters({"step": step, "complements": complements})
    clipped = made.pop(experiments.CLIPPED)()
    assert (clipped.potential, clipped.step, clipped.clip) == ("logistic", "newton", 4.0)
    assert clipped.complements == (complements == "yes")
    steps = {name: make().step for name, make in made.items()}
    assert {name: make().potential for name, make in made.items()} == experiments.PAPERS
    assert {make().complements for make in made.values()} == {complements == "yes"}
    if step == "line-search":
        assert set(steps.values()) == {"line-search"}
    else:
        assert steps == {
            "AdaBoost": "weighted-error",
            "LogitBoost": "newton",
            "MadaBoost": "weighted-error",
        }
    assert {make().clip for make in made.values()} == {None}


def test_a_booster_is_told_the_noise_if_it_asks():
    class Knows:
        def __init__(self, noise_rate):
            self.noise_rate = noise_rate

    assert experiments.made(Knows, 0.2).noise_rate == 0.2
    assert isinstance(experiments.made(list, 0.2), list)


def test_a_score_of_zero_is_an_error():
    class Silent:
        def decision_function(self, X):
            return np.zeros(len(X))

    assert experiments.error_of(Silent(), np.zeros((4, 2)), np.ones(4)) == 100


class RightOnce:
    """A booster that is right at its second of three stages, and checks what it is given."""

    def fit(self, X, y, sample_weight):
        assert sample_weight @ (y * X.sum(axis=1) > 0) == pytest.approx(0.9)
        return self

    def staged_decision_function(self, X):
        return iter([np.ones(len(X)), X.sum(axis=1), -X.sum(axis=1)])


def test_tolerance_is_judged_at_the_best_stage_on_the_noisy_distribution():
    declared = load_experiment("long2008random", "tolerance")
    instead = replace(declared, methods=lambda choices: {"right once": RightOnce})
    trial = Trial(
        "long2008random", instead, {"noise": 0.1}, 0, choices={"groups": "exact"}, load=None
    )
    [line] = run_trial(trial)
    assert (line["metric"], line["value"]) == ("least_error", 0)
