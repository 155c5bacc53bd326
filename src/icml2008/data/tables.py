"""Data sets that are tables of features with a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from icml2008.data.readers.arff import read_arff
from icml2008.data.readers.c45 import read_c45
from icml2008.data.readers.columns import Column
from icml2008.data.readers.delimited import columns_of, read_rows
from icml2008.data.readers.libsvm import read_libsvm
from icml2008.data.readers.text import unreadable
from icml2008.errors import nearest

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
    return as_table(path, read_arff(path), target, drop)


def load_c45(names: Path, *data: Path, n_train: int | None = None) -> Table:
    """Return the attributes and classes of C4.5 files."""
    return as_table(names, read_c45(names, *data, target="class"), "class", n_train=n_train)


def load_delimited(
    *paths: Path,
    target: str,
    names: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    delimiter: str | None = ",",
    header: bool = False,
    missing: str | Sequence[str] = "?",
    decimal: str = ".",
    quote: str | None = '"',
) -> Table:
    """Return tables of one row a line; with a second file the first one is for training.

    Options are those of `icml2008.data.readers.delimited`. A column of numbers and other texts is
    refused, unless `nominal`, `missing` or `drop` says what it is.
    """
    how = {"delimiter": delimiter, "names": names, "header": header, "quote": quote}
    parts = [read_rows(path, **how) for path in paths]
    # Of what is dropped nobody need know whether it is numbers.
    columns = columns_of(parts, nominal=[*nominal, *drop], missing=missing, decimal=decimal)
    n_train = len(parts[0].rows) if len(parts) > 1 else None
    return as_table(paths[0], columns, target, drop, n_train)


def load_libsvm(*paths: Path, n_features: int) -> Table:
    """Return LIBSVM files as a sparse table; with a second file the first one is for training."""
    from scipy.sparse import csr_array, vstack

    matrices, labels = zip(*(read_libsvm(path, n_features) for path in paths), strict=True)
    return Table(
        X=csr_array(vstack(matrices, format="csr")),
        y=np.concatenate(labels),
        feature_names=tuple(f"x{index}" for index in range(1, n_features + 1)),
        n_train=labels[0].size if len(paths) > 1 else None,
    )


def as_table(
    path: Path,
    columns: Iterable[Column],
    target: str,
    drop: Sequence[str] = (),
    n_train: int | None = None,
) -> Table:
    """Return a file's columns as numbers, with one of them as target and without some of them.

    Raises
    ------
    Unreadable
        If there is no column of a name, or none that is left as a feature.
    """
    by_name = {column.name: column for column in columns}
    for name in (target, *drop):
        if name not in by_name:
            raise unreadable(path, f"no such column{nearest(name, by_name)}", column=name)
    goal = by_name.pop(target)
    features = [column for name, column in by_name.items() if name not in drop]
    if not features:
        msg = f"without {', '.join(map(repr, (target, *drop)))} there is no column left"
        raise unreadable(path, msg)
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
