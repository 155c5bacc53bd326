"""What is measured of nets and machines, at which setting, and what each choice changes."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.svm import SVC

from icml2008.papers.vincent2008denoising import experiments
from icml2008.papers.vincent2008denoising.experiments import CHOSEN, COSTS, GAMMAS, SEARCH
from icml2008.papers.vincent2008denoising.problems import flat, rectangles
from wiring import wire


@pytest.fixture
def nets(monkeypatch):
    """Return the calls of `learn`; its nets say 1 of every row."""
    calls = []

    def learn(setting, noise, tied, parts, seed):
        calls.append((setting, noise, tied, seed, [len(y) for _, y in parts]))
        return SimpleNamespace(predict=lambda X: np.ones(len(X), int)), 12.5 + noise

    monkeypatch.setattr(experiments, "learn", learn)
    return calls


def sample(wired, parts=3, across=(), apart=4):
    """Return rows and classes of the tiny problem."""
    rng = wired.rng("rows", across=across)
    sizes = (60, 40, 200)[:parts]
    X, y = rectangles(sum(sizes), rng, 8, apart)
    ends = np.cumsum(sizes)
    return [(X[end - n : end], y[end - n : end]) for n, end in zip(sizes, ends, strict=True)]


def test_rows_are_as_many_as_in_the_benchmark():
    assert experiments.SIZES["rect"] == (1000, 200, 50_000)
    assert experiments.SIZES["convex"] == (6500, 1500, 50_000)
    assert experiments.USUAL == (10_000, 2000, 50_000)
    assert experiments.FRESH["rect"] == (rectangles, 28)
    assert experiments.FRESH["convex"][1] == 28


@pytest.mark.parametrize("weights", ["tied", "untied"])
def test_a_search_measures_the_validation_error_of_the_setting_of_its_repeat(nets, weights):
    wired = wire(experiments.run_search, repeat=1, choices={"weights": weights})
    noisy, plain = nets
    assert noisy[:3] == (SEARCH[1], SEARCH[1].noise, weights == "tied")
    assert plain[:3] == (SEARCH[1], 0.0, weights == "tied")
    assert noisy[4] == [60, 40]
    assert wired["SdA-3"]["validation"] == 12.5 + SEARCH[1].noise
    assert wired["SAA-3"]["validation"] == 12.5
    assert wired.n_test["SAA-3"]["validation"] == 40
    wire(experiments.run_search, repeat=0)
    assert nets[2][3] == noisy[3]  # one seed in all repeats


@pytest.mark.parametrize("changed", [{}, {"weights": "untied"}, {"sides": "3"}])
def test_table_1_has_the_test_error_of_the_setting_that_the_search_chose(nets, changed):
    wired = wire(experiments.run_table_1, choices=changed)
    universe = "+".join(f"{name}={value}" for name, value in changed.items()) or "default"
    chosen = CHOSEN["tiny", universe]
    y = sample(wired, apart=int(changed.get("sides", "4")))[2][1]
    for method, call, at in zip(("SdA-3", "SAA-3"), nets, chosen, strict=True):
        setting = SEARCH[at]
        assert call[0] == setting
        assert call[1] == (setting.noise if method == "SdA-3" else 0.0)
        assert call[2] is (changed.get("weights") != "untied")
        wide = 100.0 if setting.first > 64 else 0.0
        assert wired[method] == {
            "error": pytest.approx(100 * np.mean(y != 1)),
            "overcomplete": wide,
        }
        assert wired.n_test[method]["error"] == 200


@pytest.mark.parametrize("sides", ["3", "4"])
def test_the_machine_of_the_least_validation_error_is_tested(sides):
    wired = wire(experiments.run_support_vectors, choices={"sides": sides})
    (X, y), valid, test = sample(wired, apart=int(sides))
    errors = {}
    for gamma, cost in itertools.product(GAMMAS, COSTS):
        machine = SVC(C=cost, gamma=gamma).fit(X, y)
        errors[gamma, cost] = [100 - 100 * machine.score(*part) for part in (valid, test)]
    least = min(error for error, _ in errors.values())
    first = next(test for valid, test in errors.values() if valid == least)
    assert wired["SVM"]["error"] == pytest.approx(first)
    assert wired.n_test["SVM"]["error"] == 200


def test_digits_are_rows_with_their_classes_changed_as_the_problem_says(monkeypatch):
    images = np.random.default_rng(1).integers(0, 256, size=(70, 3, 3)).astype(np.uint8)
    mnist = SimpleNamespace(images=images, y=np.arange(70) % 10)
    monkeypatch.setattr(experiments, "USUAL", (30, 10, 20))
    seen = {}

    def learn(setting, noise, tied, parts, seed):
        seen["parts"] = parts
        return SimpleNamespace(predict=lambda X: np.zeros(len(X), int)), 0.0

    monkeypatch.setattr(experiments, "learn", learn)
    monkeypatch.setattr(experiments, "rotate", lambda X, rng: X + rng.random())
    monkeypatch.setattr(experiments, "scatter", lambda X, rng: X - rng.random())
    for problem, sign in (("basic", 0), ("rot", 1), ("bg-rand", -1)):
        wired = wire(experiments.run_table_1, {"problem": problem}, data={"mnist": mnist})
        rows = wired.rng("rows").permutation(70)[:60]
        X = flat(images[rows]) + sign * wired.rng("change").random()
        y = mnist.y[rows]
        parts = seen["parts"]
        for number, part in enumerate((slice(30), slice(30, 40), slice(40, 60))):
            np.testing.assert_allclose(parts[number][0], X[part])
            np.testing.assert_array_equal(parts[number][1], y[part])
        assert wired["SAA-3"]["error"] == pytest.approx(100 * np.mean(y[40:] != 0))


@pytest.mark.parametrize("weights", ["tied", "untied"])
def test_filters_are_beside_their_start_and_rise_with_noise(monkeypatch, weights):
    made = []

    class Layer:
        """Its filters move by the rate times the noise at which they are learnt."""

        def __init__(self, units, *, noise, tied, batch_size, n_iter, random_state):
            made.append((units, noise, tied, batch_size, n_iter))
            self.rate = 1.0
            self.noise = noise

        def set_params(self, learning_rate, n_iter):
            self.rate = learning_rate
            return self

        def fit(self, X):
            start = np.array([[1.0, 2], [2, 1], [3, 3], [4, 1]])
            self.coef_ = start + self.rate * (self.noise + 1) * np.array(
                [[0.0, 1], [1, 1], [0, 1], [0, 1]]
            )
            return self

    monkeypatch.setattr(experiments, "DenoisingAutoencoder", Layer)
    images = np.random.default_rng(1).integers(0, 256, size=(100, 3, 3)).astype(np.uint8)
    wired = wire(
        experiments.run_filters,
        choices={"weights": weights},
        data={"mnist": SimpleNamespace(images=images)},
    )
    assert made == [(20, noise, weights == "tied", 20, 2) for noise in (0.0, 0.25, 0.5)]
    for name, noise in (("none", 0.0), ("25 %", 0.25), ("50 %", 0.5)):
        # The second filter moves as a whole, the first in one pixel.
        r = np.corrcoef([1, 2, 3, 4], [1, 3 + noise, 3, 4])[0, 1]
        assert wired[name]["kept"] == pytest.approx(100 * (r**2 + 1) / 2)
        assert wired[name]["reach"] == pytest.approx((1 + 4) / 2)


def test_violations_of_the_bounds_are_the_largest_of_five(monkeypatch):
    numbers = iter(range(1000))
    scores = [float(k % 3) for k in range(1000)]
    monkeypatch.setattr(experiments, "entropy", lambda q, *labels: 10.0 ** len(labels))
    monkeypatch.setattr(experiments, "fit", lambda tiny, theta, Y: theta[4] + np.sum(Y))
    drawn = experiments.parameters
    monkeypatch.setattr(experiments, "parameters", lambda rng: [*drawn(rng), scores[next(numbers)]])
    monkeypatch.setattr(experiments, "codes", lambda tiny, theta: np.zeros(1))
    monkeypatch.setattr(
        experiments, "evidence", lambda tiny, theta, side: (side + theta[4], 7 * theta[4], Z)
    )
    wired = wire(experiments.run_bounds)
    pairs = [(scores[2 * k], scores[2 * k + 1]) for k in range(5)]
    # H[X] = H[Y] = 10 and H[X, Y] = 100; the information is H[X] + H[Y] - H[X, Y].
    assert wired["autoencoder"] == {
        "information": max(10 + a + 80 for a, _ in pairs),
        "evidence": max(7 * a - (8 + a) for a, _ in pairs),
        "criterion": max(abs(7 * a - 7 * b - a + b) for a, b in pairs),
    }
    assert wired.n_test["autoencoder"]["evidence"] == 5


Z = np.zeros(1)
