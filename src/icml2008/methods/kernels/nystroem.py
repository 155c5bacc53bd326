"""Landmarks for low-rank approximations of kernel matrices, and bounds on their errors.

Zhang, Tsang and Kwok (2008), Sections 2 to 4.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

LANDMARKS = ("kmeans", "uniform", "norm", "cholesky")
SMALLEST = 1e-12  # eigenvalues of W below this share of the largest count as 0
TIE = 1e-9  # residuals this near are equal: the first row is taken


def gaussian(A: np.ndarray, B: np.ndarray, width: float) -> np.ndarray:
    """Return exp(-|a - b|^2 / width), (n_a, n_b)."""
    return pairwise_kernels(A, B, metric="rbf", gamma=1 / width)


def spread(X: np.ndarray) -> float:
    """Return the mean squared distance of the rows from their mean: Section 4.1's gamma."""
    return float(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1))) or 1.0


def kmeans(X: np.ndarray, m: int, rng, start: str = "random", max_iter: int = 10) -> KMeans:
    """Return Lloyd's algorithm after so many iterations, from rows that are drawn."""
    seed = rng.integers(2**31) if hasattr(rng, "integers") else rng.randint(2**31)
    means = KMeans(m, init=start, n_init=1, max_iter=max_iter, tol=0, random_state=int(seed))
    with warnings.catch_warnings():  # rows that recur leave centres that are equal
        warnings.simplefilter("ignore", ConvergenceWarning)
        return means.fit(X)


def diagonal(X: np.ndarray, kernel) -> np.ndarray:
    """Return k(x, x) for each row, (n_rows,), from blocks on the diagonal."""
    return np.concatenate([kernel(x, x).diagonal() for x in np.array_split(X, 1 + len(X) // 100)])


def column_norms(X: np.ndarray, kernel) -> np.ndarray:
    """Return the squared norms of the kernel matrix's columns, (n_rows,), from blocks of rows."""
    blocks = np.array_split(X, 1 + len(X) // 1000)
    return np.concatenate([np.sum(kernel(x, X) ** 2, axis=1) for x in blocks])


def pivots(X: np.ndarray, m: int, kernel) -> np.ndarray:
    """Return the rows that incomplete Cholesky takes: the largest residual first, (at most m,)."""
    left, factor, chosen = diagonal(X, kernel), np.zeros((m, len(X))), []
    least = SMALLEST * left.max()
    while len(chosen) < m and left.max() > least:
        step, pivot = len(chosen), int(np.argmax(left >= left.max() - TIE))
        row = kernel(X[pivot][None], X)[0] - factor[:step, pivot] @ factor[:step]
        factor[step] = row / np.sqrt(row[pivot])
        left = np.maximum(left - factor[step] ** 2, 0.0)
        left[pivot] = 0.0
        chosen.append(pivot)
    return np.array(chosen)


def normalization(W: np.ndarray) -> np.ndarray:
    """Return N with N N' the pseudo-inverse of W, (m, rank)."""
    values, vectors = eigh(W)
    kept = values > SMALLEST * values[-1]
    return vectors[:, kept] / np.sqrt(values[kept])


def principal(G: np.ndarray, k: int) -> np.ndarray:
    """Return the first k orthonormal eigenvectors of G G', (n_rows, k), by Proposition 4."""
    values, vectors = eigh(G.T @ G, subset_by_index=[G.shape[1] - k, G.shape[1] - 1])
    return G @ (vectors / np.sqrt(values))[:, ::-1]


class LandmarkNystroem(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Features whose products approximate a kernel, by its values at landmarks.

    With E the kernel between rows and landmarks and W that between landmarks, the kernel matrix is
    taken for ``E W^-1 E'`` (5). Its error is at most the square root of ``n_rows`` times the
    quantisation error, but for a constant; landmarks are therefore the centres of k-means.

    Parameters
    ----------
    landmarks : {"kmeans", "uniform", "norm", "cholesky"}
        Centres of k-means; rows drawn without replacement; rows drawn with replacement by the
        squared norms of their columns of the kernel matrix, which takes all of it (Drineas and
        Mahoney 2005); or the pivots of incomplete Cholesky decomposition.
    n_landmarks : int
        At most; the number of rows if that is less.
    kernel : str or callable
        As for `sklearn.metrics.pairwise.pairwise_kernels`.
    kernel_params : dict, optional
        Its parameters. Without any, the kernel "rbf" is exp(-|a - b|^2 / s), s being the mean
        squared distance of the rows from their mean.
    max_iter : int
        Of k-means.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : ndarray, shape (n_landmarks, n_features_in_)
        The landmarks.
    normalization_ : ndarray, shape (n_landmarks, n_components)
        Maps kernel values to features; N with N N' the pseudo-inverse of W.
    kernel_params_ : dict
    quantisation_error_ : float
        Sum of squared distances of the rows from the closest landmarks (10).
    n_iter_ : int
        Of k-means.

    Notes
    -----
    k-means takes longer than to draw rows. What it saves is rank, and with it all that comes after.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = LandmarkNystroem(n_landmarks=40, random_state=0)
    >>> G = model.fit_transform(X)
    >>> K = pairwise_kernels(X, metric="rbf", **model.kernel_params_)
    >>> bool(np.linalg.norm(K - G @ G.T) < 0.02 * np.linalg.norm(K))
    True
    """

    def __init__(
        self,
        landmarks: str = "kmeans",
        n_landmarks: int = 100,
        *,
        kernel="rbf",
        kernel_params: dict | None = None,
        max_iter: int = 10,
        random_state=None,
    ) -> None:
        self.landmarks = landmarks
        self.n_landmarks = n_landmarks
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.max_iter = max_iter
        self.random_state = random_state

    def _kernel(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return pairwise_kernels(A, B, metric=self.kernel, **self.kernel_params_)

    def fit(self, X, y=None) -> LandmarkNystroem:
        """Choose landmarks among or between rows of X, (n_rows, n_features).

        Raises
        ------
        ValueError
            If there is no such choice of landmarks, or their number is below 1.
        """
        if self.landmarks not in LANDMARKS:
            msg = f"landmarks is one of {', '.join(LANDMARKS)}, found {self.landmarks!r}"
            raise ValueError(msg)
        if not self.n_landmarks >= 1:
            msg = f"n_landmarks is at least 1, found {self.n_landmarks!r}"
            raise ValueError(msg)
        X = validate_data(self, X, dtype=np.float64)
        rng, m = check_random_state(self.random_state), min(self.n_landmarks, len(X))
        ours = self.kernel == "rbf" and self.kernel_params is None
        self.kernel_params_ = {"gamma": 1 / spread(X)} if ours else dict(self.kernel_params or {})
        if self.landmarks == "kmeans":
            means = kmeans(X, m, rng, max_iter=self.max_iter)
            Z, error, self.n_iter_ = means.cluster_centers_, means.inertia_, means.n_iter_
        else:
            if self.landmarks == "cholesky":
                rows = pivots(X, m, self._kernel)
            else:
                norms = column_norms(X, self._kernel) if self.landmarks == "norm" else None
                shares = None if norms is None else norms / norms.sum()
                rows = rng.choice(len(X), m, replace=norms is not None, p=shares)
            Z = X[rows]
            error = np.sum(pairwise_distances_argmin_min(X, Z)[1] ** 2)
        self.components_, self.quantisation_error_ = Z, float(error)
        self.normalization_ = normalization(self._kernel(Z, Z))
        self._n_features_out = self.normalization_.shape[1]
        return self

    def transform(self, X) -> np.ndarray:
        """Return features, (n_rows, n_components), whose products are the kernel's."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._kernel(X, self.components_) @ self.normalization_


def nystroem_error_bound(X: np.ndarray, landmarks: np.ndarray, kernel) -> float:
    """Return a bound on the Frobenius norm of K - E W^-1 E', by a kernel value for each row.

    What is left of K is positive semidefinite, so that its norm is at most its trace, and in
    each row at most what the closest landmark alone would leave: ``k(x, x) - k(x, z)^2 / k(z, z)``.
    For exp(-|a - b|^2 / s^2) that is below 2 |x - z|^2 / s^2: the bound is at most
    twice the quantisation error over s^2. It needs neither the inverse of W nor the largest
    cluster, as Proposition 3 does.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_features)
    landmarks : ndarray, shape (n_landmarks, n_features)
    kernel : callable
        Positive semidefinite, from two arrays of rows to their kernel matrix, and positive at
        equal landmarks.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [4.0]])
    >>> round(nystroem_error_bound(X, X[:2], lambda A, B: np.exp(-((A - B.T) ** 2))), 3)
    1.0
    """
    X, Z = np.asarray(X), np.asarray(landmarks)[pairwise_distances_argmin_min(X, landmarks)[0]]
    crossed = [kernel(x[None], z[None]).item() for x, z in zip(X, Z, strict=True)]
    return float(np.sum(diagonal(X, kernel) - np.square(crossed) / diagonal(Z, kernel)))
