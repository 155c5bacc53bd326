"""Landmarks for low-rank approximations of kernel matrices, and bounds on their errors.

Zhang, Tsang and Kwok (2008), Sections 2 to 4.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dtrtri
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

LANDMARKS = ("kmeans", "uniform", "norm", "cholesky")
SMALLEST = 1e-12  # eigenvalues of W below this share of the largest count as 0
TIE = 1e-9  # residuals this near are equal: the first row is taken


def gaussian(A: np.ndarray, B: np.ndarray, width: float) -> np.ndarray:
    """Return exp(-|a - b|^2 / width), (n_a, n_b).

    As scikit-learn's rbf_kernel has it, without its checks, which can take longer than the kernel.
    """
    K = A @ B.T
    K *= -2
    K += np.einsum("ij,ij->i", A, A)[:, None]
    K += np.einsum("ij,ij->i", B, B)
    np.maximum(K, 0, out=K)
    if A is B:
        np.fill_diagonal(K, 0)
    K *= -(1 / width)
    return np.exp(K, out=K)


def spread(X: np.ndarray) -> float:
    """Return the mean squared distance of the rows from their mean: Section 4.1's gamma."""
    return float(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1))) or 1.0


def lloyd(X: np.ndarray, m: int, rng, max_iter: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return m centres by Lloyd's algorithm from rows that are drawn, their counts, and iterations.

    X is centred: far from 0 products would round distances away. Which centre is closest is found
    in single precision, by products of matrices: with few iterations on some thousand rows
    scikit-learn's KMeans takes longer.
    """
    n = len(X)
    single = X.astype(np.float32)
    Z = X[rng.choice(n, m, replace=False)]
    label = np.full(n, -1)
    rows = np.arange(n + 1)
    closeness = np.empty((n, m), np.float32)
    step = 0
    while step < max_iter:
        step += 1
        z = Z.astype(np.float32)
        np.matmul(single, z.T, out=closeness)
        closeness -= np.einsum("ij,ij->i", z, z) / 2
        last = label
        label = closeness.argmax(axis=1)
        if np.array_equal(label, last):
            break
        count = np.bincount(label, minlength=m)
        sums = csr_array((np.ones(n), label, rows), (n, m)).T @ X
        Z = np.where(count[:, None] > 0, sums / np.maximum(count, 1)[:, None], Z)
    return Z, count, step


def kmeans(X: np.ndarray, m: int, rng, max_iter: int) -> tuple[np.ndarray, float, int]:
    """Return the centres of `lloyd`, the error of their clusters, and iterations."""
    middle = X.mean(axis=0)
    X = X - middle
    Z, count, step = lloyd(X, m, rng, max_iter)
    error = np.einsum("ij,ij->", X, X) - count @ np.sum(Z**2, axis=1)
    return Z + middle, max(float(error), 0.0), step


def diagonal(X: np.ndarray, kernel) -> np.ndarray:
    """Return k(x, x) for each row, (n_rows,), from blocks on the diagonal."""
    return np.concatenate([kernel(x, x).diagonal() for x in np.array_split(X, 1 + len(X) // 100)])


def column_norms(X: np.ndarray, kernel) -> np.ndarray:
    """Return the squared norms of the kernel matrix's columns, (n_rows,), from blocks of rows."""
    blocks = np.array_split(X, 1 + len(X) // 1000)
    return np.concatenate([np.sum(kernel(x, X) ** 2, axis=1) for x in blocks])


def pivots(X: np.ndarray, m: int, kernel) -> np.ndarray:
    """Return the rows that incomplete Cholesky takes: the largest residual first, (at most m,)."""
    left = diagonal(X, kernel)
    factor = np.zeros((m, len(X)))
    chosen = []
    least = SMALLEST * left.max()
    while len(chosen) < m and left.max() > least:
        step = len(chosen)
        pivot = int(np.argmax(left >= left.max() - TIE))
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


def whitening(W: np.ndarray) -> np.ndarray:
    """Return what `normalization` does: where W is far from singular by its Cholesky factor."""
    factor, failed = dpotrf(W, lower=1)
    if failed or factor.diagonal().min() ** 2 < 1e-9 * W.diagonal().max():
        return normalization(W)
    return dtrtri(factor, lower=1)[0].T


def principal(G: np.ndarray, k: int) -> np.ndarray:
    """Return the first k orthonormal eigenvectors of G G', (n_rows, k), by Proposition 4."""
    values, vectors = eigh(G.T @ G, subset_by_index=[G.shape[1] - k, G.shape[1] - 1])
    return G @ (vectors / np.sqrt(values))[:, ::-1]


def landmark_kpca(X, n_components: int = 3, n_landmarks: int = 100, *, max_iter: int = 3, rng=None):
    """Return the principal directions of kernel PCA by k-means landmarks, orthonormal.

    The Gaussian kernel is `LandmarkNystroem`'s. Its features are not computed: eigenvectors of
    their m x m products are enough (Section 4.2 and Proposition 4), n m^2 operations in one product
    of matrices. The full decomposition takes n^3.

    Parameters
    ----------
    X : array-like, shape (n_rows, n_features)
    n_components : int
    n_landmarks : int
        At most; the number of rows if that is less.
    max_iter : int
        Of k-means.
    rng : int, RandomState or None

    Returns
    -------
    ndarray, shape (n_rows, n_components)
        The first direction first.

    Raises
    ------
    ValueError
        If X is not finite, or the landmarks span fewer directions.

    References
    ----------
    K. Zhang, I. W. Tsang and J. T. Kwok (2008), Improved Nyström Low-Rank Approximation and Error
    Analysis, ICML, Section 4.2 and Proposition 4.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import landmark_kpca
    >>> from icml2008.methods.kernels.nystroem import gaussian, spread
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> U = landmark_kpca(X, 2, 40, rng=0)
    >>> H = np.eye(500) - 1 / 500
    >>> exact = np.linalg.eigh(H @ gaussian(X, X, spread(X)) @ H)[1][:, -2:]
    >>> bool(np.linalg.norm(exact - U @ (U.T @ exact)) < 0.01)
    True
    """
    X = check_array(X, dtype=np.float64)
    X = X - X.mean(axis=0)  # which the kernel does not see
    width = np.einsum("ij,ij->", X, X) / len(X) or 1.0
    Z = lloyd(X, min(n_landmarks, len(X)), check_random_state(rng), max_iter)[0]
    E = gaussian(X, Z, width)
    N = whitening(gaussian(Z, Z, width))
    E -= E.mean(axis=0)
    S = N.T @ (E.T @ E) @ N
    if not 1 <= n_components <= len(S):
        msg = f"{n_components} directions of {len(S)} that the landmarks span"
        raise ValueError(msg)
    values, vectors = eigh(S, subset_by_index=[len(S) - n_components, len(S) - 1])
    return E @ (N @ (vectors / np.sqrt(values)))[:, ::-1]


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
        Its parameters. Without any, the kernel "rbf" is ``exp(-|a - b|^2 / s)``, s being the mean
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
        Sum of squared distances of the rows from the closest landmarks (10), or from the means of
        their clusters after the last iteration of k-means.
    n_iter_ : int
        Of k-means.

    Notes
    -----
    k-means takes longer than to draw rows. What it saves is rank, and with it all that comes after.

    References
    ----------
    K. Zhang, I. W. Tsang and J. T. Kwok (2008), Improved Nyström Low-Rank Approximation and Error
    Analysis, ICML; numbers in brackets are its
    equations.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.metrics.pairwise import pairwise_kernels
    >>> from icml2008.methods import LandmarkNystroem
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
        if self.kernel == "rbf" and self.kernel_params_.keys() == {"gamma"}:
            return gaussian(A, B, 1 / self.kernel_params_["gamma"])
        return pairwise_kernels(A, B, metric=self.kernel, **self.kernel_params_)

    def fit(self, X, y=None) -> LandmarkNystroem:
        """Choose landmarks among or between rows of X, (n_rows, n_features).

        Raises
        ------
        ValueError
            If there is no such choice of landmarks, or a number is below 1.
        """
        if self.landmarks not in LANDMARKS:
            msg = f"landmarks is one of {', '.join(LANDMARKS)}, found {self.landmarks!r}"
            raise ValueError(msg)
        for name in ("n_landmarks", "max_iter"):
            if not getattr(self, name) >= 1:
                msg = f"{name} is at least 1, found {getattr(self, name)!r}"
                raise ValueError(msg)
        X = validate_data(self, X, dtype=np.float64)
        rng = check_random_state(self.random_state)
        m = min(self.n_landmarks, len(X))
        ours = self.kernel == "rbf" and self.kernel_params is None
        self.kernel_params_ = {"gamma": 1 / spread(X)} if ours else dict(self.kernel_params or {})
        if self.landmarks == "kmeans":
            Z, error, self.n_iter_ = kmeans(X, m, rng, self.max_iter)
        else:
            if self.landmarks == "cholesky":
                rows = pivots(X, m, self._kernel)
            else:
                norms = column_norms(X, self._kernel) if self.landmarks == "norm" else None
                shares = None if norms is None else norms / norms.sum()
                rows = rng.choice(len(X), m, replace=norms is not None, p=shares)
            Z = X[rows]
            error = np.sum(pairwise_distances_argmin_min(X, Z)[1] ** 2)
        self.components_ = Z
        self.quantisation_error_ = float(error)
        self.normalization_ = normalization(self._kernel(Z, Z))
        self._n_features_out = self.normalization_.shape[1]
        return self

    def transform(self, X) -> np.ndarray:
        """Return features, (n_rows, n_components), whose products are the kernel's.

        They are computed in float64, and float32 if X is.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        values = self._kernel(X.astype(np.float64, copy=False), self.components_)
        return (values @ self.normalization_).astype(X.dtype, copy=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def nystroem_error_bound(X: np.ndarray, landmarks: np.ndarray, kernel) -> float:
    """Return a bound on the Frobenius norm of K - E W^-1 E', by a kernel value for each row.

    What is left of K is positive semidefinite, so that its norm is at most its trace, and in
    each row at most what the closest landmark alone would leave: ``k(x, x) - k(x, z)^2 / k(z, z)``.
    For ``exp(-|a - b|^2 / s^2)`` that is below ``2 |x - z|^2 / s^2``: the bound is at most
    twice the quantisation error over s^2. It needs neither the inverse of W nor the largest
    cluster, as Proposition 3 does.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_features)
    landmarks : ndarray, shape (n_landmarks, n_features)
    kernel : callable
        Positive semidefinite, from two arrays of rows to their kernel matrix, and positive at
        equal landmarks.

    References
    ----------
    K. Zhang, I. W. Tsang and J. T. Kwok (2008), Improved Nyström Low-Rank Approximation and Error
    Analysis, ICML, Proposition 3.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import nystroem_error_bound
    >>> X = np.array([[0.0], [1.0], [4.0]])
    >>> round(nystroem_error_bound(X, X[:2], lambda A, B: np.exp(-((A - B.T) ** 2))), 3)
    1.0
    """
    nearest = pairwise_distances_argmin_min(X, landmarks)[0]
    X = np.asarray(X)
    Z = np.asarray(landmarks)[nearest]
    crossed = [kernel(x[None], z[None]).item() for x, z in zip(X, Z, strict=True)]
    return float(np.sum(diagonal(X, kernel) - np.square(crossed) / diagonal(Z, kernel)))
