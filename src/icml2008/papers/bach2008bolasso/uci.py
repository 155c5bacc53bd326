"""The four regression sets of Table 2 as numbers: responses of unit variance, features likewise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

SETS = ("auto-mpg", "imports", "machine", "housing")
# Their values are names, though these are written as numbers.
NAMES = {"origin"}


def reads(dataset: str) -> tuple[str, ...]:
    """Return the data sets that a row of Table 2 needs."""
    return ("machine", "machine-estimates") if dataset == "machine" else (dataset,)


def regression(load, dataset: str, choices: Mapping[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """Return X (n, p) and y (n,); `load` takes the name of a data set."""
    table = load(dataset)
    X = table.X
    y = table.y
    names = list(table.feature_names)
    categories = table.categories
    if dataset == "machine" and choices["machine-response"] != "published":
        estimate = load("machine-estimates").y
        if choices["machine-response"] == "estimated":
            X = np.column_stack([X, y])
            y = estimate
        else:
            X = np.column_stack([X, estimate])
        names.append("performance")
    X = X[~np.isnan(y)]
    y = y[~np.isnan(y)]
    if choices["missing"] == "left-out":
        whole = ~np.isnan(X).any(axis=1)
        X = X[whole]
        y = y[whole]
    columns = []
    for name, values in zip(names, X.T, strict=True):
        columns += _columns(name, values, categories.get(name), choices["categories"])
    return _standardised(np.column_stack(columns)), _standardised(y[:, None])[:, 0]


def _columns(name: str, values: np.ndarray, labels, categories: str) -> list[np.ndarray]:
    """Return a feature as one column, or a nominal one as a column for each of its values."""
    missing = np.isnan(values)
    if labels is not None and name not in NAMES:
        numbers = _numbers(labels)
        if numbers is not None:
            values = np.array(
                [
                    np.nan if gone else numbers[int(v)]
                    for gone, v in zip(missing, values, strict=True)
                ]
            )
            labels = None
    if labels is None:
        return [np.where(missing, np.nanmean(values), values)]
    counts = np.bincount(values[~missing].astype(int), minlength=len(labels))
    values = np.where(missing, float(counts.argmax()), values)
    if categories == "numbered":
        return [values]
    return [(values == place).astype(float) for place in np.flatnonzero(counts)]


def _numbers(labels) -> list[float] | None:
    try:
        return [float(label) for label in labels]
    except ValueError:
        return None


def _standardised(X: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1, without those that are constant."""
    spread = X.std(axis=0)
    return (X[:, spread > 0] - X.mean(axis=0)[spread > 0]) / spread[spread > 0]
