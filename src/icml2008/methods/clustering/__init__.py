"""Clustering and density estimation by exemplars: convex master problems over candidate points."""

from __future__ import annotations

from importlib import import_module

_MODULES = {
    "BregmanDivergence": "_divergences",
    "ConvexClustering": "convex",
    "InfiniteExemplars": "infinite",
    "KernelVectorQuantization": "vector_quantization",
    "MixtureWeights": "_mixture",
    "SoftKMeans": "soft_kmeans",
    "convex_clustering_path": "convex",
    "mixture_weights": "_mixture",
    "reference_beta": "_dissimilarities",
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
