"""Text as lines, and the one form in which readers say what they cannot read."""

from __future__ import annotations

import codecs
import math
import re
from pathlib import Path

from icml2008.data.content import read_content
from icml2008.errors import Icml2008Error

# What may stand around a value. `str.strip` takes more, such as Latin-1's 0x85 and 0xA0, which are
# letters of other encodings.
BLANKS = " \t\r\f\v"

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class Unreadable(Icml2008Error, ValueError):
    """A file is not of the form that its reader takes; the message says where, and what to say."""


def unreadable(
    path: Path,
    what: str,
    *,
    line: int | None = None,
    column: str | None = None,
    value: str | None = None,
) -> Unreadable:
    """Return the error about a place in a file.

    Examples
    --------
    >>> print(unreadable(Path("a/toy.csv"), "is no number", line=2, column="x0", value="NA"))
    toy.csv, line 2, column 'x0', value 'NA': is no number
    """
    place = [path.name]
    if line is not None:
        place.append(f"line {line}")
    if column is not None:
        place.append(f"column {column!r}")
    if value is not None:
        place.append(f"value {value!r}")
    return Unreadable(f"{', '.join(place)}: {what}")


def read_text(path: Path) -> str:
    """Return a file's text: Latin-1, or as a byte order mark says, which is dropped.

    Raises
    ------
    Unreadable
        If it is not in the encoding that the mark says, or has zero bytes, as binary files have.
    """
    content = read_content(path)
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    encoding = _MARKS.get(mark, "latin-1")
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        what = f"begins with the mark of {encoding}, and is not ({error.reason})"
        raise unreadable(path, what) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise unreadable(path, "a zero byte, which no text has", line=line)
    return text


def read_lines(path: Path) -> list[str]:
    r"""Return the lines of a text without their ends, which are ``\n`` or ``\r\n``.

    Raises
    ------
    Unreadable
        As `read_text`, and for a carriage return elsewhere: whether a line ends there is anybody's
        guess.
    """
    lines = [line.rstrip("\r") for line in read_text(path).split("\n")]
    for number, line in enumerate(lines, start=1):
        if "\r" in line:
            what = r"a carriage return (\r) within; lines end with \n or \r\n"
            raise unreadable(path, what, line=number)
    return lines


def is_number(text: str) -> bool:
    """Return whether a text is a finite decimal number.

    Examples
    --------
    >>> [is_number(text) for text in ("-1.5e3", ".5", "nan", "1e400", "1_000", "0x1F", "")]
    [True, True, False, False, False, False, False]
    """
    return _NUMBER.fullmatch(text) is not None and math.isfinite(float(text))
