"""Every data set keeps the shape, classes and missing values that it was found to have.

The numbers under ``holds`` were read off the loaders once and compared, set by set, with an audit
of the files by other programs, and with publications where these state them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from icml2008.data.registry import Holding, registry

SETS = registry().datasets


def shape_of(data) -> str:
    for name in ("X", "images"):
        if hasattr(data, name):
            return " x ".join(map(str, getattr(data, name).shape))
    return str(len(getattr(data, "texts", data)))


def target_of(data) -> str:
    """Return the counts of all classes, or the range of a numeric target."""
    if isinstance(data, tuple):
        labels = [story.mod_apte for story in data]
    else:
        labels = data.target if hasattr(data, "target") else data.y
    labels = np.asarray(labels)
    counts = Counter(labels.tolist())
    if labels.dtype.kind == "f" and len(counts) > 2:
        return f"{np.nanmin(labels):g} .. {np.nanmax(labels):g}"
    return "; ".join(f"{label} {counts[label]}" for label in sorted(counts))


def missing_in(data) -> int:
    """Count missing values among features and targets."""
    total = 0
    for name in ("X", "images", "y"):
        values = getattr(data, name, None)
        if isinstance(values, np.ndarray):
            total += np.isnan(values).sum() if values.dtype.kind == "f" else np.sum(values == "")
    return int(total)


def test_it_is_said_of_every_data_set_what_it_holds():
    assert [name for name, entry in SETS.items() if entry.holds is None] == []


@pytest.mark.parametrize("name", sorted(SETS))
def test_shape_classes_and_missing_values(name, dataset):
    data = dataset(name)
    holding = Holding(
        shape=shape_of(data),
        n_train=getattr(data, "n_train", None),
        target=target_of(data),
        missing=missing_in(data),
    )
    assert holding == SETS[name].holds
