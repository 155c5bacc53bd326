"""Section 5: mistakes and stored examples in one pass; and the theorems' bounds."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.papers.orabona2008projectron.method import (
    Forgetron,
    KernelPerceptron,
    PassiveAggressive,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
    forgetron_norm,
    gaussian,
)

BUDGETS = {
    "adult": {"quarter": 1500, "half": 3000},
    "gaussians": {"quarter": 500, "half": 1000},
}
VARIANCES = {"adult": 25.0, "gaussians": 0.5}
EXPONENTS = {"two-variances": 2.0, "one-variance": 1.0}
BITS = 41  # of a row's binary features in a number, which holds 53 exactly


class OnlineLearner(Protocol):
    """A method of one's own: a class that learns from rows in their order, once.

    It is made by ``Class(kernel=function, budget=number, random_state=number)``. The rows are for
    the kernel, a function of two matrices, to read.
    """

    mistakes_: np.ndarray
    """Rows that were predicted wrongly when they came, counted from 0."""
    stored_: np.ndarray
    """Number of stored rows after each one."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> OnlineLearner:
        """Learn from rows (n, n_features) with labels -1 and 1."""


def packed(X):
    """Return binary features as numbers of 41 bits, (n_rows, n_features / 41)."""
    bits = np.pad(X, ((0, 0), (0, -X.shape[1] % BITS))).reshape(len(X), -1, BITS)
    return bits @ 2.0 ** np.arange(BITS)


def binary_gaussian(rows, columns, gamma):
    """Return the Gaussian kernel of packed binary features, by counting those that differ."""
    rows = rows.astype(np.uint64)
    columns = columns.astype(np.uint64)
    differ = np.zeros((len(rows), len(columns)), dtype=np.uint8)
    for i in range(rows.shape[1]):
        differ += np.bitwise_count(rows[:, i, None] ^ columns[:, i])
    return np.exp(-gamma * np.arange(rows.shape[1] * BITS + 1))[differ]


def two_gaussians(rng, n, flips, counts="drawn"):
    """Return rows of Section 5's two classes and their labels, of which a share is flipped."""
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    if counts == "drawn":
        y = rng.choice(y, size=n)
    X = y[:, None] + rng.standard_normal((n, 2)) * np.sqrt([0.2, 2.0])
    return X, np.where(rng.random(n) < flips, -y, y)


def unbudgeted(learner):
    """Return a factory that ignores what the learner does not need."""
    return lambda kernel, budget, random_state: learner(kernel=kernel)


def by_norm(learner):
    """Return a factory of a Projectron with the norm that goes with the Forgetron's budget."""
    return lambda kernel, budget, random_state: learner(kernel=kernel, U=forgetron_norm(budget))


def budgeted(learner):
    """Return a factory of a learner with a budget and without chance."""
    return lambda kernel, budget, random_state: learner(budget, kernel=kernel)


def learners(choices):
    """Return the methods of Tables 1 to 3."""
    return {
        "Perceptron": unbudgeted(KernelPerceptron),
        "PA-I": unbudgeted(PassiveAggressive),
        "Projectron": by_norm(Projectron),
        "Projectron++": by_norm(partial(ProjectronPlusPlus, step=choices["margin-step"])),
        "Forgetron": budgeted(Forgetron),
        "RBP": RandomBudgetPerceptron,
        "Stoptron": budgeted(Stoptron),
    }


def rows_of(trial, rng, exponent=2.0, counts="drawn"):
    """Return the rows of a cell's data set, their labels, and the kernel, a function of rows."""
    gamma = 1 / (exponent * VARIANCES[trial.cell["dataset"]])
    if trial.cell["dataset"] == "adult":
        table = trial.data("a9a")
        X = packed(table.X[: table.n_train].toarray())
        y = table.y[: table.n_train]
        return X, y, partial(binary_gaussian, gamma=gamma)
    return *two_gaussians(rng, 10_000, 0.1, counts), partial(gaussian, gamma=gamma)


TWICE = ("Projectron", "Forgetron", "RBP", "Stoptron")  # run on a second order where B is small
POINTS = 60  # of a curve that figures draw


def online_error(learner, n):
    """Return the share of mistakes so far after each row, percent."""
    wrong = np.bincount(learner.mistakes_, minlength=n)
    return 100 * np.cumsum(wrong) / np.arange(1, n + 1)


@experiment(
    "online",
    cells=grid(dataset=["gaussians", "adult"], budget=["quarter", "half"]),
    quick=grid(dataset=["gaussians"], budget=["quarter"]),
    repeats=20,
    cost=1.4,
    methods=learners,
    data=lambda cell: ("a9a",) if cell["dataset"] == "adult" else (),
    expects=OnlineLearner,
)
def one_pass(trial):
    """Tables 1 and 3, Figures 1 to 3: one pass over the examples in a random order."""
    dataset = trial.cell["dataset"]
    rng = trial.rng("examples", across=("budget",))
    exponent = EXPONENTS[trial.choices["kernel"]]
    counts = trial.choices["class-counts"]
    X, y, kernel = rows_of(trial, rng, exponent, counts)
    n = len(y)
    orders = [rng.permutation(len(y)) for _ in range(2)]
    options = {"kernel": kernel, "budget": BUDGETS[dataset][trial.cell["budget"]]}
    seeds = trial.rng("removals").integers(2**31, size=2)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            first, *second = [
                make(**options, random_state=int(seed)).fit(X[order], y[order])
                for order, seed in zip(orders, seeds, strict=True)
                if order is orders[0] or (name in TWICE and trial.cell["budget"] == "quarter")
            ]
            error = online_error(first, n)
            sizes = np.asarray(first.stored_)
            trial.measure(name, n_test=n, mistakes=error[-1])
            trial.measure(
                name,
                stored=sizes[-1],
                late_storing=100 * (1 - sizes[n // 2 - 1] / sizes[-1]),
                late_gain=error[n // 4 - 1] - error[-1],
            )
            for other in second:
                trial.measure(name, apart=abs(error[-1] - online_error(other, n)[-1]))
            if trial.cell == {"dataset": "adult", "budget": "quarter"}:
                at = np.linspace(n / POINTS, n, POINTS).astype(int) - 1
                trial.keep(f"{name} error", error[at].round(3))
                trial.keep(f"{name} stored", sizes[at])


class FullStep(ProjectronPlusPlus):
    """A Projectron++ that goes all the way at a margin error, if that lowers the bound (16)."""

    def _step(self, loss, length, distance):
        progress = 2 * loss - length - 2 * self.U * distance
        return float(loss >= 1 or (length > 0 and progress >= 0))


STEPS = {
    "printed": ProjectronPlusPlus,
    "maximiser": partial(ProjectronPlusPlus, step="maximiser"),
    "full": FullStep,
}


@experiment(
    "margin-steps",
    cells=grid(dataset=["gaussians", "adult"], budget=["quarter", "half"]),
    quick=grid(dataset=["gaussians"], budget=["quarter"]),
    repeats=20,
    cost=lambda cell: 1.6 if cell["dataset"] == "adult" else 0.05,
    methods=lambda choices: {"Projectron++": by_norm(STEPS[choices["step-at-margins"]])},
    data=lambda cell: ("a9a",) if cell["dataset"] == "adult" else (),
)
def plusplus_alone(trial):
    """Tables 1 and 3: what Projectron++ makes of a random order, by its step at margin errors."""
    dataset = trial.cell["dataset"]
    rng = trial.rng("examples", across=("budget",))
    X, y, kernel = rows_of(trial, rng)
    order = rng.permutation(len(y))
    budget = BUDGETS[dataset][trial.cell["budget"]]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            learner = make(kernel=kernel, budget=budget, random_state=0).fit(X[order], y[order])
            trial.measure(name, n_test=len(y), mistakes=online_error(learner, len(y))[-1])
            trial.measure(name, stored=np.asarray(learner.stored_)[-1])


# Of Figure 3's sizes, one that all three learners reach.
SIZE = {"adult": 900, "gaussians": 70}


@experiment(
    "same-size",
    cells=grid(dataset=["gaussians", "adult"]),
    quick=grid(dataset=["gaussians"]),
    repeats=20,
    cost=lambda cell: 4.0 if cell["dataset"] == "adult" else 0.2,
    methods={
        "Perceptron": unbudgeted(KernelPerceptron),
        "Projectron": by_norm(Projectron),
        "Projectron++": by_norm(ProjectronPlusPlus),
    },
    data=lambda cell: ("a9a",) if cell["dataset"] == "adult" else (),
)
def error_at_a_size(trial):
    """Figure 3: mistakes so far when so many examples are stored."""
    dataset = trial.cell["dataset"]
    rng = trial.rng("examples")
    X, y, kernel = rows_of(trial, rng)
    order = rng.permutation(len(y))
    budget = BUDGETS[dataset]["quarter"]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            learner = make(kernel=kernel, budget=budget, random_state=0).fit(X[order], y[order])
            then = np.searchsorted(learner.stored_, SIZE[dataset])
            trial.measure(name, mistakes=online_error(learner, len(y))[then])


INSTANCES = 5  # of each theorem in a repeat


def competitors(gram, y):
    """Return norms and hinge losses (12) of hypotheses that were fitted with all labels known."""
    norms = []
    losses = []
    for ridge in 10.0 ** np.arange(-3, 2):
        weights = np.linalg.solve(gram + ridge * np.eye(len(y)), y)
        f = gram @ weights
        for scale in np.linspace(0.2, 4, 20):
            norms.append(scale * np.sqrt(weights @ f))
            losses.append(np.maximum(0, 1 - scale * y * f).sum())
    return np.array(norms), np.array(losses)


def stored_and_limit(rng):
    """Return how many points of a line are stored, how many can be, and the mistakes made.

    A stored point is further than eta from each other one, in the kernel's space.
    """
    eta = rng.uniform(0.05, 0.5)
    gamma = 10.0 ** rng.uniform(1, 3)
    X = rng.random((1500, 1))
    y = rng.choice([-1.0, 1.0], size=1500)
    learner = Projectron(gamma=gamma, eta=eta).fit(X, y)
    apart = np.sqrt(-np.log(1 - eta**2 / 2) / gamma)
    return len(learner.support_), 1 + np.floor(1 / apart), len(learner.mistakes_)


def mistakes_and_bound(rng, theorem):
    """Return the mistakes on two Gaussians, the least bound by a competitor, and the rows.

    The narrower the kernel, the nearer are rows to orthogonal ones, for which bounds are tight.
    """
    n = 300
    gamma = 10.0 ** rng.uniform(0, 2)
    X, y = two_gaussians(rng, n, 0.0)
    norms, losses = competitors(gaussian(X, X, gamma), y)
    # The margin left by eta is a share of what the best competitor at eta = 0 leaves.
    share = rng.uniform(0, 0.9)
    best = norms[np.argmin(norms**2 + 2 * losses)]
    if theorem == "theorem-2":
        eta = share / (2 * best)
        learner = Projectron(gamma=gamma, eta=eta).fit(X, y)
        with np.errstate(divide="ignore"):
            bounds = (norms**2 + 2 * losses) / np.maximum(1 - 2 * eta * norms, 0)
    elif theorem == "theorem-3":
        eta = share / best
        learner = Projectron(gamma=gamma, eta=eta).fit(X, y)
        with np.errstate(divide="ignore"):
            root = (norms + np.sqrt(norms**2 + 4 * losses)) / np.maximum(2 - 2 * eta * norms, 0)
        bounds = root**2
    else:
        U = best * rng.uniform(0.5, 2)
        allowed = norms <= U
        bounds = 2 * norms[allowed] ** 2 + 4 * losses[allowed]
        made = Projectron if theorem == "corollary-1" else ProjectronPlusPlus
        learner = made(gamma=gamma, U=U).fit(X, y)
        if theorem == "equation-15":
            bounds = bounds - 2 * learner.progress_
    return len(learner.mistakes_), bounds.min(), n


@experiment(
    "bounds",
    cells=grid(theorem=["theorem-1", "theorem-2", "theorem-3", "corollary-1", "equation-15"]),
    repeats=60,
    cost=0.07,
    methods={"Projectron": Projectron},
)
def theorems(trial):
    """Theorems 1 to 3, Corollary 1 and Equation 15, where they say more than that all may be."""
    theorem = trial.cell["theorem"]
    rng = trial.rng("instances")
    excesses = []
    draw = partial(mistakes_and_bound, theorem=theorem)
    while len(excesses) < INSTANCES:
        value, bound, most = (stored_and_limit if theorem == "theorem-1" else draw)(rng)
        if bound < most:
            excesses.append((value - bound) / most)
    trial.measure("Projectron", violation=max(excesses), n_test=INSTANCES)
