"""Packages whose public names are loaded on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from icml2008.errors import nearest

# Packages that some methods need, each an extra of its own name.
_EXTRAS = {"highspy", "numba"}


def names_of(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping
        Public names with the full names of the modules that define them.
    """
    names = sorted(homes)

    def load(name: str) -> Any:
        if name not in homes:
            msg = f"module {package!r} has no attribute {name!r}{nearest(name, homes)}"
            raise AttributeError(msg)
        try:
            return getattr(import_module(homes[name]), name)
        except ModuleNotFoundError as error:
            if error.name not in _EXTRAS:
                raise
            msg = f"{name} needs {error.name}; install: pip install 'icml2008[{error.name}]'"
            raise ImportError(msg, name=error.name) from None

    return load, lambda: names, names
