"""The pair of walks through two drawings that the kernel finds most alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.graph_kernels.bhattacharyya import rooted_kernel
from icml2008.methods.graph_kernels.graph import PointCloudGraph


def walks_of(graph: PointCloudGraph, beta: int, length: int) -> list[tuple[int, ...]]:
    """Return all walks of that many vertices in which beta + 1 successive ones are distinct."""
    walks = [(vertex,) for vertex in range(graph.n_nodes)]
    for _ in range(length - 1):
        walks = [
            (*walk, v)
            for walk in walks
            for v in graph.neighbours[walk[-1]]
            if v not in walk[-beta:]
        ]
    return walks


def best_matching_walks(
    G: PointCloudGraph,
    H: PointCloudGraph,
    *,
    beta: int,
    length: int,
    tau: float,
    kappa: float,
    upsilon: float,
) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
    """Return the walks with the largest term of Eq. 8, and that term without its penalty.

    Raises
    ------
    ValueError
        If one of the graphs has no walk of that length.
    """
    covariances = [_covariance(graph.positions, tau, kappa) for graph in (G, H)]
    cliques = [tuple(range(i, i + beta + 1)) for i in range(max(1, length - beta))]
    best = (-1.0, (), ())
    for mine in walks_of(G, beta, length):
        for theirs in walks_of(H, beta, length):
            gap = G.attributes[list(mine)] - H.attributes[list(theirs)]
            value = float(np.exp(-upsilon * (gap**2).sum()))
            if value <= best[0]:
                continue  # the other factor is 1 at most
            K, L = (
                matrix[np.ix_(walk, walk)]
                for matrix, walk in zip(covariances, (mine, theirs), strict=True)
            )
            best = max(best, (value * rooted_kernel(K, L, cliques), mine, theirs))
    if best[0] < 0:
        msg = f"no walk of {length} vertices in one of the graphs; ask for a shorter one"
        raise ValueError(msg)
    return np.array(best[1]), np.array(best[2]), best[0]


def _covariance(positions: NDArray, tau: float, kappa: float) -> NDArray[np.float64]:
    apart = ((positions[:, None] - positions[None]) ** 2).sum(-1)
    return np.exp(-tau * apart) + kappa * np.eye(len(positions))
