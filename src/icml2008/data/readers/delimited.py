"""Tables of one row a line, values between delimiters or blanks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from icml2008.data.readers.columns import Column, check_names, in_order
from icml2008.data.readers.text import BLANKS, is_number, read_lines, unreadable
from icml2008.errors import nearest

# What nobody means as the name of a category, unless it is said.
_LIKE_A_NUMBER = re.compile(
    r"[+-]?(?:\d[\d.,;'_]*|[.,]\d+)(?:[eEdD][+-]?\d+)?%?|[+-]?(?:nan|inf|infinity)", re.I | re.A
)


@dataclass(frozen=True)
class Rows:
    """What stands in one file.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    names : tuple of str
        Names of the columns.
    lines : tuple of int
        The line of each row.
    rows : tuple of list of str
        Its values.
    headed : bool
        Whether a first line of names was read.
    """

    path: Path
    names: tuple[str, ...]
    lines: tuple[int, ...]
    rows: tuple[list[str], ...]
    headed: bool


def read_rows(
    path: Path,
    *,
    delimiter: str | None = ",",
    names: Sequence[str] | None = None,
    header: bool = False,
    quote: str | None = '"',
) -> Rows:
    """Read a table as text.

    Parameters
    ----------
    path : pathlib.Path
        The table.
    delimiter : str or None
        What stands between values; None for any run of blanks and tabs. Blanks around values are
        dropped.
    names : sequence of str, optional
        Names of the columns; default those of the header, else ``x0``, ``x1``, and so on.
    header : bool
        Whether the first line has names.
    quote : str or None
        What may stand around a value that holds the delimiter; twice within such a value for
        itself. None where it is a letter like others.

    Returns
    -------
    Rows

    Raises
    ------
    Unreadable
        For a row of another length than the first one or than the names, for a name that stands
        twice, for a quote that is not closed, and if there is no row.
    """
    fields = _between_blanks(path, quote) if delimiter is None else _csv(path, delimiter, quote)
    table = [(line, row) for line, row in fields if any(row) or len(row) > 1]
    head = table.pop(0)[1] if header and table else None
    if not table:
        raise unreadable(path, "there is no row")
    names = tuple(names or head or (f"x{index}" for index in range(len(table[0][1]))))
    check_names(path, names)
    for line, row in [(1, head), *table] if head else table:
        if len(row) != len(names):
            msg = f"{_count(len(row), 'value')} for {_count(len(names), 'column')}"
            raise unreadable(path, msg, line=line)
    lines, rows = zip(*table, strict=True)
    return Rows(path, names, lines, rows, headed=header)


def columns_of(
    parts: Sequence[Rows],
    *,
    nominal: Sequence[str] = (),
    missing: str | Sequence[str] = "?",
    decimal: str = ".",
) -> list[Column]:
    """Return the columns of files, the rows of one after those of the other.

    Parameters
    ----------
    parts : sequence of Rows
        The files, with the same names.
    nominal : sequence of str
        Names of columns that are nominal although some of their values, or all, are numbers. A
        column without numbers is nominal in any case; categories are its sorted values.
    missing : str or sequence of str
        The texts that stand for a missing value; the empty one for an empty field.
    decimal : str
        What separates the decimals of a number.

    Returns
    -------
    list of Column

    Raises
    ------
    Unreadable
        For a column with numbers and other texts that `nominal` does not name; for an empty field
        that is not among `missing`; and if files have other names than the first one.
    """
    names = parts[0].names
    for part in parts[1:]:
        if part.names != names:
            msg = f"has other columns than {parts[0].path.name}: {', '.join(part.names)}"
            raise unreadable(part.path, msg)
    for name in nominal:
        if name not in names:
            raise unreadable(parts[0].path, f"no such column{nearest(name, names)}", column=name)
    absent = [missing] if isinstance(missing, str) else list(missing)
    if not all(isinstance(text, str) for text in absent):
        msg = f"missing takes texts, not {missing!r}: put it into quotes"
        raise TypeError(msg)
    columns = []
    for place, name in enumerate(names):
        texts = [row[place] for part in parts for row in part.rows]
        values = [None if text in absent else text for text in texts]
        if "" in values:
            part, line = _place(parts, values.index(""))
            msg = f"is empty; if that is a missing value, say missing: {[*absent, '']}"
            raise unreadable(part.path, msg, line=line, column=name, value="")
        if name in nominal:
            columns.append(Column(name, values, in_order(values)))
            continue
        points = [text and _with_point(text, decimal) for text in values]
        if all(text is None or is_number(text) for text in points):
            columns.append(Column(name, points))
        elif any(text is not None and _LIKE_A_NUMBER.fullmatch(text) for text in values):
            raise _mixed(parts, name, values, points)
        else:
            columns.append(Column(name, values, in_order(values)))
    return columns


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _with_point(text: str, decimal: str) -> str:
    """Return a number's text as Python writes it; a point in it is then no point."""
    return text.translate({ord("."): decimal, ord(decimal): "."})


def _place(parts: Sequence[Rows], index: int) -> tuple[Rows, int]:
    """Return the file of a row, and its line there."""
    for part in parts:
        if index < len(part.lines):
            return part, part.lines[index]
        index -= len(part.lines)
    raise IndexError(index)


def _mixed(
    parts: Sequence[Rows], name: str, values: Sequence[str | None], points: Sequence[str | None]
) -> Exception:
    """Return the error about a column of numbers and other texts: its first text, and the cures."""
    odd = [at for at, text in enumerate(points) if text is not None and not is_number(text)]
    first = odd[0]
    value = values[first]
    numbers = len(values) - values.count(None) - len(odd)
    part, line = _place(parts, first)
    what = f"is no number, and {_count(numbers, 'other value')} of the column would be; "
    if odd == [0] and not part.headed:
        what += "if this line has the names, say header: true; "
    if re.fullmatch(r"[+-]?\d*,\d+", value):
        what += "if that is a decimal comma, say decimal: ','; "
    what += f"if it stands for a missing value, say missing: [{value!r}]; "
    what += f"if the column has categories, say nominal: [{name}]"
    return unreadable(part.path, what, line=line, column=name, value=value)


def _csv(path: Path, delimiter: str, quote: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of each row and its values."""
    lines = read_lines(path)
    quoting = {"quoting": csv.QUOTE_NONE} if quote is None else {"quotechar": quote}
    reader = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=delimiter,
        skipinitialspace=True,
        strict=True,
        **quoting,
    )
    start = 1
    try:
        for row in reader:
            yield start, [value.strip(BLANKS) for value in row]
            start = reader.line_num + 1
    except csv.Error as error:
        unclosed = "unexpected end" in str(error)
        what = f"a quote {quote} that is not closed" if unclosed else str(error)
        raise unreadable(path, what, line=start) from None


def _between_blanks(path: Path, quote: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of each row and its values."""
    mark = re.escape(quote or "")
    quoted = f"{mark}((?:[^{mark}]|{mark}{mark})*){mark}(?![^ \t])" if quote else "(?!)()"
    pattern = re.compile(rf"{quoted}|([^ \t\f\v]+)")
    for number, line in enumerate(read_lines(path), start=1):
        row = []
        for inside, bare in pattern.findall(line):
            if quote and bare.startswith(quote):
                raise unreadable(path, f"a quote {quote} that is not closed", line=number)
            row.append(bare or inside.replace(f"{quote}{quote}", f"{quote}"))
        yield number, row
