"""Errors that a user can mend, and the words that help to mend them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class Icml2008Error(Exception):
    """A mistake outside the program: its message says where, what was found and what is allowed."""


def nearest(name: str, options: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known one, or all of them.

    Examples
    --------
    >>> nearest("acuracy", ["accuracy", "loss"])
    "; did you mean 'accuracy'?"
    >>> nearest("zzz", ["accuracy", "loss"])
    '; known: accuracy, loss'
    """
    known = sorted(options)
    if close := get_close_matches(str(name), known, n=1):
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if known else "; none are known"
