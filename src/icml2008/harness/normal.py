"""What a piece of source says, less all that is layout: one text on every version of Python.

`ast.unparse` is no such text: how it quotes strings differs between versions. What the nodes of a
syntax tree hold does not, apart from the constants within f-strings, which are put together here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

# They follow from where a node stands, or change nothing that runs.
_UNSAID = frozenset({"ctx", "kind", "type_comment", "type_ignores"})


def normal_form(node: ast.AST) -> str:
    """Return what a node says, as a text.

    Comments, layout, parentheses, commas at an end, and how strings and numbers are written leave
    no trace in it.

    Examples
    --------
    >>> normal_form(ast.parse("x.y = ('a' f'b{z}')  # why").body[0].targets[0])
    'Attribute(attr=y;value=Name(id=x;);)'
    >>> same = ("'a'\\t'b', 1e3", '("ab", 1000.0,)')
    >>> len({normal_form(ast.parse(text).body[0]) for text in same})
    1
    """
    parts: list[str] = []
    _write(node, parts.append)
    return "".join(parts)


def _write(value: Any, write: Callable[[str], None]) -> None:
    if isinstance(value, ast.Constant):
        # Which letters `repr` shows as they are depends on the Unicode of a version.
        write(ascii(value.value))
    elif isinstance(value, ast.AST):
        kind = type(value)
        write(f"{kind.__name__}(")
        for name in _fields(kind):
            held = getattr(value, name, None)
            if kind is ast.JoinedStr:
                held = list(_joined(held))
            # Later versions have fields that are empty where they are not used.
            if held is not None and held != []:
                write(f"{name}=")
                _write(held, write)
                write(";")
        write(")")
    elif isinstance(value, list):
        write("[")
        for part in value:
            _write(part, write)
            write(",")
        write("]")
    else:
        write(str(value))


@cache
def _fields(kind: type[ast.AST]) -> list[str]:
    return sorted(set(kind._fields) - _UNSAID)


def _joined(parts: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yield the parts of an f-string, neighbouring constants as one and none of them empty."""
    text = ""
    for part in parts:
        if isinstance(part, ast.Constant):
            text += part.value
            continue
        if text:
            yield ast.Constant(text)
        text = ""
        yield part
    if text:
        yield ast.Constant(text)
