"""Bregman divergences, the distances for which a cluster's best centre is its mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ._kernels import squared_distances


@dataclass(frozen=True)
class BregmanDivergence:
    """d(x, z) = phi(x) - phi(z) - <x - z, grad phi(z)> of a strictly convex function phi.

    Parameters
    ----------
    phi : callable
        Maps an array of shape (n, n_features) to the n values of the convex function.
    gradient : callable
        Maps an array of shape (n, n_features) to the n gradients, of the same shape.

    References
    ----------
    Banerjee, A., Merugu, S., Dhillon, I. and Ghosh, J. (2005). Clustering with Bregman
    divergences. JMLR 6.

    Examples
    --------
    >>> divergence = BregmanDivergence(lambda x: (x**2).sum(axis=1), lambda x: 2 * x)
    >>> divergence(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
    array([[25.]])
    """

    phi: Callable[[np.ndarray], np.ndarray]
    gradient: Callable[[np.ndarray], np.ndarray]

    def __call__(self, points, centres):
        """Return the divergences of points from centres, shape (n_points, n_centres)."""
        slope = self.gradient(centres)
        offset = np.einsum("ij,ij->i", centres, slope) - self.phi(centres)
        divergences = self.phi(points)[:, None] - points @ slope.T + offset
        return np.maximum(divergences, 0, out=divergences)


def _generalised_kl(points, centres):
    """I-divergence sum x log(x / z) - x + z; infinite where a centre excludes a point."""
    with np.errstate(divide="ignore"):
        logs = np.log(centres)
    # An entry 0 * log 0 adds nothing, so the zeros of centres are counted apart.
    finite = np.where(np.isfinite(logs), logs, 0)
    divergences = xlogy(points, points).sum(axis=1)[:, None] - points @ finite.T
    divergences += centres.sum(axis=1) - points.sum(axis=1)[:, None]
    divergences[points @ (centres == 0).T.astype(float) > 0] = np.inf
    return np.maximum(divergences, 0, out=divergences)


_itakura_saito = BregmanDivergence(lambda x: -np.log(x).sum(axis=1), lambda x: -1 / x)

METRICS = {
    "sqeuclidean": squared_distances,
    "kl": _generalised_kl,
    "itakura-saito": _itakura_saito,
}


def resolve_metric(metric, points):
    """Return the function of (points, centres) that a metric names, and check its domain."""
    if callable(metric):
        return metric
    if metric not in METRICS:
        known = ", ".join([*METRICS, "precomputed"])
        msg = f"metric is {metric!r}; known: {known}, or a function of (points, centres)"
        raise ValueError(msg)
    lowest = points.min()
    if metric == "kl" and lowest < 0 or metric == "itakura-saito" and lowest <= 0:
        kind = "non-negative" if metric == "kl" else "positive"
        msg = f"metric {metric!r} needs {kind} features, the smallest is {lowest:g}"
        raise ValueError(msg)
    return METRICS[metric]
