"""LIBSVM files, which scikit-learn reads; what it does not tell is looked for here."""

from __future__ import annotations

import io
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from icml2008.data.content import read_content
from icml2008.data.readers.text import Unreadable, is_number, read_lines, unreadable

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def read_libsvm(path: Path, n_features: int) -> tuple[csr_matrix, np.ndarray]:
    """Read rows of a label and of indices from 1 with values.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    n_features : int
        The largest index that there may be.

    Returns
    -------
    X : csr_matrix of float64, shape (n_rows, n_features)
    y : ndarray of float64, shape (n_rows,)

    Raises
    ------
    Unreadable
        For several labels in a row, for what is no finite number, for indices that do not rise
        from 1 to `n_features`, and if there is no row.
    """
    from sklearn.datasets import load_svmlight_file

    content = read_content(path).removeprefix(BOM_UTF8)
    try:
        X, y = load_svmlight_file(io.BytesIO(content), n_features=n_features, zero_based=False)
    except ValueError as error:
        raise _fault(path, n_features) or unreadable(path, str(error)) from None
    if not (np.isfinite(X.data).all() and np.isfinite(y).all()):
        raise _fault(path, n_features) or unreadable(path, "values that are not finite")
    if not y.size:
        raise unreadable(path, "there is no row")
    return X, y


def _fault(path: Path, n_features: int) -> Unreadable | None:
    """Return what is wrong in the first line that has something wrong."""
    for number, line in enumerate(read_lines(path), start=1):
        label, *pairs = line.partition("#")[0].split() or [""]
        if label and not is_number(label):
            several = "," in label
            what = "are several labels; a row has one" if several else "is no finite number"
            return unreadable(path, what, line=number, column="label", value=label)
        last = 0
        for pair in pairs:
            index, _, value = pair.partition(":")
            if index == "qid":
                continue
            place = {"line": number, "column": index, "value": value}
            if not index.isdecimal():
                what = "is no index and value with a colon between"
                return unreadable(path, what, line=number, value=pair)
            if not is_number(value):
                return unreadable(path, "is no finite number", **place)
            if not last < int(index) <= n_features:
                what = f"indices rise from 1 to n_features, here {n_features}"
                what += f"; this one follows {last}" if last else ""
                return unreadable(path, what, **place)
            last = int(index)
    return None
