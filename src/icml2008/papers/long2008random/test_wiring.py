"""What is measured of boosters, and what each choice changes."""

import numpy as np
import pytest

from icml2008.papers.long2008random import experiments
from icml2008.papers.long2008random.method.convex import ConvexPotentialBooster
from icml2008.papers.long2008random.method.hard import hard_sample
from icml2008.papers.long2008random.method.martingale import MartingaleBooster
from icml2008.papers.long2008random.samples import binary_sample
from wiring import wire

RNG = np.random.default_rng


class Guess:
    """Names the label of the first feature; its stages are ever better sums of features."""

    seen = ()

    def __init__(self, noise_rate=None):
        self.noise_rate = noise_rate

    def fit(self, X, y, sample_weight=None):
        self.seen.append((self.noise_rate, X, y, sample_weight))
        return self

    def predict(self, X):
        return X[:, 0]

    def staged_decision_function(self, X):
        yield X[:, 0]
        yield X[:, :11].sum(axis=1)
        yield X[:, 0] * 0.0


@pytest.fixture(autouse=True)
def _nothing_is_seen(monkeypatch):
    monkeypatch.setattr(Guess, "seen", [])
    monkeypatch.setattr(Booster, "made", [])


def flips(wired, y, across=()):
    return np.where(wired.rng("noise", across=across).random(len(y)) < 0.1, -y, y)


@pytest.mark.parametrize("labels", ["noisy", "clean"])
@pytest.mark.parametrize("groups", ["exact", "random"])
def test_training_error_is_on_the_chosen_labels(labels, groups):
    wired = wire(
        experiments.three_boosters,
        methods={"guess": Guess},
        choices={"labels": labels, "groups": groups},
    )
    X, y = binary_sample(wired.rng("sample"), groups)
    noisy = flips(wired, y)
    ((noise, seen_X, seen_y, _),) = Guess.seen
    assert noise == 0.1
    np.testing.assert_array_equal(seen_X, X)
    np.testing.assert_array_equal(seen_y, noisy)
    judged = noisy if labels == "noisy" else y
    assert wired["guess"] == pytest.approx(
        {
            "training_error": 100 * np.mean(X[:, 0] != judged),
            "clean_error": 100 * np.mean(X[:, 0] != y),
            "majority_error": 0.0,
        }
    )
    assert wired.n_test["guess"]["clean_error"] == 4000


def test_the_majority_is_wrong_where_its_vote_is_against_the_label_or_none():
    X = np.array([[1.0, 1, -1], [1, -1, -1], [1, -1, 0]])
    assert experiments.majority_error(X, np.array([1, 1, 1])) == pytest.approx(200 / 3)


@pytest.mark.parametrize("groups", ["exact", "random"])
def test_the_least_error_is_that_of_the_best_stage(groups):
    wired = wire(
        experiments.errors_at_all_stages, methods={"guess": Guess}, choices={"groups": groups}
    )
    X, y = binary_sample(wired.rng("sample"), groups)
    errors = [np.mean(X[:, 0] != y), np.mean(X[:, :11].sum(axis=1) * y <= 0), 1.0]
    assert wired["guess"]["least_error"] == pytest.approx(100 * min(errors))
    ((_, both, labels, weights),) = Guess.seen
    assert len(both) == 8000
    assert np.sum(weights[labels == np.concatenate([y, y])]) / sum(weights) == pytest.approx(0.9)


@pytest.mark.parametrize("step", ["line-search", "own"])
@pytest.mark.parametrize("complements", ["no", "yes"])
def test_boosters_are_those_of_their_names_and_choices(step, complements):
    made = experiments.papers_boosters({"step": step, "complements": complements})
    steps = {"AdaBoost": "weighted-error", "LogitBoost": "newton", "MadaBoost": "weighted-error"}
    potentials = {"AdaBoost": "exponential", "LogitBoost": "logistic", "MadaBoost": "madaboost"}
    usual = ConvexPotentialBooster("logistic", 1).step
    for name, potential in potentials.items():
        booster = made[name]()
        assert booster.potential == potential
        assert booster.step == (steps[name] if step == "own" else usual)
    clipped = made["LogitBoost, clipped"]()
    assert (clipped.potential, clipped.step, clipped.clip) == ("logistic", "newton", 4.0)
    for make in made.values():
        booster = make()
        assert booster.complements is (complements == "yes")
        assert booster.weak_learner == "features"
        assert booster.n_rounds == 100


def test_errors_along_the_noise_are_of_one_sample():
    wired = wire(experiments.along_the_noise, {"noise": 0.1}, methods={"guess": Guess})
    X, y = binary_sample(wired.rng("sample", across=("noise",)))
    noisy = flips(wired, y, ("noise",))
    assert wired["guess"] == pytest.approx(
        {
            "clean_error": 100 * np.mean(X[:, 0] != y),
            "training_error": 100 * np.mean(X[:, 0] != noisy),
        }
    )
    other = wire(experiments.along_the_noise, {"noise": 0.3}, methods={"guess": Guess})
    assert other["guess"]["clean_error"] == wired["guess"]["clean_error"]
    assert other["guess"]["training_error"] > wired["guess"]["training_error"]


def test_todays_boosters_have_a_hundred_rounds_and_features_alone():
    made = {name: make() for name, make in experiments.todays_boosters({}).items()}
    for name, potential in {**experiments.PAPERS, "squared hinge": "squared-hinge"}.items():
        assert (made[name].potential, made[name].n_rounds) == (potential, 100)
        assert made[name].complements is False
    assert made["AdaBoostClassifier"].n_estimators == 100
    assert made["GradientBoosting, stumps"].max_depth == 1
    assert made["GradientBoosting, stumps"].learning_rate == 1.0
    assert made["HistGradientBoosting"].max_iter == 100
    assert made["branching program"].complements is False


class Booster:
    """Scores the first coordinate less half the second; of votes it has a tenth of the best."""

    made = ()

    def __init__(self, potential, n_rounds, **how):
        self.made.append((potential, n_rounds, how))

    def fit(self, X, y, weights):
        self.noisy = weights.min() > 0 and len(weights) > 4
        self.votes_ = np.array([0.25])
        self.keys_ = np.array([1])
        return self

    def decision_function(self, X):
        return X[:, 0] if not self.noisy else X[:, 0] * 0 - 1


def test_theorem_3_is_measured_on_its_own_sample():
    cell = {"potential": "exponential", "noise": 0.2}
    wired = wire(experiments.four_examples, cell, methods={"B_phi": Booster})
    sample = hard_sample("exponential", 0.2)
    assert [made[1:] for made in Booster.made] == [
        (n, {"weak_learner": "features", "complements": False}) for n in (100, 500)
    ]
    metrics = wired["B_phi"]
    points = sample.X
    votes = sample.minimiser
    slopes = sample.gradient(np.zeros(2))
    largest = max(abs(slopes))
    length = np.hypot(*votes)
    along = slopes @ votes / length
    across = abs(slopes[0] * votes[1] - slopes[1] * votes[0]) / length
    assert metrics["gamma"] == pytest.approx(sample.gamma)
    assert metrics["gamma_excess"] == pytest.approx(max(sample.gamma - 1 / 6, -sample.gamma))
    least = min(points[:, 0])
    longest = max(np.hypot(*point) for point in points)
    assert metrics["margin_excess"] == pytest.approx(
        max(sample.gamma - least, longest - 1), abs=1e-12
    )
    assert metrics["gradient"] == pytest.approx(
        max(abs(sample.gradient(votes))) / largest, abs=1e-9
    )
    assert metrics["slope_excess"] == pytest.approx((across + along) / largest)
    assert metrics["first_step_gap"] == pytest.approx(abs(0.25 / length - 1))
    wrong = [point @ votes <= 0 for point in points]
    assert metrics["error_at_minimum"] == 100 * np.mean(wrong) == 50
    assert metrics["error_after"] == 100
    rotated = sample.rotated()
    assert metrics["noise_free_error"] == 100 * np.mean(rotated[:, 0] <= 0)
    assert wired.n_test["B_phi"]["gamma"] == 1
    assert wired.n_test["B_phi"]["error_after"] == 4


def test_the_pictured_surface_is_the_potential_about_its_least_value():
    cell = {"potential": "exponential", "noise": experiments.NOISE}
    kept = wire(experiments.four_examples, cell, methods={"B_phi": Booster}).kept
    assert (kept["axis"][0], kept["axis"][-1], len(kept["axis"])) == (-0.5, 2.5, 41)
    sample = hard_sample("exponential", experiments.NOISE)
    for row, column in ((0, 40), (7, 3)):
        votes = kept["axis"][[column, row]]
        assert kept["surface"][row, column] == pytest.approx(sample.value(votes), abs=1e-5)
    np.testing.assert_array_equal(kept["minimiser"], sample.minimiser)
    np.testing.assert_array_equal(kept["examples"], sample.X)


def test_a_branching_program_has_an_odd_number_of_rounds_by_the_margin():
    made = []

    class Program(MartingaleBooster):
        def __init__(self, n_rounds, *, noise_rate):
            made.append((n_rounds, noise_rate))
            super().__init__(n_rounds, noise_rate=noise_rate)

        def fit(self, X, y, sample_weight):
            made.append((X, y))
            return self

        def decision_function(self, X):
            return np.array([1.0, -1.0, 0.0, 2.0])

    cell = {"potential": "exponential", "noise": 0.2}
    wired = wire(experiments.branching_programs, cell, methods={"branching program": Program})
    sample = hard_sample("exponential", 0.2)
    n = int(1 / sample.gamma**2)
    (rounds, noise), (X, y) = made
    assert (rounds, noise) == (n + (n % 2 == 0), 0.2)
    assert len(X) == 16
    # Each example is there with its mirror image, whose label is the other one.
    assert np.allclose(sorted((X * y[:, None])[:, 0]), sorted((-X * -y[:, None])[:, 0]))
    assert abs(X.sum()) < 1e-9
    assert wired["branching program"]["error_after"] == 50


def test_a_drawn_potential_is_one_for_all_noises():
    first = wire(
        experiments.four_examples, {"potential": "drawn", "noise": 0.1}, methods={"B_phi": Booster}
    )
    assert first.failed == {}
    again = experiments.drawn_potential(first.rng("potential", across=("noise",)))
    sample = hard_sample(again, 0.1)
    assert first["B_phi"]["gamma"] == pytest.approx(sample.gamma)
    z = np.array([-1.0, 0.5])
    step = 1e-6
    slopes = (again.value(z + step) - again.value(z - step)) / (2 * step)
    np.testing.assert_allclose(again.slope(z), slopes, rtol=1e-5)
