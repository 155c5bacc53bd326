"""Linear value functions, the linear models that they imply, and features for them."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "BellmanError": "linear",
    "GrowingBasis": "growing",
    "LinearFixedPoint": "linear",
    "LinearModel": "linear",
    "MarkovRewardProcess": "process",
    "bellman_error": "linear",
    "bellman_error_basis": "bases",
    "eigenvector_dictionary": "bases",
    "error_path": "growing",
    "krylov_basis": "bases",
    "matching_pursuit": "bases",
    "model_error_basis": "bases",
    "proto_value_functions": "bases",
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
