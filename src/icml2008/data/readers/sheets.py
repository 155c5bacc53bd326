"""Tables with a header: comma-separated text, and the first sheet of an Excel 97 file."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path

from icml2008.data.content import read_content

# The first bytes of a binary file of Excel 97.
_EXCEL = b"\xd0\xcf\x11\xe0"

Entry = str | float | date | None


def read_sheet(path: Path) -> dict[str, list[Entry]]:
    """Read a table whose first row names its columns.

    Parameters
    ----------
    path : pathlib.Path
        Comma-separated text (Latin-1), or a binary Excel file, by its first bytes. The latter
        needs the package python-calamine: a data set that is read so says so under ``needs``.

    Returns
    -------
    dict of str to list
        The entries of each named column: text as text, numbers and dates of Excel as such, None
        where there is nothing but blanks. Rows without any entry are left out.

    Raises
    ------
    ValueError
        If two columns have the same name.
    """
    content = read_content(path)
    if content.startswith(_EXCEL):
        from python_calamine import CalamineWorkbook

        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        rows = book.get_sheet_by_index(0).to_python()
    else:
        rows = list(csv.reader(io.StringIO(content.decode("latin-1"), newline="")))
    head, *body = [[_entry(value) for value in row] for row in rows]
    names = [name for name in head if name is not None]
    if twice := sorted({str(name) for name in names if names.count(name) > 1}):
        message = f"{path.name}: two columns are called {twice[0]!r}"
        raise ValueError(message)
    body = [row for row in body if any(value is not None for value in row)]
    return {
        str(name): [row[place] if place < len(row) else None for row in body]
        for place, name in enumerate(head)
        if name is not None
    }


def _entry(value: Entry) -> Entry:
    return value.strip() or None if isinstance(value, str) else value
