"""What the trials record, on learners whose mistakes are known."""

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .bounds import NORM, banditron_bound, hinge_loss, perceptron_bound, separator
from .curves import checkpoints, slope
from .method import Banditron, MulticlassPerceptron
from .topics import NOISE, draw_documents, draw_topics


class Known:
    """Is wrong at a share of the examples that is least at gamma = 0.03, and a little by seed."""

    ties = None

    def __init__(self, gamma=0.0, random_state=0):
        self.share = 0.1 + abs(gamma - 0.03) + random_state / 2**35
        self.seen = 0
        self.n_mistakes_ = 0

    def partial_fit(self, X, y, classes=None):
        self.seen += len(y)
        self.n_mistakes_ = round(self.share * self.seen) + round(np.sqrt(self.seen))
        return self


class Once:
    def __init__(self):
        self.n_mistakes_ = 0
        self.seen = 0

    def partial_fit(self, X, y, classes=None):
        self.seen += len(y)
        self.n_mistakes_ = self.seen // 4
        return self


@pytest.fixture
def quick(monkeypatch):
    """Learners are taught by themselves, in the pieces between checkpoints."""

    def error_curves(learners, draw, n, classes):
        curves = {name: [] for name in learners}
        start = 0
        for stop in checkpoints(n):
            X, y = draw(start, int(stop)) if start == -1 else (None, np.zeros(int(stop) - start))
            for name, learner in learners.items():
                learner.partial_fit(X, y)
                curves[name].append(learner.n_mistakes_ / stop)
            start = int(stop)
        return {name: np.array(curve) for name, curve in curves.items()}

    monkeypatch.setattr(experiments, "error_curves", error_curves)


@pytest.mark.parametrize("lowest", ["0", "0.001", "0.01"])
def test_the_best_rate_is_that_of_the_least_mean_final_error(quick, lowest):
    methods = {"Perceptron": Once, "Banditron": Known}
    choices = {"lowest-gamma": lowest}
    seen = wire(experiments.error_along_a_stream, methods=methods, choices=choices)
    points = checkpoints(20_000)
    gammas = [gamma for gamma in experiments.GAMMAS if gamma >= float(lowest)]
    final = {}
    for gamma in gammas:
        seeds = seen.rng(f"Banditron {gamma}").integers(2**31, size=10).tolist()
        curves = []
        for seed in seeds:
            share = 0.1 + abs(gamma - 0.03) + seed / 2**35
            curves.append([(round(share * n) + round(np.sqrt(n))) / n for n in map(int, points)])
        final[gamma] = np.mean(curves, axis=0)
    best = final[0.03]
    ends = {gamma: 100 * curve[-1] for gamma, curve in final.items()}
    inner = min(ends[gamma] for gamma in gammas[1:-1])
    early = slope(best, points, 1e3, 1e4)
    late = slope(best, points, 1e4, 20_000)
    assert seen["Banditron"] == pytest.approx(
        {
            "error": ends[0.03],
            "slope": late,
            "early_slope": early,
            "bend": early - late,
            "gamma": 0.03,
            "left_rise": ends[gammas[0]] - inner,
            "right_rise": ends[gammas[-1]] - inner,
        }
    )
    assert seen["Perceptron"]["error"] == pytest.approx(25)
    assert "gamma" not in seen["Perceptron"]
    np.testing.assert_allclose(seen.kept["final errors of Banditron"], list(ends.values()))
    np.testing.assert_allclose(seen.kept["curve of Banditron"], best)


@pytest.mark.parametrize("dataset", ["synsep", "synnonsep"])
@pytest.mark.parametrize("ties", ["first", "random"])
def test_excess_is_of_mistakes_over_the_bound_in_percent_of_the_rounds(monkeypatch, dataset, ties):
    monkeypatch.setattr(experiments, "SEQUENCE", 400)
    monkeypatch.setattr(experiments, "RUNS", 3)
    cell = {"dataset": dataset}
    seen = wire(experiments.mistakes_against_bounds, cell, choices={"ties": ties})
    topics = draw_topics(seen.rng("topics"))
    noise = NOISE if dataset == "synnonsep" else 0.0
    X, y = draw_documents(topics, 400, seen.rng("documents"), noise)
    X = X / NORM
    seeds = seen.rng("runs").integers(2**31, size=3).tolist()
    classes = range(9)
    known = MulticlassPerceptron(ties=ties, random_state=seeds[0]).partial_fit(X, y, classes)
    runs = [
        Banditron(0.2, ties=ties, random_state=seed).partial_fit(X, y, classes) for seed in seeds
    ]
    W = separator(topics)
    loss = hinge_loss(W, X, y)
    D = 2 * np.linalg.norm(W) ** 2
    mistakes = {
        "Perceptron": (known.n_mistakes_, perceptron_bound(loss, D)),
        "Banditron": (
            sum(run.n_mistakes_ for run in runs) / 3,
            banditron_bound(loss, D, 9, 0.2, 400),
        ),
    }
    for name, (count, bound) in mistakes.items():
        expected = {"excess": (count - bound) / 4, "bound": bound / 4}
        assert seen[name] == pytest.approx(expected)
        assert seen.n_test[name]["excess"] == 1


def test_halving_reports_the_most_mistakes_of_twenty_over_k_log_h():
    drawn = []

    def count(k, n, rng):
        drawn.append(int(rng.integers(100)))
        return k * 1000 + n + drawn[-1]

    cell = {"classes": 3, "hypotheses": 10}
    seen = wire(experiments.halving_against_bound, cell, methods={"halving": count})
    own = [int(seen.rng(f"class {case}").integers(100)) for case in range(20)]
    assert drawn == own
    expected = (3010 + max(own)) / (3 * np.log(10)) - 1
    assert seen["halving"]["halving_excess"] == pytest.approx(expected)
    assert seen.n_test["halving"]["halving_excess"] == 20


def test_updates_are_compared_with_the_perceptrons_and_with_lemma_5(monkeypatch):
    """Updates that are a tenth too large have a tenth of the perceptron's as bias."""
    exact = experiments.update_weights
    monkeypatch.setattr(experiments, "update_weights", lambda *given: 1.1 * exact(*given))
    for gamma in (0.01, 0.5):
        seen = wire(experiments.updates_by_enumeration, {"gamma": gamma})
        rng = seen.rng("rounds")
        excess = []
        for _ in range(200):
            k = int(rng.integers(2, 20))
            greedy, right = rng.integers(k, size=2)
            squares = 0.0
            for drawn in range(k):
                chance = gamma / k + (1 - gamma) * (drawn == greedy)
                update = np.zeros(k)
                update[right] += (drawn == right) / chance
                update[greedy] -= 1
                squares += chance * np.sum((1.1 * update) ** 2)
            excess.append(squares / (2 * gamma if right == greedy else 2 * k / gamma) - 1)
        assert seen["Banditron"] == pytest.approx({"bias": 0.1, "norm_excess": max(excess)})
        assert seen.n_test["Banditron"] == {"bias": 200, "norm_excess": 200}


@pytest.mark.parametrize("order", ["time", "shuffled"])
def test_newswire_is_passed_in_time_or_shuffled_with_one_rate(monkeypatch, order):
    n = 1000
    X = np.arange(n)
    y = np.arange(n) % 4
    monkeypatch.setattr(experiments.newswire, "bags_of_words", lambda data: (X, y))
    taught = []

    class Spy(Once):
        def __init__(self, gamma=0.0):
            super().__init__()
            taught.append(gamma)

    def error_curves(learners, draw, n, classes):
        taught.append(draw(10, 20))
        assert list(classes) == [0, 1, 2, 3]
        return {name: np.linspace(0.5, 0.2, len(checkpoints(n))) for name in learners}

    monkeypatch.setattr(experiments, "error_curves", error_curves)
    seen = wire(
        experiments.newswire_errors,
        methods={"Banditron": Spy, "Perceptron": Once},
        data={"reuters-21578": None},
        choices={"order": order},
    )
    rate, (rows, labels) = taught
    assert rate == 0.05
    expected = X if order == "time" else seen.rng("order").permutation(n)
    np.testing.assert_array_equal(rows, expected[10:20])
    np.testing.assert_array_equal(labels, rows % 4)
    curve = np.linspace(0.5, 0.2, len(checkpoints(n)))
    late = slope(curve, checkpoints(n), n / np.sqrt(10), n)
    assert seen["Banditron"] == pytest.approx({"error": 20, "slope": late})


def test_ties_reach_both_methods():
    for ties in ("first", "random"):
        for make in experiments.methods({"ties": ties}).values():
            assert make().ties == ties
