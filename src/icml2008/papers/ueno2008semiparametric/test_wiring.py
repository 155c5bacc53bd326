"""What is measured of estimators on the chain, and what each choice changes."""

from itertools import count

import numpy as np
import pytest

from icml2008.methods.worlds.world import World
from icml2008.papers.ueno2008semiparametric import experiments
from wiring import wire

S = np.arange(1.0, 5)
FEATURES = np.stack([S, S**2, S**3], axis=1)
REWARD = np.array([0.0, 1.0, 0.5, 0.0])


def transitions():
    P = np.zeros((4, 4))
    for s in range(4):
        P[s, max(s - 1, 0)] += 0.5
        P[s, min(s + 1, 3)] += 0.5
    return P


def coefficients(paid):
    """Return coefficients of values, which are those of Poisson's equation up to a constant."""
    P = transitions()
    mean = P @ REWARD if paid == "arrival" else REWARD
    values = np.linalg.lstsq(np.eye(4) - P, mean - REWARD.mean(), rcond=None)[0]
    system = np.column_stack([FEATURES, np.ones(4)])
    return np.linalg.solve(system, values)[:3]


def world_of(paid):
    return World.of(
        4,
        1,
        lambda s, a: [
            (0.5, t, REWARD[t if paid == "arrival" else s]) for t in (max(s - 1, 0), min(s + 1, 3))
        ],
        np.full(4, 0.25),
    )


@pytest.mark.parametrize("paid", ["arrival", "departure"])
def test_errors_of_a_hundred_episodes_are_of_values_under_equal_shares(paid):
    def fit(states, rewards, average):
        return coefficients(paid) + [states[1] - 1.0, rewards.mean() - average, 0.0]

    stubs = {"LSTD": lambda: fit, "all zero": lambda: lambda *_: np.zeros(3)}
    wired = wire(experiments.run_episodes, methods=stubs, choices={"paid": paid})
    rng = wired.rng("walks")
    world = world_of(paid)
    errors = []
    zero = []
    while len(errors) < 100:
        walk = world.walk(np.zeros(4, dtype=int), 100, rng)
        if len(set(walk.states[:-1].tolist())) < 4:
            continue
        off = [walk.states[1] - 1.0, walk.rewards.mean() - 0.375, 0.0]
        errors.append(np.mean((FEATURES @ off) ** 2))
        zero.append(np.mean((FEATURES @ coefficients(paid)) ** 2))
    metrics = wired["LSTD"]
    rough = {"rel": 1e-5}
    assert metrics["error"] == pytest.approx(np.mean(errors), **rough)
    middle = sum(sorted(errors)[49:51]) / 2
    assert metrics["median"] == pytest.approx(middle, **rough)
    assert metrics["log_error"] == pytest.approx(np.log10(np.mean(errors)), **rough)
    assert wired["all zero"]["error"] == pytest.approx(np.mean(zero), **rough)
    scaled = wire(experiments.compare_variances, choices={"paid": paid})["LSTD"]["scaled"]
    assert metrics["relative"] == pytest.approx(100 * np.mean(errors) / scaled, **rough)
    assert "relative" not in wired["all zero"]
    assert wired.n_test["LSTD"]["error"] == 100
    np.testing.assert_allclose(wired.kept["LSTD"], errors, rtol=1e-5, atol=1e-9)


def test_long_episodes_are_measured_by_the_lemmas_variance():
    def fit(states, rewards, average):
        return coefficients("arrival") + [states[1] - 1.0, rewards.mean() - average, 0.0]

    wired = wire(experiments.run_long_episodes, methods={"LSTD": lambda: fit})
    rng = wired.rng("walks")
    world = world_of("arrival")
    errors = []
    for _ in range(100):
        walk = world.walk(np.zeros(4, dtype=int), 1000, rng)
        off = [walk.states[1] - 1.0, walk.rewards.mean() - 0.375, 0.0]
        errors.append(np.mean((FEATURES @ off) ** 2))
    scaled = wire(experiments.compare_variances)["LSTD"]["scaled"]
    assert wired["LSTD"] == {"relative": pytest.approx(1000 * np.mean(errors) / scaled, rel=1e-5)}


@pytest.mark.parametrize("paid", ["arrival", "departure"])
@pytest.mark.parametrize("average", ["known", "estimated"])
def test_asymptotic_errors_are_lemma_2s(paid, average):
    wired = wire(experiments.compare_variances, choices={"paid": paid, "average-reward": average})
    P = transitions()
    coef = coefficients(paid)
    scaled = {}
    steps = [(s, t) for s in range(4) for t in range(4) if P[s, t]]
    x = {(s, t): FEATURES[s] - FEATURES[t] for s, t in steps}
    share = {(s, t): P[s, t] / 4 for s, t in steps}
    rest = {
        (s, t): REWARD[t if paid == "arrival" else s] - 0.375 - x[s, t] @ coef for s, t in steps
    }
    square = sum(share[at] * rest[at] ** 2 for at in steps)
    A = sum(share[at] * np.outer(FEATURES[at[0]], x[at]) for at in steps)
    variances = [sum(P[s, t] * rest[s, t] ** 2 for t in range(4) if P[s, t]) for s in range(4)]
    ahead = [sum(P[s, t] * x[s, t] for t in range(4) if P[s, t]) for s in range(4)]
    instruments = {
        "LSTD": FEATURES,
        "gLSTD": np.array(ahead) / np.array(variances)[:, None],
    }
    for name, z in instruments.items():
        if average == "estimated":
            z = z - z.mean(axis=0)
        A = sum(share[at] * np.outer(z[at[0]], x[at]) for at in steps)
        M = sum(share[at] * rest[at] ** 2 * np.outer(z[at[0]], z[at[0]]) for at in steps)
        inverse = np.linalg.inv(A)
        covariance = inverse @ M @ inverse.T
        scaled[name] = np.mean([phi @ covariance @ phi for phi in FEATURES])
        assert wired[name]["scaled"] == pytest.approx(scaled[name], rel=1e-6)
    assert square > 0
    assert scaled["gLSTD"] <= wired["LSTDc"]["scaled"] * (1 + 1e-9)
    assert wired["LSTDc"]["scaled"] <= scaled["LSTD"] * (1 + 1e-9)


@pytest.mark.parametrize("average", ["known", "estimated"])
def test_estimators_have_the_instrument_of_their_name_and_the_choices_average(monkeypatch, average):
    made = []

    class Model:
        def __init__(self, instrument, average_reward):
            made.append((instrument, average_reward))
            self.coef_ = np.zeros(3)

        def fit(self, before, rewards, after, states):
            made.append((before[:, 0] - 1, after[:, 0] - 1, states))
            return self

    monkeypatch.setattr(experiments, "LSTD", Model)
    factories = experiments.estimators({"average-reward": average, "paid": "arrival"})
    states = np.array([0, 1, 2, 1])
    known = 0.375 if average == "known" else "mean"
    for name, instrument, mean in (
        ("LSTD", "features", known),
        ("LSTDc", "shifted", known),
        ("gLSTD", "optimal", known),
        ("LSTD, sample mean", "features", "mean"),
    ):
        factories[name]()(states, np.ones(3), 0.375)
        before, after, at = made.pop()
        assert made.pop() == (instrument, mean)
        assert (before.tolist(), after.tolist(), at.tolist()) == ([0, 1, 2], [1, 2, 1], [0, 1, 2])


@pytest.mark.parametrize("paid", ["arrival", "departure"])
def test_the_best_instrument_is_told_by_the_model_and_finds_the_values_of_mean_rewards(paid):
    fit = experiments.known_model(paid)
    world = world_of(paid)
    walk = world.walk(np.zeros(4, dtype=int), 200_000, np.random.default_rng(1))
    coef = fit(walk.states, walk.rewards, 0.375)
    apart = FEATURES @ (coef - coefficients(paid))
    assert np.sqrt(np.mean(apart**2)) < 0.1


def test_the_violation_is_the_largest_of_a_hundred_that_are_numbers():
    numbers = count()

    def check(rng, values, nature):
        assert (values, nature) == ("average", "near")
        k = next(numbers)
        return np.nan if k % 2 else -abs(k - 60.0) + 0.25

    statements = {"theorem-1": check, "theorem-2": None}
    cell = {"statement": "theorem-1", "values": "average", "nature": "near"}
    wired = wire(experiments.check_theorems, cell, methods={"best": statements})
    assert wired["best"]["violation"] == 0.25
    assert wired.n_test["best"]["violation"] == 100
    assert next(numbers) == 199


@pytest.mark.parametrize("name", ["theorem-1", "theorem-2", "lemma-4"])
@pytest.mark.parametrize("values", ["average", "discounted"])
def test_a_worse_instrument_is_seen_to_be_beaten(monkeypatch, name, values):
    check = experiments.STATEMENTS[name]
    usual = [check(np.random.default_rng(seed), values, "near") for seed in range(10)]
    assert np.nanmax(usual) < 1e-6
    part = {"theorem-1": "best_instrument", "theorem-2": "best_shift"}.get(name, "rounded_less")
    make = getattr(experiments, part)

    def worse(chain, *given):
        instrument = make(chain, *given)
        if name == "lemma-4":
            return instrument / 2
        return instrument + np.random.default_rng(9).normal(size=instrument.shape)

    monkeypatch.setattr(experiments, part, worse)
    nature = "random" if name == "lemma-4" else "near"
    beaten = [check(np.random.default_rng(seed), values, nature) for seed in range(40)]
    assert np.nanmax(beaten) > 1e-4
