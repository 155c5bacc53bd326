"""Data sets: where they come from, that they are what they should be, and how they are read.

>>> from icml2008.data import load
>>> census = load("census-16h")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    "load": "loading",
    "catalogue": "loading",
    "fetch_file": "fetch",
    "DataUnavailable": "fetch",
    "DataCorrupt": "fetch",
    "outlook": "availability",
    "state": "availability",
    "ensure": "availability",
    "verify": "availability",
    "UnknownData": "registry",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
