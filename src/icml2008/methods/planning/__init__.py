"""Planning with several criteria: the optimal policies of all linear preferences at once."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "ConvexHullValueIteration": "convex_hull",
    "Envelope": "envelope",
    "MultiObjectiveMDP": "mdp",
    "OptimisticLinearSupport": "linear_support",
    "evaluate_policy": "scalar",
    "policy_iteration": "scalar",
    "upper_envelope": "envelope",
    "value_iteration": "scalar",
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
