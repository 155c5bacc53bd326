"""The projections and their work; Figures 4, 5 and 7; Figure 8 on other texts."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from scipy.special import logsumexp
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from icml2008.harness.counting import merge_comparisons
from icml2008.harness.experiment import experiment, grid
from icml2008.papers.duchi2008projections.method import (
    SparseL1Ball,
    pivot_threshold,
    project_l1_ball,
    project_simplex,
)
from icml2008.papers.duchi2008projections.solvers import (
    RATES,
    LogisticLoss,
    SquaredLoss,
    coordinate_descent,
    interior_point,
    line_search,
    online_exponentiated,
    projected_gradient,
    stochastic_gradient,
)

STEPS = 100


def excess(v, w, radius):
    """Return by how much w breaks the conditions of the nearest point of the ball to v."""
    scale = max(1.0, radius, np.abs(v).max())
    sizes = np.abs(w)
    kept = w != 0
    if np.abs(v).sum() <= radius:
        return np.abs(w - v).max() / scale
    shifts = np.abs(v) - sizes  # theta where w is not zero, at most theta elsewhere
    theta = shifts[kept].mean()
    signs = np.max(-np.minimum(v * w, 0))
    off = np.abs(shifts[kept] - theta).max(), np.max(shifts[~kept] - theta, initial=0.0)
    return max(*off, signs, abs(sizes.sum() - radius)) / scale


@experiment(
    "agreement",
    cells=grid(values=["normal", "whole"]),
    repeats=30,
    cost=0.02,
    methods={
        "sort": partial(project_l1_ball, method="sort"),
        "pivot": partial(project_l1_ball, method="pivot"),
        "tree": None,
    },
)
def run_agreement(trial):
    """Largest excess over the optimality conditions, and distance from sort, of 100 steps."""
    rng = trial.rng("steps")
    worst = {name: [0.0, 0.0] for name in trial.methods}
    n = int(rng.integers(1, 501))
    radius = 10.0 ** rng.uniform(-2, 2)
    ball = SparseL1Ball(n, radius)
    for _ in range(STEPS):
        indices = rng.choice(n, size=rng.integers(1, min(n, 20) + 1), replace=False)
        values = 2 * rng.normal(size=len(indices))
        if trial.cell["values"] == "whole":
            values = np.round(values)
        v = ball.to_array()
        v[indices] += values
        sorted_ = trial.methods["sort"](v, radius)
        for name, project in trial.methods.items():
            w = ball.add(indices, values).to_array() if project is None else project(v, radius)
            apart = np.abs(w - sorted_).max() / max(1.0, radius, np.abs(v).max())
            worst[name] = np.maximum(worst[name], [excess(v, w, radius), apart])
    for name, (violation, apart) in worst.items():
        trial.measure(name, n_test=STEPS, violation=violation, apart=apart)


DENSE = partial(grid, start=["dense"])
SPARSE = partial(grid, start=["sparse"], k=[16])


@experiment(
    "work",
    cells=DENSE(n=[1024, 8192, 65536, 524288], k=[16, 64, 256]) + SPARSE(n=[256, 1024, 4096]),
    quick=DENSE(n=[1024, 8192], k=[16]) + SPARSE(n=[256, 1024]),
    repeats=6,
    cost=lambda cell: 0.02 + 5e-6 * cell["n"],
    methods=dict.fromkeys(("sort", "pivot", "Figure 2", "tree")),
)
def run_work(trial):
    """Mean work of 16 sparse steps from a point of the ball."""
    n = trial.cell["n"]
    k = trial.cell["k"]
    rng = trial.rng("steps")
    nonzero = n if trial.cell["start"] == "dense" else 16
    start = rng.exponential(size=nonzero)
    ball = SparseL1Ball(n, float(nonzero))
    ball.add(rng.permutation(n)[:nonzero], start * nonzero / start.sum())
    work = {name: [] for name in trial.methods}
    for _ in range(16):
        indices = rng.choice(n, size=k, replace=False)
        values = rng.normal(size=k)
        v = ball.to_array()
        v[indices] += values
        sizes = np.abs(v)
        before = ball.work_
        work["sort"].append(merge_comparisons(sizes))
        for name in ("pivot", "Figure 2"):
            seed = int(rng.integers(2**31))
            thresholds = pivot_threshold(sizes, ball.radius, seed, name == "Figure 2")
            work[name].append(thresholds[1])
        work["tree"].append(ball.add(indices, values).work_ - before)
    for name, thresholds in work.items():
        log_work = np.log(np.mean(thresholds))
        trial.measure(name, log_work=log_work, per_element=np.mean(thresholds) / n)
        trial.measure(name, beyond_log=log_work - np.log(k * np.log2(n)))


LOSSES = {"squares": SquaredLoss, "logistic": LogisticLoss}
SIZES = 4.0 ** np.arange(-3, 3)  # of steps, times the inverse of the largest curvature
# full gradients, and the gap that is called quick
BUDGET = 100
DIGITS = 0.01


def tuned(run):
    """Return the trace of a run with the step size that is best after a fifth of the budget."""
    return run(min(SIZES, key=lambda size: run(size, BUDGET // 5)[1, -1]), BUDGET)


def flops_to(trace, aim):
    """Return the first flops at which losses are at most the aim, or ten times the last flops."""
    reached = np.flatnonzero(trace[1] <= aim)
    return trace[0, reached[0]] if len(reached) else 10 * trace[0, -1]


@experiment(
    "batch",
    cells=grid(loss=["squares", "logistic"], n=[100, 800, 4000]),
    quick=grid(loss=["squares", "logistic"], n=[100]),
    repeats=6,
    cost=lambda cell: {100: 0.3, 800: 2, 4000: 20}[cell["n"]],
    methods=dict.fromkeys(
        ("gradient", "stochastic", "line search", "interior point", "coordinate descent")
    ),
)
def run_batch(trial):
    """Flops to a gap of 0.01, on data of Section 7."""
    n = trial.cell["n"]
    loss = LOSSES[trial.cell["loss"]]
    rng = trial.rng("data")
    w = np.where(rng.permutation(n) < n // 2, 0.0, rng.normal(size=n))
    X = rng.normal(size=(n, n))
    y = X @ w
    if loss is SquaredLoss:
        y += rng.normal(size=n)
    else:
        y = np.where(rng.random(n) < 0.1, -1, 1) * np.sign(y)
    aim = DIGITS / (n if trial.choices["objective"] == "sum" else 1)
    share = float(trial.choices["batch-share"])
    of_zero = loss.slope(np.zeros(n), y)
    penalty = float(trial.choices["penalty"]) * np.abs(X.T @ of_zero).max()
    interior, best = interior_point(loss, X, y, penalty, tolerance=1e-3 * aim)
    radius = np.abs(best).sum()
    least = loss.value(X @ best, y)
    unit = 1 / (4 * loss.curvature)  # the largest singular value is about 2 sqrt(n)
    data = loss, X, y, radius
    traces = {
        "gradient": tuned(lambda size, steps: projected_gradient(*data, size * unit, steps)),
        "stochastic": tuned(
            lambda size, steps: stochastic_gradient(
                *data, size * unit, steps, share, trial.rng("rows")
            )
        ),
        "line search": line_search(*data, unit, BUDGET),
        "interior point": interior,
        "coordinate descent": coordinate_descent(loss, X, y, penalty, 10),
    }
    for name, trace in traces.items():
        penalised = name in ("interior point", "coordinate descent")
        base = least + penalty * radius if penalised else least
        trial.measure(name, two_digits=np.log10(flops_to(trace, base + aim)))
        gaps = np.log10(np.maximum(trace[1] - base, 1e-2 * aim))
        if not penalised:
            zero = np.log10(loss.value(np.zeros(n), y) - base)
            middle = gaps[np.searchsorted(trace[0], trace[0, -1] / 2)]
            trial.measure(name, early=zero - middle - (middle - gaps[-1]))
        if n > 100:
            at = np.unique(np.linspace(0, len(gaps) - 1, 40).astype(int))
            trial.keep(f"{name} gaps", np.round([np.log10(trace[0, at]), gaps[at]], 3))


def kernel(rows, support):
    """Return exp(-d^2 / 25) between rows, (m, 784), and the support, (s, 784), in [0, 1]."""
    squares = np.sum(support**2, axis=1)
    products = rows @ support.T
    for start in range(0, len(rows), 4096):
        part = products[start : start + 4096]
        x = rows[start : start + 4096]
        part *= 2
        part -= squares + np.sum(x**2, axis=1)[:, None]
        part /= 25
        np.exp(np.minimum(part, 0, out=part), out=part)
    return products


def multiclass(gram, signs, y, w):
    """Return Equation 12 and its gradient by w, (10, s); signs are sigma."""
    scores = gram @ (w * signs).T.astype(gram.dtype)
    each = logsumexp(scores, axis=1, keepdims=True)
    shares = np.exp(scores - each)
    shares[np.arange(len(y)), y] -= 1
    loss = float(np.mean(each[:, 0] - scores[np.arange(len(y)), y], dtype=float))
    return loss, (shares.T @ gram).astype(float) * signs / len(y)


def simplex_rows(w, radius):
    """Return the nearest rows that are not negative and add up to at most the radius."""
    w = np.maximum(w, 0)
    project = partial(project_simplex, radius=radius, method="pivot")
    return np.array([row if row.sum() <= radius else project(row) for row in w])


def exponentiated(w, change, radius):
    """Return Equation 13; weights that have become zero by rounding stay so."""
    largest = np.max(change, axis=1, keepdims=True, where=w > 0, initial=-np.inf)
    grown = w * np.exp(np.minimum(change - largest, 0))
    return radius * grown / grown.sum(axis=1, keepdims=True)


def descend(update, rate, eta, gram, signs, y, radius, draws):
    """Return the losses before steps with looks and after the last, and the last weights.

    `draws` has rows for a stochastic step, or None for a true gradient.
    """
    w = np.full(signs.shape, radius / signs.shape[1])
    losses = []
    every = max(1, len(draws) // 10)
    for t, rows in enumerate(draws, start=1):
        if rows is not None:
            part = multiclass(gram[rows], signs, y[rows], w)[1]
        else:
            now, part = multiclass(gram, signs, y, w)
            losses.append(now)
        if rows is not None and (t - 1) % every == 0 and len(gram) > len(rows):
            losses.append(multiclass(gram, signs, y, w)[0])
        w = update(w, -eta * t**rate * part, radius)
    return np.array([*losses, multiclass(gram, signs, y, w)[0]]), w


@experiment(
    "mnist",
    cells=[
        *grid(examples=[300], gradient=["true"]),
        *grid(examples=[60000], gradient=["true", "stochastic"]),
    ],
    quick=grid(examples=[300], gradient=["true"]),
    repeats=6,
    cost=lambda cell: 0.5 if cell["examples"] == 300 else 25.0,
    methods={
        "projection": (lambda w, change, radius: simplex_rows(w + change, radius), ("1/sqrt t",)),
        "EG": (exponentiated, tuple(RATES)),
    },
    data=lambda cell: ("mnist",),
)
def run_mnist(trial):
    """Figure 7: the loss of Equation 12 after 20 gradients, or 400 of one per cent."""
    digits = trial.data("mnist")
    m = trial.cell["examples"]
    rng = trial.rng("rows", ("gradient",))
    order = rng.permutation(60_000)
    radius = float(trial.choices["bound"])
    support = rng.permutation(60_000)[:2766]
    rows = order[:m]
    images = digits.images.reshape(-1, 784).astype(np.float32) / np.float32(255)
    gram = kernel(images[rows], images[support])
    y = digits.y[rows]
    signs = np.where(digits.y[support] == np.arange(10)[:, None], 1.0, -1.0)
    steps = trial.rng("steps")
    small = slice(0, min(m, 1000))
    if trial.cell["gradient"] == "true":
        draws = [None] * 20
        trials = [None] * 20
    else:
        draws = list(steps.integers(m, size=(400, m // 100)))
        trials = list(steps.integers(len(y[small]), size=(50, m // 100)))
    for name, (update, rates) in trial.methods.items():
        with trial.attempt(name):
            run = partial(descend, update, signs=signs, radius=radius)
            subset = {"gram": gram[small], "y": y[small], "draws": trials}
            settings = [(RATES[rate], 4.0**power) for rate in rates for power in range(8)]
            ends = [run(*setting, **subset)[0][-1] for setting in settings]
            losses, w = run(*settings[np.nanargmin(ends)], gram=gram, y=y, draws=draws)
            zeros = 100 * np.mean(w == 0, axis=1)
            trial.measure(name, loss=losses[-1], path=np.mean(losses))
            trial.measure(name, zero_least=zeros.min(), zero_most=zeros.max())
            if m > 300:
                trial.keep(f"{name} losses", losses.round(4))


WORD = re.compile(r"[a-z]{2,}")


def bigrams(texts):
    """Return starts, (n_texts + 1,), and sorted numbers of the distinct bigrams of each text."""
    numbers = {}
    starts = [0]
    pairs = []
    for text in texts:
        words = WORD.findall(text.partition("\n\n")[2].lower())
        ids = [
            numbers.setdefault(word, len(numbers))
            for word in words
            if word not in ENGLISH_STOP_WORDS
        ]
        row = np.array(ids, dtype=np.int64)
        pairs.append(np.unique((row[:-1] << 32) + row[1:]))
        starts.append(starts[-1] + len(pairs[-1]))
    return np.array(starts), np.unique(np.concatenate(pairs), return_inverse=True)[1]


def online_projected(starts, indices, values, y, n, radius, eta):
    """Return the scores, (m,), of each row before its update, and the ball; Section 6."""
    ball = SparseL1Ball(n, radius)
    scores = np.empty(len(y))
    for t in range(len(y)):
        row = slice(starts[t], starts[t + 1])
        scores[t] = ball.weights(indices[row]) @ values[row]
        step = eta / np.sqrt(t + 1) * y[t] / (1 + np.exp(y[t] * scores[t]))
        ball.add(indices[row], step * values[row])
    return scores, ball


@experiment(
    "online",
    cells=grid(task=["comp"], postings=[300]) + grid(task=["comp", "talk"], postings=[4000]),
    quick=grid(task=["comp"], postings=[300]),
    repeats=6,
    cost=lambda cell: 0.3 if cell["postings"] == 300 else 7.0,
    methods=dict.fromkeys(("projection", "EG", "pivot")),
    data=lambda cell: ("20newsgroups",),
)
def run_online(trial):
    """Figure 8 on other texts: one pass over bigrams."""
    table = trial.data("20newsgroups")
    m = trial.cell["postings"]
    rng = trial.rng("order", ("task",))
    drawn = np.sort(rng.permutation(table.n_train)[:m])
    all_starts, numbers = bigrams(tuple(table.texts[i] for i in drawn))
    order = rng.permutation(m)
    lengths = np.diff(all_starts)[order]
    starts = np.r_[0, np.cumsum(lengths)]
    indices = np.concatenate([numbers[all_starts[i] : all_starts[i + 1]] for i in order])
    y = np.where(np.char.startswith(table.y[drawn][order], trial.cell["task"]), 1.0, -1.0)
    n = int(numbers.max()) + 1
    radius = float(trial.choices["radius"])
    sizes = np.ones(m) if trial.choices["features"] == "binary" else np.maximum(lengths, 1) ** -0.5
    values = np.repeat(sizes, lengths)
    unit = 1 / np.mean(sizes**2 * lengths)
    data = starts, indices, values, y, n, radius

    def loss(scores):
        return np.mean(np.logaddexp(0, -y * scores))

    passes = [online_projected(*data, size * unit) for size in 4.0 ** np.arange(-1, 4)]
    scores, ball = min(passes, key=lambda result: loss(result[0]))
    rivals = [
        online_exponentiated(*data, size * unit, power)
        for size in 4.0 ** np.arange(-1, 4)
        for power in RATES.values()
    ]
    for name, outcome in (("projection", scores), ("EG", min(rivals, key=loss))):
        errors = 100 * np.mean((outcome > 0) != (y > 0))
        trial.measure(name, n_test=m, errors=errors)
        trial.measure(name, loss=loss(outcome))
    trial.measure("projection", nonzero=100 * ball.n_nonzero_ / n, log_work=np.log(ball.work_ / m))
    dense = np.abs(ball.to_array())
    compared = []
    for t in rng.integers(m, size=20):
        row = slice(starts[t], starts[t + 1])
        dense[indices[row]] += values[row]
        seed = int(rng.integers(2**31))
        compared.append(pivot_threshold(dense, radius, seed, False)[1])
        dense[indices[row]] -= values[row]
    trial.measure("pivot", log_work=np.log(np.mean(compared)))
