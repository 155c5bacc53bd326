"""What the trials record, by plain loops and closed forms."""

import numpy as np
import pytest

from wiring import values_of, wire

from . import experiments, scavenging
from .experiments import CONTEXTS, DELTA, LOGS, PEERS, scavenge, tally

KEY = "langford2008exploration"


def plain(actions, gains, k):
    """Return the sum over actions of the mean gain, a log and an action at a time."""
    totals = []
    for a, g in zip(actions, gains, strict=True):
        totals.append(sum(g[a == i].mean() for i in range(k) if (a == i).any()))
    return np.array(totals)


def estimates(x, a, r, chosen, propensity, k):
    match = chosen == a
    return {
        "scavenging": plain(a, r * match, k),
        "inverse propensity": np.mean(r * match / propensity, axis=1),
    }


@pytest.mark.parametrize("blind", [0.1, 1.0])
def test_errors_are_those_of_estimates_of_the_other_action(blind):
    seen = wire(experiments.run_looking, {"blind": blind})
    rng = seen.rng("log")
    x = rng.integers(2, size=(LOGS, 1000))
    ignores = rng.random((LOGS, 1000)) < blind
    a = np.where(ignores, rng.integers(2, size=(LOGS, 1000)), x)
    r = np.where(x == 0, a, 1.0)  # D': action 1 of x = 0 pays, both of x = 1 do
    chance = np.where(x == a, 1 - blind / 2, blind / 2)
    value = (1 + 1) / 2  # 1 - x is taken: action 1 at 0, action 0 at 1
    estimates_of = estimates(x, a, r, 1 - x, chance, 2)
    five = 2 * np.sqrt(2 * np.log(4 / DELTA) / 1000)
    for name, each in estimates_of.items():
        error = np.sqrt(np.mean((each - value) ** 2))
        assert seen[name]["error"] == pytest.approx(error, abs=1e-6)
    beyond = 100 * np.mean(np.abs(estimates_of["inverse propensity"] - value) > five)
    assert seen["inverse propensity"]["beyond"] == beyond
    counts = np.stack([(a == i).sum(axis=1) for i in range(2)], axis=1)
    bound = scavenging.bound_by_counts(counts, DELTA)
    beyond = 100 * np.mean(np.abs(estimates_of["scavenging"] - value) > bound)
    assert seen["scavenging"]["beyond"] == beyond
    assert seen.n_test["scavenging"]["beyond"] == LOGS
    assert seen["scavenging"]["gap"] == 1.0


def test_laws_of_logs_are_apart_by_how_often_the_logger_is_blind():
    """Without blindness both worlds give the same logs, of values 0 and 1."""
    blind = wire(experiments.run_looking, {"blind": 0.0})["scavenging"]
    assert blind["distance"] == 0
    seeing = wire(experiments.run_looking, {"blind": 1.0})["scavenging"]["distance"]
    # A round has one of x, a, r; only where x != a do the worlds differ, and then wholly.
    assert seeing == pytest.approx(1 - 0.5**6)
    half = wire(experiments.run_looking, {"blind": 0.1})["scavenging"]["distance"]
    assert half == pytest.approx(1 - 0.95**6)


@pytest.mark.parametrize("logger", ["rotating", "budgeted", "greedy", "looking"])
def test_the_bias_is_the_worst_over_problems_of_the_mean_over_all_logs(monkeypatch, logger):
    monkeypatch.setattr(experiments, "PROBLEMS", 3)
    seen = wire(experiments.run_all_logs, {"logger": logger})
    contexts, rewards, actions = experiments.all_logs(logger)
    assert len({tuple(row) for row in np.c_[contexts, rewards].tolist()}) == 4**6
    rng = seen.rng("problems")
    biases = []
    for _ in range(3):
        often = rng.dirichlet([1, 1])
        pay = rng.random((2, 2))
        policy = rng.integers(2, size=2)
        mean = 0.0
        for x, r, a in zip(contexts, rewards, actions, strict=True):
            chances = np.where(r, pay[x, a], 1 - pay[x, a])
            p = np.prod(often[x] * chances)
            gains = r * (policy[x] == a)
            mean += p * sum(gains[a == j].mean() for j in (0, 1) if (a == j).any())
        value = often[0] * pay[0, policy[0]] + often[1] * pay[1, policy[1]]
        biases.append(abs(mean - value))
    assert seen["scavenging"]["worst"] == pytest.approx(max(biases), abs=1e-9)
    if logger != "budgeted":
        assert (max(biases) < 1e-9) == (logger == "rotating")


def test_loggers_act_by_what_they_saw():
    contexts, rewards, actions = experiments.all_logs("looking")
    for x, a in zip(contexts[::97], actions[::97], strict=True):
        counts = [0, 0]
        for context, action in zip(x, a, strict=True):
            expected = context if counts[context] < 3 else 1 - context
            assert action == expected
            counts[action] += 1
    assert (experiments.all_logs("rotating")[2] == np.arange(6) % 2).all()
    for logger in ("greedy", "budgeted"):
        _, rewards, actions = experiments.all_logs(logger)
        for r, a in zip(rewards[::89], actions[::89], strict=True):
            for t in range(2, 6):
                means = [r[:t][a[:t] == i].mean() for i in (0, 1)]
                expected = int(means[1] > means[0])
                if logger == "budgeted" and np.sum(a[:t] == expected) == 3:
                    expected = 1 - expected
                assert a[t] == expected


@pytest.mark.parametrize("how", ["clicks", "means"])
@pytest.mark.parametrize("logger", experiments.LOGGERS)
def test_deviations_are_of_the_value_and_over_the_bound(how, logger):
    cell = {"logger": logger, "actions": 2, "rounds": 256}
    value = next(v for v in values_of(KEY, "rewards") if (v == "clicks") == (how == "clicks"))
    seen = wire(experiments.run_deviation, cell, choices={"rewards": value})
    rng = seen.rng("problem", across=("logger", "rounds"))
    pay = (rng.random(2) + rng.random((8, 2))) / 2
    policy = rng.permutation(8) % 2
    counts, gains = experiments.explored(seen.rng("logs"), logger, pay, policy, 256, value)
    assert (counts.sum(axis=1) == 256).all()
    mean = np.mean([pay[x, policy[x]] for x in range(CONTEXTS)])
    errors = np.abs(np.sum(gains / counts, axis=1) - mean)
    shares = errors / scavenging.bound_by_counts(counts, DELTA)
    near = np.quantile(shares, 0.95)
    expected = {
        "beyond": 100 * np.mean(shares > 1),
        "tightness": 100 * near,
        "log_tightness": np.log(near),
        "log_error": np.log(np.sqrt(np.mean(errors**2))),
    }
    assert seen["scavenging"] == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize("logger", experiments.LOGGERS)
def test_loggers_of_many_rounds_are_those_of_a_loop_over_one_log(monkeypatch, logger):
    monkeypatch.setattr(experiments, "LOGS", 1)
    pay = np.random.default_rng(0).random((8, 3))
    policy = np.arange(8) % 3
    counts, gains = experiments.explored(
        np.random.default_rng(1), logger, pay, policy, 60, "clicks"
    )
    rng = np.random.default_rng(1)
    n = np.zeros(3)
    g = np.zeros(3)
    paid = np.zeros(3)
    match = np.array([[policy[x] == a for a in range(3)] for x in range(8)])
    mean = (pay * match).mean(axis=0)
    for t in range(60):
        x = rng.integers(8, size=1)[0]
        a = t % 3
        if t >= 3 and logger == "flattering":
            a = np.argmin((g - n * mean) / np.sqrt((mean - mean**2) * n))
        elif t >= 3 and logger == "greedy":
            a = (t // 2) % 3 if t % 2 else np.argmax(paid / n)
        r = float(rng.random(1)[0] < pay[x, a])
        n[a] += 1
        paid[a] += r
        g[a] += r * (policy[x] == a)
    np.testing.assert_array_equal(counts[0], n)
    np.testing.assert_array_equal(gains[0], g)


@pytest.mark.parametrize("case", experiments.CASES)
@pytest.mark.parametrize("world", ["drawn", "one"])
def test_matches_are_measured_against_the_policy_of_the_case(monkeypatch, case, world):
    given = {}
    monkeypatch.setattr(
        experiments, "compare", lambda trial, *rest: given.update(rest=rest) or measure(trial)
    )

    def measure(trial):
        for name in PEERS:
            trial.measure(name, error=0.0)

    for probability in values_of(KEY, "probability"):
        cell = {"case": case, "world": world, "actions": 8}
        seen = wire(experiments.run_matches, cell, choices={"probability": probability})
        x, a, r, chosen, propensity, pay, value = given["rest"]
        assert propensity == 1 / 8
        problem = seen.rng("problem")
        drawn = (problem.random(8) + problem.random((8, 8))) / 2
        policy = problem.permutation(8) % 8
        np.testing.assert_allclose(pay, drawn if world == "drawn" else np.eye(8)[[0] * 8])
        if case == "logger":
            np.testing.assert_array_equal(chosen, policy[x])
            assert value == pytest.approx(np.mean([pay[i, policy[i]] for i in range(8)]))
            overall = (a[:, :-8] == a[:, :1]).all()
            assert overall == (probability != "past")
        else:
            assert value == pytest.approx(pay.mean())
            counts = np.bincount(np.ravel(a[0]), minlength=8)
            lopsided = [4096 - 7, *[1] * 7]
            assert counts.tolist() == (lopsided if case == "policy-lopsided" else [512] * 8)
            assert abs(np.mean(chosen == a) - 1 / 8) < 0.01
        assert abs(np.mean(r) - np.mean(pay[x, a])) < 0.01


def test_slates_measure_relative_errors_their_limit_and_its_bias():
    """Of the decay of slots after the first, from the market that is drawn again."""
    for logger in ("sorted", "even"):
        seen = wire(experiments.run_slates, {"logger": logger, "rounds": 220_000})
        rng = seen.rng("market")
        choices = seen.trial.choices
        low, high = experiments.RATES[choices["click-rates"]]
        appeal = np.exp(rng.uniform(np.log(low), np.log(high), 20))
        decay = experiments.DECAY[choices["decay"]]
        rates = appeal * rng.uniform(0.5, 1, size=(5, 20))
        slates = experiments.slates_of(rng, appeal, logger, choices["coverage"])
        each = 220_000 // len(slates)
        shown = np.zeros((20, 4))
        for slate in slates:
            for slot, ad in enumerate(slate):
                shown[ad, slot] += each
        log = seen.rng("log")
        visits = log.multinomial(each, np.full(5, 0.2), size=(50, len(slates)))
        chance = decay * rates[:, slates].swapaxes(0, 1)
        clicks = log.binomial(visits[..., None], chance)
        by_ad = np.zeros((50, 20, 4))
        for s, slate in enumerate(slates):
            for slot, ad in enumerate(slate):
                by_ad[:, ad, slot] += clicks[:, s, :, slot].sum(axis=1)
        naive = by_ad.sum(axis=1) / shown.sum(axis=0)
        ratios = naive[:, 1:] / naive[:, :1] / decay[1:]
        expected = np.log(np.sqrt(np.mean((ratios - 1) ** 2)))
        assert seen["naive"]["log_error"] == pytest.approx(expected, abs=1e-3)
        mean = np.array([
            sum(rates[:, ad].mean() * decay[slot] for ad in slates[:, slot]) / len(slates)
            for slot in range(4)
        ])  # fmt: skip
        limit = mean[1:] / mean[0] / decay[1:] - 1
        assert seen["naive"]["limit"] == pytest.approx(np.abs(limit).max(), abs=1e-8)
        assert seen["naive"]["bias"] == pytest.approx(100 * limit.mean(), abs=6e-5)
        assert max(seen[name]["limit"] for name in experiments.BY_AD) < 1e-9
        assert seen["theorem-7"]["excess"] <= 0


def test_slates_bring_each_ad_into_each_slot_unless_coverage_is_partial():
    appeal = np.arange(1.0, 21)
    full = experiments.slates_of(np.random.default_rng(0), appeal, "sorted", "full")
    assert full.shape == (220, 4)
    for slot in range(4):
        assert set(full[-20:, slot]) == set(range(20))
    even = experiments.slates_of(np.random.default_rng(0), appeal, "even", "full")
    assert full[:200].mean() > even[:200].mean() + 1
    partial = experiments.slates_of(np.random.default_rng(0), appeal, "even", "partial")
    assert partial[:, 1:].max() < 15
    assert partial[:, 0].max() >= 15
    assert scavenge(*tally(np.array([[0, 1]]), np.array([[0.5, 0.25]]), 2)) == [0.75]
