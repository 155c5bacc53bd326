"""Tables with a header: comma-separated text, and the first sheet of an Excel 97 file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from icml2008.data.content import read_content
from icml2008.data.readers.text import read_lines, unreadable

# The first bytes of a binary file of Excel 97.
_EXCEL = b"\xd0\xcf\x11\xe0"

Entry = str | float | date | None


def read_sheet(path: Path, columns: Sequence[str]) -> dict[str, list[Entry]]:
    """Read some columns of a table whose first row names them.

    Parameters
    ----------
    path : pathlib.Path
        Comma-separated text (Latin-1 unless it has a byte order mark), or a binary Excel file, by
        its first bytes. The latter needs the package python-calamine: a data set that is read so
        says so under ``needs``.
    columns : sequence of str
        Their names.

    Returns
    -------
    dict of str to list
        The entries of each column: text as text, numbers and dates of Excel as such, None where
        there is nothing but blanks. Rows without any entry in these columns are left out.

    Raises
    ------
    Unreadable
        If there is no column, or more than one, of a name.
    """
    content = read_content(path)
    if content.startswith(_EXCEL):
        from python_calamine import CalamineWorkbook

        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        rows = iter(book.get_sheet_by_index(0).to_python())
    else:
        rows = csv.reader(f"{line}\n" for line in read_lines(path))
    head = [_entry(value) for value in next(rows, ())]
    for name in columns:
        if (count := head.count(name)) != 1:
            heads = ", ".join(str(value) for value in head if value is not None)
            what = f"{count or 'no'} columns are called so; there are: {heads}"
            raise unreadable(path, what, line=1, column=name)
    places = [head.index(name) for name in columns]
    body = [[_entry(row[at]) if at < len(row) else None for at in places] for row in rows]
    body = [row for row in body if any(value is not None for value in row)]
    return {name: column for name, *column in zip(columns, *body, strict=True)}


def _entry(value: Entry) -> Entry:
    return value.strip() or None if isinstance(value, str) else value
