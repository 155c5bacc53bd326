"""Errors that a user can mend, and the words that help to mend them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MANY = 12  # of so many a message names the three nearest only


class Icml2008Error(Exception):
    """A mistake outside the program: its message says where, what was found and what is allowed."""


class CannotWrite(Icml2008Error, OSError):
    """A file cannot be written, as on a full or protected disk."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


def nearest(name: str, options: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known one, or all of few.

    Examples
    --------
    >>> nearest("acuracy", ["accuracy", "loss"])
    "; did you mean 'accuracy'?"
    >>> nearest("zzz", ["accuracy", "loss"])
    '; known: accuracy, loss'
    >>> nearest("zzz", map(str, range(100)))
    '; the nearest of 100: 99, 98, 97'
    """
    known = sorted(options)
    if close := get_close_matches(str(name), known, n=1):
        return f"; did you mean {close[0]!r}?"
    if len(known) >= _MANY:
        three = get_close_matches(str(name), known, n=3, cutoff=0.0)
        return f"; the nearest of {len(known)}: {', '.join(three)}"
    return f"; known: {', '.join(known)}" if known else "; none are known"
