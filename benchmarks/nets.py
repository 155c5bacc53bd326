"""Nets and Boltzmann machines beside scikit-learn's, at equal steps from equal starts.

Each step is compared with its bare matrix products, `np.matmul` into arrays that exist; that of a
Boltzmann machine also with these and what its probabilities and samples need besides: a hyperbolic
tangent of each unit, 16 random bits of each draw, and a comparison. Numbers are processor seconds,
the best of five passes that take turns in one process on one thread, after one that is not counted;
"answer" says how far both ends of a pass agree where their random numbers can be made the same, or
how good both are where not. Data is generated: 6,000 rows of 784 values.

``python benchmarks/nets.py`` writes results/nets.csv.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import BernoulliRBM, MLPClassifier

from icml2008.harness.benchmarks import write
from icml2008.methods import (
    FeedForwardClassifier,
    RestrictedBoltzmannMachine,
    enumerate_partition,
)

RUNS = 5
ROWS = 6000
WIDTH = 784
CLASSES = 10
PACKAGES = ("icml2008", "numpy", "scipy", "scikit-learn", "numba")


def digits(dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of ones and zeros, (ROWS, WIDTH), about ten prototypes, and their classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, ROWS)
    means = rng.beta(0.2, 0.6, (CLASSES, WIDTH))
    return (rng.random((ROWS, WIDTH)) < means[y]).astype(dtype), y


def timed(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the least processor seconds of each call; they take turns."""
    best = dict.fromkeys(calls, np.inf)
    for run in range(RUNS + 1):
        for name, call in calls.items():
            start = time.process_time()
            call()
            if run:
                best[name] = min(best[name], time.process_time() - start)
    return best


def products(shapes: list[tuple[int, int, int]], steps: int, dtype) -> Callable[[], None]:
    """Return so many times the products of (n, k) and (k, m), into arrays that exist."""
    rng = np.random.default_rng(0)
    held = [
        (rng.random((n, k), dtype), rng.random((k, m), dtype), np.empty((n, m), dtype))
        for n, k, m in shapes
    ]

    def call() -> None:
        for _ in range(steps):
            for A, B, C in held:
                np.matmul(A, B, out=C)

    return call


def with_draws(
    call: Callable[[], None], steps: int, units: list[tuple[int, int]], draws: list[int], dtype
) -> Callable[[], None]:
    """Return the call and, so many times, tangents of units and draws of the first rows of each."""
    rng = np.random.Generator(np.random.SFC64(0))
    held = [
        (rng.random(shape, dtype), n, np.empty((n, shape[1]), bool))
        for shape, n in zip(units, draws, strict=True)
    ]

    def both() -> None:
        call()
        for _ in range(steps):
            for P, n, ones in held:
                np.tanh(P, out=P)
                words = rng.bit_generator.random_raw(-(-n * P.shape[1] // 4)).view(np.uint16)
                np.less(words.reshape(n, -1), P[:n], out=ones)

    return both


class Numbers:
    """scikit-learn's random numbers, so that both machines draw the same."""

    def __init__(self, rng: np.random.RandomState) -> None:
        self.rng = rng

    def bernoulli(self, p: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.empty_like(p) if out is None else out
        out[:] = self.rng.uniform(size=p.shape) < p
        return out

    def states(self, inputs: np.ndarray, bias: np.ndarray) -> np.ndarray:
        return self.bernoulli(expit(inputs + bias), inputs)


def start_alike(hidden: int, X: np.ndarray, batch: int):
    """Return our machine and scikit-learn's with the same weights and chains."""
    peer = BernoulliRBM(hidden, learning_rate=0.01, batch_size=batch, random_state=0)
    peer.partial_fit(X[:batch])
    ours = RestrictedBoltzmannMachine(hidden, learning_rate=0.01, batch_size=batch, random_state=0)
    ours.partial_fit(X[:batch])
    for name in ("components_", "intercept_hidden_", "intercept_visible_"):
        setattr(ours, name, np.array(getattr(peer, name), X.dtype, order="C"))
        setattr(peer, name, np.array(getattr(peer, name), X.dtype))
    ours.chains_ = np.array(peer.h_samples_, X.dtype)
    return ours, peer


def boltzmann(hidden: int, batch: int, dtype) -> list[dict]:
    """One pass of persistent contrastive divergence."""
    X, _ = digits(dtype)
    ours, peer = start_alike(hidden, X, batch)
    ours._uniform = Numbers(np.random.RandomState(1))
    rng = np.random.RandomState(1)
    for start in range(0, 1000, batch):
        ours.partial_fit(X[start : start + batch])
        peer._fit(X[start : start + batch], rng)
    apart = np.abs(ours.components_ - peer.components_).max() / np.abs(peer.components_).max()
    ours, peer = start_alike(hidden, X, batch)
    peer.set_params(n_iter=1)
    steps = ROWS // batch
    # v of the chains, h of data and chains, and both outer products
    shapes = [
        (batch, hidden, WIDTH),
        (2 * batch, WIDTH, hidden),
        (hidden, 2 * batch, WIDTH),
    ]
    bare = products(shapes, steps, dtype)
    units = [(batch, WIDTH), (2 * batch, hidden)]
    draws = [batch, batch]
    rng = np.random.RandomState(0)

    def sklearn_pass() -> None:
        for start in range(0, ROWS, batch):
            peer._fit(X[start : start + batch], rng)

    seconds = timed(
        {
            "icml2008": lambda: ours.partial_fit(X),
            "scikit-learn": sklearn_pass,
            "products": bare,
            "products, tangents and draws": with_draws(bare, steps, units, draws, dtype),
        }
    )
    task = f"PCD, 784 and {hidden} units, batch {batch}, {np.dtype(dtype).name}"
    return rows_of(task, seconds, f"weights after 1,000 rows agree to {apart:.0e}")


def network(layers: tuple[int, ...], batch: int, momentum: float, dtype) -> list[dict]:
    """One pass of stochastic gradient descent on the log loss."""
    X, y = digits(dtype)
    peer = MLPClassifier(
        layers,
        activation="tanh",
        solver="sgd",
        momentum=momentum,
        nesterovs_momentum=False,
        alpha=0.0,
        batch_size=batch,
        learning_rate_init=0.05,
        shuffle=False,
        random_state=0,
    )
    ours = FeedForwardClassifier(
        layers, learning_rate=0.05, momentum=momentum, batch_size=batch, shuffle=False
    )
    peer.partial_fit(X[:batch], y[:batch], classes=np.arange(CLASSES))
    ours.set_params(coefs_init=peer.coefs_, intercepts_init=peer.intercepts_, learning_rate=0.0)
    ours.partial_fit(X[:batch], y[:batch], classes=np.arange(CLASSES)).set_params(
        learning_rate=0.05
    )
    for held in (ours._velocity or (0, [], []))[1:] + (peer._optimizer.velocities,):
        for array in held:
            array[:] = 0
    ours.partial_fit(X[:2000], y[:2000])
    peer.partial_fit(X[:2000], y[:2000])
    apart = max(
        np.abs(a - b).max() / np.abs(b).max() for a, b in zip(ours.coefs_, peer.coefs_, strict=True)
    )
    widths = [WIDTH, *layers, CLASSES]
    shapes = []
    for below, above in zip(widths[:-1], widths[1:], strict=True):
        shapes += [(batch, below, above), (below, batch, above)]
        if below != WIDTH:
            shapes.append((batch, above, below))
    seconds = timed(
        {
            "icml2008": lambda: ours.partial_fit(X, y),
            "scikit-learn": lambda: peer.partial_fit(X, y),
            "products": products(shapes, ROWS // batch, dtype),
        }
    )
    kind = f", momentum {momentum}" if momentum else ""
    task = f"net {'-'.join(map(str, widths))}, batch {batch}{kind}, {np.dtype(dtype).name}"
    return rows_of(task, seconds, f"weights after 2,000 rows agree to {apart:.0e}")


def partition(hidden: int) -> list[dict]:
    """log Z by enumeration, beside sums over blocks of states."""
    rng = np.random.default_rng(0)
    W, c, b = (rng.normal(0, 0.3, s) for s in ((hidden, WIDTH), hidden, WIDTH))
    machine = SimpleNamespace(components_=W, intercept_hidden_=c, intercept_visible_=b)

    def blocks() -> float:
        low = 10
        states = (np.arange(1 << low)[:, None] >> np.arange(low)) & 1
        inputs = states @ W[:low]
        score = states @ c[:low]
        total = -np.inf
        for high in range(1 << (hidden - low)):
            bits = (high >> np.arange(hidden - low)) & 1
            shifted = inputs + (bits @ W[low:] + b)
            logs = np.logaddexp(0, shifted).sum(axis=1) + score + bits @ c[low:]
            total = np.logaddexp(total, np.logaddexp.reduce(logs))
        return float(total)

    logs = {}
    seconds = timed(
        {
            "icml2008": lambda: logs.__setitem__("ours", enumerate_partition(machine)),
            "numpy": lambda: logs.__setitem__("blocks", blocks()),
        }
    )
    answer = f"log Z agree to {abs(logs['ours'] / logs['blocks'] - 1):.0e}"
    return rows_of(f"log Z, {WIDTH} and {hidden} units", seconds, answer)


def rows_of(task: str, seconds: dict[str, float], answer: str) -> list[dict]:
    return [
        {
            "task": task,
            "by": name,
            "seconds": f"{value:.3f}",
            "times ours": f"{value / seconds['icml2008']:.2f}",
            "answer": answer,
        }
        for name, value in seconds.items()
    ]


def main() -> None:
    """Run all and write what was found."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    rows = []
    for dtype in (np.float32, np.float64):
        rows += boltzmann(500, 100, dtype)
        rows += boltzmann(25, 100, dtype)
    for dtype in (np.float32, np.float64):
        rows += network((500,), 200, 0.0, dtype)
        rows += network((500, 500, 500), 100, 0.0, dtype)
    rows += network((500,), 20, 0.0, np.float32)
    rows += network((500,), 200, 0.9, np.float32)
    rows += partition(18)
    write(rows, Path(__file__).parent / "results" / "nets.csv", PACKAGES)


if __name__ == "__main__":
    main()
