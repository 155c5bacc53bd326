"""What is measured of stopping rules, boosting and races, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.papers.mnih2008empirical import experiments
from icml2008.papers.mnih2008empirical.experiments import leave_one_out, sampler
from icml2008.papers.mnih2008empirical.method import Stop, product_shares
from wiring import wire


def rule(draw, epsilon, delta):
    """Stop after a number of samples, up to 6, that the first one tells."""
    assert (epsilon, delta) == (0.1, 0.1)
    first = draw(1)[0]
    return Stop(0.5 + first, 1 + int(5 * first))


@pytest.mark.parametrize(("family", "at"), [("averages", 10.0), ("means", 0.3)])
def test_samples_are_the_mean_of_ten_runs_and_the_worst_of_them_is_judged(family, at):
    cell = {"family": family, "at": at}
    wired = wire(experiments.samples_until_stop, cell, methods={"rule": rule, "known": "known"})
    mean = 0.5 if family == "averages" else 0.3
    width = 1.0 if family == "averages" else 0.2
    firsts = [
        mean + width * (np.mean(wired.rng(f"run-{run}").random((1, 10))) - 0.5) for run in range(10)
    ]
    n = np.mean([1 + int(5 * first) for first in firsts])
    worst = max(abs(0.5 + first - mean) for first in firsts) / mean - 0.1
    assert wired["rule"] == pytest.approx(
        {"samples": n, "log_samples": np.log(n), "violation": worst}
    )
    assert wired.n_test["rule"]["violation"] == 10
    variance = width**2 / 120
    # Bernstein: 2 exp(-n a^2 / (2 v + 2 a / 3)) is 0.1 for the allowed deviation a.
    n = wired["known"]["samples"]
    a = 0.1 * mean
    chances = [2 * np.exp(-m * a**2 / (2 * variance + 2 * a / 3)) for m in (n, n - 1)]
    assert chances[0] <= 0.1 < chances[1]
    assert wired["known"]["log_samples"] == pytest.approx(np.log(n))


@pytest.mark.parametrize(
    ("family", "at", "mean", "variance"),
    [
        ("bernoulli", 0.1, 0.1, 0.09),
        ("averages", 5.0, 0.5, 1 / 60),
        ("means", 0.7, 0.7, 0.04 / 120),
    ],
)
def test_samples_have_the_mean_and_the_variance_that_are_given(family, at, mean, variance):
    draw, stated, spread = sampler(np.random.default_rng(1), family, at)
    assert (stated, spread) == pytest.approx((mean, variance))
    drawn = np.asarray(draw(40_000), float)
    assert drawn.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / 40_000))
    assert drawn.var() == pytest.approx(variance, rel=0.05)


def test_rules_have_the_growth_and_the_shares_of_their_names():
    made = experiments.rules({"shares": "of-delta"})
    growths = {name: rule.keywords.get("growth", 0) for name, rule in made.items()
               if hasattr(rule, "keywords")}  # fmt: skip
    assert growths == {"NAS-geometric": 1.5, "EBGStop": 1.5, "EBStop": None, "AA": 0}
    assert made["AA"].keywords == {"first": min}
    for choice, scale in (("of-delta", 1.0), ("printed", 10.0)):
        made = experiments.rules({"shares": choice})
        for name in ("EBGStop", "EBStop"):
            k = np.arange(1, 4)
            np.testing.assert_allclose(made[name].keywords["shares"](k), scale * product_shares(k))
        assert "shares" not in made["NAS-geometric"].keywords


def test_a_first_step_and_a_range_are_the_choices_alone():
    usual = experiments.rules({"shares": "of-delta"})
    made = experiments.rules({"shares": "of-delta", "first-step": "maximum"})
    assert made["AA"].keywords == {"first": max}
    assert made["NAS"] is usual["NAS"]
    made = experiments.rules({"shares": "of-delta", "range": "0.2"})
    for name in ("NAS", "NAS-geometric", "EBGStop", "EBStop", "EBGStop*"):
        assert made[name].keywords["width"] == 0.2
    assert made["AA"].keywords == {"first": min}
    assert made["plug-in"] is usual["plug-in"]


TABLE = SimpleNamespace(
    feature_names=["colour", "size"],
    categories={"colour": ["red", "blue"]},
    X=np.array([[0, 0.0], [1, 1], [1, 2], [0, 3], [0, 10], [1, 10], [np.nan, 10], [1, 4]]),
    y=np.array(list("abbbaabb")),
    n_train=7,
)


def test_indicators_are_of_categories_and_of_bins_of_equal_width_or_number():
    wide = experiments.indicators(TABLE, "width")
    equal = experiments.indicators(TABLE, "number")
    for columns in (wide, equal):
        np.testing.assert_array_equal(columns[:, :2].T, [TABLE.X[:7, 0] == 0, TABLE.X[:7, 0] == 1])
    size = TABLE.X[:7, 1]
    # Fifths of 0 to 10: below 2, below 4, and above 8; an edge belongs to the lower bin.
    bins = [size <= 2, (size > 2) & (size <= 4), size > 8]
    np.testing.assert_array_equal(wide[:, 2:].T, bins)
    # Quantiles of a fifth are 1.2, 2.4, 7.2 and 10.
    bins = [size <= 1.2, size == 2, size == 3, size == 10]
    np.testing.assert_array_equal(equal[:, 2:].T, bins)


@pytest.mark.parametrize("choices", [{}, {"rounds": "20"}, {"bins": "number"}])
def test_boosting_counts_the_samples_of_all_rounds(monkeypatch, choices):
    made = []

    class Boost:
        def __init__(self, rule, *, random_state, **options):
            made.append((rule, random_state, options))
            self.seed = random_state

        def fit(self, X, y):
            self.n_samples_ = np.array([self.seed % 5, 1])
            made.append(X.shape[1])
            return self

        def score(self, X, y):
            return (self.seed % 7) / 10

    monkeypatch.setattr(experiments, "FilterBoost", Boost)
    methods = {"NAS": "a rule", "majority": "majority"}
    wired = wire(experiments.filtering, data={"adult": TABLE}, methods=methods, choices=choices)
    seeds = wired.rng("runs").integers(2**32, size=2)
    options = {"epsilon": 0.1, "delta": 0.1, "tau": 0.25, "rounds": int(choices.get("rounds", 10))}
    assert [(call[1], call[2]) for call in made[::2]] == [(seed, options) for seed in seeds]
    assert made[1] == (6 if "bins" in choices else 5)
    a, b = (1 + seed % 5 for seed in seeds.tolist())
    assert wired["NAS"] == pytest.approx(
        {
            "samples": (a + b) / 2,
            "spread": abs(a - b) / 2**0.5,
            "accuracy": 10 * np.mean([seed % 7 for seed in seeds.tolist()]),
        }
    )
    assert wired["majority"] == {"accuracy": pytest.approx(400 / 7)}


class Recorder:
    """A race that keeps what it was given, and drops three options after 100 samples."""

    def __init__(self, delta):
        assert delta == 0.1

    def run(self, rewards):
        Recorder.rewards = rewards
        self.n_samples_ = 100
        self.remaining_ = list(range(rewards.shape[1] - 3))
        return self


@pytest.mark.parametrize("binary", [0, 1])
@pytest.mark.parametrize(
    "choices",
    [{}, {"loss": "squared"}, {"pieces": "3"}, {"joins": "jumps"}, {"noise": "0.3"}],
    ids=str,
)
def test_rewards_of_a_race_are_minus_the_losses_of_neighbours(binary, choices):
    wired = wire(
        experiments.races_of_neighbours,
        {"binary": binary},
        methods={"race": Recorder},
        choices=choices,
    )
    rng = wired.rng("points")
    pieces = int(choices.get("pieces", 10))
    x = np.sort(rng.random(10_000))
    knots = np.array([0.0, *np.sort(rng.random(pieces - 1)), 1.0])
    if "joins" in choices:
        (left, right) = rng.random((2, pieces))
        low = min(*left, *right)
        high = max(*left, *right)
        y = np.empty(len(x))
        for k in range(pieces):
            inside = (x >= knots[k]) & (x < knots[k + 1])
            y[inside] = np.interp(x[inside], knots[k : k + 2], [left[k], right[k]])
        y = (y - low) / (high - low)
    else:
        heights = rng.random(pieces + 1)
        y = np.interp(x, knots, heights)
        y = (y - min(heights)) / (max(heights) - min(heights))
    if binary:
        y = np.where(rng.random(10_000) < y, 1.0, 0.0)
    else:
        y = y + float(choices.get("noise", 0.1)) * rng.standard_normal(10_000)
        y = (y - min(y)) / (max(y) - min(y))
    order = rng.permutation(10_000)
    for column, k in ((0, 1), (10, 1024)):
        guess = leave_one_out(x, y, k)
        guess = np.where(guess >= 0.5, 1.0, 0.0) if binary else guess
        loss = np.abs(guess - y)
        loss = loss**2 if "loss" in choices else loss
        np.testing.assert_allclose(Recorder.rewards[:, column], -loss[order], atol=1e-12)
    assert Recorder.rewards.shape == (10_000, 11)
    assert wired["race"] == {"saved": pytest.approx(100 - 1 / 11), "left": 8}


@pytest.mark.parametrize("concentration", [0, 50])
def test_races_are_of_rewards_with_means_that_were_drawn(monkeypatch, concentration):
    given = {}

    def broken(race, means, deviations, rounds):
        given.update(means=means, deviations=deviations, rounds=rounds)
        return True

    monkeypatch.setattr(experiments, "broken", broken)
    wired = wire(
        experiments.races_within_bounds,
        {"options": 10, "concentration": concentration},
        methods={"race": Recorder},
    )
    means = wired.rng("rewards").random(10)
    np.testing.assert_array_equal(given["means"], means)
    rewards = np.asarray(Recorder.rewards, float)
    assert rewards.shape == (given["rounds"], 10) == (5000, 10)
    np.testing.assert_allclose(rewards.mean(axis=0), means, atol=0.04)
    np.testing.assert_allclose(rewards.std(axis=0), given["deviations"], rtol=0.2, atol=0.01)
    assert wired["race"] == {"saved": pytest.approx(100 - 1 / 5), "broken": 100}


@pytest.mark.parametrize(
    ("bound", "pairs"),
    # Rounds that a gap of 1 may need: 8 L and (8 * 0.3^2 + 18) L, L as printed for 2 options.
    [("hoeffding", 8 * np.log(4 * 1000 / 0.1)), ("bernstein", 18.72 * np.log(8 * 1000 / 0.1))],
)
def test_a_race_breaks_its_theorem_by_a_sample_more_than_it_may_need(bound, pairs):
    means = np.array([0.0, 1.0])
    deviations = np.array([0.1, 0.2])
    most = 2 * int(np.ceil(pairs))

    def breaks(remaining, n_samples, rounds=1000):
        race = SimpleNamespace(
            bound=bound, delta=0.1, remaining_=np.array(remaining), n_samples_=n_samples
        )
        return bool(experiments.broken(race, means, deviations, rounds))

    assert [breaks([1], n) for n in (most, most + 1)] == [False, True]
    assert breaks([0], 2)
    assert breaks([0, 1], 1000)
