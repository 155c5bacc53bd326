"""Packages whose public names are loaded on first use."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from icml2008.errors import nearest

# What may not be installed, and the extra that has it.
_EXTRAS = {
    "highspy": "methods",
    "platformdirs": "run",
    "pydantic": "run",
    "requests": "run",
    "yaml": "run",
}


def names_of(
    package: str, homes: Mapping[str, str], renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping
        Public names with the full names of the modules that define them.
    renamed : mapping, optional
        Earlier names, which warn, with today's.
    """
    names = sorted(homes)
    earlier = renamed or {}

    def load(name: str) -> Any:
        if name in earlier:
            msg = f"{package}.{name} is now {earlier[name]}; the old name will be gone in 0.3"
            warnings.warn(msg, FutureWarning, stacklevel=2)
            name = earlier[name]
        if name not in homes:
            msg = f"module {package!r} has no attribute {name!r}{nearest(name, homes)}"
            raise AttributeError(msg)
        try:
            return getattr(_module(homes[name], name), name)
        except ModuleNotFoundError as error:
            if error.name not in _EXTRAS:
                raise
            extra = _EXTRAS[error.name]
            msg = f"{name} needs {error.name}; install: pip install 'icml2008[{extra}]'"
            raise ImportError(msg, name=error.name) from None

    return load, lambda: names, names


def _module(home: str, name: str) -> ModuleType:
    """Import a module; without numba its kernels are plain Python, of the same results."""
    try:
        return import_module(home)
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
    with _uncompiled():
        module = import_module(home)
    msg = (
        f"numba is not installed: {name} runs as plain Python, with the same results in up to some "
        "hundred times the time; install: pip install 'icml2008[methods]'"
    )
    warnings.warn(msg, UserWarning, stacklevel=3)
    return module


@contextmanager
def _uncompiled() -> Iterator[None]:
    """Let what is imported meanwhile find a numba that leaves functions as they are."""
    numba = ModuleType("numba")
    numba.njit = _as_it_is
    sys.modules["numba"] = numba
    try:
        yield
    finally:
        del sys.modules["numba"]


def _as_it_is(function: Callable | None = None, **options: Any) -> Callable:
    return function or _as_it_is
