"""Boosting under label noise: convex potentials, the sample that defeats each, and a contrast.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "ConvexPotentialBooster": "convex",
    "HardSample": "hard",
    "MartingaleBooster": "martingale",
    "POTENTIALS": "potentials",
    "Potential": "potentials",
    "check_potential": "potentials",
    "hard_sample": "hard",
    "noisy_distribution": "hard",
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
