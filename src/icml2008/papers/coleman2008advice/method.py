"""Two clusters by spectral clustering, where advice on pairs may contradict itself."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_array, validate_data

# Eigenvalues nearer than this are one: signs and counts go in, so that all others are far apart.
EQUAL = 1e-9
# A block of so many points has 2^19 clusterings, which are all tried.
FEW = 20
# Smaller problems are solved in full.
SMALL = 20


def advice_matrix(n, pairs, signs):
    """Return M, the sum over pieces of advice of M_e (Section 3.1).

    Parameters
    ----------
    n : int
        Number of points.
    pairs : array of int, shape (n_pieces, 2)
    signs : array, shape (n_pieces,)
        1 for must-link, -1 for cannot-link.

    Returns
    -------
    ndarray of shape (n, n)
        v' M v is four times the number of pieces that the signs v violate.
    """
    matrix = np.zeros((n, n))
    first, second = pairs.T
    np.add.at(matrix, (first, first), 1)
    np.add.at(matrix, (second, second), 1)
    np.add.at(matrix, (first, second), -signs)
    np.add.at(matrix, (second, first), -signs)
    return matrix


def advice_blocks(n, pairs):
    """Return the points of each connected component of the advice graph, of two points or more."""
    ones = np.ones(len(pairs))
    graph = coo_array((ones, tuple(pairs.T)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    sizes = np.bincount(component)
    return [np.flatnonzero(component == number) for number in np.flatnonzero(sizes > 1)]


def solve_2cc(matrix):
    """Return the signs of a block that violate the fewest pieces of advice, the first of equals.

    Up to 20 points all are tried; beyond, flips start from the signs of each eigenvector.

    Parameters
    ----------
    matrix : ndarray of shape (m, m)
        A block's advice matrix.

    Returns
    -------
    ndarray of shape (m,), of -1 and 1
    """
    m = len(matrix)
    if m > FEW:
        weights = np.diag(np.diag(matrix)) - matrix
        starts = np.where(np.linalg.eigh(matrix)[1].T > 0, 1.0, -1.0)
        return best_by_flips(weights, starts)
    half = m // 2
    left = _all_signs(half)
    # A clustering and its mirror image are one: the first point has the sign 1.
    left = left[left[:, 0] > 0]
    right = _all_signs(m - half)
    costs = 2 * left @ matrix[:half, half:] @ right.T
    costs += np.einsum("ai,ij,aj->a", left, matrix[:half, :half], left)[:, None]
    costs += np.einsum("bi,ij,bj->b", right, matrix[half:, half:], right)
    row, column = np.unravel_index(np.argmin(costs), costs.shape)
    return np.append(left[row], right[column])


def _all_signs(size):
    bits = np.arange(2**size)[:, None] >> np.arange(size) & 1
    return 1.0 - 2 * bits


def solve_complete_2cc(weights, start="best-pivot"):
    """Return signs by the 3-approximation of Bansal, Blum and Chawla and a local search.

    Parameters
    ----------
    weights : ndarray of shape (n, n)
        1 for must-link, -1 for cannot-link, 0 on the diagonal.
    start : {"best-pivot", "each-pivot"}
        The search starts from the best clustering by one point's advice, or from all of them.

    Returns
    -------
    ndarray of shape (n,), of -1 and 1
    """
    pivots = weights + np.eye(len(weights))
    if start == "best-pivot":
        agreements = np.einsum("ki,ki->k", pivots @ weights, pivots)
        pivots = pivots[[np.argmax(agreements)]]
    return best_by_flips(weights, pivots)


def best_by_flips(weights, starts):
    """Flip the point that gains most until none gains; return the best end of all starts."""
    signs = starts.copy()
    fields = signs @ weights
    rows = np.arange(len(signs))
    while True:
        gains = signs * fields
        worst = np.argmin(gains, axis=1)
        active = gains[rows, worst] < 0
        if not active.any():
            return signs[np.argmax(gains.sum(axis=1))]
        flipped = worst[active]
        signs[active, flipped] *= -1
        fields[active] += 2 * signs[active, flipped][:, None] * weights[flipped]


def respected(signs_of_points, pairs, signs):
    """Return which pieces of advice a clustering respects, of bool."""
    first, second = pairs.T
    return signs_of_points[first] * signs_of_points[second] == signs


class AdvicePath:
    """METHOD THREE at every f at which it changes, from 1 (METHOD TWO) to no advice at all.

    Step 0 is f = 1; each further step adds one eigenvector of a block, in the order of the f that
    admits it. With all of them, the advice is without effect.

    Parameters
    ----------
    affinity : ndarray of shape (n, n)
        Symmetric, with positive degrees.
    pairs : array of int, shape (n_pieces, 2)
    signs : array, shape (n_pieces,)

    Attributes
    ----------
    f : ndarray of shape (n_steps,)
        From which f on each step holds; infinite in blocks whose advice is consistent.
    smallest : ndarray of shape (n_blocks,)
        The smallest eigenvalue of each block, 0 if its advice is consistent.
    """

    def __init__(self, affinity, pairs, signs):
        matrix = advice_matrix(len(affinity), pairs, signs)
        ratios = []
        directions = []
        values = []
        self.smallest = []
        for block in advice_blocks(len(affinity), pairs):
            eigenvalues, vectors = np.linalg.eigh(matrix[np.ix_(block, block)])
            lowest = eigenvalues[0] if eigenvalues[0] > EQUAL * eigenvalues[-1] else 0.0
            self.smallest.append(lowest)
            within = np.isclose(eigenvalues, eigenvalues[0], rtol=EQUAL, atol=EQUAL)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios.extend(np.where(within, 1.0, eigenvalues / lowest))
            values.extend(eigenvalues)
            for vector in vectors.T:
                direction = np.zeros(len(affinity))
                direction[block] = vector
                directions.append(direction)
        order = np.lexsort([values, ratios])
        ratios = np.array(ratios)[order]
        later = ratios > 1
        self.f = np.append(1.0, ratios[later])
        directions = np.array(directions).reshape(-1, len(affinity))[order]
        self._alone = directions[0] if len(directions) else None
        self._root = np.sqrt(affinity.sum(axis=0))
        # Of x = D^(1/2) v: d'v = 0, and no part along eigenvectors that are left out. The last to
        # come in comes first, so that what a step allows is the span of the last columns.
        left_out = directions[later][::-1] / self._root
        rows = np.vstack([self._root[None], left_out])
        basis = np.linalg.qr(rows.T, mode="complete")[0][:, ::-1]
        scaled = affinity / np.outer(self._root, self._root)
        self._basis = basis
        self._reduced = basis.T @ scaled @ basis
        self._last = np.zeros(0)

    def __len__(self):
        return len(self.f)

    def size(self, step):
        """Return how many dimensions a step has, d'v = 0 taken off."""
        return len(self._root) - len(self.f) + step

    def solution(self, step):
        """Return v, (n,): the smallest relaxed cut at a step; it has v'Dv = 1.

        Where d'v = 0 leaves nothing, as with complete advice at f = 1, it is the eigenvector.
        """
        size = self.size(step)
        if size == 0:
            return self._alone / np.linalg.norm(self._alone * self._root)
        inner = self._reduced[:size, :size]
        if size < SMALL:
            top = np.linalg.eigh(inner)[1][:, -1]
        else:
            # Never an eigenvector itself, from which Lanczos could not go on.
            start = np.full(size, 1e-3)
            known = min(size, len(self._last))
            start[:known] += self._last[:known]
            top = eigsh(inner, k=1, which="LA", v0=start, tol=1e-9)[1][:, 0]
        self._last = top
        return (self._basis[:, :size] @ top) / self._root

    def labels(self, step):
        """Return the clusters at a step, (n,) of 0 and 1: the solution is cut at zero."""
        return cut_at_zero(self.solution(step))


def cut_at_zero(v):
    """Return clusters, (n,): 1 where the sign is that of the largest entry, 0 at the other and 0.

    Advice can put points at zero, where rounding and the arbitrary sign of v must not decide.
    """
    largest = v[np.argmax(np.abs(v))]
    return (v / largest > EQUAL).astype(int)


def cut_ratio(affinity, v):
    """Return v'L(A)v / v'Dv, the relaxed normalised cut (P1)."""
    degrees = affinity.sum(axis=0)
    return 1 - (v @ affinity @ v) / (degrees @ v**2)


def method_one(affinity, pairs, signs):
    """Return METHOD ONE's clusters: advice that the 2CC solution violates is rejected.

    Returns
    -------
    ndarray of shape (n,), of 0 and 1
    """
    matrix = advice_matrix(len(affinity), pairs, signs)
    clusters = np.ones(len(affinity))
    for block in advice_blocks(len(affinity), pairs):
        clusters[block] = solve_2cc(matrix[np.ix_(block, block)])
    kept = respected(clusters, pairs, signs)
    return AdvicePath(affinity, pairs[kept], signs[kept]).labels(0)


class AdvisedSpectralClustering(ClusterMixin, BaseEstimator):
    """Two clusters of small normalised cut that mostly follow advice on pairs (METHOD THREE).

    Parameters
    ----------
    f : float, default=2.0
        How much more than the least cost the advice may cost in each block of it, as a factor: 1
        follows the relaxed 2CC solution (METHOD TWO), infinity disregards inconsistent advice.
    affinity : {"rbf", "precomputed"}, default="rbf"
        Gaussian with the median distance as width, or X is a matrix of affinities.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        0 or 1.
    solution_ : ndarray of shape (n_samples,)
        What is cut at zero.
    cut_ : float
        Its relaxed normalised cut.
    f_values_ : ndarray
        All f at which something changes, from 1.
    """

    def __init__(self, f=2.0, affinity="rbf"):
        self.f = f
        self.affinity = affinity

    def fit(self, X, y=None, *, pairs=None, signs=None):
        """Cluster points, or rows of a matrix of affinities.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, n_samples)
        y : ignored
        pairs : array of int, shape (n_pieces, 2), optional
            Pairs of points that there is advice on.
        signs : array of shape (n_pieces,), optional
            1: they belong together; -1: they do not.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If f is below 1, affinities are not symmetric or negative, a point has none, or the
            advice is not about pairs of points with 1 or -1.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=3)
        if not self.f >= 1:
            msg = f"f is {self.f}; it is a factor of at least 1"
            raise ValueError(msg)
        if self.affinity not in ("rbf", "precomputed"):
            msg = f"affinity is {self.affinity!r}; it is 'rbf' or 'precomputed'"
            raise ValueError(msg)
        affinity = gaussian_affinity(X) if self.affinity == "rbf" else checked_affinity(X)
        path = AdvicePath(affinity, *checked_advice(len(X), pairs, signs))
        finite = path.f <= self.f * (1 + EQUAL)
        step = len(path) - 1 if np.isinf(self.f) else int(finite.sum()) - 1
        self.solution_ = path.solution(step)
        self.labels_ = path.labels(step)
        self.cut_ = cut_ratio(affinity, self.solution_)
        self.f_values_ = path.f
        return self


def checked_affinity(matrix):
    """Return a matrix of affinities, or say what is wrong with it."""
    if matrix.shape[0] != matrix.shape[1]:
        msg = f"affinities are {matrix.shape}; they are a square matrix"
        raise ValueError(msg)
    if not np.allclose(matrix, matrix.T) or matrix.min() < 0:
        msg = "affinities are symmetric and not negative"
        raise ValueError(msg)
    if not (matrix.sum(axis=0) > 0).all():
        msg = f"point {np.argmin(matrix.sum(axis=0))} has no affinity to any other"
        raise ValueError(msg)
    return matrix


def checked_advice(n, pairs, signs):
    """Return pairs and signs as arrays, or say what is wrong with them."""
    if (pairs is None) != (signs is None):
        msg = "pairs come with signs"
        raise ValueError(msg)
    if pairs is None:
        return np.zeros((0, 2), dtype=int), np.zeros(0)
    pairs = check_array(pairs, dtype=None)
    signs = np.asarray(signs)
    if pairs.shape[1] != 2 or not issubclass(pairs.dtype.type, Integral):
        msg = f"pairs are {pairs.shape} of {pairs.dtype}; they are (n_pieces, 2) of int"
        raise ValueError(msg)
    if pairs.min() < 0 or pairs.max() >= n or (pairs[:, 0] == pairs[:, 1]).any():
        msg = f"pairs name two different points of 0 to {n - 1}"
        raise ValueError(msg)
    if signs.shape != (len(pairs),) or not np.isin(signs, (-1, 1)).all():
        msg = "signs are 1 or -1, one for each pair"
        raise ValueError(msg)
    return pairs, signs


def gaussian_affinity(X, width="median"):
    """Return Gaussian affinities of points, 0 on the diagonal.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
    width : {"median", "narrow", "local", "neighbours"}
        The median distance, half of it, or of each point the distance of its seventh neighbour; or
        the median distance, where one of two points is among the ten nearest of the other.

    Returns
    -------
    ndarray of shape (n, n)
        Never 0 between two points, so that no part is without any affinity to the others.
    """
    distances = squareform(pdist(X))
    median = np.median(distances[np.triu_indices(len(X), 1)])
    if width == "local":
        nearest = np.partition(distances, min(7, len(X) - 1), axis=0)[min(7, len(X) - 1)]
        widths = np.maximum(nearest, 1e-3 * median)
        exponents = distances**2 / np.outer(widths, widths)
    else:
        scale = median / 2 if width == "narrow" else median
        exponents = distances**2 / (2 * scale**2) if scale else distances
    affinity = np.maximum(np.exp(-exponents), 1e-12)
    if width == "neighbours":
        order = np.argsort(distances, axis=1, kind="stable")
        ranks = np.argsort(order, axis=1, kind="stable")
        affinity[np.minimum(ranks, ranks.T) > 10] = 1e-6
    np.fill_diagonal(affinity, 0)
    return affinity
