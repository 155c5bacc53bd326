"""Columns of text, the common result of the readers of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from icml2008.data.readers.text import unreadable


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        The attribute's name.
    values : list of str or None
        One text for each row, None where the value is missing.
    categories : tuple of str or None
        The values that a nominal attribute may have, in the order of their declaration; None for a
        numeric attribute, whose values are finite numbers.
    """

    name: str
    values: list[str | None]
    categories: tuple[str, ...] | None = None


def check_names(path: Path, names: Iterable[str]) -> None:
    """Make sure that no two columns share a name.

    Raises
    ------
    Unreadable
        If a name stands twice.
    """
    for name, count in Counter(names).items():
        if count > 1:
            raise unreadable(path, f"{count} columns have this name", column=name)


def in_order(values: Iterable[str | None]) -> tuple[str, ...]:
    """Return the categories of values for which none are declared."""
    return tuple(sorted({*values} - {None}))
