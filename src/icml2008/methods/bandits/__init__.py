"""Learning a diverse ranking from clicks, and the rankings that full knowledge gives.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "History": "history",
    "RankedBandits": "ranked",
    "RankedExploreAndCommit": "explore",
    "best_ranking": "offline",
    "click_chance": "offline",
    "greedy_ranking": "offline",
    "popularity_ranking": "offline",
}

__all__ = sorted(_MODULES)  # noqa: PLE0605


def __getattr__(name: str):
    if name not in _MODULES:
        from icml2008.errors import nearest

        msg = f"module {__name__!r} has no attribute {name!r}{nearest(name, _MODULES)}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
