"""The 22 tasks of Table 3, and what a bag of them is."""

import numpy as np

# A data set, and which classes stand against which (None: the others), by the majority column and,
# where several cuts come near to it, by the next nearest one; the first is the printed share.
CUTS = {
    "optd": ("optdigits", ("0", "3"), ("3", "8")),
    "page": ("page-blocks", ("4", "5"), ("2", "345")),
    "yeast": ("yeast", ("8", "9"), None),
    "wine": ("wine", ("2", "3"), ("2", None)),
    "iris": ("iris", (("Iris-versicolor",), None), (("Iris-virginica",), None)),
    "derm": ("dermatology", ("1", None), ("1", "4")),
    "cmc": ("cmc", ("1", "3"), ("1", None)),
    "cleve": ("cleveland", ((0.0,), (1.0,)), ((0.0,), (3.0, 4.0))),
}
WHOLE = {
    "iono": "ionosphere",
    "pima": "pima",
    "tic": "tic-tac-toe",
    "wdbc": "wdbc",
    "sonar": "sonar",
    "heart": "heart",
    "brea": "breast-cancer-wisconsin",
    "aust": "australian",
    "svm3": "svmguide3",
    "adult": "a1a",
    "musk": "musk-1",
    "ger": "german-numeric",
    "spli": "splice-libsvm",
    "bupa": "bupa",
}
SETS = {name: cut[0] for name, cut in CUTS.items()} | WHOLE
NAMES_OF_ROWS = ("molecule_name", "conformation_name")


def numbers_of(table, letters="indicators"):
    """Return features as numbers, missing values as their column's mean.

    Categories that are numbers are taken as such, others by an indicator each, or by their place.
    """
    X = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    columns = []
    for name, column in zip(table.feature_names, np.transpose(X), strict=True):
        categories = table.categories.get(name, ())
        if name in NAMES_OF_ROWS:
            continue
        values = np.where(np.isnan(column), np.nanmean(column), column)
        if not categories or letters == "places":
            columns.append(values)
        elif all(category.lstrip("-").isdigit() for category in categories):
            numbers = np.array([float(category) for category in categories])
            known = ~np.isnan(column)
            values[known] = numbers[column[known].astype(int)]
            values[~known] = values[known].mean()
            columns.append(values)
        else:
            columns.extend(np.equal.outer(np.arange(len(categories)), column).astype(float))
    return np.column_stack(columns)


def scaled(X, units):
    """Return features by the reading: each to variance 1, to a range of 1, or as they are."""
    if units == "raw":
        return X
    spread = X.std(axis=0) if units == "standard" else np.ptp(X, axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 1e-12, spread, 1)


def task_of(name, table, choices):
    """Return a task's features and its labels, 0 for the class that the first bag is pure in."""
    X = scaled(numbers_of(table, choices["letters"]), choices["units"])
    if name in CUTS:
        _, nearest, other = CUTS[name]
        first, second = other if other and choices["cut"] == "other" else nearest
        chosen = np.isin(table.y, list(first))
        kept = chosen | (np.isin(table.y, list(second)) if second else True)
        X = scaled(X[kept], choices["units"])
        y = np.where(chosen, 0, 1)[kept]
    else:
        y = np.searchsorted(np.unique(table.y), table.y)
    return X, (y if choices["pure"] == "first" else 1 - y)


def halves(rng, y):
    """Return the rows of the two bags: half of the rows without class 1, and the other half."""
    first, second = np.array_split(rng.permutation(len(y)), 2)
    return [first[y[first] == 0], second]


# Shares of each class's rows in three bags, of three classes (columns), Section 6.
SCENARIOS = {
    "A": np.array([[0.5, 0, 0], [0, 0.3, 0], [0.5, 0.7, 0.8]]),
    "B": np.array([[0.4, 0.15, 0.14], [0.1, 0.15, 0.06], [0.5, 0.7, 0.8]]),
}


def thirds(rng, y, scenario, sizes):
    """Return the rows of three bags, by shares of classes; or less, so that the last has half."""
    shares = SCENARIOS[scenario]
    counts = np.bincount(y, minlength=3)
    thinned = 1.0 if sizes == "shares" else 0.5 * len(y) / np.sum(shares[-1] * counts)
    parts = [[] for _ in shares]
    for label, column in enumerate(shares.T):
        rows = rng.permutation(np.flatnonzero(y == label))
        ends = np.round(np.cumsum(thinned * column * len(rows))).astype(int)
        for part, chunk in zip(parts, np.split(rows, ends), strict=False):
            part.append(chunk)
    return [np.concatenate(part) for part in parts]
