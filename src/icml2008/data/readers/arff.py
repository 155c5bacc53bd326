"""ARFF tables, with the liberties that files in circulation take."""

from __future__ import annotations

import re
from pathlib import Path

from icml2008.data.content import read_content
from icml2008.data.readers.columns import Column

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(.*)", re.I)
_BETWEEN_COMMAS = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")
_BETWEEN_BLANKS = re.compile(rf"{_QUOTED}|\S+")
_NUMERIC = ("real", "numeric", "integer")


def read_arff(path: Path) -> list[Column]:
    """Read an ARFF file with numeric, nominal and string attributes.

    Beyond the definition of the format it takes values that blanks separate instead of commas,
    blanks around values and inside declarations of categories, upper and lower case in keywords,
    tabs, a comma at the end of a row, and comments between rows. A question mark without quotes is
    a missing value.

    Parameters
    ----------
    path : pathlib.Path
        The file, Latin-1.

    Returns
    -------
    list of Column
        One for each attribute; the categories of a string attribute are its sorted values.

    Raises
    ------
    ValueError
        For a row of the wrong length, a value that was not declared, an unknown type, or rows in
        the sparse form; the message has the number of the line.
    """
    lines = enumerate(read_content(path).decode("latin-1").splitlines(), start=1)
    names: list[str] = []
    kinds: list[tuple[str, ...] | str] = []
    for number, line in lines:
        line = line.strip()
        if line.lower().startswith("@data"):
            break
        if match := _ATTRIBUTE.match(line):
            names.append(_value(match[1]))
            kinds.append(_kind(match[2].strip(), f"{path.name}, line {number}"))
    rows = []
    for number, line in lines:
        line = line.strip()
        if line and not line.startswith("%"):
            rows.append(_row(line, kinds, f"{path.name}, line {number}"))
    columns = []
    for name, kind, values in zip(names, kinds, zip(*rows, strict=True), strict=True):
        if kind == "string":
            kind = tuple(sorted({*values} - {None}))
        columns.append(Column(name, list(values), None if kind == "numeric" else kind))
    return columns


def _kind(text: str, where: str) -> tuple[str, ...] | str:
    """Return the categories of a nominal attribute, "numeric" or "string"."""
    if text.startswith("{"):
        return tuple(_values(text[1 : text.rindex("}")].strip(), _BETWEEN_COMMAS))
    word = text.split()[0].lower()
    if word in _NUMERIC or word == "string":
        return "string" if word == "string" else "numeric"
    message = f"{where}: attribute type {text!r} is not numeric, nominal or string"
    raise ValueError(message)


def _row(line: str, kinds: list[tuple[str, ...] | str], where: str) -> list[str | None]:
    if line.startswith("{"):
        message = f"{where}: rows in the sparse form are not read"
        raise ValueError(message)
    pattern = _BETWEEN_COMMAS if "," in line or len(kinds) == 1 else _BETWEEN_BLANKS
    row = _values(line, pattern)
    if len(row) != len(kinds):
        message = f"{where}: {len(row)} values for {len(kinds)} attributes"
        raise ValueError(message)
    for value, kind in zip(row, kinds, strict=True):
        if value is not None and isinstance(kind, tuple) and value not in kind:
            message = f"{where}: value {value!r} was not declared; declared: {', '.join(kind)}"
            raise ValueError(message)
    return row


def _values(line: str, pattern: re.Pattern) -> list[str | None]:
    tokens = pattern.findall(line)
    if pattern is _BETWEEN_COMMAS:
        # What follows the last comma was a token already; a comma at the end of a row is dropped.
        del tokens[-1]
    return [_value(token) for token in tokens]


def _value(token: str) -> str | None:
    if token[:1] in ("'", '"'):
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    return None if token == "?" else token
