"""Data sets: where they come from, that they are what they should be, and how they are read.

>>> from icml2008.data import load
>>> census = load("census-16h")  # doctest: +SKIP
"""

from __future__ import annotations

from icml2008.lazy import names_of

_HOMES = {
    "DataCorrupt": "fetch",
    "DataOtherwise": "holding",
    "DataUnavailable": "fetch",
    "DataUnreadable": "loading",
    "PackageMissing": "loading",
    "UnknownData": "registry",
    "catalogue": "loading",
    "ensure": "availability",
    "fetch_file": "fetch",
    "load": "loading",
    "outlook": "prospects",
    "state": "availability",
    "verify": "availability",
}

__getattr__, __dir__, __all__ = names_of(
    __name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()}
)
