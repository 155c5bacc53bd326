"""What the trials record, from their own draws and by plain loops."""

from types import SimpleNamespace

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .experiments import SparseL1Ball, descend, flops_to, kernel, multiclass, project_l1_ball
from .solvers import (
    RATES,
    SquaredLoss,
    coordinate_descent,
    interior_point,
    line_search,
    online_exponentiated,
    projected_gradient,
    stochastic_gradient,
)


def test_agreement_keeps_the_worst_of_violations_and_of_distances_from_sort():
    def short(v, radius):
        return 0.9 * project_l1_ball(v, radius)

    methods = {"sort": experiments.partial(project_l1_ball, method="sort"), "short": short}
    methods["tree"] = None
    for values in ("normal", "whole"):
        seen = wire(experiments.run_agreement, {"values": values}, methods=methods)
        rng = seen.rng("steps")
        n = int(rng.integers(1, 501))
        radius = 10.0 ** rng.uniform(-2, 2)
        apart = []
        worst = []
        best = np.zeros(n)
        for _ in range(100):
            at = rng.choice(n, size=rng.integers(1, min(n, 20) + 1), replace=False)
            steps = 2 * rng.normal(size=len(at))
            v = best.copy()
            v[at] += np.round(steps) if values == "whole" else steps
            best = project_l1_ball(v, radius, method="sort")
            apart.append(0.1 * max(abs(best)) / max(1.0, radius, max(abs(v))))
            worst.append(experiments.excess(v, 0.9 * best, radius))
        assert seen["sort"]["apart"] == 0
        assert seen["sort"]["violation"] < 1e-12
        assert seen["short"]["apart"] == pytest.approx(max(apart))
        assert seen["short"]["violation"] == pytest.approx(max(worst))
        assert seen.n_test["short"] == {"violation": 100, "apart": 100}


def test_excess_is_what_the_optimality_conditions_lack():
    v = np.array([3.0, -2.0, 0.5])
    right = np.array([1.5, -0.5, 0.0])
    assert experiments.excess(v, right, 2.0) == pytest.approx(0)
    assert experiments.excess(v, np.array([1.5, 0.5, 0.0]), 2.0) == pytest.approx(1.0 / 3)
    assert experiments.excess(v, np.array([1.5, -0.3, 0.0]), 2.0) == pytest.approx(0.2 / 3)
    assert experiments.excess(v, np.array([1.3, -0.7, 0.0]), 2.0) == pytest.approx(0.2 / 3)
    # the largest is left out: theta is 1.5 where it is kept
    assert experiments.excess(v, np.array([0.0, -0.5, 0.0]), 0.5) == pytest.approx(1.5 / 3)
    assert experiments.excess(v, v + [0, 0, 0.3], 9.0) == pytest.approx(0.3 / 9)


def merged(values):
    """Return the values, falling, and the comparisons of merging runs of 1, 2, 4, ..."""
    runs = [[value] for value in values]
    work = 0
    while len(runs) > 1:
        merged_runs = []
        for left, right in zip(runs[::2], [*runs[1::2], []], strict=False):
            left = list(left)
            right = list(right)
            out = []
            while left and right:
                work += 1
                out.append(left.pop(0) if left[0] >= right[0] else right.pop(0))
            merged_runs.append(out + left + right)
        runs = merged_runs
    return work


@pytest.mark.parametrize("cell", [{"start": "dense", "n": 1024}, {"start": "sparse", "n": 256}])
def test_work_is_the_mean_of_sixteen_steps(cell):
    seen = wire(experiments.run_work, cell)
    n = cell["n"]
    nonzero = n if cell["start"] == "dense" else 16
    rng = seen.rng("steps")
    start = rng.exponential(size=nonzero)
    ball = SparseL1Ball(n, float(nonzero))
    ball.add(rng.permutation(n)[:nonzero], start / start.sum() * nonzero)
    work = {name: [] for name in ("sort", "pivot", "Figure 2", "tree")}
    for _ in range(16):
        at = rng.choice(n, size=16, replace=False)
        values = rng.normal(size=16)
        v = ball.to_array()
        v[at] += values
        work["sort"].append(merged(abs(v)))
        for name in ("pivot", "Figure 2"):
            seed = int(rng.integers(2**31))
            threshold = experiments.pivot_threshold(
                abs(v), float(nonzero), seed, name == "Figure 2"
            )
            work[name].append(threshold[1])
        before = ball.work_
        work["tree"].append(ball.add(at, values).work_ - before)
    for name, counts in work.items():
        mean = sum(counts) / 16
        expected = {
            "log_work": np.log(mean),
            "per_element": mean / n,
            "beyond_log": np.log(mean / (16 * np.log2(n))),
        }
        assert seen[name] == pytest.approx(expected)


def test_the_step_size_is_the_best_after_a_fifth_of_the_budget():
    asked = []

    def run(size, steps):
        asked.append((size, steps))
        return np.array([[0.0, 1.0], [5.0, abs(np.log(size / 4.0))]])

    assert experiments.tuned(run)[1, -1] == 0
    assert asked[-1] == (4.0, 100)
    assert set(asked[:-1]) == {(size, 20) for size in experiments.SIZES}


def test_flops_are_the_first_within_the_aim_or_ten_times_the_last():
    trace = np.array([[1.0, 2.0, 4.0, 8.0], [9.0, 3.0, 5.0, 3.0]])
    assert flops_to(trace, 3.0) == 2.0
    assert flops_to(trace, 2.9) == 80.0


@pytest.mark.parametrize(
    "choices", [{"objective": "sum"}, {"batch-share": "0.25", "penalty": "0.01"}]
)
def test_two_digits_are_flops_to_the_gap_of_each_solver(choices):
    seen = wire(experiments.run_batch, choices=choices)
    n = 100
    rng = seen.rng("data")
    w = np.where(rng.permutation(n) < 50, 0.0, rng.normal(size=n))
    X = rng.normal(size=(n, n))
    y = X @ w + rng.normal(size=n)
    aim = 0.01 / (100 if "objective" in choices else 1)
    slope = SquaredLoss.slope(np.zeros(n), y)
    penalty = float(choices.get("penalty", "0.1")) * np.abs(slope @ X).max()
    inner, best = interior_point(SquaredLoss, X, y, penalty, tolerance=1e-3 * aim)
    radius = np.abs(best).sum()
    least = SquaredLoss.value(X @ best, y)
    unit = 0.25 / SquaredLoss.curvature
    data = SquaredLoss, X, y, radius
    share = float(choices.get("batch-share", "0.01"))

    def by_size(follow):
        ends = [follow(size * unit, 20)[1, -1] for size in experiments.SIZES]
        return follow(experiments.SIZES[ends.index(min(ends))] * unit, 100)

    traces = {
        "gradient": by_size(lambda eta, steps: projected_gradient(*data, eta, steps)),
        "stochastic": by_size(
            lambda eta, steps: stochastic_gradient(*data, eta, steps, share, seen.rng("rows"))
        ),
        "line search": line_search(*data, unit, 100),
        "interior point": inner,
        "coordinate descent": coordinate_descent(SquaredLoss, X, y, penalty, 10),
    }
    for name, (flops, losses) in traces.items():
        base = least
        if name in ("interior point", "coordinate descent"):
            base += penalty * radius
            assert "early" not in seen[name]
        near = np.flatnonzero(losses - base <= aim)
        expected = flops[near[0]] if len(near) else 10 * flops[-1]
        assert seen[name]["two_digits"] == pytest.approx(np.log10(expected))
        if base == least:
            half = next(i for i in range(len(flops)) if flops[i] >= flops[-1] / 2)
            gap = np.log10(np.maximum(losses - base, aim / 100))
            zero = np.log10(SquaredLoss.value(np.zeros(n), y) - base)
            assert seen[name]["early"] == pytest.approx(zero - 2 * gap[half] + gap[-1])


def digits():
    rng = np.random.default_rng(0)
    y = rng.integers(10, size=60_000)
    images = rng.integers(256, size=(60_000, 28, 28), dtype=np.uint8)
    return SimpleNamespace(images=images, y=y)


def test_losses_on_digits_are_those_of_the_best_of_the_settings():
    data = digits()
    asked = []

    def update(w, change, radius):
        asked.append((change, radius))
        moved = np.clip(w + change, 0, None)
        return np.where(moved < 1e-3, 0, moved)

    methods = {"mine": (update, ("1/t",))}
    choices = {"bound": "10"}
    seen = wire(experiments.run_mnist, methods=methods, data={"mnist": data}, choices=choices)
    rng = seen.rng("rows", ("gradient",))
    rows = rng.permutation(60_000)[:300]
    support = rng.permutation(60_000)[:2766]
    flat = data.images.reshape(-1, 784) / np.float32(255)
    gram = kernel(flat[rows], flat[support])
    signs = np.where(data.y[support] == np.arange(10)[:, None], 1.0, -1.0)
    assert {radius for _, radius in asked} == {10.0}
    runs = []
    for rate in ("1/t",):
        for power in range(8):
            w = np.full((10, 2766), 10 / 2766)
            losses = []
            for t in range(1, 21):
                loss, gradient = multiclass(gram, signs, data.y[rows], w)
                losses.append(loss)
                w = update(w, -(4.0**power) * t ** RATES[rate] * gradient, 10.0)
            losses.append(multiclass(gram, signs, data.y[rows], w)[0])
            runs.append((losses, w))
    losses, w = min(runs, key=lambda run: run[0][-1])
    zeros = [100 * np.mean(row == 0) for row in w]
    expected = {
        "loss": losses[-1],
        "path": np.mean(losses),
        "zero_least": min(zeros),
        "zero_most": max(zeros),
    }
    assert seen["mine"] == pytest.approx(expected, rel=1e-4)


def test_the_kernel_and_the_loss_are_those_of_equation_12():
    rng = np.random.default_rng(0)
    rows = rng.random((3, 784))
    support = rng.random((4, 784))
    plain = np.exp(-np.sum((rows[:, None] - support) ** 2, axis=2) / 25)
    np.testing.assert_allclose(kernel(rows.copy(), support), plain)
    signs = rng.choice([-1.0, 1.0], size=(10, 4))
    y = np.array([0, 3, 9])
    w = rng.random((10, 4))

    def loss(w):
        scores = plain @ (w * signs).T
        return np.mean(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(3), y])

    value, gradient = multiclass(plain, signs, y, w)
    assert value == pytest.approx(loss(w))
    for at in ((0, 1), (3, 2), (5, 3)):
        step = np.zeros_like(w)
        step[at] = 1e-6
        slope = (loss(w + step) - loss(w - step)) / 2e-6
        assert gradient[at] == pytest.approx(slope, rel=1e-5)


def test_looks_are_before_every_tenth_step_and_after_the_last():
    rng = np.random.default_rng(0)
    gram = rng.random((8, 4))
    signs = np.ones((10, 4))
    y = np.arange(8)
    draws = list(rng.integers(8, size=(20, 2)))
    asked = []

    def update(w, change, radius):
        asked.append(change)
        return w + change

    losses, w = descend(update, -0.5, 0.1, gram, signs, y, 2.0, draws)
    now = np.full((10, 4), 0.5)
    expected = []
    for t, rows in enumerate(draws):
        if t % 2 == 0:
            expected.append(multiclass(gram, signs, y, now)[0])
        now = now - 0.1 / np.sqrt(t + 1) * multiclass(gram[rows], signs, y[rows], now)[1]
    expected.append(multiclass(gram, signs, y, now)[0])
    np.testing.assert_allclose(losses, expected)
    np.testing.assert_allclose(w, now)


TEXTS = [
    "x\n\nalpha beta gamma alpha beta",
    "x\n\nbeta gamma delta",
    "x\n\ngamma delta epsilon eta",
]


def test_bigrams_are_of_neighbouring_words_without_stop_words():
    starts, numbers = experiments.bigrams(("head words\n\nAlpha the beta 1 gamma", *TEXTS[1:]))
    assert starts.tolist() == [0, 2, 4, 7]
    assert len(set(numbers)) == 5  # beta gamma and gamma delta recur
    assert sorted(set(numbers[:2]) & set(numbers[2:4]))


@pytest.mark.parametrize("choices", [{}, {"features": "binary"}, {"radius": "300"}])
def test_the_pass_over_bigrams_measures_the_best_step_size_of_each_rule(choices):
    rng = np.random.default_rng(0)
    words = np.array([chr(97 + a) * 2 + chr(97 + b) for a in range(26) for b in range(20)])
    texts = ["h\n\n" + " ".join(rng.choice(words[:60], size=30)) for _ in range(40)]
    y = np.where(rng.random(40) < 0.5, "comp.x", "rec.y")
    news = SimpleNamespace(texts=texts, y=y, n_train=30)
    cell = {"task": "comp", "postings": 12}
    seen = wire(experiments.run_online, cell, data={"20newsgroups": news}, choices=choices)
    rng = seen.rng("order", ("task",))
    drawn = np.sort(rng.permutation(30)[:12])
    at, numbers = experiments.bigrams(tuple(texts[i] for i in drawn))
    order = rng.permutation(12)
    rows = [numbers[at[i] : at[i + 1]] for i in order]
    labels = np.array([1.0 if y[drawn][i].startswith("comp") else -1.0 for i in order])
    lengths = np.array([len(row) for row in rows])
    sizes = np.ones(12) if "features" in choices else lengths**-0.5
    radius = float(choices.get("radius", 100))
    n = max(numbers) + 1
    starts = np.append(0, np.cumsum(lengths))
    indices = np.concatenate(rows)
    values = np.repeat(sizes, lengths)
    unit = 1 / np.mean(sizes**2 * lengths)

    def loss(scores):
        return np.mean(np.log1p(np.exp(-labels * scores)))

    runs = []
    for power in range(-1, 4):
        ball = SparseL1Ball(n, radius)
        scores = []
        for t, row in enumerate(rows):
            scores.append(ball.weights(row).sum() * sizes[t])
            slope = labels[t] / (1 + np.exp(labels[t] * scores[-1]))
            step = 4.0**power * unit / np.sqrt(t + 1) * slope
            ball.add(row, np.full(len(row), step * sizes[t]))
        runs.append((loss(np.array(scores)), np.array(scores), ball))
    least, scores, ball = min(runs, key=lambda run: run[0])
    rivals = [
        online_exponentiated(starts, indices, values, labels, n, radius, 4.0**p * unit, power)
        for p in range(-1, 4)
        for power in RATES.values()
    ]
    rival = min(rivals, key=loss)
    assert seen["projection"]["loss"] == pytest.approx(least)
    assert seen["EG"]["loss"] == pytest.approx(loss(rival))
    for name, outcome in (("projection", scores), ("EG", rival)):
        assert seen[name]["errors"] == pytest.approx(100 * np.mean((outcome > 0) != (labels > 0)))
        assert seen.n_test[name]["errors"] == 12
    weights = np.abs(ball.to_array())
    assert seen["projection"]["nonzero"] == pytest.approx(100 * np.mean(weights > 0))
    assert seen["projection"]["log_work"] == pytest.approx(np.log(ball.work_ / 12))
    work = []
    for t in rng.integers(12, size=20):
        v = weights.copy()
        v[rows[t]] += sizes[t]
        seed = int(rng.integers(2**31))
        work.append(experiments.pivot_threshold(v, radius, seed, False)[1])
    assert seen["pivot"]["log_work"] == pytest.approx(np.log(np.mean(work)), rel=0.02)
