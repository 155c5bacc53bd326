"""ARFF tables, with the liberties that files in circulation take."""

from __future__ import annotations

import re
from pathlib import Path

from icml2008.data.readers.columns import Column, check_names, in_order
from icml2008.data.readers.text import BLANKS, is_number, read_lines, unreadable

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
# A name ends at a brace, too: "class{a,b}" circulates.
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)(?:\s+|(?={{))(\S.*)", re.I | re.A)
_BETWEEN_COMMAS = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)", re.A)
_BETWEEN_BLANKS = re.compile(rf"{_QUOTED}|\S+", re.A)
_CATEGORY = re.compile(rf"\s*({_QUOTED}|[^,}}]*?)\s*([,}}])", re.A)
_TYPE = re.compile(r"(real|numeric|integer|string)\b", re.I)
# What says nothing of the columns; the later two are KEEL's.
_PASSED_OVER = ("@relation", "@input", "@output")
_SHOWN = 60  # letters of a line

Kind = tuple[str, ...] | str
"""The categories of a nominal attribute, "numeric" or "string"."""


def read_arff(path: Path) -> list[Column]:
    """Read an ARFF file with numeric, nominal and string attributes.

    Beyond the definition of the format it takes values that blanks separate instead of commas,
    blanks around values and inside declarations of categories, upper and lower case in keywords,
    tabs, a comma at the end of a row, comments between rows and after declarations, and braces
    that touch a name. A question mark without quotes is a missing value.

    Parameters
    ----------
    path : pathlib.Path
        The file, Latin-1 unless it has a byte order mark.

    Returns
    -------
    list of Column
        One for each attribute; the categories of a string attribute are its sorted values.

    Raises
    ------
    Unreadable
        For a declaration that is not understood, a name that stands twice, an unknown type, a row
        of the wrong length or in the sparse form, a value that was not declared or is no number.
    """
    lines = enumerate(read_lines(path), start=1)
    names: list[str] = []
    kinds: list[Kind] = []
    for number, line in lines:
        line = line.strip(BLANKS)
        keyword = line.lower()
        if keyword.startswith("@data"):
            break
        if keyword.startswith("@attribute"):
            match = _ATTRIBUTE.fullmatch(line)
            if match is None:
                raise unreadable(
                    path, f"a declaration without name or type: {line[:_SHOWN]}", line=number
                )
            name = _value(match[1], path, number)
            names.append(name)
            kinds.append(_kind(match[2], path, number, name))
        elif line and not keyword.startswith(("%", *_PASSED_OVER)):
            what = f"neither a declaration nor a comment before @data: {line[:_SHOWN]}"
            raise unreadable(path, what, line=number)
    else:
        raise unreadable(path, "there is no line @data: is it the data of an ARFF file alone?")
    check_names(path, names)
    rows = []
    for number, line in lines:
        line = line.strip(BLANKS)
        if line and not line.startswith("%"):
            rows.append(_row(line, names, kinds, path, number))
    if not rows:
        raise unreadable(path, "there is no row")
    columns = []
    for name, kind, values in zip(names, kinds, zip(*rows, strict=True), strict=True):
        if kind == "string":
            kind = in_order(values)
        columns.append(Column(name, list(values), None if kind == "numeric" else kind))
    return columns


def _kind(text: str, path: Path, line: int, column: str) -> Kind:
    if text.startswith("{"):
        return _categories(text, path, line, column)
    if match := _TYPE.match(text):
        return "string" if match[1].lower() == "string" else "numeric"
    what = f"attribute type {text!r} is not numeric, nominal or string"
    raise unreadable(path, what, line=line, column=column)


def _categories(text: str, path: Path, line: int, column: str) -> tuple[str, ...]:
    """Return what stands between braces, after which nothing but a comment may come."""
    categories = []
    at = 1
    end = ","
    while end == ",":
        match = _CATEGORY.match(text, at)
        if match is None:
            raise unreadable(
                path, f"a brace that is not closed: {text[:_SHOWN]}", line=line, column=column
            )
        at = match.end()
        end = match[2]
        if match[1] == "?":  # that a value may be missing needs no declaration
            categories.append("?")
        elif match[1] or end == ",":  # a comma before the closing brace is dropped
            categories.append(_value(match[1], path, line))
    rest = text[at:].strip(BLANKS)
    if rest and not rest.startswith("%"):
        what = f"{rest!r} after the categories of an attribute"
        raise unreadable(path, what, line=line, column=column)
    return tuple(categories)


def _row(line: str, names: list[str], kinds: list[Kind], path: Path, number: int) -> list:
    if line.startswith("{"):
        raise unreadable(path, "rows in the sparse form are not read", line=number)
    pattern = _BETWEEN_COMMAS if "," in line or len(kinds) == 1 else _BETWEEN_BLANKS
    tokens = pattern.findall(line)
    if pattern is _BETWEEN_COMMAS:
        # What follows the last comma was a token already; a comma at the end of a row is dropped.
        del tokens[-1]
    if "" in tokens:
        what = f"value {tokens.index('') + 1} is empty; a missing value is written ?"
        raise unreadable(path, what, line=number)
    row = [_value(token, path, number) for token in tokens]
    if len(row) != len(kinds):
        raise unreadable(path, f"{len(row)} values for {len(kinds)} attributes", line=number)
    for name, kind, value in zip(names, kinds, row, strict=True):
        if value is None:
            continue
        where = {"line": number, "column": name, "value": value}
        if isinstance(kind, tuple) and value not in kind:
            raise unreadable(path, f"was not declared; declared: {', '.join(kind)}", **where)
        if kind == "numeric" and not is_number(value):
            what = "is no number, as the attribute's type says; a missing value is written ?"
            raise unreadable(path, what, **where)
    return row


def _value(token: str, path: Path, line: int) -> str | None:
    if token[:1] not in ("'", '"'):
        return None if token == "?" else token
    if re.fullmatch(_QUOTED, token, re.S) is None:
        raise unreadable(path, f"a quote that does not end the value: {token[:_SHOWN]}", line=line)
    return re.sub(r"\\(.)", r"\1", token[1:-1])
