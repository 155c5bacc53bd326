"""What docstrings say, section by section: the form is numpydoc's."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_MARKED = re.compile(r"(?::[\w:]+:)?`+([^`]+)`+")
_FIELD = re.compile(r"^(?=\w.* : )", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """Return the sections of a cleaned docstring by title; what is before them has none.

    Examples
    --------
    >>> sections("Add.\\n\\nNotes\\n-----\\nIt is exact.")
    {'': 'Add.', 'Notes': 'It is exact.'}
    """
    pieces = re.split(r"(?m)^(\w[\w ]*)\n-{3,}\n", text)
    titles = ["", *pieces[1::2]]
    return {title: body.strip() for title, body in zip(titles, pieces[::2], strict=True)}


def fields(section: str) -> dict[str, tuple[str, str]]:
    """Return the entries ``name : type`` of a section: by name, type and description.

    Examples
    --------
    >>> fields("n : int\\n    How many.\\ntol : float\\n    How\\n    near.")
    {'n': ('int', 'How many.'), 'tol': ('float', 'How near.')}
    """
    entries = {}
    for entry in filter(None, _FIELD.split(section)):
        head, _, body = entry.partition("\n")
        name, _, kind = head.partition(" : ")
        entries[name] = kind, one_line(body)
    return entries


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    return [one_line(part) for part in re.split(r"\n\s*\n", text) if part.strip()]


def one_line(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


def plain(text: str) -> str:
    """Return a text without the marks of names and formulas.

    Examples
    --------
    >>> plain("See `fit` and :class:`MIC`, ``nu > 0``.")
    'See fit and MIC, nu > 0.'
    """
    return _MARKED.sub(r"\1", text)


def marked(text: str) -> Markup:
    """Return a text for a page, names and formulas as code."""
    return Markup(_MARKED.sub(r"<code>\1</code>", str(escape(text))))
