"""Columns of text, the common result of the readers of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from icml2008.data.content import read_content


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
        numeric attribute.
    """

    name: str
    values: list[str | None]
    categories: tuple[str, ...] | None = None


def read_delimited(
    path: Path,
    *,
    delimiter: str | None = ",",
    names: Sequence[str] | None = None,
    nominal: Sequence[str] = (),
    missing: str = "?",
) -> list[Column]:
    """Read a table of one row a line and no header.

    Parameters
    ----------
    path : pathlib.Path
        The table, Latin-1.
    delimiter : str or None
        What stands between values; None for any run of blanks. Blanks around values are dropped.
    names : sequence of str, optional
        Names of the columns; default ``x0``, ``x1``, and so on.
    nominal : sequence of str
        Names of columns that are nominal although their values are numbers. A column with a value
        that is not a number is nominal in any case; its categories are its sorted values.
    missing : str
        The text that stands for a missing value.

    Returns
    -------
    list of Column

    Raises
    ------
    ValueError
        If a row has another length than the first one, or there is another number of names.
    """
    lines = read_content(path).decode("latin-1").splitlines()
    rows = [[value.strip() for value in line.split(delimiter)] for line in lines if line.strip()]
    names = names or [f"x{index}" for index in range(len(rows[0]))]
    if odd := [index for index, row in enumerate(rows) if len(row) != len(names)]:
        message = f"{path.name}: row {odd[0]} has {len(rows[odd[0]])} values, not {len(names)}"
        raise ValueError(message)
    columns = []
    for name, texts in zip(names, zip(*rows, strict=True), strict=True):
        values = [None if text == missing else text for text in texts]
        is_nominal = name in nominal or not all(map(_is_number, filter(None, values)))
        categories = tuple(sorted({*values} - {None})) if is_nominal else None
        columns.append(Column(name, values, categories))
    return columns


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
