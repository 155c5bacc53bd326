"""Texts by support vector machines with kernels of a family, and what is stated of the kernels."""

from typing import Protocol

import numpy as np
from scipy.sparse import diags_array
from scipy.spatial.distance import jensenshannon
from sklearn.preprocessing import normalize

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.smo import _solve  # its estimator's checks take as long as it
from icml2008.papers.martins2008nonextensive.method import (
    heat_kernels,
    squared_geodesics,
    tsallis_kernels,
)

TASKS = {"earn-acq": ("earn", "acq"), "stud-fac": ("student", "faculty")}
N_TRAIN, N_TEST, N_FOLDS = 200, 250, 5  # texts of a class, twice
Q = np.linspace(0, 2, 11)
TAU = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]
C = [0.1, 1.0, 10.0, 100.0]  # times 1 / mean k(x, x), SVM-Light's default


class KernelFamily(Protocol):
    """A method of one's own: a function of distributions over words that returns several kernels.

    The kernel is chosen with C by cross-validation over the training texts.
    """

    def __call__(self, P, R):
        """Return an array (n_kernels, n_p, n_r) of sparse P (n_p, n_words) and R (n_r, n_words)."""


def tsallis(P, R):
    """Return Equation 23 for each q."""
    return tsallis_kernels(P / 2, R / 2, Q)


def linear(P, R):
    """Return inner products of vectors of unit length."""
    return (normalize(P) @ normalize(R).T).toarray()[None]


def heat(P, R):
    """Return Equation 28 for each tau."""
    return heat_kernels(P, R, TAU)


def trained(K, y, cost):
    """Return the weights of training texts, the intercept and whether a weight is at its bound."""
    alpha, intercept, *_ = _solve(np.ascontiguousarray(K), y, cost, 1e-3, np.empty(100_000))
    return alpha * y, intercept, alpha.max() >= 0.999 * cost


def wrong(machine, K, y):
    weights, intercept, _ = machine
    return np.count_nonzero((K @ weights + intercept > 0) != (y > 0))


def cross_validated(K, y):
    """Return the errors with the best of C, the smallest if several are, and that value."""
    costs, errors = np.array(C) / np.mean(np.diag(K)), np.zeros(len(C), dtype=int)
    for fold in range(N_FOLDS):
        held = np.arange(len(y)) % N_FOLDS == fold
        inner, outer = K[~held][:, ~held], K[held][:, ~held]
        for i, cost in enumerate(costs):
            machine = trained(inner, y[~held], cost)
            errors[i] += (missed := wrong(machine, outer, y[held]))
            if not machine[-1]:  # a larger C changes nothing
                errors[i + 1 :] += missed
                break
    return errors.min(), costs[errors.argmin()]


def outcome(family, train, test, y, y_test, ties="middle"):
    """Return the error of the kernel with the fewest errors of cross-validation, and all errors.

    They are on test texts and in percent. Of kernels with as few the middle one is taken, or the
    first.
    """
    held_out, errors = [], []
    for K, K_test in zip(family(train, train), family(test, train), strict=True):
        missed, cost = cross_validated(K, y)
        held_out.append(missed)
        errors.append(100 * wrong(trained(K, y, cost), K_test, y_test) / len(y_test))
    best = np.flatnonzero(held_out == np.min(held_out))
    return errors[best[(len(best) - 1) // 2 if ties == "middle" else 0]], np.array(errors)


def sample(trial, vocabulary="all", idf_texts="training", idf="ratio"):
    """Return distributions over words, lengths and classes, of texts for training and testing."""
    task = trial.cell["task"]
    bags, rng = trial.data(f"{task}-words"), trial.rng("sample", across=("idf",))
    parts = [rng.permutation(np.flatnonzero(bags.y == name)) for name in TASKS[task]]
    train = np.concatenate([part[:N_TRAIN] for part in parts])
    test = np.concatenate([part[N_TRAIN : N_TRAIN + N_TEST] for part in parts])
    X = bags.X
    if vocabulary == "three-texts":
        X = X[:, (X > 0).sum(axis=0) >= 3]
    lengths = X.sum(axis=1)
    if trial.cell["idf"]:
        seen = X if idf_texts == "all" else X[train]
        among = (seen > 0).sum(axis=0)
        rarity = seen.shape[0] / np.maximum(among, 1)
        smooth = idf == "plus-one"
        X = X @ diags_array(np.where(among > 0, np.log(rarity + smooth), 0.0))
    P = normalize(X.tocsr(), norm="l1")
    y = np.where(bags.y == TASKS[task][0], 1.0, -1.0)
    return [(P[part], lengths[part], y[part]) for part in (train, test)]


CELLS = grid(task=list(TASKS), idf=[0, 1])


def data_of(cell):
    return (f"{cell['task']}-words",)


@experiment(
    "text",
    cells={"smoke": CELLS[:1], "quick": CELLS, "full": CELLS},
    repeats={"smoke": 1, "quick": 1, "full": 30},
    cost=0.5,  # seconds a trial, roughly; a literal
    methods=lambda choices: {
        "Tsallis": lambda: tsallis,
        "linear": lambda: linear,
        "heat": lambda: heat,
        **{f"q={q:g}": None for q in Q},
    },
    data=data_of,
    expects=KernelFamily,
)
def run_text(trial):
    """Figures 1 and 2: percent of test texts in the wrong class, and the q of fewest errors."""
    how = [trial.choices[name] for name in ("vocabulary", "idf-texts", "idf")]
    (train, _, y), (test, _, y_test) = sample(trial, *how)
    for name, make in trial.methods.items():
        if make is None:
            continue
        with trial.attempt(name):
            best, errors = outcome(make(), train, test, y, y_test, trial.choices["ties"])
            trial.measure(name, n_test=len(y_test), error=best)
            if name == "Tsallis":
                trial.measure(name, best_q=round(Q[errors == errors.min()].mean(), 6))
                for q, error in zip(Q, errors, strict=True):
                    trial.measure(f"q={q:g}", n_test=len(y_test), error=error)


WEIGHTS = {
    "uniform": np.ones_like,
    "counts": lambda n: n,
    "square roots": np.sqrt,
    "logarithms": lambda n: 1 + np.log(n),
}


@experiment(
    "weights",
    cells={"smoke": CELLS[:1], "quick": CELLS[:1], "full": CELLS},
    repeats={"smoke": 1, "quick": 1, "full": 20},
    cost=1.0,
    methods=lambda choices: WEIGHTS,
    data=data_of,
)
def run_weights(trial):
    """Section 6: the weighted Tsallis kernel by how a text's words weigh it."""
    (train, n_train, y), (test, n_test, y_test) = sample(trial)
    unweighted = trial.choices["kernel"] == "k"

    def family(P, R):
        q = np.linspace(0, 1 if unweighted else 2, 5)
        kernels = tsallis_kernels(P, R, q)
        if unweighted:
            total = P.sum(axis=1)[:, None] + R.sum(axis=1)
            kernels /= np.where(total > 0, total, 1.0) ** q[:, None, None]
        return kernels

    for name, weigh in trial.methods.items():
        with trial.attempt(name):
            # Texts of which a vocabulary leaves no word have no measure, and no weight.
            P, R = (
                (diags_array(weigh(np.maximum(n, 1.0))) @ one).tocsr()
                for one, n in ((train, n_train), (test, n_test))
            )
            trial.measure(name, n_test=len(y_test), error=outcome(family, P, R, y, y_test)[0])


def entropy(mu, q):
    """Return Equation 5 of measures, (..., n_outcomes)."""
    z = np.where(mu > 0, mu, 1.0)  # what has no mass adds nothing, at q = 0 either
    return np.sum(-z * np.log(z) if q == 1 else (mu - (mu > 0) * z**q) / (q - 1), axis=-1)


def difference(pi, p, q):
    """Return Equation 15 for Tsallis entropies, with the powers of Equation 16."""
    return entropy(pi @ p, q) - pi**q @ entropy(p, q)


def information(pi, p, q):
    """Return Equation 4, S_q(X) - S_q(X|Y), by q-expectations of q-logarithms."""
    joint, given = (pi[:, None] * p)[p > 0], p[p > 0]
    logs = np.log(given) if q == 1 else (given ** (1 - q) - 1) / (1 - q)
    return entropy(pi @ p, q) + np.sum(joint**q * logs)


def indefinite(K):
    """Return by how much the least eigenvalue is below 0, relative."""
    return -np.linalg.eigvalsh((K + K.T) / 2)[0] / np.abs(K).max()


def measures(rng, n=6, n_outcomes=5):
    """Return measures some of whose entries are 0."""
    mu = rng.gamma(0.5, size=(n, n_outcomes)) * (rng.random((n, n_outcomes)) < 0.7)
    mu[np.arange(n), rng.integers(n_outcomes, size=n)] += 0.1
    return mu * rng.lognormal(size=(n, 1))


def index(rng, low, high):
    return rng.choice([low, 1.0, high, *rng.uniform(low, high, 3)])


def drawn(rng):
    """Return measures, their weights and their distributions."""
    mu = measures(rng)
    weights = mu.sum(axis=1)
    return mu, weights, mu / weights[:, None]


def denormalisation(rng):
    mu, _, _ = drawn(rng)
    q, c = index(rng, 0, 2), rng.lognormal()
    right = c**q * entropy(mu, q) + entropy(np.array([c]), q) * mu.sum(axis=1)
    return np.abs(entropy(c * mu, q) - right).max()


def negative_definite(rng):
    mu, _, _ = drawn(rng)
    centre = np.eye(len(mu)) - 1 / len(mu)
    return indefinite(-centre @ entropy(mu[:, None] + mu, index(rng, 0, 2)) @ centre)


def definition(rng):
    """Definition 3, with the difference as the information of Equation 16, against the method."""
    mu, weights, p = drawn(rng)
    q, pi = index(rng, 0, 2), weights[:2] / weights[:2].sum()
    found = tsallis_kernels(mu[:1], mu[1:2], [q])[0, 0, 0]
    wanted = (entropy(pi, q) - information(pi, p[:2], q)) * weights[:2].sum() ** q
    return abs(found - wanted)


def mutual_information(rng):
    _, _, p = drawn(rng)
    pi, q = rng.dirichlet(np.ones(len(p))), index(rng, 0, 2)
    return abs(difference(pi, p, q) - information(pi, p, q))


def weighted(rng):
    mu, _, _ = drawn(rng)
    return indefinite(tsallis_kernels(mu, mu, [index(rng, 0, 2)])[0])


def k(mu, weights, q):
    return tsallis_kernels(mu, mu, [q])[0] / (weights[:, None] + weights) ** q


def unweighted(rng):
    mu, weights, _ = drawn(rng)
    return indefinite(k(mu, weights, index(rng, 0, 1)))


def on_distributions(rng, q, kernel):
    """Return by how much Equation 23 misses a kernel."""
    _, _, p = drawn(rng)
    return np.abs(tsallis_kernels(p / 2, p / 2, [q])[0] - kernel(p)).max()


def boolean(rng):
    return on_distributions(rng, 0, lambda p: np.sum((p[:, None] * p) > 0, axis=-1))


def jensen_shannon(rng):
    return on_distributions(
        rng, 1, lambda p: np.log(2) - [[jensenshannon(a, b) ** 2 for a in p] for b in p]
    )


def half_linear(rng):
    return on_distributions(rng, 2, lambda p: p @ p.T / 2)


def nonnegative(rng):
    _, _, p = drawn(rng)
    p = p[0] + rng.random() ** 4 * (p - p[0])  # nearly one distribution, as a rule
    return -difference(rng.dirichlet(np.ones(len(p))), p, index(rng, 1, 2))


def minimiser(rng):
    """Equation 18 for two outcomes: by how much the minimiser is not nearer to 1/2, or farther."""
    q, share = rng.choice([rng.uniform(0.05, 0.95), rng.uniform(1.05, 2)]), rng.uniform(0.01, 0.99)
    steps = np.linspace(0, 1, 2001)
    both = np.stack([steps, 1 - steps], axis=1), np.array([share, 1 - share])
    found = entropy((both[0] + both[1]) / 2, q) - entropy(both[0], q) / 2**q
    nearer = abs(share - 0.5) - abs(steps[found.argmin()] - 0.5)
    return (nearer if q > 1 else -nearer) - steps[1]


def exponentiated(rng):
    mu, weights, _ = drawn(rng)
    return indefinite(np.exp(rng.uniform(0.1, 3) * k(mu, weights, 1.0)))


def renyi(rng):
    _, _, p = drawn(rng)
    q, t = rng.uniform(0.05, 0.95), rng.uniform(0.1, 3)
    powers = np.sum(p**q, axis=1)
    middle = np.sum(((p[:, None] + p) / 2) ** q, axis=-1)
    return indefinite((middle / np.sqrt(powers[:, None] * powers)) ** (-t / (1 - q)))


STATEMENTS = {
    one.__name__.replace("_", "-"): one
    for one in (
        *(denormalisation, negative_definite, mutual_information, definition, weighted),
        *(unweighted, boolean, jensen_shannon, half_linear, nonnegative, minimiser),
        *(exponentiated, renyi),
    )
}
INSTANCES = 10


@experiment(
    "propositions",
    cells=grid(statement=list(STATEMENTS)),
    repeats={"smoke": 1, "quick": 2, "full": 30},
    cost=0.01,
    methods=lambda choices: {"kernel": None},
)
def run_propositions(trial):
    """By how much drawn measures violate what is stated, at most."""
    rng = trial.rng("measures")
    found = [STATEMENTS[trial.cell["statement"]](rng) for _ in range(INSTANCES)]
    trial.measure("kernel", n_test=INSTANCES, violation=round(max(found), 12))


POINTS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
VECTOR = np.array([-4, -4, 1, 7])


@experiment(
    "counterexample",
    cells=grid(tau=[100, 1000]),
    repeats={"smoke": 2, "quick": 2, "full": 2},
    cost=0.001,
    methods=lambda choices: {"heat": None},
)
def run_counterexample(trial):
    """Proposition 11: the printed form, in units of pi squared, and the least eigenvalue."""
    form = VECTOR @ squared_geodesics(POINTS, POINTS) @ VECTOR / np.pi**2
    K = heat_kernels(POINTS, POINTS, [trial.cell["tau"]])[0]
    least = np.linalg.eigvalsh(K)[0]
    trial.measure("heat", form=round(form, 9), least=round(least, 9))
