"""What is measured of trained machines, and which of the tried settings is taken."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.papers.tieleman2008pcd import experiments
from icml2008.papers.tieleman2008pcd.pictures import energy_distance, shapes
from wiring import wire


@pytest.fixture
def mnist():
    rng = np.random.default_rng(1)
    images = rng.integers(0, 256, size=(70_000, 2, 2)).astype(np.uint8)
    return {"mnist": SimpleNamespace(images=images, y=np.arange(70_000) // 3 % 10)}


@pytest.fixture
def machine(monkeypatch):
    """Return the calls that learn; a machine is its rate, and likes 0.3 best of all."""
    calls = []

    def trained(machine, method, hidden, updates, blocks, rate, rng):
        decay = getattr(machine, "keywords", {}).get("weight_decay", 0.0)
        calls.append((method, hidden, updates, rate, decay))
        guess = SimpleNamespace(predict=lambda X: np.full(len(X), 3 if rate == 0.3 else 99))
        return SimpleNamespace(rate=rate, decay=decay, **vars(guess))

    def fit(model, X, rng, betas):
        assert betas[-1] == 1
        return 5 - abs(model.rate - 0.3) - 100 * abs(model.decay - 1e-3) + len(X)

    monkeypatch.setattr(experiments, "trained", trained)
    monkeypatch.setattr(experiments, "annealed", fit)
    monkeypatch.setattr(experiments, "fit", lambda model, X, log_z: 7 * model.rate + len(X))
    monkeypatch.setattr(experiments, "enumerate_partition", lambda model: 0.0)
    return calls


def test_the_best_score_is_the_largest_and_what_diverged_has_none():
    assert experiments.best("abc", [1.0, 3.0, 2.0]) == "b"
    assert experiments.best("abc", [np.nan, -3.0, np.nan]) == "b"


def test_algorithms_are_what_their_names_say():
    assert experiments.ALGORITHMS == {
        "PCD": ("pcd", 1, 1),
        "CD-1": ("cd", 1, 1),
        "CD-10": ("cd", 10, 4),
        "MF CD": ("mfcd", 1, 1),
    }


def test_a_field_is_measured_on_test_patches_at_the_rate_that_is_best_on_validation(
    monkeypatch, mnist
):
    class Fields:
        optimum = 10.0
        pseudo_optimum = 20.0
        start = 0.0
        entropy = 4.5
        moments = (None,)

        def __init__(self, images, side, by, rng):
            assert (len(images), side, by) == (500, 3, "patches")

        def draw(self, rng, n):
            raise AssertionError

        def fits(self, S):
            return [S + 3, -abs(S - 0.3), 100 * S]

    monkeypatch.setattr(experiments, "Split", Fields)
    monkeypatch.setattr(experiments, "FIELD_RATES", [0.1, 9, 9, 0.4])
    monkeypatch.setattr(experiments, "persistent", lambda moments, batch, rng: 1.0)
    monkeypatch.setattr(experiments, "pseudo", lambda draw, size: 2.0)
    monkeypatch.setattr(
        experiments, "climb", lambda start, gradients, updates, rate: rate * gradients
    )
    wired = wire(experiments.run_mrf, data=mnist)
    # PL's fields are twice their rate: 0.2 and 0.8; PCD's 0.1 and 0.4. The best is next to 0.3.
    assert wired["PL"] == pytest.approx({"fit": 20, "rate": np.log(0.1)})
    assert wired["PCD"] == pytest.approx({"fit": 40, "rate": np.log(0.4)})
    assert wired["exact"] == {"fit": 1000, "gap": 13 - 1000, "entropy": 4.5}
    assert wired["PL optimum"] == {"fit": 2000, "gap": 23 - 2000, "entropy": 4.5}
    assert wired["independent"] == {"fit": 0, "gap": 3, "entropy": 4.5}


@pytest.mark.parametrize("name", ["run_hidden_25", "run_hidden_500"])
def test_the_rate_of_the_largest_validation_likelihood_learns_what_is_tested(name, mnist, machine):
    wired = wire(getattr(experiments, name), data=mnist)
    # Every fiftieth of 10,000 test digits; of 1.0 and 0.3 the machine likes 0.3.
    by_sum = 7 * 0.3 + 200
    expected = by_sum if name == "run_hidden_25" else 5 - 0.1 + 200
    for method, how in experiments.ALGORITHMS.items():
        assert wired[method]["fit"] == pytest.approx(expected)
        rates = [call[3] for call in machine if call[0] == how]
        # PCD and CD-1, etc., are told apart by how they learn.
        assert rates == [0.3, 1.0, 0.3]


@pytest.mark.parametrize("name", ["run_hidden_25", "run_hidden_500", "run_samples"])
def test_rates_are_judged_by_the_last_ten_thousand_training_digits(monkeypatch, name, machine):
    images = np.zeros((70_000, 2, 2), np.uint8)
    images[50_000:60_000] = 255
    shown = []

    def fit(model, X, rng, betas):
        shown.append((model.rate, len(X), X.mean()))
        return 0.0

    monkeypatch.setattr(experiments, "annealed", fit)
    data = {"mnist": SimpleNamespace(images=images)}
    wire(getattr(experiments, name), data=data, methods={"CD-1": ("cd", 1, 1)})
    assert shown[:2] == [(0.3, 200, 1.0), (1.0, 200, 1.0)]
    assert all(mean == 0 for *_, mean in shown[2:])


def test_independent_pixels_have_the_rates_of_other_digits(mnist):
    images = mnist["mnist"].images
    wired = wire(experiments.run_hidden_25, data=mnist, methods={"independent": None})
    test = experiments.drawn(wired.rng("test"), images[60_000::50])
    others = experiments.drawn(wired.rng("others"), images[:50_000:250])
    p = (others.sum(axis=0) + 0.5) / (len(others) + 1)
    plain = np.mean(np.sum(test * np.log(p) + (1 - test) * np.log(1 - p), axis=1))
    assert wired["independent"]["fit"] == pytest.approx(plain)


def test_the_error_is_the_percentage_of_test_digits_that_are_missed(mnist, machine):
    wired = wire(experiments.run_classify, data=mnist)
    y = mnist["mnist"].y[60_000::50]
    for method in experiments.ALGORITHMS:
        assert wired[method]["error"] == pytest.approx(100 * np.mean(y != 3))
        assert wired.n_test[method]["error"] == len(y) == 200
    # A machine at 1.0 misses all, so that 0.3 is taken.
    assert [call[3] for call in machine[:3]] == [0.3, 1.0, 0.3]


def test_samples_are_as_far_from_test_digits_as_their_energy_says(mnist):
    images = mnist["mnist"].images
    wired = wire(experiments.run_samples, data=mnist, methods={"digits": None, "independent": None})
    test = experiments.drawn(wired.rng("test"), images[60_000::250])
    others = experiments.drawn(wired.rng("others"), images[:50_000:250])
    chosen = others[wired.rng("digits").choice(len(others), 20, replace=False)]
    assert wired["digits"]["distance"] == pytest.approx(energy_distance(chosen, test))
    noise = wired.rng("independent").random((20, 4)) < others.mean(axis=0)
    assert wired["independent"]["distance"] == pytest.approx(energy_distance(noise, test))


def test_outlines_are_learnt_at_the_best_rate_and_its_best_decay(machine):
    wired = wire(experiments.run_shapes)
    for method in experiments.ALGORITHMS:
        # Decays are 0 and 1e-3; new images are 2,000.
        assert wired[method]["fit"] == pytest.approx(2005)
    rng = wired.rng("independent")
    expected = experiments.independent(shapes(rng, 2000), shapes(rng, 10_000))
    assert wired["independent"]["fit"] == pytest.approx(expected)


def test_the_gain_of_decay_is_the_fit_with_it_less_the_fit_without(machine):
    wired = wire(experiments.run_decays)
    for method in experiments.ALGORITHMS:
        assert wired[method]["gain"] == pytest.approx(100 * 1e-3)
        assert wired[method]["decay"] == pytest.approx(-3)


def test_where_no_decay_is_best_the_gain_is_a_loss(monkeypatch, machine):
    monkeypatch.setattr(
        experiments, "annealed", lambda model, X, rng, betas: 5.0 - model.rate - model.decay
    )
    wired = wire(experiments.run_decays)
    assert wired["PCD"]["gain"] == pytest.approx(-1e-3)
    assert wired["PCD"]["decay"] == pytest.approx(-5)


@pytest.mark.parametrize("by", ["patches", "images"])
def test_the_choice_says_what_falls_into_a_part_as_a_whole(monkeypatch, mnist, by):
    asked = []

    class Stop(Exception):
        pass

    def split(images, side, how, rng):
        asked.append((side, how))
        raise Stop

    monkeypatch.setattr(experiments, "Split", split)
    with pytest.raises(Stop):
        wire(experiments.run_mrf, data=mnist, choices={"patch-split": by})
    assert asked == [(3, by)]


@pytest.mark.parametrize(
    ("name", "hidden", "rates", "runs", "n_betas"),
    [
        ("run_hidden_25", 25, [0.1, 0.3, 1.0], 3, 501),
        ("run_hidden_500", 500, [0.03, 0.1, 0.3], 3, 501),
        ("run_shapes", 100, [0.01, 0.03, 0.1, 0.3, 1.0], 5 + 6, 2418),
    ],
)
def test_full_machines_are_tuned_over_more_rates_and_annealed_more_slowly(
    monkeypatch, mnist, machine, name, hidden, rates, runs, n_betas
):
    shown = []
    monkeypatch.setattr(
        experiments,
        "annealed",
        lambda model, X, rng, betas: shown.append((len(X), len(betas))) or 0,
    )
    methods = {"CD-1": ("cd", 1, 1)}
    wire(
        getattr(experiments, name), {"hidden": hidden, "updates": 500}, data=mnist, methods=methods
    )
    assert [call[3] for call in machine[: len(rates)]] == rates
    rows = 2000 if name == "run_shapes" else 10_000
    assert shown[:runs] == [(rows, n_betas)] * runs
    assert {call[1:3] for call in machine} == {(hidden, 500)}
