"""Bags of instances: the reader of the images' MATLAB files, tables as bags, folds and rivals."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from scipy.io import loadmat
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from icml2008.data.content import read_content
from icml2008.data.tables import Table

COSTS = 10.0 ** np.arange(-1, 3)
# "Errors are hardly allowed": a thousand times the mean of the kernel's diagonal.
HARD = 1e3
INNER_FOLDS = 5
FLAT = 1e-9
REFERENCES = range(1, 6)


def load_bags(path: Path) -> Table:
    """Return a file's instances: the number of the bag, then features; the bag's label, 0 or 1."""
    cells = loadmat(io.BytesIO(read_content(path)))["data"]
    sizes = [len(instances) for instances in cells[:, 0]]
    number = np.repeat(np.arange(len(cells)), sizes)
    features = np.concatenate(list(cells[:, 0])).astype(float)
    return Table(
        X=np.column_stack([number, features]),
        y=np.repeat([float(label.item()) for label in cells[:, 1]], sizes),
        feature_names=("bag", *(f"x{k}" for k in range(features.shape[1]))),
        categories={"bag": tuple(map(str, range(len(cells))))},
    )


def bags_of(table: Table, scaling: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features (n_instances, n_features), bags from 0 on (n_instances,), labels of bags.

    A bag is positive, 1, if one of its instances is, else -1. The first column of the table has
    the bags; other columns with categories name instances.
    """
    names = enumerate(table.feature_names)
    X = table.X[:, [column for column, name in names if name not in table.categories]]
    if scaling == "unit-variance":
        spread = X.std(axis=0)
        # Columns of the images that are constant but for rounding stay as they are.
        X = X / np.where(spread > FLAT * spread.max(), spread, 1)
    # k-means takes half as long on single precision, which holds these features as published.
    X = X.astype(np.float32)
    _, bags = np.unique(table.X[:, 0], return_inverse=True)
    positive = bags[np.asarray(table.y, dtype=float) > 0]
    y = np.full(bags.max() + 1, -1)
    y[positive] = 1
    return X, bags, y


def folds_of(rng: np.random.Generator, rows: np.ndarray, number: int) -> list[np.ndarray]:
    """Return shuffled rows in so many parts whose sizes differ by one at most."""
    return np.array_split(rng.permutation(rows), number)


def without(folds: list[np.ndarray], left_out: int) -> np.ndarray:
    """Return the rows of all folds but one."""
    return np.concatenate(folds[:left_out] + folds[left_out + 1 :])


def fit_svm(gram: np.ndarray, y: np.ndarray, rows: np.ndarray, cost: float) -> SVC:
    return SVC(C=cost, kernel="precomputed").fit(gram[np.ix_(rows, rows)], y[rows])


def predict_svm(svm: SVC, gram: np.ndarray, rows: np.ndarray, train: np.ndarray) -> np.ndarray:
    return svm.predict(gram[np.ix_(rows, train)])


def choose_cost(
    gram: np.ndarray, y: np.ndarray, folds: list[np.ndarray], how: str = "folds"
) -> tuple[float, float]:
    """Return the cost of a support vector machine and its share of right bags over the folds.

    Costs are in units of one over the kernel's mean diagonal, so that a factor of the kernel
    changes nothing; "1" is the plain number. Of equals it is the one in the middle.
    """
    diagonal = np.mean(np.diag(gram)[np.concatenate(folds)])
    costs = {"folds": COSTS / diagonal, "1": [1.0], "hard": [HARD / diagonal]}[how]
    right = np.zeros(len(costs))
    for number, test in enumerate(folds):
        train = without(folds, number)
        for index, cost in enumerate(costs):
            svm = fit_svm(gram, y, train, cost)
            right[index] += np.sum(predict_svm(svm, gram, test, train) == y[test])
    best = np.flatnonzero(right == right.max())
    return float(costs[best[len(best) // 2]]), right.max() / sum(map(len, folds))


def block_means(values: np.ndarray, bags: np.ndarray) -> np.ndarray:
    """Return means over bags of the columns, (n_rows, n_instances) to (n_rows, n_bags)."""
    order = np.argsort(bags, kind="stable")
    sizes = np.bincount(bags)
    starts = np.cumsum(sizes) - sizes
    return np.add.reduceat(values[:, order], starts, axis=1) / sizes


def set_kernels(
    X: np.ndarray, bags: np.ndarray, factors: tuple[float, ...] = (0.25, 1.0, 4.0)
) -> list[np.ndarray]:
    """Return means of a Gaussian kernel over all pairs of instances of two bags.

    Each is scaled to a diagonal of 1. The width's factor is of the mean squared distance.
    """
    scale = 2 * np.sum(X.var(axis=0))
    members = [X[bags == bag] for bag in range(bags.max() + 1)]
    grams = [np.empty((len(members), len(members))) for _ in factors]
    for bag, inside in enumerate(members):
        squares = cdist(inside, X, "sqeuclidean") / scale
        for gram, factor in zip(grams, factors, strict=True):
            gram[bag] = block_means(np.exp(-factor * squares), bags).mean(axis=0)
    roots = [np.sqrt(np.diag(gram)) for gram in grams]
    return [gram / np.outer(root, root) for gram, root in zip(grams, roots, strict=True)]


def hausdorff_distances(X: np.ndarray, bags: np.ndarray) -> np.ndarray:
    """Return minimal Hausdorff distances: those of the nearest instances of two bags."""
    order = np.argsort(bags, kind="stable")
    sizes = np.bincount(bags)
    starts = np.cumsum(sizes) - sizes
    rows = [
        np.minimum.reduceat(cdist(X[bags == bag], X[order]).min(axis=0), starts)
        for bag in range(len(sizes))
    ]
    return np.array(rows)


def citation_votes(
    distances: np.ndarray, y: np.ndarray, query: int, train: np.ndarray
) -> np.ndarray:
    """Return labels by Citation-kNN (Wang and Zucker 2000) with 1 to 5 references.

    Voters are the nearest bags, and those citers that have the query among their nearest ones, by
    two more than there are references. A tie is negative.
    """
    others = train[train != query]
    near = others[np.argsort(distances[query, others], kind="stable")]
    among = distances[np.ix_(others, others)]
    np.fill_diagonal(among, np.inf)
    rank = np.sum(among < distances[others, query][:, None], axis=1)
    votes = [
        y[near[:references]].sum() + y[others[rank < references + 2]].sum()
        for references in REFERENCES
    ]
    return np.where(np.array(votes) > 0, 1, -1)


def citation_knn(
    distances: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray
) -> np.ndarray:
    """Return labels of bags, with the references that do best by leaving one out."""
    right = sum(citation_votes(distances, y, bag, train) == y[bag] for bag in train)
    best = int(np.argmax(right))
    return np.array([citation_votes(distances, y, bag, train)[best] for bag in test])
