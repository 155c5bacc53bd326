"""What a loaded data set holds, and whether that is what its entry says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from icml2008.data.registry import Dataset, Holding
from icml2008.errors import Icml2008Error


class DataOtherwise(Icml2008Error):
    """A data set does not hold what its entry says: the entry is wrong, or how it is read."""


def check_holding(name: str, entry: Dataset, data: Any) -> None:
    """Make sure that a loaded data set holds what its entry says under ``holds``, if it does.

    Raises
    ------
    DataOtherwise
        If not; the message has each number that differs.
    """
    if entry.holds is None:
        return
    try:
        holding = holding_of(data)
    except (TypeError, ValueError) as error:
        msg = f"{name}: what {entry.loader} returns has no holds to compare: {error}"
        raise DataOtherwise(msg) from error
    differences = [
        f"{key} {getattr(holding, key)!r} and not {registered!r}"
        for key, registered in entry.holds
        if getattr(holding, key) != registered
    ]
    if differences:
        msg = (
            f"{name}: as {entry.loader} reads it, it holds {', '.join(differences)}; "
            f"either holds or options of its entry are wrong"
        )
        raise DataOtherwise(msg)


def holding_of(data: Any) -> Holding:
    """Return shape, rows for training, target and missing values of a loaded data set.

    Examples
    --------
    >>> from icml2008.data.tables import Table
    >>> table = Table(np.array([[1.0, np.nan], [3.0, 4.0]]), np.array(["b", "a"]), ("p", "q"))
    >>> holding_of(table)
    Holding(shape='2 x 2', n_train=None, target='a 1; b 1', missing=1)
    """
    return Holding(
        shape=_shape(data),
        n_train=getattr(data, "n_train", None),
        target=_target(data),
        missing=_missing(data),
    )


def _shape(data: Any) -> str:
    for name in ("X", "images"):
        if hasattr(data, name):
            return " x ".join(map(str, getattr(data, name).shape))
    return str(len(getattr(data, "texts", data)))


def _target(data: Any) -> str:
    """Return the counts of all classes, or the range of a numeric target."""
    if isinstance(data, tuple):
        labels = np.array([story.mod_apte for story in data])
    else:
        labels = np.asarray(data.target if hasattr(data, "target") else data.y)
    counts = Counter(labels.tolist())
    if labels.dtype.kind == "f" and len(counts) > 2:
        return f"{np.nanmin(labels):g} .. {np.nanmax(labels):g}"
    return "; ".join(f"{label} {counts[label]}" for label in sorted(counts))


def _missing(data: Any) -> int:
    """Return how many features and targets are missing: not a number, or an empty text."""
    count = 0
    for name in ("X", "images", "y"):
        values = getattr(data, name, None)
        if isinstance(values, np.ndarray):
            if values.dtype.kind == "f":
                count += int(np.isnan(values).sum())
            elif values.dtype.kind in "UO":
                count += int(np.count_nonzero(values == ""))
    return count
