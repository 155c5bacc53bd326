"""Stacked denoising autoencoders beside stacks without noise, their filters, and two bounds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from icml2008.harness.choices import universe_name
from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.nets.arithmetic import sigmoid
from icml2008.methods.nets.autoencoder import DenoisingAutoencoder, stack
from icml2008.methods.nets.layers import FeedForwardClassifier
from icml2008.papers.vincent2008denoising.problems import (
    convex,
    flat,
    rectangles,
    rotate,
    scatter,
)

PROBLEMS = ["basic", "rot", "bg-rand", "rect", "convex"]
FRESH = {"rect": (rectangles, 28), "convex": (convex, 28), "tiny": (rectangles, 8)}
# Rows to train on, to select by and to test on: the benchmark's.
SIZES = {"rect": (1000, 200, 50_000), "convex": (6500, 1500, 50_000), "tiny": (60, 40, 200)}
USUAL = (10_000, 2000, 50_000)
BATCH = 20
PATIENCE = 5
MOST = 30


class Setting(NamedTuple):
    """What a search draws: all but the noise is shared by both methods."""

    noise: float
    first: int
    passes: int
    rate: float
    fine_rate: float


def searched(n: int) -> list[Setting]:
    """Return a random search: so many settings of a grid; the noises are those of Table 1."""
    grid = itertools.product(
        (0.1, 0.25, 0.4), (100, 400, 1200), (4, 16), (0.05, 0.2), (0.1, 0.3, 1.0)
    )
    settings = [Setting(*values) for values in grid]
    return [settings[at] for at in np.random.default_rng(2008).permutation(len(settings))[:n]]


SEARCH = searched(20)
# Which of them had the least error of SdA-3 and SAA-3 in `search`, the first of equals, by problem
# and universe.
CHOSEN = {
    ("tiny", "default"): (15, 0),
    ("basic", "default"): (5, 1),
    ("rot", "default"): (5, 5),
    ("bg-rand", "default"): (17, 12),
    ("rect", "default"): (5, 5),
    ("convex", "default"): (2, 12),
    ("tiny", "sides=3"): (11, 11),
    ("rect", "sides=3"): (8, 1),
    ("tiny", "weights=untied"): (0, 0),
    ("rect", "weights=untied"): (2, 2),
}
USUALLY = {"weights": "tied", "sides": "4"}
# gamma and C of the machines
GAMMAS = (0.003, 0.01, 0.03, 0.1)
COSTS = (1.0, 10.0, 100.0)
METHODS = {"SdA-3": lambda setting: setting.noise, "SAA-3": lambda setting: 0.0}


def drawn(
    trial: Trial, parts: int, across: tuple[str, ...] = ()
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return so many of rows and classes to train on, to select by and to test on."""
    problem = trial.cell["problem"]
    sizes = SIZES.get(problem, USUAL)[:parts]
    rng = trial.rng("rows", across=across)
    if problem in FRESH:
        draw, side = FRESH[problem]
        law = {"apart": int(trial.choices["sides"])} if draw is rectangles else {}
        X, y = draw(sum(sizes), rng, side, **law)
    else:
        digits = trial.data("mnist")
        rows = rng.permutation(len(digits.y))[: sum(sizes)]
        X = flat(digits.images[rows])
        y = digits.y[rows]
        if problem != "basic":
            change = {"rot": rotate, "bg-rand": scatter}[problem]
            X = change(X, trial.rng("change", across=across))
    cuts = np.cumsum(sizes)[:-1]
    return list(zip(np.split(X, cuts), np.split(y, cuts), strict=True))


def error(net: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Return the percentage of rows whose class is missed; in pieces, which fit a cache."""
    pieces = np.array_split(np.arange(len(y)), -(-len(y) // 1000))
    return 100 * sum(np.sum(net.predict(X[at]) != y[at]) for at in pieces) / len(y)


def tune(net: Any, train, valid, more: int, rng: np.random.Generator) -> tuple[Any, float]:
    """Learn classes; return the net after the pass with the least validation error, and that.

    It stops if the error, in percent, has not fallen for `PATIENCE` passes, at the latest after
    `MOST`, both times `more`; of equal passes the first counts.
    """
    (X, y) = train
    best = net
    least = 101.0
    since = 0
    classes = np.unique(y)
    for _ in range(more * MOST):
        order = rng.permutation(len(y))
        net.partial_fit(X[order], y[order], classes=classes)
        since += 1
        if (missed := error(net, *valid)) < least:
            best = deepcopy(net)
            least = missed
            since = 0
        if since == more * PATIENCE:
            break
    return best, least


def learn(setting: Setting, noise: float, tied: bool, parts, seed: int) -> tuple[Any, float]:
    """Learn three layers one by one, then all by classes; return the net and `tune`'s error.

    Where rows are a tenth as many, passes are four times as many.
    """
    train, valid = parts[:2]
    rng = np.random.default_rng(seed)
    more = 4 if len(train[1]) == 1000 else 1
    widths = setting.first, 100, 100
    if train[0].shape[1] == 64:
        widths = 80 if setting.first > 100 else 8, 8, 8
    coefs, intercepts = stack(
        train[0],
        widths,
        rng,
        noise=noise,
        tied=tied,
        learning_rate=setting.rate,
        batch_size=BATCH,
        n_iter=more * setting.passes,
    )
    net = FeedForwardClassifier(
        widths,
        "logistic",
        learning_rate=setting.fine_rate,
        batch_size=BATCH,
        coefs_init=coefs,
        intercepts_init=intercepts,
        random_state=int(rng.integers(2**31)),
    )
    return tune(net, train, valid, more, rng)


def reads(cell: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the data sets that a cell reads."""
    return () if cell["problem"] in FRESH else ("mnist",)


CELLS = {
    "smoke": grid(problem=["tiny"]),
    "quick": grid(problem=["tiny"]),
    "full": grid(problem=["tiny", *PROBLEMS]),
}


@experiment(
    "search",
    cells=CELLS,
    repeats=len(SEARCH),
    cost=lambda cell: 0.1 if cell["problem"] == "tiny" else 28.0,
    methods=METHODS,
    data=reads,
)
def run_search(trial: Trial) -> None:
    """Section 5: validation error of a setting a repeat, with the same rows and seed in all."""
    parts = drawn(trial, 2, across=("repeat",))
    setting = SEARCH[trial.repeat]
    seed = int(trial.rng("seed", across=("repeat",)).integers(2**31))
    for name, noise in trial.methods.items():
        with trial.attempt(name):
            tied = trial.choices["weights"] == "tied"
            _, missed = learn(setting, noise(setting), tied, parts, seed)
            trial.measure(name, validation=missed, n_test=len(parts[1][1]))


@experiment(
    "table-1",
    cells=CELLS,
    repeats=6,
    cost=lambda cell: 0.1 if cell["problem"] == "tiny" else 60.0,
    methods=METHODS,
    data=reads,
)
def run_table_1(trial: Trial) -> None:
    """Table 1: either method at the setting that the search chose, on rows of its own."""
    parts = drawn(trial, 3)
    seed = int(trial.rng("seed").integers(2**31))
    changed = {name: value for name, value in trial.choices.items() if value != USUALLY[name]}
    chosen = CHOSEN[trial.cell["problem"], universe_name(changed)]
    for (name, noise), at in zip(trial.methods.items(), chosen, strict=True):
        with trial.attempt(name):
            setting = SEARCH[at]
            tied = trial.choices["weights"] == "tied"
            net, _ = learn(setting, noise(setting), tied, parts, seed)
            X, y = parts[2]
            wide = 100.0 * (setting.first > X.shape[1])
            trial.measure(name, error=error(net, X, y), overcomplete=wide, n_test=len(y))


def machine(gamma: float, cost: float) -> SVC:
    """Return a support vector machine with kernel exp(-gamma |x - x'|^2), a matrix product."""
    return SVC(C=cost, kernel=partial(rbf_kernel, gamma=gamma))


@experiment(
    "support-vectors",
    cells=CELLS,
    repeats=6,
    cost=lambda cell: 0.1 if cell["problem"] == "tiny" else 110.0,
    methods={"SVM": machine},
    data=reads,
)
def run_support_vectors(trial: Trial) -> None:
    """Table 1: a support vector machine, selected on each draw."""
    train, valid, (X, y) = drawn(trial, 3)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            tried = (make(*values).fit(*train) for values in itertools.product(GAMMAS, COSTS))
            best = min(tried, key=lambda machine: error(machine, *valid))
            trial.measure(name, error=error(best, X, y), n_test=len(y))


def kept(W: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the squared correlation of each column of W with its start, a share of variance."""
    A, B = (M - M.mean(axis=0) for M in (W.astype(float), start.astype(float)))
    return np.sum(A * B, axis=0) ** 2 / (np.sum(A**2, axis=0) * np.sum(B**2, axis=0))


def reach(W: np.ndarray) -> np.ndarray:
    """Return how many pixels each column of W counts: 1 for one pixel, all if they are equal."""
    squares = W.astype(float) ** 2
    return squares.sum(axis=0) ** 2 / np.sum(squares**2, axis=0)


@experiment(
    "filters",
    cells=grid(problem=["few digits", "digits"]),
    quick=grid(problem=["few digits"]),
    repeats=6,
    cost=lambda cell: 0.1 if cell["problem"] == "few digits" else 85.0,
    methods={"none": 0.0, "25 %": 0.25, "50 %": 0.5},
    data=lambda cell: ("mnist",),
)
def run_filters(trial: Trial) -> None:
    """Figure 3: filters of one layer at rising noise, from the same start."""
    many = trial.cell["problem"] == "digits"
    n, units, passes = (10_000, 2000, 10) if many else (100, 20, 2)
    X = flat(trial.data("mnist").images[:n])
    seed = int(trial.rng("seed").integers(2**31))
    for name, noise in trial.methods.items():
        with trial.attempt(name):
            layer = DenoisingAutoencoder(
                units,
                noise=noise,
                tied=trial.choices["weights"] == "tied",
                batch_size=BATCH,
                n_iter=passes,
                random_state=seed,
            )
            # A pass without learning leaves the first weights, the same for all noise.
            start = deepcopy(layer).set_params(learning_rate=0.0, n_iter=1).fit(X[:BATCH]).coef_
            W = layer.fit(X).coef_
            trial.measure(name, kept=100 * np.mean(kept(W, start)), reach=np.mean(reach(W - start)))
            if trial.repeat == 0 and many:
                shown = W[:, :24] / np.abs(W[:, :24]).max(axis=0)
                trial.keep(name, np.rint(100 * shown).astype(np.int8))


class Tiny(NamedTuple):
    """A distribution of 4 binary pixels, of which 2 go.

    A row is a state and the pixels that go: its probability, pixels before and after, and the
    place of what is left among all that can be left.
    """

    q: np.ndarray
    X: np.ndarray
    corrupted: np.ndarray
    place: np.ndarray

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Tiny:
        """Draw probabilities of the states."""
        states = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
        masks = [1.0 - np.isin(range(4), gone) for gone in itertools.combinations(range(4), 2)]
        X = np.repeat(states, len(masks), axis=0)
        corrupted = X * np.tile(masks, (len(states), 1))
        q = np.repeat(rng.dirichlet(np.full(len(states), 0.5)), len(masks)) / len(masks)
        return cls(q, X, corrupted, np.unique(corrupted, axis=0, return_inverse=True)[1].ravel())


def log_bernoulli(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Return log B_z(x), minus the cross-entropy of Equation 2; over the last axis."""
    return np.sum(X * np.log(Z) + (1 - X) * np.log(1 - Z), axis=-1)


def entropy(q: np.ndarray, *labels: np.ndarray) -> float:
    """Return the entropy of what labels, (n, k) each, tell apart, rows having probabilities q."""
    _, codes = np.unique(np.hstack(labels).round(9), axis=0, return_inverse=True)
    p = np.bincount(codes.ravel(), q)
    return float(-np.sum(p[p > 0] * np.log(p[p > 0])))


def parameters(rng: np.random.Generator) -> list[np.ndarray]:
    """Draw W, b, W' and b'; the encoder's are whole numbers, so that some x~ have one y."""
    return [rng.integers(-2, 3, s).astype(float) for s in ((2, 4), 2)] + [
        rng.normal(0, 2, s) for s in ((4, 2), 4)
    ]


def codes(tiny: Tiny, theta: list[np.ndarray]) -> np.ndarray:
    """Return y = f(x~) of each row, (n, 2)."""
    return sigmoid(tiny.corrupted @ theta[0].T + theta[1])


def fit(tiny: Tiny, theta: list[np.ndarray], Y: np.ndarray) -> float:
    """Return minus the expected loss of Equation 5, in nats."""
    return float(tiny.q @ log_bernoulli(tiny.X, sigmoid(Y @ theta[2].T + theta[3])))


def evidence(tiny: Tiny, theta: list[np.ndarray], side: int) -> tuple[float, float, np.ndarray]:
    """Return E[log p(X~)] and E[L(q0, X~)] (Section 4.2), and each row's y.

    So that both are sums, y is one of side by side points, all alike under p, and f(x~) is moved
    to the nearest. Under p a row has as many values as there are points.
    """
    near = np.minimum((codes(tiny, theta) * side).astype(int), side - 1)
    lattice = (np.stack(np.divmod(np.arange(side**2), side), axis=1)[:, None] + 0.5) / side
    p = np.exp(log_bernoulli(tiny.X, sigmoid(lattice @ theta[2].T + theta[3]))) / (6 * side**2)
    likely = np.bincount(tiny.place, p.sum(axis=0))[tiny.place]
    total = np.bincount(tiny.place, tiny.q)[tiny.place]
    joint = p[near @ [side, 1], np.arange(len(tiny.q))]
    bound = tiny.q @ (np.log(joint) - np.log(tiny.q / total))
    return float(tiny.q @ np.log(likely)), float(bound), (near + 0.5) / side


@experiment(
    "bounds",
    cells=grid(pixels=[4]),
    repeats={"smoke": 2, "quick": 4, "full": 60},
    cost=0.02,
    methods={"autoencoder": None},
)
def run_bounds(trial: Trial) -> None:
    """Sections 4.2 and 4.3 by sums over all rows, of five drawn autoencoders."""
    rng = trial.rng("machines")
    worst = {"information": [], "evidence": [], "criterion": []}
    for _ in range(5):
        tiny = Tiny.draw(rng)
        theta = parameters(rng)
        other = parameters(rng)
        Y = codes(tiny, theta)
        H = [entropy(tiny.q, *labels) for labels in ((tiny.X,), (Y,), (tiny.X, Y))]
        worst["information"].append(H[0] + fit(tiny, theta, Y) - (H[0] + H[1] - H[2]))
        (true, bound, Y), (_, second, Z) = (evidence(tiny, law, 8) for law in (theta, other))
        worst["evidence"].append(bound - true)
        worst["criterion"].append(abs(bound - second - fit(tiny, theta, Y) + fit(tiny, other, Z)))
    trial.measure(
        "autoencoder", n_test=5, **{name: max(excesses) for name, excesses in worst.items()}
    )
