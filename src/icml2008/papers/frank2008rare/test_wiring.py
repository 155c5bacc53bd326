"""What the trials record, on learners whose errors are a known function of their schedule."""

from typing import NamedTuple

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .experiments import EPSILON, GAMMA, LAMBDA, NATURAL, RARE, RATES, STEP, N, random_chain


class Known(NamedTuple):
    """Misses the value of state 0 by less the nearer its schedule is to `best`, and by chance."""

    best: tuple
    delta: float = 0.0
    per: int = 1

    def run(self, chain, rate, steps, rng):
        off = 0.1 + abs(np.log(rate[0] / self.best[0])) + abs(np.log(rate[1] / self.best[1]))
        off *= steps * (1 + rng.random())
        sign = rng.choice([-1, 1])
        estimates = np.append(chain.values[0] * (1 + sign * off), np.zeros(N))
        return estimates, chain.optimal * (1 + np.append(0.02 * np.arange(N) * rng.random(), 5))


@pytest.mark.parametrize("run", [experiments.run_chains, experiments.run_long])
def test_errors_are_those_of_runs_by_the_best_schedule(run):
    methods = {
        "REASA": Known((0.4, 30.0), delta=0.05),
        "TD": Known((0.003, 100.0), per=STEP),
        "no learning": None,
    }
    seen = wire(run, methods=methods)
    steps = seen.trial.cell["steps"]
    assert seen["no learning"] == {"log_rmse": 0, "log_median": 0}
    for name, runs in (("REASA", 20), ("TD", 8)):
        rng = seen.rng("runs")
        off = []
        sampling = []
        for _ in range(runs):
            off.append(0.1 * steps * (1 + rng.random()))
            rng.choice([-1, 1])
            sampling.append(np.mean(0.02 * np.arange(N) * rng.random()))
        expected = {
            "log_rmse": np.log10(np.mean(np.square(off))) / 2,
            "log_median": np.log10(np.median(off)),
        }
        if name == "REASA":
            expected["log_sampling"] = np.log10(np.median(sampling))
        assert seen[name] == pytest.approx(expected, abs=1e-4)


def test_schedules_are_tuned_on_as_many_chains_as_a_step_is_cheap(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        experiments, "random_chain", lambda rng: drawn.append(1) or random_chain(rng)
    )
    for per, steps, chains in ((STEP, 30, 4), (1, 3000, 100), (1, 3001, 10)):
        drawn.clear()
        best = RATES[per][-2]
        assert experiments.tuned(Known(best, per=per, delta=steps / 1e6), steps, 7) == best
        assert len(drawn) == chains


def test_choices_change_reasa_and_nothing_else():
    plain = experiments.learners({"delta": "0.05", "start": "printed"})
    for choices, delta, keeps in (
        ({"delta": "0.2", "start": "printed"}, 0.2, False),
        ({"delta": "0.05", "start": "kept"}, 0.05, True),
    ):
        other = experiments.learners(choices)
        assert (other["REASA"].delta, other["REASA"].keeps) == (delta, keeps)
        assert {k: v for k, v in other.items() if k != "REASA"} == {
            k: v for k, v in plain.items() if k != "REASA"
        }
    assert (plain["REASA"].delta, plain["REASA"].keeps, plain["REASA"].per) == (0.05, False, 1)
    assert plain["TD"].per == 2300
    chain = random_chain(np.random.default_rng(0))
    np.testing.assert_array_equal(plain["REASA"].start(chain)[:N], 0.5)
    np.testing.assert_array_equal(plain["TD"].start(chain), NATURAL)
    np.testing.assert_array_equal(plain["optimal sampling"].start(chain), chain.optimal)


def test_a_run_that_diverges_is_infinitely_wrong():
    class Diverges:
        def run(self, chain, rate, steps, rng):
            return np.full(N + 1, np.nan), chain.optimal

    chain = random_chain(np.random.default_rng(0))
    assert experiments.errors(Diverges(), None, 1, chain, None) == (np.inf, 0)


def moments(chain, state, p):
    """Return mean and variance of the weighted target of a state, outcome by outcome."""
    values = chain.values
    targets = chain.rewards[state] + GAMMA * values
    chances = np.append((1 - p) * chain.usual[state], p)
    weights = np.append(np.full(N, (1 - EPSILON) / (1 - p)), EPSILON / p)
    mean = np.sum(chances * weights * targets)
    return mean, np.sum(chances * (weights * targets) ** 2) - mean**2


def test_excess_is_over_the_variance_of_the_best_sampling():
    seen = wire(experiments.compare_sampling)
    chain = random_chain(seen.rng("chain"))
    line = np.linspace(1e-4, 1 - 1e-4, 2001)
    least = [min(moments(chain, s, p)[1] for p in line) for s in range(N)]
    for name, law in (
        ("natural", NATURAL),
        ("half", np.full(N, 0.5)),
        ("Equation 6", chain.optimal),
    ):
        variances = np.array([moments(chain, s, law[s])[1] for s in range(N)])
        assert seen[name]["log_variance"] == pytest.approx(np.mean(np.log10(variances)), abs=1e-4)
        assert seen[name]["excess"] == pytest.approx(
            np.max(variances / least - 1), rel=1e-2, abs=1e-3
        )
        assert seen.n_test[name]["excess"] == N
    assert seen["best"]["excess"] == 0


@pytest.mark.parametrize("features", list(experiments.FEATURES))
def test_violation_is_the_largest_relative_distance_of_two_limits(features):
    seen = wire(experiments.compare_limits, {"features": features})
    chain = random_chain(seen.rng("chain"))
    F = experiments.FEATURES[features]
    limits = []
    for mean in (chain.optimal[:N].mean(), EPSILON):
        P = np.column_stack([(1 - NATURAL)[:, None] * chain.usual, NATURAL])
        sampled = np.append(np.full(N, mean), 0)
        Q = np.column_stack([(1 - sampled)[:, None] * chain.usual, sampled])
        visits = np.eye(N + 1)[0]
        for _ in range(500):
            visits = visits @ Q
        A = np.zeros((F.shape[1],) * 2)
        b = np.zeros(F.shape[1])
        step = np.eye(N + 1)
        for _ in range(200):
            A += F.T @ np.diag(visits) @ step @ (F - GAMMA * P @ F)
            b += F.T @ np.diag(visits) @ step @ np.sum(P * chain.rewards, axis=1)
            step = GAMMA * LAMBDA * step @ P
        limits.append(F @ np.linalg.solve(A, b))
    expected = np.max(np.abs(limits[0] - limits[1]) / np.abs(limits[1]))
    assert seen["without 7i"]["violation"] == pytest.approx(expected, rel=1e-5, abs=1e-9)
    assert seen["on-policy"]["violation"] < 1e-12
    if features == "a state each":
        np.testing.assert_allclose(limits[1], chain.values)


def test_chains_pay_most_in_the_rare_state_and_have_seven_followers():
    chain = random_chain(np.random.default_rng(0))
    assert (np.count_nonzero(chain.usual, axis=1) == 7).all()
    assert not np.diag(chain.usual[:N]).any()
    np.testing.assert_allclose(chain.usual.sum(axis=1), 1)
    assert chain.rewards[:, :RARE].mean() == pytest.approx(1, abs=0.2)
    assert chain.rewards[:, RARE].mean() == pytest.approx(10_000, rel=0.1)
    assert chain.rewards[:, RARE].std() == pytest.approx(1_000, rel=0.5)
    assert chain.rewards.min() >= 0
