"""The six sets as points with two classes, and advice on their pairs."""

import numpy as np

SAMPLE = 500
GROUPS = 5
GROUP = 20
SOURCES = {
    "heart": ("heart-cleveland", "heart"),
    "votes": ("votes",),
    "australian": ("credit-approval",),
    "spambase": ("spambase",),
    "haberman": ("haberman",),
    "hepatitis": ("hepatitis",),
}
# The first class of each.
FIRST = {
    "heart": "1",
    "votes": "democrat",
    "australian": "+",
    "spambase": "1",
    "haberman": "1",
    "hepatitis": "1",
}
# Columns whose codes have no order: kinds of pain, of curves and of scans; letters without meaning.
NOMINAL = {"heart": (2, 6, 10, 12), "australian": (3, 4, 5, 6, 12)}
# Codes of UCI's own file for the categories of the last two columns of the Cleveland file.
CLEVELAND = {11: (np.nan, 0, 1, 2, 3), 12: (np.nan, 3, 6, 7)}


def records_of(trial):
    """Return a set's features and classes, (n, n_features) and (n,) of -1 and 1, none missing."""
    name = trial.cell["dataset"]
    choices = trial.choices
    source = SOURCES[name][-1 if choices["heart"] == "statlog" else 0]
    table = trial.data(source)
    X = np.array(table.X, dtype=float)
    if source == "heart-cleveland":
        for column, codes in CLEVELAND.items():
            X[:, column] = np.array(codes)[X[:, column].astype(int)]
    if choices.get(name) in ("filled", "all-records"):
        X = fill_in(X, [feature in table.categories for feature in table.feature_names])
    complete = ~np.isnan(X).any(axis=1)
    X = X[complete]
    if choices.get("nominal") == "indicators":
        X = with_indicators(X, NOMINAL.get(name, ()))
    return X, np.where(table.y == FIRST[name], 1, -1)[complete]


def fill_in(X, nominal):
    """Return features without missing values: means, or the most frequent of nominal ones."""
    X = X.copy()
    for column, unordered in zip(X.T, nominal, strict=True):
        known = column[~np.isnan(column)]
        values, counts = np.unique(known, return_counts=True)
        column[np.isnan(column)] = values[np.argmax(counts)] if unordered else known.mean()
    return X


def with_indicators(X, nominal):
    """Return features with a column of 0 and 1 for each value of the nominal ones."""
    columns = []
    for number, column in enumerate(X.T):
        if number in nominal:
            columns.extend(column == value for value in np.unique(column))
        else:
            columns.append(column)
    return np.column_stack(columns).astype(float)


def rescale(X, scaling):
    """Return features of unit variance, or from 0 to 1, or as they are; without constant ones."""
    X = X[:, np.ptp(X, axis=0) > 0]
    if scaling == "no":
        return X
    if scaling == "range":
        return (X - X.min(axis=0)) / np.ptp(X, axis=0)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def sample_of(name, X, classes, rng):
    """Return 500 rows of Spambase, and all of another set."""
    if name != "spambase":
        return X, classes
    rows = rng.choice(len(X), SAMPLE, replace=False)
    return X[rows], classes[rows]


def dense_pairs(n, rng, *, groups="four", repeated=False):
    """Return n pairs within groups of 20 points, (n_pieces, 2).

    Groups are five; where points are too few for that, they are `four`, or five that are
    `overlapping` or `smaller`. Pairs differ, unless they may be repeated.
    """
    size = n // GROUPS if groups == "smaller" else GROUP
    if groups == "overlapping":
        groups = [rng.choice(n, size, replace=False) for _ in range(GROUPS)]
    else:
        number = min(GROUPS, n // size)
        groups = rng.permutation(n)[: number * size].reshape(number, size)
    first, second = np.triu_indices(size, 1)
    within = np.concatenate([np.column_stack([group[first], group[second]]) for group in groups])
    within = np.unique(np.sort(within, axis=1), axis=0)
    return within[rng.choice(len(within), n, replace=repeated)]


def advise(classes, pairs, p, rng):
    """Return signs of advice that agrees with the classes with probability p."""
    first, second = pairs.T
    right = rng.random(len(pairs)) < p
    return np.where(right, 1, -1) * classes[first] * classes[second]


def balanced_rows(classes, rng):
    """Return as many rows of the larger class as the smaller has, and all of that."""
    sides = [np.flatnonzero(classes == side) for side in (-1, 1)]
    size = min(map(len, sides))
    return np.concatenate([rng.choice(side, size, replace=False) for side in sides])
