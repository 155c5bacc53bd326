"""Learning to rank from whole lists: ListMLE, ListNet and RankCosine, and their losses."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "ListMLE": "rankers",
    "ListNet": "rankers",
    "RankCosine": "rankers",
    "cosine_loss": "losses",
    "cross_entropy_loss": "losses",
    "expected_loss": "consistency",
    "full_cross_entropy_loss": "losses",
    "likelihood_loss": "losses",
    "minimiser": "consistency",
    "order_preserving": "consistency",
    "target_scores": "targets",
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
