"""Kernels between graphs whose vertices are points in space.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "PointCloudGraph": "graph",
    "PointCloudKernel": "kernel",
    "count_subtrees": "subtrees",
    "indefinite_example": "bhattacharyya",
    "rooted_kernel": "bhattacharyya",
    "skeleton_graph": "skeleton",
    "unrooted_kernel": "bhattacharyya",
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
