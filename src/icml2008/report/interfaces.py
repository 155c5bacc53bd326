"""What experiments expect of methods of one's own, in words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

NONE = "takes no methods of your own"


def in_short(expects: type | None) -> str:
    """Return on one line what a method has to be, or that none is taken.

    Examples
    --------
    >>> from typing import Protocol
    >>> class Learner(Protocol):
    ...     def fit(self, X): ...
    ...     def predict(self, X): ...
    >>> in_short(Learner), in_short(None)
    ('methods of your own have fit and predict', 'takes no methods of your own')
    """
    if expects is None:
        return NONE
    parts = [name for name, _ in _parts(expects)]
    if parts == ["__call__"]:
        return f"methods of your own are functions, {_called('f', expects.__call__)}"
    attributes = [name for name in inspect.get_annotations(expects) if not name.startswith("_")]
    *most, last = [*parts, *attributes]
    return f"methods of your own have {' and '.join(filter(None, [', '.join(most), last]))}"


def in_full(expects: type | None) -> list[tuple[str, str]]:
    """Return what a method has to be: the whole first, then how each part is called; and of what.

    Returns
    -------
    list of (str, str)
        Name of the protocol, or signature of a part, and what is said of it.
    """
    if expects is None:
        return []
    docs = [(expects.__name__, inspect.getdoc(expects) or "")]
    for name, part in _parts(expects):
        call = "f" if name == "__call__" else name
        docs.append((_called(call, part), inspect.getdoc(part) or ""))
    return [(name, " ".join(text.split())) for name, text in docs]


def _parts(expects: type) -> Iterator[tuple[str, Callable]]:
    for name, part in vars(expects).items():
        # Protocols have an __init__ of their own.
        if inspect.isfunction(part) and (name == "__call__" or name[0] != "_"):
            yield name, part


def _called(name: str, part: Callable) -> str:
    """Return how a part is called, without its types."""
    _, *given = inspect.signature(part).parameters.values()
    bare = [parameter.replace(annotation=parameter.empty) for parameter in given]
    return f"{name}{inspect.Signature(bare)}"
