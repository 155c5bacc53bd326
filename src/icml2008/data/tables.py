"""Data sets that are tables of features with a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from icml2008.data.content import open_content
from icml2008.data.readers.arff import read_arff
from icml2008.data.readers.c45 import read_c45
from icml2008.data.readers.columns import Column, read_delimited

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Table:
    """Features and a target.

    Attributes
    ----------
    X : ndarray of float64 or csr_array, shape (n_rows, n_features)
        Numeric features as in the file, nominal ones as indices into their categories, NaN where a
        value is missing.
    y : ndarray of float64 or str, shape (n_rows,)
        The target: text where it is nominal, empty where it is missing; numbers and NaN otherwise.
    feature_names : tuple of str
        Names of the columns of X.
    categories : dict of str to tuple of str
        The categories of each nominal feature, in the order of the file's declaration, or sorted
        where the file declares none.
    n_train : int or None
        Number of leading rows that the data set's makers gave for training, the others being for
        testing; None where they gave no such split.
    """

    X: np.ndarray | csr_array
    y: np.ndarray
    feature_names: tuple[str, ...]
    categories: dict[str, tuple[str, ...]] = field(default_factory=dict)
    n_train: int | None = None


def load_arff(path: Path, *, target: str, drop: Sequence[str] = ()) -> Table:
    """Return an ARFF file's attributes, less those to drop, with one of them as target."""
    return as_table(read_arff(path), target, drop)


def load_c45(names: Path, *data: Path, n_train: int | None = None) -> Table:
    """Return the attributes and classes of C4.5 files."""
    return as_table(read_c45(names, *data, target="class"), "class", n_train=n_train)


def load_delimited(
    *paths: Path,
    target: str,
    names: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    delimiter: str | None = ",",
) -> Table:
    """Return a table without header; with a second file the first one is for training."""
    parts = [
        read_delimited(path, names=names, nominal=nominal, delimiter=delimiter) for path in paths
    ]
    n_train = len(parts[0][0].values) if len(parts) > 1 else None
    columns = [_joined(columns) for columns in zip(*parts, strict=True)]
    return as_table(columns, target, drop, n_train)


def load_libsvm(*paths: Path, n_features: int) -> Table:
    """Return LIBSVM files as a sparse table; with a second file the first one is for training."""
    from scipy.sparse import csr_array, vstack
    from sklearn.datasets import load_svmlight_file

    parts = []
    for path in paths:
        with open_content(path) as file:
            parts.append(load_svmlight_file(file, n_features=n_features, zero_based=False))
    matrices, labels = zip(*parts, strict=True)
    return Table(
        X=csr_array(vstack(matrices, format="csr")),
        y=np.concatenate(labels),
        feature_names=tuple(f"x{index}" for index in range(1, n_features + 1)),
        n_train=labels[0].size if len(paths) > 1 else None,
    )


def as_table(
    columns: Iterable[Column], target: str, drop: Sequence[str] = (), n_train: int | None = None
) -> Table:
    """Return columns of text as numbers, with one of them as target and without some of them."""
    by_name = {column.name: column for column in columns}
    goal = by_name.pop(target)
    features = [column for name, column in by_name.items() if name not in drop]
    return Table(
        X=np.column_stack([_numbers(column) for column in features]),
        y=_numbers(goal)
        if goal.categories is None
        else np.array([value or "" for value in goal.values]),
        feature_names=tuple(column.name for column in features),
        categories={c.name: c.categories for c in features if c.categories is not None},
        n_train=n_train,
    )


def _numbers(column: Column) -> np.ndarray:
    if column.categories is None:
        return np.array([np.nan if value is None else float(value) for value in column.values])
    index: dict[str | None, float] = {value: i for i, value in enumerate(column.categories)}
    index[None] = np.nan
    return np.array([index[value] for value in column.values], dtype=np.float64)


def _joined(parts: Sequence[Column]) -> Column:
    values = [value for part in parts for value in part.values]
    declared = [part.categories for part in parts if part.categories is not None]
    return Column(parts[0].name, values, tuple(sorted({*values} - {None})) if declared else None)
