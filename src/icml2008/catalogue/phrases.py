"""What the sentences of claims are made of: names, values and the marks between them."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[-+]?(?:\d[\d,]*)?(?:\.\d+|\d)(?:[eE][-+]?\d+)?%?|[-+]?\d+/\d+")
_TYPED = {int: re.compile(r"[-+]?(?:0|[1-9]\d*)"), float: re.compile(r"[-+]?\d+\.\d*")}


class SentenceError(ValueError):
    """A sentence that cannot be read; names the word."""


def split(text: str, mark: str) -> list[str]:
    """Split at a mark that stands outside of quotes."""
    pieces = re.split(rf"{re.escape(mark)}(?=(?:[^']*'[^']*')*[^']*$)", text)
    return [" ".join(piece.split()) for piece in pieces]


def as_name(text: str) -> str:
    """Return a name without the quotes that it may stand in."""
    if not text:
        msg = "a name is missing"
        raise SentenceError(msg)
    quoted = re.fullmatch(r"'((?:[^']|'')*)'", text)
    return quoted[1].replace("''", "'") if quoted else text


def as_names(text: str) -> list[str]:
    """Return the names that stand between bars."""
    return [as_name(piece) for piece in split(text, "|")]


def as_value(text: str) -> str | int | float:
    """Return a value of a coordinate, a number where it looks like one."""
    for kind, form in _TYPED.items():
        if form.fullmatch(text):
            return kind(text)
    return as_name(text)


def as_values(text: str) -> list[str | int | float]:
    """Return the values that stand between bars."""
    return [as_value(piece) for piece in split(text, "|")]
