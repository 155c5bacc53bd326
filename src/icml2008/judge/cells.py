"""Cells and parts of claims by their coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

Cell = tuple[tuple[str, str], ...]


def cell_key(cell: Mapping[str, Any]) -> Cell:
    """Return a cell's coordinates, sorted, as text: ``{"size": 10}`` is ``(("size", "10"),)``."""
    return tuple(sorted((str(name), str(value)) for name, value in cell.items()))


def part_name(cell: Iterable[tuple[str, str]]) -> str:
    """Return the name of a part: ``dataset=census-16h,method=MIC``."""
    return ",".join(f"{name}={value}" for name, value in sorted(cell))


def part_label(part: str) -> str:
    """Return the values of a part's coordinates, without their names.

    Examples
    --------
    >>> part_label("dataset=iris,size=10"), part_label("kind=one, two,size=3")
    ('iris, 10', 'one, two, 3')
    """
    # A comma inside of a value has no name of a coordinate after it.
    items = re.split(r",(?=[^,=]+=)", part) if part else []
    return ", ".join(item.partition("=")[2] for item in items)
