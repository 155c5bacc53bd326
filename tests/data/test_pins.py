"""Every data set keeps the shape, classes and missing values that it was found to have.

The numbers in pins.csv were read off the loaders once and compared, set by set, with an audit of
the files by other programs, and with publications where these state them.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from icml2008.data.registry import registry

PINS = {
    row["name"]: row
    for row in csv.DictReader(
        (Path(__file__).parent / "pins.csv").read_text(encoding="utf-8").splitlines()
    )
}


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


def test_every_data_set_is_pinned():
    assert sorted(PINS) == sorted(registry().datasets)


@pytest.mark.parametrize("name", sorted(PINS))
def test_shape_classes_and_missing_values(name, dataset):
    data = dataset(name)
    found = {
        "name": name,
        "shape": shape_of(data),
        "n_train": str(getattr(data, "n_train", None) or ""),
        "target": target_of(data),
        "missing": str(missing_in(data)),
    }
    assert found == PINS[name]
