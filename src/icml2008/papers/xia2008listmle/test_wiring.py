"""What is measured over starts and instances, and which learning rate is taken."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.methods.listwise.consistency import order_preserving
from icml2008.methods.listwise.targets import target_scores
from icml2008.papers.xia2008listmle import experiments
from icml2008.papers.xia2008listmle.enumeration import LOSSES
from icml2008.papers.xia2008listmle.lists import MAPPINGS, draw, minima_in_the_angle, rankers
from wiring import wire


class Noisy:
    """A ranker that scores as the truth does, less the more its rate differs from 0.01."""

    made = ()

    def __init__(self, learning_rate=0.01, random_state=0, **options):
        self.made.append((learning_rate, random_state, options))
        self.rate = learning_rate
        self.seed = random_state
        self.n_iter_ = 10 + random_state % 7
        self.coef_ = np.array([2.0, 3.0 + random_state % 5])

    def fit(self, X, y, lists):
        return self

    def predict(self, X):
        noise = np.random.default_rng(self.seed).normal(size=len(X))
        return X @ [1.0, 10.0] + (0.01 + 2 * abs(np.log10(self.rate) + 2)) * noise


@pytest.fixture
def noisy(monkeypatch):
    monkeypatch.setattr(Noisy, "made", [])
    return {"RankCosine-log": Noisy}


def expected(test, seeds):
    """Return accuracy, MAP and spread of rankers at 0.01, one list after the other."""
    accuracies = []
    precisions = []
    for seed in seeds:
        scores = Noisy(0.01, seed).predict(test.rows[0]).reshape(test.y.shape)
        right = 0
        inverse = 0
        for guess, truth in zip(scores, test.y, strict=True):
            right += list(np.argsort(-guess)) == list(np.argsort(-truth))
            inverse += 1 / (1 + sum(guess > guess[np.argmax(truth)]))
        accuracies.append(right / len(scores))
        precisions.append(inverse / len(scores))
    deviations = [value - np.mean(accuracies) for value in accuracies]
    spread = np.sqrt(sum(d**2 for d in deviations) / (len(seeds) - 1))
    return {
        "accuracy": pytest.approx(np.mean(accuracies)),
        "map": pytest.approx(np.mean(precisions)),
        "start-spread": pytest.approx(spread),
    }


@pytest.mark.parametrize("rate", ["validated", "0.01"])
def test_the_rate_of_the_best_validation_accuracy_is_tested(noisy, rate):
    wired = wire(experiments.descent_from_twenty_starts, methods=noisy, choices={"rate": rate})
    rates = [0.001, 0.01, 0.1] if rate == "validated" else [0.01]
    seeds = wired.rng("starts").integers(2**31, size=20).tolist()
    assert [call[:2] for call in Noisy.made] == [(r, seed) for r in rates for seed in seeds]
    means = expected(draw(wired.rng("test")), seeds)
    assert 0.1 < wired["RankCosine-log"]["accuracy"] < 1
    epochs = 10 + np.mean([seed % 7 for seed in seeds])
    assert wired["RankCosine-log"] == {**means, "rate": 0.01, "epochs": pytest.approx(epochs)}


@pytest.mark.parametrize(
    ("choices", "tol", "scale"),
    [({}, 1e-4, 0.1), ({"tolerance": "1e-7"}, 1e-7, 0.1), ({"start": "large"}, 1e-4, 1.0)],
)
def test_choices_of_the_descent_are_its_options_alone(noisy, choices, tol, scale):
    wire(experiments.descent_from_twenty_starts, methods=noisy, choices=choices)
    options = {"solver": "sgd", "tol": tol, "max_iter": 200, "init_scale": scale}
    assert all(call[2] == options for call in Noisy.made)
    assert {call[0] for call in Noisy.made} == {0.001, 0.01, 0.1}


def test_rows_of_the_table_have_the_mapping_of_their_name_and_the_bias_of_the_choice():
    for choice, bias in (("no", False), ("yes", True)):
        makes = rankers({"bias": choice})
        for name, make in makes.items():
            family, _, mapping = name.partition("-")
            ranker = make()
            assert (type(ranker).__name__, ranker.bias) == (family, bias)
            if mapping:
                assert MAPPINGS[mapping] in make.args


def test_minimisers_start_five_times_and_tell_their_slant(noisy):
    wired = wire(experiments.exact_minimisers, methods=noisy)
    seeds = wired.rng("starts").integers(2**31, size=5).tolist()
    assert [call[1:] for call in Noisy.made] == [(seed, {"tol": 1e-8}) for seed in seeds]
    slants = sorted((3.0 + seed % 5) / 2 for seed in seeds)
    several = minima_in_the_angle(draw(wired.rng("train")), target_scores(15, "log")) > 1
    assert wired["RankCosine-log"] == {
        **expected(draw(wired.rng("test")), seeds),
        "slant": pytest.approx(slants[2]),
        "several-minima": 100 * several,
    }


def test_more_than_one_minimum_is_a_hundred_percent(noisy, monkeypatch):
    for minima, percent in ((1, 0.0), (2, 100.0)):
        monkeypatch.setattr(experiments, "minima_in_the_angle", lambda *_, n=minima: n)
        wired = wire(experiments.exact_minimisers, methods=noisy)
        assert wired["RankCosine-log"]["several-minima"] == percent


@pytest.mark.parametrize("targets", ["linear", "random"])
def test_violations_are_the_largest_over_five_instances(monkeypatch, targets):
    places = []
    monkeypatch.setattr(
        experiments, "exchange_violation", lambda loss, s, p: places.append(p) or s.sum()
    )
    monkeypatch.setattr(experiments, "slope_violation", lambda loss, s, p: -s.sum())
    monkeypatch.setattr(experiments, "minimum_misses", lambda loss, p, at: int(200 * p[0]))
    points = iter(range(100))
    monkeypatch.setattr(
        experiments, "convexity_violation", lambda loss, rng, p: 50 - abs(next(points) - 30)
    )
    methods = {"ListMLE": next(iter(LOSSES.values()))}
    wired = wire(
        experiments.losses_over_all_orders,
        {"items": 5},
        methods=methods,
        choices={"targets": targets},
    )
    rng = wired.rng("instances")
    sums = []
    missed = []
    missed_any = []
    for at in range(5):
        shuffled = np.sort(rng.uniform(0.1, 5, size=5))[::-1]
        in_places = target_scores(5) if targets == "linear" else shuffled
        np.testing.assert_array_equal(places[at], in_places)
        sums.append(rng.normal(size=5).sum())
        missed.append(int(200 * order_preserving(5, rng)[0]))
        missed_any.append(int(200 * rng.dirichlet(np.ones(math.factorial(5)))[0]))
    assert 0 < missed_any.count(0) < 5
    assert wired["ListMLE"] == {
        "exchange": pytest.approx(max(sums)),
        "slopes": pytest.approx(-min(sums)),
        "missed": max(missed),
        "missed-any": max(missed_any),
        "nonconvexity": 50,
        "found-any": pytest.approx(20 * missed_any.count(0)),
    }
    assert wired.n_test["ListMLE"]["exchange"] == 5
    assert wired.n_test["ListMLE"]["nonconvexity"] == 100


def test_two_items_have_the_soundness_of_their_own_loss(monkeypatch):
    monkeypatch.setattr(experiments, "soundness", lambda loss: {"gain": loss.number})
    stubs = {name: SimpleNamespace(number=k) for k, name in enumerate(LOSSES)}
    wired = wire(experiments.losses_of_two_items, methods=stubs)
    assert [wired[name]["gain"] for name in stubs] == list(range(len(stubs)))
