"""Listwise losses with their gradients, against a plain loop and vectorised numpy; their growth.

Left: a thousand lists of 15 items, per list. The plain loop is the definition written with Python
floats; numpy works on all lists at once. Right: one list as it grows; the cross entropy over all
orders by sets of items, and by enumerating the orders. Every number is the processor time of the
best of five runs, which take turns in one process on one thread.
"""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.listwise import _kernels
from icml2008.methods.listwise.losses import (
    cosine_loss,
    full_cross_entropy_loss,
    likelihood_loss,
)

PACKAGES = ("icml2008", "numpy", "numba")


def plain_likelihood(scores, targets):
    n = len(scores)
    gradient = [-1.0] * n
    loss = 0.0
    for i in range(n):
        top = max(scores[i:])
        weights = [math.exp(s - top) for s in scores[i:]]
        total = sum(weights)
        loss += top + math.log(total) - scores[i]
        for k, weight in enumerate(weights):
            gradient[i + k] += weight / total
    return loss, gradient


def plain_cosine(scores, targets):
    product = sum(s * t for s, t in zip(scores, targets, strict=True))
    own = sum(s * s for s in scores)
    other = sum(t * t for t in targets)
    scale = 1 / math.sqrt(own * other)
    pairs = zip(scores, targets, strict=True)
    return (1 - product * scale) / 2, [-scale * (t - product / own * s) / 2 for s, t in pairs]


def plain_cross_entropy(scores, targets):
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    total = sum(weights)
    expected = sum(s * t for s, t in zip(scores, targets, strict=True))
    pairs = zip(weights, targets, strict=True)
    return top + math.log(total) - expected, [w / total - t for w, t in pairs]


def numpy_likelihood(S, T):
    tails = np.logaddexp.accumulate(S[:, ::-1], axis=1)[:, ::-1]
    chances = np.exp(S + np.logaddexp.accumulate(-tails, axis=1))
    return np.sum(tails - S, axis=1), chances - 1


def numpy_cosine(S, T):
    product = np.sum(S * T, axis=1, keepdims=True)
    own = np.sum(S * S, axis=1, keepdims=True)
    other = np.sum(T * T, axis=1, keepdims=True)
    scale = 1 / np.sqrt(own * other)
    return (1 - product * scale)[:, 0] / 2, -scale * (T - product / own * S) / 2


def numpy_cross_entropy(S, T):
    total = np.logaddexp.reduce(S, axis=1, keepdims=True)
    return total[:, 0] - np.sum(S * T, axis=1), np.exp(S - total) - T


def by_orders(scores, targets):
    """Return the cross entropy over all orders as it is written, without gradient."""
    total = 0.0
    for order in itertools.permutations(range(len(scores))):
        ours = -plain_likelihood([scores[i] for i in order], None)[0]
        theirs = -plain_likelihood([targets[i] for i in order], None)[0]
        total += math.exp(theirs) * (theirs - ours)
    return total, None


PEERS = {
    "likelihood": (plain_likelihood, numpy_likelihood),
    "cosine": (plain_cosine, numpy_cosine),
    "cross entropy": (plain_cross_entropy, numpy_cross_entropy),
}


def compare(name, n_lists=1000, n_items=15):
    """Time a loss of all lists, and check that the peers agree with ours."""
    plain, vectorised = PEERS[name]
    kind = _kernels.KINDS[name]
    rng = np.random.default_rng(0)
    S = rng.normal(size=(n_lists, n_items))
    T = -np.sort(-rng.dirichlet(np.ones(n_items), size=n_lists), axis=1)
    # a network of one weight, 1, hands the scores through
    X = S.reshape(-1, 1)
    targets = T.ravel()
    theta = np.array([1.0, 0.0])
    out = np.empty(2)
    starts = np.arange(0, n_lists * n_items + 1, n_items)
    rows = list(zip(S.tolist(), T.tolist(), strict=True))

    runners = {
        "icml2008": lambda: _kernels.total_loss(kind, X, targets, starts, theta, 0, out),
        "numpy": lambda: vectorised(S, T),
        "plain loop": lambda: [plain(*lists) for lists in rows],
    }
    timed = least_seconds(runners)
    results = {peer: result for peer, (_, result) in timed.items()}
    losses = np.empty(n_lists)
    gradients = np.empty_like(S)
    for i in range(n_lists):
        losses[i] = _kernels.list_loss(kind, S[i], T[i], gradients[i])
    plain_gradients = np.array([gradient for _, gradient in results["plain loop"]])
    apart = max(
        np.abs(results["numpy"][1] - gradients).max(),
        np.abs(plain_gradients - gradients).max(),
        abs(results["icml2008"] - losses.sum()) / n_lists,
    )
    if apart > 1e-10:
        msg = f"{name}: the peers are {apart:.1e} apart"
        raise RuntimeError(msg)
    fastest, _ = timed["icml2008"]
    for peer, (seconds, _) in timed.items():
        yield row("lists", name, n_items, peer, seconds / n_lists, fastest / n_lists)


def growth():
    rng = np.random.default_rng(1)
    parts = [
        ("likelihood", likelihood_loss, (10, 30, 100, 300, 1000, 3000, 10000)),
        ("cosine", cosine_loss, (10, 30, 100, 300, 1000, 3000, 10000)),
        ("cross entropy, by sets", full_cross_entropy_loss, (3, 5, 7, 9, 12, 15, 18)),
        ("cross entropy, by orders", by_orders, (3, 4, 5, 6, 7, 8)),
    ]
    for name, loss, sizes in parts:
        for n in sizes:
            scores = rng.normal(size=n)
            targets = rng.normal(size=n)
            if n <= 6 and "cross" in name:
                sums = [f(scores, targets)[0] for f in (full_cross_entropy_loss, by_orders)]
                if not math.isclose(*sums, rel_tol=1e-9):
                    msg = f"cross entropy of {n} items: {sums}"
                    raise RuntimeError(msg)
            solver = "plain loop" if loss is by_orders else "icml2008"
            timed = least_seconds({solver: partial(loss, scores, targets)})
            seconds, _ = timed[solver]
            yield row("growth", name, n, solver, seconds, seconds)


def row(part, loss, items, solver, seconds, ours):
    return {
        "part": part,
        "loss": loss,
        "items": items,
        "solver": solver,
        "microseconds_a_list": f"{1e6 * seconds:.4g}",
        "times_icml2008": f"{seconds / ours:.3g}",
    }


def rows():
    """Yield the rows of the table."""
    for name in PEERS:
        yield from compare(name)
    yield from growth()


def draw(rows, path):
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "listwise"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    bars = [r for r in rows if r["part"] == "lists"]
    losses = list(dict.fromkeys(r["loss"] for r in bars))
    for i, solver in enumerate(dict.fromkeys(r["solver"] for r in bars)):
        values = [float(r["microseconds_a_list"]) for r in bars if r["solver"] == solver]
        drawn = left.bar(np.arange(3) + 0.27 * (i - 1), values, 0.25, label=solver)
        left.bar_label(drawn, fmt="%.2g", fontsize=8)
    left.set(yscale="log", ylabel="microseconds a list of 15", xticks=range(3), xticklabels=losses)
    left.legend(frameon=False)
    for name in dict.fromkeys(r["loss"] for r in rows if r["part"] == "growth"):
        of_loss = [r for r in rows if r["part"] == "growth" and r["loss"] == name]
        right.plot(
            [r["items"] for r in of_loss],
            [float(r["microseconds_a_list"]) for r in of_loss],
            "-o",
            markersize=3,
            label=name,
        )
    right.set(xscale="log", yscale="log", xlabel="items", ylabel="microseconds a list")
    right.legend(frameon=False, fontsize=8)
    right.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
