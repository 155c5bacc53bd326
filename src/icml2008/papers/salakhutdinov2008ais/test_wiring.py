"""What is measured of estimates and machines, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.methods.nets.partition import (
    AnnealedEstimate,
    annealed_importance_sampling,
    default_betas,
    enumerate_partition,
)
from icml2008.papers.salakhutdinov2008ais import experiments
from icml2008.papers.salakhutdinov2008ais.method import machine_of
from wiring import wire


@pytest.fixture
def mnist():
    images = np.random.default_rng(1).integers(0, 256, size=(600, 2, 2)).astype(np.uint8)
    return {"mnist": SimpleNamespace(images=images, n_train=450)}


def log_mean(weights):
    """Return the log of the mean of exp(weights), plainly."""
    return np.log(np.mean([np.exp(w - max(weights)) for w in weights])) + max(weights)


@pytest.fixture
def small(monkeypatch):
    """Return the calls of annealing; weights are of three shapes, by temperatures."""
    calls = []

    def annealed(machine, X, n_runs, every, rng):
        calls.append((n_runs, every, X))
        return AnnealedEstimate(rng.normal(size=n_runs) + every / 500, 2.0)

    learnt = []
    monkeypatch.setattr(experiments, "annealed", annealed)
    monkeypatch.setattr(experiments, "enumerate_partition", lambda machine: machine)
    monkeypatch.setattr(
        experiments, "learn", lambda *a, **how: learnt.append(("learn", a, how)) or 2.7
    )
    monkeypatch.setattr(
        experiments, "learn_long", lambda *a, **how: learnt.append(("long", a, how)) or 2.7
    )
    return SimpleNamespace(annealed=calls, learnt=learnt)


def test_estimates_are_beside_the_sum_over_all_states(small, mnist):
    wired = wire(experiments.run_small, data=mnist)
    assert [call[:2] for call in small.annealed] == [(100, 100), (100, 1000)]
    first = wired.rng("10 runs").normal(size=100) + 0.2
    last = wired.rng("1,450 temperatures").normal(size=100) + 2
    steps = {100: len(default_betas()[:-1:100]), 1000: len(default_betas()[:-1:1000])}
    for name, weights, every in (
        ("10 runs", first[:10], 100),
        ("100 runs", first, 100),
        ("1,450 temperatures", last, 1000),
    ):
        error = 2.0 + log_mean(weights) - 2.7
        low, high = AnnealedEstimate(weights, 2.0).interval()
        expected = {
            "error": pytest.approx(abs(error)),
            "ratio": pytest.approx(np.exp(error)),
            "inside": 100.0 if low <= 2.7 <= high else 0.0,
        }
        if len(weights) == 100:
            expected["scaled"] = pytest.approx(steps[every] * np.var(weights) * 100 / 99)
        assert wired[name] == expected
    assert {wired[name]["inside"] for name in experiments.SETTINGS} == {0.0, 100.0}


@pytest.mark.parametrize("choices", [{}, {"binarised": "anew"}, {"learning": "long-constant"}])
def test_choices_say_how_a_machine_is_learnt_and_nothing_else(small, mnist, choices):
    wired = wire(experiments.run_small, data=mnist, choices=choices)
    grey = mnist["mnist"].images[:400].reshape(400, 4).astype(np.float32) / 255
    ones = experiments.drawn(grey, wired.rng("digits"))
    ((how, (rows, hidden, gibbs, *passes), options),) = small.learnt
    anew = "binarised" in choices
    np.testing.assert_array_equal(rows, grey if anew else ones)
    assert hidden == 6
    if "learning" in choices:
        assert (how, gibbs, options) == ("long", 1, {"passes": 2})
    else:
        assert (how, gibbs, passes[0], options) == ("learn", (1, 1), 1, {"redraw": anew})
    assert all((ones == X).all() for _, _, X in small.annealed)


def test_models_are_learnt_as_their_names_say():
    assert {
        f"CD{gibbs}-{hidden}": (gibbs, hidden)
        for gibbs, hidden in ((1, 6), (1, 20), (1, 25), (3, 25))
    } == experiments.MODELS
    assert experiments.GIBBS == {"CD1": (1, 1), "CD3": (3, 3), "CD25": (1, 25)}
    whole = {"images": 60_000, "tests": 10_000, "hidden": 500, "passes": 8, "runs": 50, "thin": 1}
    assert experiments.SIZES["whole"] == whole


def test_the_variance_of_log_weights_is_that_of_a_thousand_chains():
    wired = wire(experiments.run_temperatures)
    rng = wired.rng("machine", across=("temperatures",))
    machine = machine_of(rng.normal(size=(12, 20)), rng.normal(size=12), rng.normal(size=20))
    seed = int(wired.rng("chains").integers(2**31))
    weights = annealed_importance_sampling(
        machine, np.zeros(20), betas=np.linspace(0, 1, 21), n_runs=1000, random_state=seed
    )
    exact = enumerate_partition(machine)
    logs = weights.log_weights
    base = weights.log_base
    below = [log_mean(logs[k : k + 10]) + base < exact for k in range(0, 1000, 10)]
    assert wired["AIS"] == {
        "log_variance": pytest.approx(np.log(np.var(logs) * 1000 / 999)),
        "ratio": pytest.approx(np.exp(log_mean(logs) + base - exact)),
        "below": sum(below),
    }


class Machine:
    """A machine that scores by the rows' sums and what it was learnt with."""

    def __init__(self, factor):
        self.factor = factor

    def score_samples(self, V):
        return self.factor * V.sum(axis=1)

    def transform(self, X):
        return X[:, :1]


def parts(wired, mnist):
    """Return digits to learn from and to test on."""
    X = mnist["mnist"].images.reshape(600, 4).astype(np.float32) / 255
    train = experiments.drawn(X[:400], wired.rng("train"))
    return train, experiments.drawn(X[450:550], wired.rng("test"))


def test_orders_are_mean_log_probabilities_of_test_digits(monkeypatch, mnist):
    learnt = []

    def learn(X, hidden, gibbs, passes, rng):
        learnt.append((X, hidden, gibbs, passes))
        return Machine(gibbs[1])

    monkeypatch.setattr(experiments, "learn", learn)
    monkeypatch.setattr(experiments, "fit_mixture", lambda X, n, passes, rng: (n, passes))
    monkeypatch.setattr(
        experiments, "mixture_log_probabilities", lambda V, n, passes: -n * V[:, 0] - passes
    )
    wired = wire(experiments.run_orders, data=mnist)
    X, V = parts(wired, mnist)
    for name, factor in (("CD1", 1), ("CD3", 3), ("CD25", 25)):
        assert wired[name]["test"] == pytest.approx(factor * V.sum() / 100)
    assert wired["mixture-10"]["test"] == pytest.approx(-10 * V[:, 0].mean() - 4)
    assert [call[1:] for call in learnt] == [(6, gibbs, 1) for gibbs in ((1, 1), (3, 3), (1, 25))]
    assert all((call[0] == X).all() for call in learnt)


def test_large_machines_are_scored_on_test_and_as_many_training_digits(monkeypatch, mnist):
    def learn(X, hidden, gibbs, passes, rng, **how):
        return Machine(gibbs[1] if "start" not in how else -gibbs[1])

    def annealed(machine, rows, runs, thin, rng):
        assert (runs, thin) == (5, 500)
        assert rows.shape[1] == (4 if machine.factor > 0 else 1)
        scale = 2.0 if machine.factor > 0 else 3.0
        return SimpleNamespace(log_partition=scale, interval=lambda k: (0.0, scale + 0.25 * k))

    monkeypatch.setattr(experiments, "learn", learn)
    monkeypatch.setattr(experiments, "annealed", annealed)
    monkeypatch.setattr(
        experiments,
        "bounds",
        lambda V, first, second, log_z, rng: first.score_samples(V) - log_z - second.factor,
    )
    monkeypatch.setattr(experiments, "fit_mixture", lambda X, n, passes, rng: (n,))
    monkeypatch.setattr(experiments, "mixture_log_probabilities", lambda V, n: n * V[:, 1])
    wired = wire(experiments.run_large, data=mnist)
    X, V = parts(wired, mnist)
    X = X[:100]
    for name, k in (("CD1", 1), ("CD3", 3), ("CD25", 25)):
        test = k * V.sum() / 100
        train = k * X.sum() / 100
        assert wired[name] == pytest.approx({"error": 0.25, "test": test, "train": train})
        deep = {"error": 0.25, "test": test - 3 + k, "train": train - 3 + k}
        assert wired[f"DBN-{name}"] == pytest.approx(deep)
    for n in (10, 100, 500):
        means = {"test": n * V[:, 1].mean(), "train": n * X[:, 1].mean()}
        assert wired[f"mixture-{n}"] == pytest.approx(means)


@pytest.mark.parametrize("second", ["tied", "other"])
def test_a_bound_is_over_by_the_largest_difference(monkeypatch, second):
    shapes = []

    def exact(first, other):
        shapes.append((first.components_.shape, other.components_))
        return np.array([-5.0, -1.0, -2.0]), np.array([-1.0, -1.5, -4.0])

    monkeypatch.setattr(experiments, "exact_bounds", exact)
    wired = wire(experiments.run_bounds, {"second": second})
    assert wired["net"] == {"over": 2.0, "apart": 4.0}
    assert wired.n_test["net"]["over"] == 3
    W = wired.rng("machines").normal(size=(3, 5))
    ((_, other),) = shapes
    assert (other.shape == (5, 3) and np.allclose(other, W.T)) is (second == "tied")
