"""Dissimilarities between the samples of a set: all, or each sample's nearest, and their scale."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from ._divergences import resolve_metric

# Entries of a block of distances: 32 MB.
_BLOCK = 2**22
# Beyond so many features a tree finds neighbours no faster than all distances do.
_TREE_FEATURES = 15


def blocks(n_rows, n_columns, entries=_BLOCK):
    """Slices of rows that make blocks of so many entries at most."""
    size = max(1, entries // max(n_columns, 1))
    return [slice(start, start + size) for start in range(0, n_rows, size)]


def reference_beta(X, metric="sqeuclidean"):
    """Return the width that Lashkari and Golland start from: n^2 log n / sum_ij d(x_i, x_j).

    It is minus the slope of the line between two points of the rate-distortion plane: each
    sample for itself (distortion 0, rate log n) and a random assignment (mean distortion, rate 0).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
    metric : str or callable
        As in `ConvexClustering`.

    Returns
    -------
    float

    References
    ----------
    Lashkari and Golland (2007), Section 4.

    Examples
    --------
    >>> from icml2008.methods import reference_beta
    >>> round(reference_beta([[0.0], [1.0]]), 6)  # 4 log 2 / 2
    1.386294
    """
    X = np.asarray(X, dtype=float)
    if metric == "precomputed":
        total = X.sum()
    else:
        distance = resolve_metric(metric, X)
        total = sum(distance(X[part], X).sum() for part in blocks(len(X), len(X)))
    if not 0 < total < np.inf:
        msg = (
            f"n_samples={len(X)} with dissimilarities of sum {total:g} give no scale; set beta "
            "to a number"
        )
        raise ValueError(msg)
    return float(len(X) ** 2 * np.log(len(X)) / total)


def dissimilarities_of(X, metric, n_nearest):
    """All dissimilarities as an array, or each sample's smallest ones as a sparse one."""
    n_samples = len(X)
    if metric == "precomputed":
        if X.shape[1] != n_samples:
            msg = f"a precomputed X must be square, found shape {X.shape}"
            raise ValueError(msg)
        if not X.min() >= 0:
            msg = f"dissimilarities must be non-negative, the smallest is {X.min():g}"
            raise ValueError(msg)
    if n_nearest is None:
        return X if metric == "precomputed" else resolve_metric(metric, X)(X, X)
    if not 1 <= n_nearest <= n_samples:
        msg = f"n_nearest is {n_nearest}; it must lie between 1 and the {n_samples} samples"
        raise ValueError(msg)
    if metric == "sqeuclidean" and X.shape[1] <= _TREE_FEATURES:
        from sklearn.neighbors import NearestNeighbors

        distances, columns = NearestNeighbors(n_neighbors=n_nearest).fit(X).kneighbors(X)
        values = distances**2
    else:
        values = np.empty((n_samples, n_nearest))
        columns = np.empty((n_samples, n_nearest), dtype=int)
        for part in blocks(n_samples, n_samples):
            rows = X[part] if metric == "precomputed" else resolve_metric(metric, X)(X[part], X)
            columns[part] = np.argpartition(rows, n_nearest - 1, axis=1)[:, :n_nearest]
            values[part] = np.take_along_axis(rows, columns[part], axis=1)
    starts = np.arange(0, n_samples * n_nearest + 1, n_nearest)
    return csr_array((values.ravel(), columns.ravel(), starts), shape=(n_samples, n_samples))


def responses_of(dissimilarities, beta):
    """exp(-beta d), each row divided by its largest entry lest all underflow.

    Returns also the smallest dissimilarity of each row.
    """
    if isinstance(dissimilarities, np.ndarray):
        nearest = dissimilarities.min(axis=1)
        return np.exp(-beta * (dissimilarities - nearest[:, None])), nearest
    rows = dissimilarities.data.reshape(dissimilarities.shape[0], -1)
    nearest = rows.min(axis=1)
    values = np.exp(-beta * (rows - nearest[:, None])).ravel()
    parts = (values, dissimilarities.indices, dissimilarities.indptr)
    return csr_array(parts, shape=dissimilarities.shape), nearest
