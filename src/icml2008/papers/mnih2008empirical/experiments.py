"""Sections 3.3, 3.4 and 4.2: samples of stopping rules, of boosting by filtering and of races."""

from __future__ import annotations

from functools import partial

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.papers.mnih2008empirical.method import (
    BestOptionRace,
    FilterBoost,
    Stop,
    adaptive_sampling_stop,
    empirical_bernstein_stop,
    optimal_stop,
    product_shares,
)

EPSILON = DELTA = 0.1
TAU = 0.25
GROWTH = 1.5
# runs of a repeat: of stopping rules, and of boosting
BLOCK = 10
RUNS = 2


def plug_in_stop(sample, epsilon=EPSILON, delta=DELTA):
    """Stop by the empirical Bernstein confidence sequence of Waudby-Smith and Ramdas (2024).

    Theorem 2 there, for samples between 0 and 1, with EBStop's condition.
    """
    n = 0
    low = 0.0
    high = np.inf
    log = np.log(2 / delta)
    total = 0.5
    squares = 0.25
    bets = 0.0
    bet_on = 0.0
    spent = log
    while True:
        x = np.asarray(sample(min(max(64, n // 2), 65536)), dtype=float)
        t = np.arange(n + 1, n + len(x) + 1)
        guess = np.append(total, total + np.cumsum(x)) / np.append(n + 1, t + 1)
        second = np.append(squares, squares + np.cumsum((x - guess[1:]) ** 2))
        bet = np.minimum(np.sqrt(2 * log / (second[:-1] * np.log(t + 1))), 0.5)  # t s^2 is second
        sums = bets + np.cumsum(bet)
        on = bet_on + np.cumsum(bet * x)
        cost = spent + np.cumsum((x - guess[:-1]) ** 2 * (-np.log1p(-bet) - bet))
        lows = np.maximum(np.maximum.accumulate((on - cost) / sums), low)
        highs = np.minimum(np.minimum.accumulate((on + cost) / sums), high)
        stops = (1 + epsilon) * lows >= (1 - epsilon) * highs
        if stops.any():
            i = np.argmax(stops)
            return Stop(((1 + epsilon) * lows[i] + (1 - epsilon) * highs[i]) / 2, int(t[i]))
        n = n + len(x)
        low = lows[-1]
        high = highs[-1]
        total = total + x.sum()
        squares = second[-1]
        bets = sums[-1]
        bet_on = on[-1]
        spent = cost[-1]


def signed_rules(choices):
    """Return the rules that take signed samples, with the shares of delta that are chosen."""
    scale = 1 / DELTA if choices["shares"] == "printed" else 1.0

    def shares(k):
        return scale * product_shares(k)

    return {
        "NAS": adaptive_sampling_stop,
        "NAS-geometric": partial(adaptive_sampling_stop, growth=GROWTH),
        "EBGStop": partial(empirical_bernstein_stop, growth=GROWTH, shares=shares),
    }, shares


def rules(choices):
    """Return all rules of Section 3.3, today's, and the samples for a known variance."""
    rules, shares = signed_rules(choices)
    rules["EBStop"] = partial(empirical_bernstein_stop, growth=None, shares=shares)
    rules["EBGStop*"] = empirical_bernstein_stop
    if (width := float(choices.get("range", "1"))) != 1:
        rules = {name: partial(rule, width=width) for name, rule in rules.items()}
    first = {"minimum": min, "maximum": max}[choices.get("first-step", "minimum")]
    return rules | {
        "AA": partial(optimal_stop, first=first), "plug-in": plug_in_stop, "known": "known",
    }  # fmt: skip


def sampler(rng, family, at):
    """Return a function that draws samples, their mean and their variance."""
    if family == "bernoulli":
        return lambda size: rng.random(size) < at, at, at * (1 - at)
    n, mean, width = (int(at), 0.5, 1.0) if family == "averages" else (10, at, 0.2)

    def draw(size):
        return mean + width * (rng.random((size, n)).mean(axis=1) - 0.5)

    return draw, mean, width**2 / (12 * n)


AVERAGES = grid(family=["averages"], at=[1.0, 5.0, 10.0, 50.0, 100.0, 1000.0])
MEANS = grid(family=["means"], at=[0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
BERNOULLI = grid(family=["bernoulli"], at=[0.99, 0.9, 0.5, 0.1, 0.05, 0.01])


@experiment(
    "stops",
    cells=AVERAGES + MEANS + BERNOULLI,
    quick=AVERAGES[:3:2] + MEANS[3::2] + BERNOULLI[1:3],
    smoke=[AVERAGES[2], BERNOULLI[2]],
    repeats={"quick": 6, "full": 10},
    cost=0.07,
    methods=rules,
)
def samples_until_stop(trial):
    """Figures 1 to 3: how many samples each rule takes, and how far off it is."""
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            streams = [trial.rng(f"run-{run}") for run in range(BLOCK)]
            draws = [sampler(stream, **trial.cell) for stream in streams]
            _, mean, variance = draws[0]
            if rule == "known":  # Bernstein's inequality, solved for the number of samples
                allowed = EPSILON * mean
                n = np.ceil(np.log(2 / DELTA) * (2 * variance + 2 * allowed / 3) / allowed**2)
                trial.measure(name, samples=n, log_samples=np.log(n))
                continue
            stops = [rule(draw, EPSILON, DELTA) for draw, _, _ in draws]
            n = np.mean([stop.n_samples for stop in stops])
            worst = max(abs(stop.mean - mean) for stop in stops) / mean - EPSILON
            trial.measure(name, samples=n, log_samples=np.log(n))
            trial.measure(name, violation=worst, n_test=BLOCK)


def indicators(table, bins):
    """Return a feature of zeros and ones for each value, or each of five bins, of an attribute."""
    columns = []
    for name, column in zip(table.feature_names, table.X[: table.n_train].T, strict=True):
        values = column
        if name not in table.categories:
            if bins == "width":
                edges = np.linspace(np.nanmin(column), np.nanmax(column), 6)[1:-1]
            else:
                edges = np.unique(np.nanquantile(column, [0.2, 0.4, 0.6, 0.8]))
            values = np.where(np.isnan(column), np.nan, np.searchsorted(edges, column))
        columns += [values == value for value in np.unique(values[~np.isnan(values)])]
    return np.array(columns).T


@experiment(
    "boosting",
    cells=grid(dataset=["adult"]),
    repeats={"quick": 6, "full": 100},
    cost=0.25,
    methods=lambda choices: signed_rules(choices)[0] | {"majority": "majority"},
    data=lambda cell: (cell["dataset"],),
)
def filtering(trial):
    """Figure 4: samples for the edges of stumps, their spread over runs, and accuracy."""
    table = trial.data(trial.cell["dataset"])
    X = indicators(table, trial.choices["bins"]).astype(np.float32)
    y = np.unique(table.y[: table.n_train], return_inverse=True)[1]
    seeds = trial.rng("runs").integers(2**32, size=RUNS)
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            if rule == "majority":
                trial.measure(
                    name, accuracy=100 * np.unique(y, return_counts=True)[1].max() / len(y)
                )
                continue
            options = {"epsilon": EPSILON, "delta": DELTA, "tau": TAU}
            options["rounds"] = int(trial.choices["rounds"])
            runs = [FilterBoost(rule, random_state=seed, **options).fit(X, y) for seed in seeds]
            samples = [run.n_samples_.sum() for run in runs]
            trial.measure(
                name,
                samples=np.mean(samples),
                spread=np.std(samples, ddof=1),
                accuracy=100 * np.mean([run.score(X, y) for run in runs]),
            )


def leave_one_out(x, y, k):
    """Return the mean of y over the k nearest other points of each point; x rises."""
    i = np.arange(len(x))
    n = len(x)
    low = np.maximum(i - k, 0)
    high = np.minimum(i, n - 1 - k)
    while (low < high).any():  # the leftmost of k + 1 points in a row, the point itself included
        middle = (low + high) // 2
        right = (low < high) & (x[i] - x[middle] > x[np.minimum(middle + k + 1, n - 1)] - x[i])
        low = np.where(right, middle + 1, low)
        high = np.where(right, high, middle)
    sums = np.append(0, np.cumsum(y))
    return (sums[low + k + 1] - sums[low] - y) / k


RACES = {
    "hoeffding": partial(BestOptionRace, "hoeffding"),
    "bernstein": partial(BestOptionRace, "bernstein"),
}


@experiment(
    "races",
    cells=grid(binary=[0, 1]),
    repeats={"quick": 6, "full": 40},
    cost=0.06,
    methods=RACES,
)
def races_of_neighbours(trial):
    """Table 1, Local: the best k of k-nearest neighbours by leave-one-out errors."""
    rng = trial.rng("points")
    n = 10_000
    pieces = int(trial.choices["pieces"])
    x = np.sort(rng.random(n))
    knots = np.concatenate([[0.0], np.sort(rng.random(pieces - 1)), [1.0]])
    if trial.choices["joins"] == "jumps":
        ends = rng.random((2, pieces))
        piece = np.searchsorted(knots, x, side="right") - 1
        along = (x - knots[piece]) / np.diff(knots)[piece]
        y = ends[0, piece] + along * (ends[1, piece] - ends[0, piece])
        y = (y - ends.min()) / np.ptp(ends)
    else:
        heights = rng.random(pieces + 1)
        y = np.interp(x, knots, (heights - heights.min()) / np.ptp(heights))
    if trial.cell["binary"]:
        y = (rng.random(n) < y).astype(float)
    else:
        y = y + float(trial.choices["noise"]) * rng.standard_normal(n)
        y = (y - y.min()) / np.ptp(y)
    power = {"absolute": 1, "squared": 2}[trial.choices["loss"]]
    losses = []
    for k in 2 ** np.arange(11):
        guess = leave_one_out(x, y, k)
        losses.append(np.abs((guess >= 0.5 if trial.cell["binary"] else guess) - y) ** power)
    rewards = -np.array(losses).T[rng.permutation(n)]
    for name, race in trial.methods.items():
        with trial.attempt(name):
            raced = race(delta=DELTA).run(rewards)
            saved = 100 * (1 - raced.n_samples_ / rewards.size)
            trial.measure(name, saved=saved, left=len(raced.remaining_))


def broken(race, means, deviations, rounds):
    """Return whether a race (of width 1) did anything that Theorem 1 or 2 excludes."""
    gaps = means.max() - means
    left = race.remaining_
    n = len(means)
    worse = gaps > 0
    each = rounds // n
    if race.bound == "hoeffding":
        log = np.log(2 * n * rounds / race.delta)
        need = np.ceil(8 * log / gaps[worse] ** 2)
        slack = np.full(n, 4 * np.sqrt(log / (2 * each)))
    else:
        both = deviations[np.argmin(gaps)] + deviations
        log = np.log(4 * n * rounds / race.delta)
        need = np.ceil((8 * both**2 + 18 * gaps)[worse] / gaps[worse] ** 2 * log)
        slack = both * np.sqrt(8 * log / each) + 9 * log / each
    if np.argmin(gaps) not in left:
        return True
    if len(left) == 1:
        return race.n_samples_ > 2 * need.sum()
    sure = np.sum(2 * np.cumsum(np.sort(need)) <= rounds)
    return n - len(left) < sure or np.any(gaps[left] > slack[left])


@experiment(
    "race-bounds",
    cells=grid(options=[2, 10], concentration=[0, 50]),
    repeats={"quick": 10, "full": 100},
    cost=0.03,
    methods=RACES,
)
def races_within_bounds(trial):
    """Theorems 1 and 2: races of Bernoulli or beta rewards with means drawn at random."""
    rng = trial.rng("rewards")
    options = trial.cell["options"]
    rounds = 5000
    means = rng.random(options)
    nu = trial.cell["concentration"]
    deviations = np.sqrt(means * (1 - means) / (1 + nu))
    size = rounds, options
    rewards = rng.beta(means * nu, (1 - means) * nu, size) if nu else rng.random(size) < means
    for name, race in trial.methods.items():
        with trial.attempt(name):
            raced = race(delta=DELTA).run(rewards)
            saved = 100 * (1 - raced.n_samples_ / rewards.size)
            trial.measure(name, saved=saved, broken=100 * broken(raced, means, deviations, rounds))
