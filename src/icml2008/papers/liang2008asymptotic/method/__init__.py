"""Maximum composite likelihood in exponential families over finitely many outcomes."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "AsymptoticLaw": "asymptotics",
    "Components": "components",
    "CompositeLikelihood": "estimator",
    "Risk": "asymptotics",
    "asymptotic_law": "asymptotics",
    "conditional": "components",
    "joint": "components",
    "maximise": "fitting",
    "pseudolikelihood": "components",
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
