"""Active learning of level sets: kriging models, scores for the next sample, and campaigns.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "CompositeLevelSet": "composite",
    "OrdinaryKriging": "kriging",
    "gradient_slope": "slopes",
    "likelihood_slope": "slopes",
    "minimise_samples": "campaign",
    "slopes_beforehand": "slopes",
    "steepest_slope": "slopes",
    "variogram_slope": "slopes",
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
