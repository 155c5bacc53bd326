"""The rules against plain loops from the text, and errata that a small computation settles."""

import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from . import experiments
from .method import (
    BestOptionRace,
    FilterBoost,
    Stop,
    adaptive_sampling_stop,
    empirical_bernstein_stop,
    optimal_stop,
    product_shares,
)

EPSILON = DELTA = 0.1
STREAMS = {
    "average": (1.0, lambda rng, size: rng.random((size, 10)).mean(axis=1)),
    "bernoulli": (1.0, lambda rng, size: rng.random(size) < 0.3),
    "signed": (2.0, lambda rng, size: 2 * rng.random(size) - 1.6),
}


def stream(name, seed=0):
    """Return R and a function that draws; two of one seed draw the same numbers."""
    width, draw = STREAMS[name]
    rng = np.random.default_rng(seed)
    return width, lambda size: draw(rng, size)


def ebgstop(draw, width, beta, d):
    """From the text alone: Algorithm 3; every sample has its own interval where beta is None."""
    low = 0.0
    high = math.inf
    t = 1
    k = 0
    x = 0.0
    total = squares = 0.0

    def obtain():
        nonlocal total, squares
        value = float(draw())
        total = total + value
        squares = squares + value * value

    obtain()
    while (1 + EPSILON) * low < (1 - EPSILON) * high:
        t += 1
        obtain()
        if beta is None:
            x = -math.log(d(t) / 3)
        elif t > math.floor(beta**k):
            k += 1
            x = -math.floor(beta**k) / math.floor(beta ** (k - 1)) * math.log(d(k) / 3)
        mean = abs(total / t)
        c = math.sqrt(squares / t - mean**2) * math.sqrt(2 * x / t) + 3 * width * x / t
        low = max(low, mean - c)
        high = min(high, mean + c)
    return math.copysign(((1 + EPSILON) * low + (1 - EPSILON) * high) / 2, total), t


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("growth", [None, 1.5, 1.1])
def test_empirical_bernstein_stop_is_the_papers_loop(name, growth):
    def d(k):
        if growth == 1.1:  # c / k^p, p = 1.1, c = delta (p - 1) / p
            return DELTA * 0.1 / 1.1 / k**1.1
        return DELTA / (k * (k + 1))

    width, draw = stream(name)
    shares = {} if growth == 1.1 else {"shares": product_shares}
    stop = empirical_bernstein_stop(draw, width=width, growth=growth, **shares)
    values = iter(stream(name)[1](10**5))
    mean, n = ebgstop(lambda: next(values), width, growth, d)
    assert stop.n_samples == n
    assert stop.mean == pytest.approx(mean)


def nas(draw, epsilon, delta, stop):
    t = 0
    total = 0.0
    stopped = False
    while not stopped:
        t = t + 1
        total = total + draw()
        alpha = math.sqrt(math.log(t * (t + 1) / delta) / (2 * t))
        stopped = stop(abs(total / t), alpha * (1 + 1 / epsilon))
    return t, total / t


def test_adaptive_sampling_stops_when_the_mean_reaches_the_limit():
    values = iter(stream("bernoulli")[1](10**5))
    t, mean = nas(lambda: next(values), EPSILON, DELTA, lambda mean, limit: mean >= limit)
    stop = adaptive_sampling_stop(stream("bernoulli")[1])
    assert stop.n_samples == t
    assert stop.mean == pytest.approx(mean)


def test_geometric_adaptive_sampling_tests_after_powers_of_its_growth():
    values = stream("average")[1](10**5)
    sizes = sorted({math.ceil(1.5**k) for k in range(1, 25)})
    for k, t in enumerate(sizes, start=1):
        alpha = math.sqrt(math.log(k * (k + 1) / DELTA) / (2 * t))
        if values[:t].mean() >= alpha * (1 + 1 / EPSILON):
            break
    assert adaptive_sampling_stop(stream("average")[1], growth=1.5).n_samples == t


def test_optimal_stop_takes_the_samples_of_dagums_three_steps():
    """For constant samples every step is known in closed form."""
    lam = math.e - 2
    level = math.log(2 / DELTA)
    mean = 0.25
    first = math.ceil((1 + (1 + math.sqrt(EPSILON)) * 4 * lam * math.log(60) / EPSILON) / mean)
    rough = (1 + (1 + math.sqrt(EPSILON)) * 4 * lam * math.log(60) / EPSILON) / first
    scale = 2 * (1 + math.sqrt(EPSILON)) * (1 + 2 * math.sqrt(EPSILON))
    scale *= (1 + math.log(1.5) / level) * 4 * lam * level / EPSILON**2
    last = math.ceil(scale * EPSILON / rough)
    stop = optimal_stop(lambda size: np.full(size, mean))
    assert stop == (mean, first + 3 * last)


def test_plug_in_stop_is_a_plain_loop():
    draw = iter(STREAMS["average"][1](np.random.default_rng(1), 4096))
    log = math.log(20)
    total = 0.5
    square = 0.25
    bets = 0.0
    on = 0.0
    cost = log
    low = 0.0
    high = 1.0
    t = 0
    while 1.1 * low < 0.9 * high:
        x = next(draw)
        t = t + 1
        guess = total / t
        deviation = square / t
        bet = min(0.5, math.sqrt(2 * log / (deviation * t * math.log(1 + t))))
        bets = bets + bet
        on = on + bet * x
        cost += (x - guess) ** 2 * (-math.log(1 - bet) - bet)
        total += x
        square += (x - total / (t + 1)) ** 2
        low = max(low, (on - cost) / bets)
        high = min(high, (on + cost) / bets)
    assert experiments.plug_in_stop(stream("average", 1)[1]).n_samples == t


@pytest.mark.parametrize("bound", ["hoeffding", "bernstein"])
def test_a_race_is_a_plain_loop(bound):
    rng = np.random.default_rng(2)
    rewards = rng.random((2000, 4)) * 0.3 + [0.0, 0.2, 0.5, 0.68]
    level = math.log(4 * 2000 / 0.1)
    alive = [0, 1, 2, 3]
    taken = 0
    for t in range(1, 2001):
        taken = taken + len(alive)
        ends = {}
        for m in alive:
            seen = rewards[:t, m]
            c = math.sqrt((level + math.log(2)) / (2 * t))
            if bound == "bernstein":
                c = seen.std() * math.sqrt(2 * (level + math.log(3)) / t)
                c += 3 * (level + math.log(3)) / t
            ends[m] = seen.mean() - c, seen.mean() + c
        alive = [m for m in alive if ends[m][1] >= max(low for low, _ in ends.values())]
        if len(alive) == 1:
            break
    race = BestOptionRace(bound).run(rewards)
    assert (race.remaining_.tolist(), race.n_samples_) == (alive, taken)


def test_an_edge_is_that_of_examples_that_pass_a_filter():
    rng = np.random.default_rng(3)
    X = rng.random((400, 5)) < 0.5
    y = np.where(rng.random(400) < 0.2, rng.random(400) < 0.5, X[:, 0] | X[:, 1])
    many = FilterBoost(lambda draw, *_: Stop(draw(40000).mean(), 1), rounds=3, random_state=0)
    many.fit(X, y)
    sign = 2 * y - 1
    margin = np.zeros(400)
    for feature, weight in zip(many.stumps_, many.weights_, strict=True):
        at = rng.integers(400, size=60000)
        passed = at[rng.random(60000) < 1 / (1 + np.exp(sign * margin))[at]]
        stump = np.sign(weight) * (2 * X[:, feature] - 1)
        edge = np.mean(stump[passed] == sign[passed]) - 0.5
        assert math.tanh(abs(weight)) / 2 * 1.25 == pytest.approx(edge, abs=0.015)
        margin += abs(weight) * stump
    assert many.score(X, y) == np.mean((margin >= 0) == y)


@pytest.mark.parametrize("k", [1, 2, 7, 30])
def test_leave_one_out_means_are_those_of_a_library(k):
    rng = np.random.default_rng(4)
    x = np.sort(rng.random(40))
    y = rng.random(40)
    for i, means in enumerate(experiments.leave_one_out(x, y, k)):
        others = np.arange(40) != i
        model = KNeighborsRegressor(k).fit(x[others, None], y[others])
        assert means == pytest.approx(model.predict([[x[i]]])[0])


@pytest.mark.parametrize("bound", ["hoeffding", "bernstein"])
def test_a_race_that_loses_the_best_keeps_the_worst_or_takes_too_long_is_broken(bound):
    means = np.array([0.1, 0.9])
    deviations = np.full(2, 0.01)
    fine = SimpleNamespace(bound=bound, delta=0.1, remaining_=np.array([1]), n_samples_=300)
    assert not experiments.broken(fine, means, deviations, 5000)
    for change in ({"remaining_": np.array([0])}, {"n_samples_": 10**4}):
        assert experiments.broken(SimpleNamespace(**vars(fine) | change), means, deviations, 5000)
    both = SimpleNamespace(**vars(fine) | {"remaining_": np.array([0, 1])})
    assert experiments.broken(both, means, deviations, 5000)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: empirical_bernstein_stop(np.ones, epsilon=1.0), "between 0 and 1"),
        (lambda: empirical_bernstein_stop(lambda size: [0.5]), "returns 64 numbers"),
        (lambda: adaptive_sampling_stop(np.arange), "samples range from"),
        (lambda: adaptive_sampling_stop(np.ones, growth=0.5), "growth is above 1"),
        (lambda: optimal_stop(lambda size: -np.ones(size)), "between 0 and 1, found -1"),
        (lambda: BestOptionRace("bernstien").run(np.ones((3, 2))), "did you mean 'bernstein'"),
        (lambda: BestOptionRace().run([[0.0, 2.0]]), "rewards range over 2"),
        (lambda: FilterBoost().fit([[0.5], [1.0]], [0, 1]), "zeros and ones"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_mean_of_zero_ends_in_a_message():
    rule = partial(empirical_bernstein_stop, max_samples=1000)
    with pytest.raises(RuntimeError, match="no stop after 1000 samples"):
        rule(lambda size: np.resize([0.5, -0.5], size))


def test_printed_stopping_rule_stops_at_once():
    """Algorithm 1: `until <` stops at t = 1, `until >=` when it is accurate."""
    rng = np.random.default_rng(4)
    for _ in range(5):
        for stop, few in ((lambda mean, limit: mean < limit, True), (float.__ge__, False)):
            t, mean = nas(lambda: rng.random() < 0.5, EPSILON, DELTA, stop)
            assert (t == 1) == few
        assert abs(mean - 0.5) <= 0.05


def test_estimate_exceeds_the_printed_middle_term():
    """After Algorithm 2: the middle term is LB; with UB the chain holds."""
    epsilon = 0.1
    low = 1.0
    assert math.isclose(((1 + epsilon) * low + (1 - epsilon) * low) / 2, low)
    for high in np.linspace(low, 1.1 / 0.9, 12):  # the condition allows UB up to 1.1 / 0.9
        estimate = ((1 + epsilon) * low + (1 - epsilon) * high) / 2
        assert (1 - epsilon) * high <= estimate + 1e-12
        assert estimate <= (1 + epsilon) * low + 1e-12
    assert estimate > low


def test_bound_without_the_range_fails_for_a_wide_variable():
    """Eq. 5: one draw of 0 or 1000 lies within the bound only with R."""
    wide = 1000.0
    second = 3 * math.log(3 / 0.1)
    assert all(abs(x - wide / 2) > second for x in (0.0, wide))
    assert all(abs(x - wide / 2) <= wide * second for x in (0.0, wide))
