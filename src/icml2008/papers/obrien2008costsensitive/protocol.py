"""What the trials of the tables share: learners, folds, costs, resamples and learned partitions."""

from dataclasses import dataclass

import numpy as np

from .learners import QDA, NaiveBayes, by_class
from .method import assign, learn_partition, search_from_many
from .tasks import codes_of, task_of

RESAMPLES = 100
SCENARIOS = ("rarity", "random")
METACOST = ("MetaCost all", "MetaCost out")
# Values of choices where an experiment does not vary them, which are their defaults.
USUAL = {
    "bins": "width",
    "classes": "10",
    "folds": "random",
    "inputs": "inputs",
    "last": "labels",
    "lf": "pass",
    "matrix": "run",
    "middle": "geometric",
    "missing": "ignored",
    "priors": "shares",
    "regularised": "equal",
    "resample": "all",
    "ties": "first",
    "units": "raw",
}
# What learns a partition from probabilities, with the arguments of `learn_partition`.
SEARCHES = {
    "parallel": {},
    "five passes": {"passes": 5},
    "rarest first": {"order": "rarest"},
    "many starts": None,
    "rows": {"family": "rows"},
    "columns": {"family": "columns"},
    "free": {"family": "free"},
    "LF": {"family": "weights"},
}


def learner_of(row, table, choices):
    """Return the task of a row and its learner, whose models are weights of the task's rows."""
    task = task_of(row, table, choices["inputs"], int(choices["classes"]))
    if row.startswith("nb"):
        codes = codes_of(task, choices["bins"], choices["missing"])
        return task, NaiveBayes(*codes, choices["priors"])
    X = task.X
    if choices["units"] == "standard":
        X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)
    return task, QDA(X, choices["regularised"])


def folds_of(rng, n, number, y=None):
    """Return the fold of each of n rows, at random and as equal in size as can be.

    With classes y, each class is spread over the folds as evenly.
    """
    if y is None:
        return rng.permutation(np.arange(n) % number)
    turns = rng.permutation(n)
    folds = np.empty(n, dtype=int)
    folds[turns[np.argsort(y[turns], kind="stable")]] = np.arange(n) % number
    return folds


@dataclass(frozen=True)
class Fold:
    """One of the ten folds of a cross-validation, and what is estimated for it.

    Attributes
    ----------
    test : ndarray of bool, shape (n_rows,)
    seen : ndarray, shape (n_training, n_classes)
        Class probabilities of the other nine folds' rows, by nine inner folds.
    known : ndarray of int, shape (n_training,)
        Classes of these rows.
    new : ndarray, shape (n_test, n_classes)
        Class probabilities of the fold's rows, by a model of all others.
    """

    test: np.ndarray
    seen: np.ndarray
    known: np.ndarray
    new: np.ndarray


def estimated_folds(trial, learner, y, choices):
    """Yield the ten folds of a trial's cross-validation."""
    n_classes = y.max() + 1
    even = choices["folds"] == "even"
    folds = folds_of(trial.rng("folds"), len(y), 10, y if even else None)
    inner = trial.rng("inner")
    for fold in range(10):
        test = folds == fold
        places = np.flatnonzero(~test)
        known = y[places]
        deeper = folds_of(inner, len(places), 9, known if even else None)
        rows = np.zeros((10, len(y)))
        rows[:, places] = 1
        rows[deeper, places] = 0
        estimates = learner.probabilities(by_class(rows, y, n_classes))
        yield Fold(test, estimates[deeper, places], known, estimates[9][test])


def costs_of(trial, n_classes, choices):
    """Return a function that gives the costs of a scenario from the classes of training rows."""
    shared = ("repeat",) if choices["matrix"] == "set" else ()
    drawn = random_costs(trial.rng("costs", across=shared), n_classes)

    def costs(kind, known):
        if kind == "random":
            return drawn
        return rarity_costs(np.bincount(known, minlength=n_classes))

    return costs


def rarity_costs(counts):
    """Return Section 6's c_ij = N_i / (N_i + N_j), and 0 on the diagonal."""
    costs = counts[:, None] / (counts[:, None] + counts)
    np.fill_diagonal(costs, 0)
    return costs


def random_costs(rng, n_classes):
    """Return costs that are uniform in [1, 10], and 0 on the diagonal."""
    costs = rng.uniform(1, 10, size=(n_classes, n_classes))
    np.fill_diagonal(costs, 0)
    return costs


def resampled(rng, learner, y, train, n_classes, size="all"):
    """Return MetaCost's two estimates of probabilities of the training rows, and their places.

    The first is the mean over models of all resamples, the second of those without the row. A
    resample has as many rows as there are, or with size "half" half as many.
    """
    places = np.flatnonzero(train)
    number = len(places) // 2 if size == "half" else len(places)
    counts = rng.multinomial(number, np.full(len(places), 1 / len(places)), size=RESAMPLES)
    every = np.zeros((len(places), n_classes))
    out = np.zeros_like(every)
    for part in np.array_split(counts, max(1, len(y) * RESAMPLES // 50_000)):
        rows = np.zeros((len(part), len(y)))
        rows[:, places] = part
        seen = learner.probabilities(by_class(rows, y, n_classes))[:, places]
        every += seen.sum(axis=0)
        out += np.einsum("mn,mnk->nk", part == 0, seen)
    unseen = (counts == 0).sum(axis=0)[:, None]
    every /= RESAMPLES
    return every, np.where(unseen > 0, out / np.maximum(unseen, 1), every), places


def relabelled(learner, probabilities, places, costs, n_rows, last="labels"):
    """Return MetaCost's assignments, by its learner on the labels of least expected cost.

    The last model assigns the class it holds likeliest, or with last "costs" the cheapest by it.
    """
    labels = assign(probabilities, costs)
    weights = np.zeros((1, len(costs), n_rows))
    weights[0, labels, places] = 1
    estimates = learner.probabilities(weights)[0]
    return assign(estimates, costs) if last == "costs" else np.argmax(estimates, axis=1)


def learned(name, seen, y, costs, rng, choices):
    """Return a method's partition matrix."""
    how = {"middle": choices["middle"], "ties": choices["ties"]}
    if name == "many starts":
        return search_from_many(seen, y, costs, rng, **how)
    settings = dict(SEARCHES[name])
    if settings.pop("order", None):
        settings["order"] = np.argsort(np.bincount(y, minlength=len(costs)), kind="stable")
    if name == "LF":
        settings["family"] = {"pass": "weights"}.get(choices["lf"], choices["lf"])
    return learn_partition(seen, y, costs, **settings, **how)


def improved(cost, base):
    """Return by how many percent costs are below those of the cost matrix's own partition."""
    return 100 * (base - cost) / base


def fitted(fold, costs, partition):
    """Return what the rows learned from cost by a cost matrix, and by a partition learned on it."""
    labels = assign(fold.seen, costs), assign(fold.seen, partition)
    return [costs[by, fold.known].sum() for by in labels]
