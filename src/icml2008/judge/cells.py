"""Cells and parts of claims by their coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Cell = tuple[tuple[str, str], ...]


def cell_key(cell: Mapping[str, Any]) -> Cell:
    """Return a cell's coordinates, sorted, as text: ``{"size": 10}`` is ``(("size", "10"),)``."""
    return tuple(sorted((str(name), str(value)) for name, value in cell.items()))


def part_name(cell: Iterable[tuple[str, str]]) -> str:
    """Return the name of a part: ``dataset=census-16h,method=MIC``."""
    return ",".join(f"{name}={value}" for name, value in sorted(cell))
