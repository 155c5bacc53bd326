"""Section 5: how often a solver reads the data until it is near the optimum; Theorems 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from icml2008.harness.experiment import experiment, grid
from icml2008.papers.hsieh2008dual.method import LOSSES, dual, last, outer_iterations, primal
from icml2008.papers.hsieh2008dual.rivals import (
    cutting_planes,
    pegasos,
    primal_coordinates,
    trust_region_newton,
)

SETS = {"a9a": "a9a", "w8a": "w8a", "newsgroups": "20newsgroups-halves"}
PRINTED = ("DCDL1", "Pegasos", "SVM-perf", "DCDL2", "PCD", "TRON")  # in Table 2
PLAIN = {"shrinking-tolerance": "0.001", "shrinking-threshold": "1", "pegasos-projection": "yes"}
LEVELS = {"work": 1e-2, "work_fine": 1e-4}  # of the relative error (20)
REFERENCE = 1e-5  # relative duality gap of the reference solutions
MOST = {"a9a": 300}  # passes over the data after which a solver is stopped, else 100
WATCHED = 20  # outer iterations whose test accuracy is watched, from the sixth on


class Solver(Protocol):
    """A method of one's own: a function ``f(X, y, C, rng)`` that iterates over (w, work).

    X is a csr_array, y has labels -1.0 and 1.0; work is how often a nonzero feature of X was
    touched so far. The name begins with DCDL1 for the hinge loss; others have the squared one.
    """

    def __call__(self, X: csr_array, y: np.ndarray, C: float, rng: np.random.Generator) -> Iterator:
        """Return the outer iterations."""


def dual_solver(loss, **options):
    """Return dual coordinate descent in the form of the rivals."""

    def solve(X, y, C, rng):
        for state in outer_iterations(X, y, C, loss, rng=rng, **options):
            yield state.w, state.work

    return solve


def solvers(choices):
    """Return the methods of Section 5: for each loss ours in five forms, then the rivals."""
    forms = {
        "": {},
        "-S": {
            "shrinking": True,
            "tol": float(choices["shrinking-tolerance"]),
            "aggressive": float(choices["shrinking-threshold"]),
        },
        " cyclic": {"order": "cyclic"},
        " online": {"order": "random"},
    }
    ours = {
        f"DCDL{number}{form}": partial(dual_solver, loss, **options)
        for number, loss in enumerate(LOSSES, start=1)
        for form, options in forms.items()
    }
    project = choices["pegasos-projection"] == "yes"
    return {
        **ours,
        "Pegasos": lambda: partial(pegasos, project=project),
        "SVM-perf": lambda: lambda X, y, C, rng: cutting_planes(X, y, C),
        "PCD": lambda: primal_coordinates,
        "PCD cyclic": lambda: partial(primal_coordinates, permuted=False),
        "TRON": lambda: lambda X, y, C, rng: trust_region_newton(X, y, C),
    }


def loss_of(name):
    """Return the loss that a method of Section 5 minimises."""
    first = name.startswith("DCDL1") or name in ("Pegasos", "SVM-perf")
    return LOSSES[0] if first else LOSSES[1]


def documents(rng, n_rows=1000, n_words=3000):
    """Return documents of 50 words by Zipf's law, unevenly used by two classes, of unit length."""
    y = np.where(np.arange(n_rows) % 2, 1.0, -1.0)
    leaning = 0.5 * rng.standard_normal(n_words)
    often = 1 / np.arange(1, n_words + 1)
    X = np.zeros((n_rows, n_words))
    for label in (-1.0, 1.0):
        chances = often * np.exp(label * leaning)
        X[y == label] = rng.multinomial(50, chances / chances.sum(), size=n_rows // 2)
    return csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), y


def stratified(y, rng, rows):
    """Return four fifths of the rows of each class, and the others; see the choice `rows`."""
    parts = [rng.permutation(np.flatnonzero(y == label)) for label in (-1.0, 1.0)]
    train = np.concatenate([part[: round(0.8 * len(part))] for part in parts])
    test = np.concatenate([part[round(0.8 * len(part)) :] for part in parts])
    return np.sort(train) if rows == "file" else rng.permutation(train), test


def accuracy(X, y, w):
    """Return the share of right signs, percent."""
    return 100 * np.mean(np.where(X @ w > 0, 1.0, -1.0) == y)


def reference(X, y, C, loss, rng):
    """Return the optimal w, to a relative duality gap of `REFERENCE`, and its objective."""
    tol = 0.1
    gap = np.inf
    while gap > REFERENCE:
        tol /= 10
        end = last(outer_iterations(X, y, C, loss, shrinking=True, tol=tol, rng=rng))
        value = primal(X, y, end.w, C, loss)
        gap = 1 + dual(end.alpha, end.w, C, loss) / value
    return end.w, value


def race(iterations, error, score, nonzeros, level, most):
    """Follow a solver until it is within a level, or has made `most` passes over the data.

    Returns
    -------
    ndarray, shape (n_iterations, 3)
        Passes, relative error (20) and test accuracy after each outer iteration.
    """
    curve = []
    for w, work in iterations:
        curve.append((work / nonzeros, error(w), score(w)))
        near = curve[-1][1] <= level and len(curve) >= 5 + WATCHED
        if near or curve[-1][0] >= most:
            return np.array(curve)
    return np.array(curve)


def passes_until(passes, distances, level, most, reached):
    """Return the passes after which a distance is first, or from then on, within a level."""
    within = distances <= level
    if reached == "stays":
        within = np.logical_and.accumulate(within[::-1])[::-1]
    return min(passes[np.argmax(within)], most) if within.any() else most


def divided(trial):
    """Return a split of the cell's data: rows and labels to train on, and to test on."""
    name = trial.cell["dataset"]
    rng = trial.rng("split", across=("C",))
    if name in SETS:
        table = trial.data(SETS[name])
        leading = slice(table.n_train if name == "a9a" else None)
        X = table.X[leading]
        y = table.y[leading]
    else:
        X, y = documents(rng)
    order = trial.choices.get("rows", "file")
    train, test = stratified(y, rng, order)
    if trial.choices.get("trained-on") == "all":
        train = np.arange(len(y)) if order == "file" else rng.permutation(len(y))
    return csr_array(X[train]), y[train], csr_array(X[test]), y[test]


def followed(trial, levels):
    """Yield each method with its passes, errors and distances from the optimum's accuracy.

    Parameters
    ----------
    levels : callable
        From a method's name to the error at which it is stopped.
    """
    C = float(trial.cell["C"])
    (X, y, X_test, y_test) = divided(trial)
    most = MOST.get(trial.cell["dataset"], 100)
    score = partial(accuracy, X_test, y_test)
    best = {}
    for number, loss in enumerate(LOSSES, start=1):
        w, value = reference(X, y, C, loss, trial.rng(f"reference {loss}"))
        best[loss] = value, score(w)
        trial.measure(f"L{number}-SVM", n_test=len(y_test), accuracy=best[loss][1])
    for method, make in trial.methods.items():
        if make is None:
            continue
        with trial.attempt(method):
            loss = loss_of(method)
            optimum, aim = best[loss]
            passes, errors, accuracies = race(
                make()(X, y, C, trial.rng(method)),
                lambda w, loss=loss, optimum=optimum: primal(X, y, w, C, loss) / optimum - 1,
                score,
                X.nnz,
                levels(method),
                most,
            ).T
            reached = trial.choices.get("reached", "first")
            until = partial(passes_until, passes, most=most, reached=reached)
            trial.measure(method, work=until(errors, LEVELS["work"]))
            yield method, passes, errors, accuracies - aim, until


def cell_data(cell):
    """Return the data sets that a cell reads."""
    return (SETS[cell["dataset"]],) if cell["dataset"] in SETS else ()


@experiment(
    "race",
    cells=grid(dataset=["documents", "w8a", "newsgroups", "a9a"], C=[1]),
    quick=grid(dataset=["documents"], C=[1]),
    repeats=6,
    cost=lambda cell: {"documents": 0.6, "newsgroups": 20.0}.get(cell["dataset"], 4.0),
    methods=lambda choices: {**solvers(choices), "L1-SVM": None, "L2-SVM": None},
    data=cell_data,
    expects=Solver,
)
def run_race(trial):
    """Table 2 and Figures 1 and 2 in passes over the training data."""
    needed = {}
    name = trial.cell["dataset"]
    if name == "a9a":
        table = trial.data("a9a")
        trial.measure("L1-SVM", nonzeros=table.X[: table.n_train].nnz)

    def level(method):
        return LEVELS["work" if method.endswith((" cyclic", " online")) else "work_fine"]

    for method, passes, errors, apart, until in followed(trial, level):
        needed[method] = until(errors, LEVELS["work"])
        if level(method) == LEVELS["work_fine"]:
            jumps = np.abs(np.diff(apart[5 : 5 + WATCHED]))
            trial.measure(
                method,
                work_fine=until(errors, LEVELS["work_fine"]),
                work_accuracy=until(np.abs(apart), 0.1),
                jumps=jumps.mean() if len(jumps) else 0.0,
            )
            if name in ("a9a", "newsgroups") and trial.repeat == 0:  # what is drawn
                kept = np.column_stack([passes, np.maximum(errors, 1e-6)])
                trial.keep(method, kept[:: -(-len(kept) // 50)].round(6))
        if method in ("DCDL2 cyclic", "PCD cyclic"):
            permuted = method.removesuffix(" cyclic")
            trial.measure(permuted, order_gain=needed[method] / needed[permuted])


@experiment(
    "penalty",
    cells=[
        *grid(dataset=["documents"], C=[0.25]),
        *grid(dataset=["a9a"], C=[0.0625, 0.25, 1, 4, 16, 64]),
    ],
    quick=grid(dataset=["documents"], C=[0.25]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.4 if cell["dataset"] == "documents" else 6.0,
    methods={
        **{name: make for name, make in solvers(PLAIN).items() if name in PRINTED},
        "L1-SVM": None,
        "L2-SVM": None,
    },
    data=cell_data,
)
def run_penalty(trial):
    """Section 5: the solvers of Table 2 on a9a, over C."""
    for _ in followed(trial, lambda method: LEVELS["work"]):
        pass


INSTANCES = 10  # problems that count, in a repeat
PATIENCE = 50_000  # outer iterations


def problem(rng):
    """Return a random problem, some with more rows than features and some with rows that recur."""
    n_rows = int(rng.integers(20, 60))
    n_features = int(rng.integers(5, 40))
    X = rng.standard_normal((n_rows, n_features)) * (rng.random((n_rows, n_features)) < 0.5)
    if rng.random() < 0.5:
        X[1::2] = X[: n_rows // 2 * 2 : 2]
    y = np.where(X[:, 0] + rng.standard_normal(n_rows) > 0, 1.0, -1.0)
    return csr_array(X), y, 10 ** rng.uniform(-1.5, 0.5)


def rate_bound(X, y, free, ridge):
    """Return a mu < 1 of (14) for any order, once the other variables stay at their bounds.

    A sweep over the free variables is a Gauss-Seidel step: with L the lower triangle of their Q
    in that order, D its diagonal and r the gradient, twice the objective falls by
    |D^(1/2) L^(-1) r|^2. That is at least |r|^2 min(D) / |L|_F^2, and |r|^2 is at least the
    smallest eigenvalue above 0 times twice the gap.
    """
    rows = y[free, None] * X[free].toarray()
    Q = rows @ rows.T + ridge * np.eye(len(rows))
    diagonal = np.diag(Q)
    values = np.linalg.eigvalsh(Q)
    least = values[values > 1e-10 * values[-1]][0]
    return 1 - least * diagonal.min() / (0.5 * (np.sum(Q**2) + np.sum(diagonal**2)))


def convergence(X, y, C, loss, seed, **options):
    """Return by how much (14) is missed with `rate_bound`, and the gradient that is left."""
    upper, ridge = (C, 0.0) if loss == "hinge" else (np.inf, 0.5 / C)
    iterations = outer_iterations(
        X, y, C, loss, tol=1e-12, rng=np.random.default_rng(seed), **options
    )
    path = [(state.w.copy(), state.alpha.copy()) for state in islice(iterations, PATIENCE)]
    if len(path) == PATIENCE:
        msg = f"M - m is above 1e-12 after {PATIENCE} outer iterations"
        raise RuntimeError(msg)
    w, alpha = path[-1]
    gradient = y * (X @ w) - 1 + ridge * alpha
    gradient[alpha == 0] = np.minimum(gradient[alpha == 0], 0)
    gradient[alpha == upper] = np.maximum(gradient[alpha == upper], 0)
    states = np.array([np.sign(a) + (a == upper) for _, a in path])
    changed = np.flatnonzero((states != states[-1]).any(axis=1))
    begin = changed[-1] + 1 if len(changed) else 0
    free = (alpha > 0) & (alpha < upper)
    # Bounds agree from here on, so that the gap is a square and is not lost in rounding.
    gaps = np.array(
        [np.sum((v - w) ** 2) + ridge * np.sum((a - alpha) ** 2) for v, a in path[begin:]]
    )
    gaps = gaps[gaps > 1e-16 * (w @ w)]
    if len(gaps) < 2 or not free.any():  # a vertex, reached in a finite number of steps
        return np.nan, np.abs(gradient).max()
    return np.max(gaps[1:] / gaps[:-1]) - rate_bound(X, y, free, ridge), np.abs(gradient).max()


@experiment(
    "theorems",
    cells=grid(loss=list(LOSSES)),
    repeats=30,
    cost=0.4,
    methods={
        "cyclic": {"order": "cyclic"},
        "permuted": {"order": "permuted"},
        "shrinking": {"order": "permuted", "shrinking": True},
    },
)
def run_theorems(trial):
    """Theorem 1 in either order and with shrinking, and Theorem 2 by what shrinking leaves."""
    for name, options in trial.methods.items():
        with trial.attempt(name):
            rng = trial.rng("problems", across=("loss",))
            seeds = trial.rng(name)
            runs = []
            while np.count_nonzero(~np.isnan([excess for excess, _ in runs])) < INSTANCES:
                seed = int(seeds.integers(2**31))
                runs.append(convergence(*problem(rng), trial.cell["loss"], seed, **options))
            excess, left = np.transpose(runs)
            worst = [float(f"{value:.3g}") for value in (left.max(), np.nanmax(excess))]
            trial.measure(name, n_test=len(runs), gradient_left=worst[0])
            trial.measure(name, n_test=INSTANCES, rate_excess=worst[1])


# documents, and the relative error of the dual objective asked for
ROWS = 300
NEAR = 1e-3


def greedy_steps(X, y, C, loss, optimum):
    """Return the steps of a decomposition method that keeps the gradient, one variable at a time.

    The variable of the largest projected gradient is updated, then the whole gradient (18).
    """
    upper, ridge = (C, 0.0) if loss == "hinge" else (np.inf, 0.5 / C)
    rows = X.multiply(y[:, None]).toarray()
    Q = rows @ rows.T + ridge * np.eye(len(y))
    alpha = np.zeros(len(y))
    gradient = -np.ones(len(y))
    steps = 0
    while 0.5 * alpha @ (gradient - 1) > (1 - NEAR) * optimum:
        left = np.where(alpha == 0, np.minimum(gradient, 0), gradient)
        i = np.argmax(np.abs(np.where(alpha == upper, np.maximum(gradient, 0), left)))
        new = min(max(alpha[i] - gradient[i] / Q[i, i], 0.0), upper)
        gradient = gradient + (new - alpha[i]) * Q[i]
        alpha[i] = new
        steps += 1
    return steps


@experiment(
    "selection",
    cells=grid(loss=list(LOSSES)),
    repeats=8,
    cost=0.1,
    methods={"greedy": None, "permuted": None},
)
def run_selection(trial):
    """Section 4.1: steps and features touched, with and without the whole gradient."""
    X, y = documents(trial.rng("documents", across=("loss",)), n_rows=ROWS)
    loss = trial.cell["loss"]
    rng = trial.rng("orders")
    end = last(outer_iterations(X, y, 1.0, loss, tol=1e-9, rng=rng))
    optimum = dual(end.alpha, end.w, 1.0, loss)
    steps = greedy_steps(X, y, 1.0, loss, optimum)
    trial.measure("greedy", steps=steps, touched=steps * X.nnz)
    for count, state in enumerate(outer_iterations(X, y, 1.0, loss, rng=rng), start=1):
        if dual(state.alpha, state.w, 1.0, loss) <= (1 - NEAR) * optimum:
            trial.measure("permuted", steps=count * ROWS, touched=state.work)
            return
