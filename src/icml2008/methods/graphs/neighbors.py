"""The graph of nearest neighbours, and its Laplacian."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from scipy.sparse import csgraph, csr_array, issparse
from sklearn.base import BaseEstimator
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from icml2008.methods.graphs._search import nearest_rows


class NeighborGraph(BaseEstimator):
    """Graph of nearest neighbours with weighted edges, and its Laplacian.

    Methods that learn from few labels start from it, and seldom say how it is made: each detail is
    an argument. Neighbours are exact, of equally near rows the first ones, and no row is its own.

    Parameters
    ----------
    n_neighbors : int, default=5
        At least 1 and less than the number of rows.
    metric : {"euclidean", "cosine"}, default="euclidean"
        The distance by which rows are near; that of cosines is 1 - cos(x, z).
    weights : {"binary", "gaussian", "cosine"}, default="binary"
        Of an edge: 1; exp(-d^2 / (2 width^2)) of its distance d; max(cos(x, z), 0).
    width : "mean-kth" or float, default="mean-kth"
        Of Gaussian weights. "mean-kth" is the mean distance from a row to its last neighbour.
    symmetry : {"or", "and"}, default="or"
        Whether an edge wants either row, or each, among the other's neighbours.
    laplacian : {"normalized", "plain"}, default="normalized"
        I - D^(-1/2) W D^(-1/2), or D - W, with W the weights and D the diagonal matrix of their
        sums. The row of a vertex without edges is 0.

    Attributes
    ----------
    affinity_matrix_ : csr_array, (n_rows, n_rows)
        The weights W: symmetric, with an empty diagonal.
    laplacian_ : csr_array, (n_rows, n_rows)
    indices_ : ndarray of int, (n_rows, n_neighbors)
        Neighbours of each row, nearest first.
    distances_ : ndarray, (n_rows, n_neighbors)
        Theirs, in the metric.
    width_ : float
        Of Gaussian weights; other weights have none, and it is NaN.
    n_features_in_ : int

    Notes
    -----
    Dense rows of up to four columns are found in a tree, others by products in single precision
    with a check that nothing was lost by rounding, in memory that is linear in n_rows. Sparse rows
    are left to scikit-learn's ``NearestNeighbors``, which does not say which of equally near rows
    it takes.

    Examples
    --------
    Eight points on two lines, of which one has a label each:

    >>> import numpy as np
    >>> from sklearn.semi_supervised import LabelSpreading
    >>> from icml2008.methods import NeighborGraph
    >>> X = [[0, 0], [1, 0], [2, 0], [3, 0], [0, 9], [1, 9], [2, 9], [3, 9]]
    >>> graph = NeighborGraph(n_neighbors=2).fit(X)
    >>> graph.affinity_matrix_[[0], :].toarray()
    array([[0., 1., 1., 0., 0., 0., 0., 0.]])
    >>> model = LabelSpreading(kernel=lambda *_: graph.affinity_matrix_)
    >>> model.fit(X, [0, -1, -1, -1, -1, -1, -1, 1]).transduction_
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """

    _parameter_constraints = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "metric": [StrOptions({"euclidean", "cosine"})],
        "weights": [StrOptions({"binary", "gaussian", "cosine"})],
        "width": [StrOptions({"mean-kth"}), Interval(Real, 0, None, closed="neither")],
        "symmetry": [StrOptions({"or", "and"})],
        "laplacian": [StrOptions({"normalized", "plain"})],
    }

    def __init__(
        self,
        n_neighbors=5,
        metric="euclidean",
        weights="binary",
        width="mean-kth",
        symmetry="or",
        laplacian="normalized",
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.width = width
        self.symmetry = symmetry
        self.laplacian = laplacian

    def fit(self, X, y=None):
        """Find the neighbours and weigh the edges.

        Parameters
        ----------
        X : array or sparse matrix, (n_rows, n_features)
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there are too few rows, or cosines are asked of a row of zeros.
        """
        self._validate_params()
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C")
        n = X.shape[0]
        if self.n_neighbors >= n:
            samples = "1 sample" if n == 1 else f"{n} samples"
            msg = f"n_neighbors={self.n_neighbors} wants more rows than X has: {samples}"
            raise ValueError(msg)
        directions = self._directions(X) if "cosine" in (self.metric, self.weights) else None
        rows = X if self.metric == "euclidean" else directions
        self.indices_, squared = self._nearest(rows)
        self.distances_ = np.sqrt(squared) if self.metric == "euclidean" else squared / 2
        self.width_ = self._width()
        weights = self._weigh(directions)
        starts = np.arange(0, n * self.n_neighbors + 1, self.n_neighbors, dtype=np.int32)
        columns = self.indices_.ravel().astype(np.int32)  # scikit-learn wants no longer ones
        directed = csr_array((weights.ravel(), columns, starts), (n, n))
        join = directed.maximum if self.symmetry == "or" else directed.minimum
        self.affinity_matrix_ = csr_array(join(directed.T.tocsr()))
        normed = self.laplacian == "normalized"
        self.laplacian_ = csr_array(csgraph.laplacian(self.affinity_matrix_, normed=normed))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _directions(self, X):
        """Return the rows at unit length."""
        lengths = np.sqrt(X.multiply(X).sum(axis=1)) if issparse(X) else np.linalg.norm(X, axis=1)
        empty = np.flatnonzero(np.asarray(lengths) == 0)
        if len(empty):
            msg = f"row {empty[0]} of X is all zeros and has no direction: cosines want one"
            raise ValueError(msg)
        return normalize(X)

    def _nearest(self, rows):
        """Return neighbours and squared Euclidean distances, (n_rows, n_neighbors) each."""
        if not issparse(rows):
            return nearest_rows(rows, self.n_neighbors)
        search = NearestNeighbors(n_neighbors=self.n_neighbors, algorithm="brute").fit(rows)
        distances, indices = search.kneighbors()
        return indices, distances**2

    def _width(self):
        if self.weights != "gaussian":
            return np.nan
        width = float(self.distances_[:, -1].mean() if self.width == "mean-kth" else self.width)
        if width == 0:
            msg = "all neighbours are at distance 0: give Gaussian weights a width"
            raise ValueError(msg)
        return width

    def _weigh(self, directions):
        """Return the weight of each row's edges, (n_rows, n_neighbors)."""
        if self.weights == "binary":
            return np.ones(self.indices_.shape)
        if self.weights == "gaussian":
            return np.exp(-((self.distances_ / self.width_) ** 2) / 2)
        if self.metric == "cosine":
            return np.maximum(1 - self.distances_, 0)
        cosines = np.empty(self.indices_.shape)
        for place, others in enumerate(self.indices_.T):
            if issparse(directions):
                products = directions.multiply(directions[others]).sum(axis=1)
                cosines[:, place] = np.asarray(products).ravel()
            else:
                cosines[:, place] = np.einsum("ij,ij->i", directions, directions[others])
        return np.maximum(cosines, 0)
