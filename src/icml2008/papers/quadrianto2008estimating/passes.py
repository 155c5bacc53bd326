"""One pass over the folds of all bags: each method's labels of the target's rows."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from .method import (
    codes_of,
    coordinates,
    fit_coefficients,
    log_partition,
    median_gamma,
    operator_weights,
)
from .rivals import (
    COSTS,
    WIDTHS,
    bag_scores,
    class_scores,
    fold_likelihoods,
    log_density,
    sort_by_share,
    spreads,
    squared_distances,
)

FOLDS = 10
VARIANTS = ("MM", "MM by labels", "MM at 1", "labelled")
PENALTIES = {
    "decades": 10.0 ** np.arange(3, -3, -1),
    "narrow": 10.0 ** np.arange(1, -2, -1),
    "wide": 10.0 ** np.arange(5, -5, -1),
}


@dataclass
class Bags:
    """Rows of several bags, the last of which is the target; rows are numbered within their bag.

    Attributes
    ----------
    X : list of ndarray
        Features of each bag's rows.
    y : list of ndarray
        Labels, which only shares and what is said to know them may see.
    known : ndarray of shape (n_bags, n_classes), optional
        Shares to tell a method in place of the bags' own.
    constant : bool
        Whether the kernel has a constant feature.
    """

    X: list
    y: list
    n_classes: int
    constant: bool = False
    known: np.ndarray | None = None

    def __post_init__(self):
        self.codes = codes_of(self.n_classes)
        gamma = median_gamma(np.concatenate(self.X))
        target = self.X[-1]
        extra = 1.0 if self.constant else 0.0
        grams = [
            np.exp(-gamma * euclidean_distances(X, target, squared=True)) + extra for X in self.X
        ]
        own, projection = coordinates(grams[-1])
        self.Z = [*(gram @ projection for gram in grams[:-1]), own]
        self.gamma = gamma

    def proportions(self):
        """Return shares of classes, (n_bags, n_classes), as a method is told them."""
        if self.known is not None:
            return self.known
        counts = [np.bincount(part, minlength=self.n_classes) for part in self.y]
        return np.array([count / count.sum() for count in counts])

    def operator(self, rows):
        """Return the estimated mean operator of the target from some rows of each bag."""
        shares = self.proportions()
        means = np.array([Z[part].mean(axis=0) for Z, part in zip(self.Z, rows, strict=True)])
        return means.T @ operator_weights(shares, shares[-1])

    def true_operator(self, rows):
        """Return the mean operator by the labels of the target's rows."""
        held = rows[-1]
        return self.Z[-1][held].T @ self.codes[self.y[-1][held]] / len(held)

    def fit_path(self, rows, operator, penalties, tol=1e-3):
        """Return coefficients for each penalty, the largest first, from some rows of the target."""
        path = [None]
        for lam in penalties:
            rows_of = self.Z[-1][rows[-1]]
            path.append(fit_coefficients(rows_of, operator, self.codes, lam, path[-1], tol))
        return path[1:]

    def scores(self, theta, held):
        return self.Z[-1][held] @ theta @ self.codes.T

    def labels(self, theta, held):
        return np.argmax(self.scores(theta, held), axis=1)

    def log_likelihood(self, theta, operator, held):
        """Return the log-likelihood of rows whose mean operator is given, Equation 3."""
        linear = len(held) * np.sum(operator * theta)
        return linear - np.sum(log_partition(self.scores(theta, held)))


def folds_of(rng, sizes):
    """Return folds, each a list of the rows of each bag."""
    parts = [np.array_split(rng.permutation(size), FOLDS) for size in sizes]
    return [list(fold) for fold in zip(*parts, strict=True)]


def without(folds, number):
    """Return the rows of all folds but one, by bag."""
    others = [*folds[:number], *folds[number + 1 :]]
    return [np.concatenate(parts) for parts in zip(*others, strict=True)]


def choose_penalties(bags, folds, penalties, variants=VARIANTS):
    """Return the penalty that each variant prefers over the folds, by its name.

    ``MM`` is chosen by the estimated likelihood of the rows left out, ``MM by labels`` by their
    errors, ``labelled``, which is fitted to labels, by their likelihood.
    """
    totals = {name: np.zeros(len(penalties)) for name in variants if name != "MM at 1"}
    for number, held in enumerate(folds):
        train = without(folds, number)
        left = bags.operator(held)
        for place, theta in enumerate(bags.fit_path(train, bags.operator(train), penalties)):
            totals["MM"][place] += bags.log_likelihood(theta, left, held[-1])
            if "MM by labels" in variants:
                hits = bags.labels(theta, held[-1]) == bags.y[-1][held[-1]]
                totals["MM by labels"][place] += np.sum(hits)
        if "labelled" not in variants:
            continue
        left = bags.true_operator(held)
        for place, theta in enumerate(bags.fit_path(train, bags.true_operator(train), penalties)):
            totals["labelled"][place] += bags.log_likelihood(theta, left, held[-1])
    return {name: penalties[int(np.argmax(total))] for name, total in totals.items()}


def mean_map_labels(bags, chosen, train, held, variants=VARIANTS):
    """Return labels of the target's held rows by each variant of the model."""
    estimated = bags.operator(train)
    labels = {}
    for name in variants:
        operator = bags.true_operator(train) if name == "labelled" else estimated
        theta = bags.fit_path(train, operator, [chosen.get(name, 1.0)], tol=1e-4)[0]
        labels[name] = bags.labels(theta, held[-1])
    return labels


def choose_widths(bags, folds, density, width):
    """Return the scale of each bag's features and the width of its density.

    Each bag has the width that its own rows prefer, or all have the one that all rows prefer.
    """
    whole = np.concatenate(bags.X).std(axis=0)
    scales = []
    likelihoods = []
    for place, X in enumerate(bags.X):
        scale = spreads(X, whole) if density == "own" else np.maximum(whole, 1e-12)
        squared = squared_distances(X, X, scale)
        parts = [fold[place] for fold in folds]
        scales.append(scale)
        likelihoods.append(fold_likelihoods(squared, parts, np.sum(whole > 1e-12)))
    if width == "common":
        likelihoods = [np.sum(likelihoods, axis=0)] * len(scales)
    widths = [WIDTHS[int(np.argmax(values))] for values in likelihoods]
    return list(zip(scales, widths, strict=True))


def density_labels(bags, widths, train, held):
    """Return labels of the target's held rows by densities of the bags."""
    logs = []
    for (scale, width), X, rows in zip(widths, bags.X, train, strict=True):
        squared = squared_distances(bags.X[-1][held[-1]], X[rows], scale)
        # Bags are scaled differently, so that the volume of a unit counts.
        n_features = np.sum(scale > 1e-12)
        volume = np.sum(np.log(scale[scale > 1e-12]))
        logs.append(log_density(squared, width, n_features) - volume)
    shares = bags.proportions()
    weights = shares[-1][:, None] * np.linalg.pinv(shares)
    return np.argmax(class_scores(np.column_stack(logs), weights), axis=1)


class Sorting:
    """Discriminative sorting of two bags.

    Parameters
    ----------
    bags : Bags
    threshold : str
        Of which rows the share of the first class is told: of those that were trained on
        (``trained``) or of those to be labelled (``tested``).
    criterion : str
        Whether the cost is chosen by errors of telling the bags apart (``bags``) or of the target's
        labels (``labels``).
    """

    def __init__(self, bags, threshold, criterion):
        X = np.concatenate(bags.X)
        self.bags = bags
        self.gram = np.exp(-bags.gamma * euclidean_distances(X, squared=True))
        self.first = len(bags.X[0])
        self.in_first = np.arange(len(X)) < self.first
        self.threshold = threshold
        self.criterion = criterion

    def rows(self, parts):
        """Return rows of both bags by their numbers in the kernel."""
        return np.concatenate([parts[0], parts[1] + self.first])

    def choose(self, folds):
        """Return the cost of fewest errors over the folds."""
        errors = []
        for cost in COSTS:
            wrong = 0
            for number, held in enumerate(folds):
                train = without(folds, number)
                if self.criterion == "labels":
                    wrong += np.sum(self.labels(cost, train, held) != self.bags.y[1][held[1]])
                else:
                    rows = self.rows(held)
                    scores = bag_scores(self.gram, self.in_first, self.rows(train), rows, cost)
                    wrong += np.sum((scores > 0) != self.in_first[rows])
            errors.append(wrong)
        return COSTS[int(np.argmin(errors))]

    def labels(self, cost, train, held):
        """Return labels of the target's held rows."""
        rows = np.concatenate([train[1], held[1]]) + self.first
        scores = bag_scores(self.gram, self.in_first, self.rows(train), rows, cost)
        seen, new = np.split(scores, [len(train[1])])
        share = self.bags.proportions()[1, 0]
        return sort_by_share(new, new if self.threshold == "tested" else seen, share)
