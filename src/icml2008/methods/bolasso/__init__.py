"""Variable selection by resampled Lasso paths: the Bolasso and stability selection."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "Bolasso": "estimators",
    "BolassoCV": "estimators",
    "BolassoPath": "paths",
    "LassoPath": "paths",
    "SelectionSteps": "steps",
    "StabilitySelection": "stability",
    "bolasso_path": "paths",
    "bootstrap_moments": "_data",
    "lasso_at": "paths",
    "lasso_homotopy": "paths",
    "selection_steps": "steps",
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
