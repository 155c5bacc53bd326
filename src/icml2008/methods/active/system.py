"""The kriging equations of one function, grown by one sample at a time."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from icml2008.methods.active.checks import check_known
from icml2008.methods.active.distances import nearest_distances, weighted_distances
from icml2008.methods.active.local import krige_locally

# Least number of samples per form: the short one inverts a matrix that is zero for one sample.
MIN_SAMPLES = {"textbook": 1, "short": 2}
_ENTRIES = 2**22  # numbers in a temporary block: 32 MB
_SINGULAR = 1e-12  # a share of a variance that rounding alone can leave


def check_kriging_options(form, neighbors):
    """Raise ValueError unless `KrigingSystem` knows the form and can use so few neighbours."""
    check_known("form", form, MIN_SAMPLES)
    if neighbors is not None and neighbors < 2:
        msg = f"neighbors={neighbors!r} must be at least 2, or None for all samples"
        raise ValueError(msg)


class KrigingSystem:
    r"""Ordinary kriging with the linear semivariance ``nugget + distance`` (slope one).

    A slope k multiplies the variances and leaves the means as they are, so one system serves every
    slope.

    Differences from the first sample, :math:`y_i - y_0`, have the covariance
    :math:`K_{ij} = \gamma_{i0} + \gamma_{j0} - \gamma_{ij}`, which is positive definite in any
    dimension; predicting with it is ordinary kriging. (A covariance :math:`A - \gamma` with a
    constant A is not always one: with the diameter for A, the corners of a box in six dimensions
    break it.) The inverse Cholesky factor of K is kept, so that a new sample costs one row of it,
    O(n^2), and many predictions are one matrix product.

    Parameters
    ----------
    n_features : int
        Dimension d of the points.
    nugget : float
        Semivariance of two samples at one point, divided by the slope: a distance.
    form : {"textbook", "short"}
        "textbook" solves for weights that sum to one, with a Lagrange multiplier (Cressie, 1991,
        section 3.2); "short" is Eqs. 1 and 2 of Bryan and Schneider (2008), read with semivariances
        in place of covariances.
    neighbors : int or None
        Beyond that many samples each prediction uses only so many nearest ones. None: always all of
        them.

    Attributes
    ----------
    n : int
        Number of samples.
    """

    def __init__(self, n_features, nugget=0.0, form="textbook", neighbors=None):
        self.nugget = float(nugget)
        self.form = form
        self.neighbors = neighbors
        self.n = 0
        self._X = np.empty((16, n_features))
        self._y = np.empty(16)
        self._from_first = np.empty(16)  # semivariance to the first sample
        # Row and column 0 stand for the first sample and stay zero.
        self._inverse_factor = np.zeros((16, 16))
        # The inverse factor times the differences of y, and times half of K's diagonal.
        self._whitened = np.empty((2, 16))
        self._weights = None
        self._tree = None

    @property
    def X(self):
        """Sampled points, shape (n, d)."""
        return self._X[: self.n]

    @property
    def y(self):
        """Values at the sampled points, shape (n,)."""
        return self._y[: self.n]

    @property
    def is_local(self):
        """Whether predictions use the nearest samples only."""
        return self.neighbors is not None and self.n > self.neighbors

    def append(self, x, y):
        """Add one sample: point x, shape (d,), with value y. O(n^2)."""
        n = self.n
        self._reserve(n + 1)
        if n == 0:
            self._from_first[0] = 0.0
            self._whitened[:, 0] = 0.0
        elif self.neighbors is None or n < self.neighbors:
            semivariance = self.nugget + cdist(x[None], self.X)[0]
            inverse = self._inverse_factor[:n, :n]
            row = inverse @ (semivariance[0] + self._from_first[:n] - semivariance)
            pivot = self._pivot(2 * semivariance[0] - row @ row, 2 * semivariance[0], x)
            self._inverse_factor[n, :n] = (row @ inverse) / -pivot
            self._inverse_factor[n, n] = 1 / pivot
            self._from_first[n] = semivariance[0]
            news = np.array([y - self._y[0], semivariance[0]])
            self._whitened[:, n] = (news - self._whitened[:, :n] @ row) / pivot
        self._X[n] = x
        self._y[n] = y
        self._changed(n + 1)

    def extend(self, X, y):
        """Add samples X, shape (k, d), with values y, shape (k,); O(n^3) if they are the first."""
        if self.n or len(X) < 2:
            for point, value in zip(X, y, strict=True):
                self.append(point, value)
            return
        self._reserve(len(X))
        rows = len(X) if self.neighbors is None else min(len(X), self.neighbors)
        semivariance = self.nugget + cdist(X[:rows], X[:rows])
        np.fill_diagonal(semivariance, 0.0)
        first = semivariance[0]
        covariance = (first[:, None] + first - semivariance)[1:, 1:]
        try:
            factor = cholesky(covariance, lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            factor = np.zeros_like(covariance)
        if np.any(np.diag(factor) ** 2 <= _SINGULAR * np.diag(covariance)):
            for point, value in zip(
                X, y, strict=True
            ):  # stops with a message at the sample that is one too many
                self.append(point, value)
            return
        inverse = solve_triangular(factor, np.eye(rows - 1), lower=True, check_finite=False)
        self._inverse_factor[1:rows, 1:rows] = inverse
        self._from_first[:rows] = first
        self._whitened[:, 0] = 0.0
        self._whitened[:, 1:rows] = np.stack([y[1:rows] - y[0], first[1:]]) @ inverse.T
        self._X[: len(X)] = X
        self._y[: len(X)] = y
        self._changed(len(X))

    def truncate(self, n):
        """Forget all samples but the first n."""
        self._changed(n)

    def unit_slope(self, n=None):
        """Slope of largest likelihood given the first n samples (all by default), at least two.

        It is the mean square of the whitened differences, the only part of the model that has a
        likelihood (a restricted one). Where predictions are local, the first `neighbors` samples
        speak for all.
        """
        n = self.n if n is None else n
        n = n if self.neighbors is None else min(n, self.neighbors)
        return float(np.mean(self._whitened[0, 1:n] ** 2))

    def mean(self, points):
        """Predicted means at points, shape (q, d). O(n q)."""
        if self.is_local:
            return self._predict_local(points)[0]
        return self._linear(points, "mean")

    def variance(self, points):
        """Kriging variances at points, shape (q, d), for slope one. O(n^2 q)."""
        if self.is_local:
            return self._predict_local(points)[1]
        variance = np.empty(len(points))
        for block in self._blocks(len(points)):
            distances = _distances(points[block], self.X)
            first = self.nugget + distances[:, :1]
            covariance = first + self._from_first[: self.n] - (self.nugget + distances)
            whitened = self._inverse_factor[: self.n, : self.n] @ covariance.T
            variance[block] = 2 * first[:, 0] - np.einsum("ij,ij->j", whitened, whitened)
        if self.form == "short":
            variance += self._excess(points)
        return np.maximum(variance, 0.0, out=variance)

    def bound(self, points):
        """Return upper bounds on the variances at points, shape (q, d), for slope one.

        The variance that the nearest sample alone would give bounds the textbook's: a linear
        unbiased predictor from fewer samples is never better. The short form exceeds that by a term
        that is cheap too, O(n) a point, unless predictions are local.
        """
        if self.form == "short" and self.is_local:
            return self.variance(points)
        # A hair more than the exact bound, lest rounding lets an exact variance exceed it.
        bound = 2 * (self.nugget + nearest_distances(points, self.X)) * (1 + 1e-9)
        return bound + self._excess(points) if self.form == "short" else bound

    def _reserve(self, n):
        capacity = len(self._y)
        if n > capacity:
            capacity = max(n, capacity + capacity // 2)
            self._X = _grown(self._X, (capacity, self._X.shape[1]))
            self._y = _grown(self._y, (capacity,))
        rows = n if self.neighbors is None else min(n, self.neighbors)
        if rows > len(self._from_first):
            rows = capacity if self.neighbors is None else min(capacity, self.neighbors)
            self._from_first = _grown(self._from_first, (rows,))
            self._inverse_factor = _grown(self._inverse_factor, (rows, rows))
            self._whitened = _grown(self._whitened, (2, rows))

    def _changed(self, n):
        self.n = n
        self._weights = self._tree = None

    @staticmethod
    def _pivot(square, scale, x):
        if square <= _SINGULAR * scale:
            msg = (
                f"the sample at {np.array2string(x, precision=6)} lies on an earlier one, which "
                "takes a nugget: leave it out, or set a small positive nugget"
            )
            raise ValueError(msg)
        return np.sqrt(square)

    def _blocks(self, q):
        step = max(1, _ENTRIES // max(self.n, 1))
        return [slice(start, min(start + step, q)) for start in range(0, q, step)]

    def _linear(self, points, what):
        """Mean, or Lagrange multiplier for slope one: both are linear in the distances."""
        if self._weights is None:
            self._weights = self._solve_weights()
        constant, weights = self._weights[what]
        return constant + weighted_distances(points, self.X, weights)

    def _solve_weights(self):
        n = self.n
        value, half = self._whitened[:, :n] @ self._inverse_factor[:n, :n]
        mean = _contrast(-value)
        constant = self._y[0] + self._from_first[:n] @ value
        # With B the inverse of the bordered matrix [G 1; 1' 0], b is the last column but for its
        # last entry -1/s.
        b = _contrast(half)
        b[0] += 1.0
        inverse_s = self._whitened[1, :n] @ self._whitened[1, :n]
        multiplier = (self.nugget - inverse_s, b)
        if self.form == "short":
            # The plain mean stands where the textbook has the generalised least squares one.
            gap = (
                self.y.mean() - self._y[0] - self._whitened[1, :n] @ self._whitened[0, :n]
            ) / inverse_s
            constant -= gap * multiplier[0]
            mean -= gap * b
        return {"mean": (constant, mean), "multiplier": multiplier, "inverse_s": inverse_s}

    def _excess(self, points):
        """Excess of the short form's variance over the textbook's."""
        multiplier = self._linear(points, "multiplier")
        return multiplier**2 / self._weights["inverse_s"]

    def _predict_local(self, points):
        if self._tree is None:
            self._tree = cKDTree(self.X)
        mean = np.empty(len(points))
        variance = np.empty(len(points))
        step = max(1, _ENTRIES // self.neighbors**2)
        for start in range(0, len(points), step):
            block = slice(start, start + step)
            _, nearest = self._tree.query(points[block], k=self.neighbors)
            mean[block], variance[block] = krige_locally(
                points[block], self.X[nearest], self.y[nearest], self.nugget, self.form
            )
        return mean, np.maximum(variance, 0.0)


def _distances(points, X):
    # The root of an array is faster than the roots that cdist takes one by one.
    squares = cdist(points, X, "sqeuclidean")
    return np.sqrt(squares, out=squares)


def _contrast(weights):
    """Give the first sample, whose own entry is zero, the weight that makes all sum to zero."""
    weights = weights.copy()
    weights[0] = -weights[1:].sum()
    return weights


def _grown(array, shape):
    larger = np.zeros(shape)
    larger[tuple(map(slice, array.shape))] = array
    return larger
