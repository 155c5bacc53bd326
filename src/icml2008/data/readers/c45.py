"""C4.5 tables: a file of names and files of data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from icml2008.data.readers.columns import Column, check_names, in_order
from icml2008.data.readers.text import BLANKS, is_number, read_lines, unreadable

# A character after a backslash has no meaning: while a text is taken apart, it stands elsewhere, in
# the private use area of Unicode.
_ESCAPED = 0xE000

Row = tuple[Path, int, list[str | None]]
"""A file, a line of it, and the values there."""


def read_c45(names: Path, *data: Path, target: str = "class") -> list[Column]:
    r"""Read C4.5 files, the rows of several data files one after the other.

    Parameters
    ----------
    names : pathlib.Path
        The file of names: the classes, then one declaration for each attribute, each with a full
        stop at its end. A bar begins a comment; a comma, colon, full stop, bar, question mark or
        backslash that belongs to a name has a backslash before it.
    *data : pathlib.Path
        Files of rows, values between commas, the class last, with or without a full stop.
    target : str
        Name to give to the column of classes.

    Returns
    -------
    list of Column
        The attributes, without those declared "ignore", and last the classes.

    Raises
    ------
    Unreadable
        For a declaration that is not understood, a name that stands twice, a row of the wrong
        length, a value that was not declared or is no number.

    References
    ----------
    J. R. Quinlan (1993): C4.5: Programs for Machine Learning, Morgan Kaufmann, appendix.
    """
    (line, classes), *declared = _declarations(names)
    if ":" in classes:
        what = f"the classes come first, with a full stop at their end: {_plain(classes)}"
        raise unreadable(names, what, line=line)
    attributes = [_attribute(names, line, text) for line, text in declared]
    rows = [row for path in data for row in _rows(path, len(attributes) + 1)]
    if not rows:
        raise unreadable(data[0] if data else names, "there is no row")
    *inputs, labels = zip(*(values for _, _, values in rows), strict=True)
    columns = []
    for (name, kind), values in zip(attributes, inputs, strict=True):
        word = kind.split()[0].rstrip(",")
        if word == "ignore":
            continue
        if word == "discrete":
            columns.append(Column(name, list(values), in_order(values)))
        elif word == "continuous":
            columns.append(_numeric(name, values, rows))
        else:
            columns.append(_nominal(name, values, _list(kind), rows))
    columns.append(_nominal(target, labels, _list(classes), rows))
    check_names(names, (column.name for column in columns))
    return columns


def _declarations(path: Path) -> list[tuple[int, str]]:
    """Return the statements of a file of names, which end in a full stop at the end of a line.

    Each comes with the line where it begins.
    """
    statements = []
    words: list[str] = []
    begin = 0
    for number, line in enumerate(read_lines(path), start=1):
        bare = _without_escapes(line).partition("|")[0].strip(BLANKS)
        if not bare:
            continue
        begin = begin if words else number
        words += bare.removesuffix(".").split()
        if bare.endswith("."):
            statements.append((begin, " ".join(words)))
            words = []
    if words:  # the last full stop may be left out
        statements.append((begin, " ".join(words)))
    if not statements:
        raise unreadable(path, "there is no declaration")
    return statements


def _attribute(path: Path, line: int, text: str) -> tuple[str, str]:
    """Return name and kind of an attribute."""
    name, colon, kind = text.partition(":")
    if not colon or not kind.strip(BLANKS):
        what = f"a declaration is a name, a colon and a kind: {_plain(text)}"
        raise unreadable(path, what, line=line)
    if ":" in kind:
        what = (
            "two colons: a declaration has no full stop at its end, or a colon that belongs to a "
            f"name no backslash before it: {_plain(text)}"
        )
        raise unreadable(path, what, line=line)
    return _plain(name.strip(BLANKS)), kind


def _list(text: str) -> tuple[str, ...]:
    return tuple(_plain(value.strip(BLANKS)) for value in text.split(","))


def _rows(path: Path, width: int) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), start=1):
        bare = _without_escapes(line).partition("|")[0].strip(BLANKS)
        if not bare:
            continue
        texts = [value.strip(BLANKS) for value in bare.removesuffix(".").split(",")]
        if len(texts) != width:
            raise unreadable(path, f"{len(texts)} values, not {width}", line=number)
        yield path, number, [None if text == "?" else _plain(text) for text in texts]


def _numeric(name: str, values: tuple[str | None, ...], rows: list[Row]) -> Column:
    for value, (path, line, _) in zip(values, rows, strict=True):
        if value is not None and not is_number(value):
            what = "is no number, though declared continuous; a missing value is written ?"
            raise unreadable(path, what, line=line, column=name, value=value)
    return Column(name, list(values))


def _nominal(
    name: str, values: tuple[str | None, ...], declared: tuple[str, ...], rows: list[Row]
) -> Column:
    for value, (path, line, _) in zip(values, rows, strict=True):
        if value is not None and value not in declared:
            what = f"was not declared; declared: {', '.join(declared)}"
            raise unreadable(path, what, line=line, column=name, value=value)
    return Column(name, list(values), declared)


def _without_escapes(line: str) -> str:
    return re.sub(r"\\([ -\xff])", lambda match: chr(_ESCAPED + ord(match[1])), line)


def _plain(text: str) -> str:
    return "".join(
        chr(ord(letter) - _ESCAPED) if _ESCAPED <= ord(letter) < _ESCAPED + 256 else letter
        for letter in text
    )
