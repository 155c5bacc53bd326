"""Which vectors are best for some preference, and for which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from icml2008.methods.planning._backup import hull_of_rows
from icml2008.methods.planning._envelope import first_corners, insert, lasting
from icml2008.methods.planning._half_spaces import corners_above, simple_corners
from icml2008.methods.planning.mdp import check_weights

# With more vectors than these a general hull is built faster than one that grows by asking.
_FEW = 64
# So many weights tell whether there are more: first a few of them, lest the rest be in vain.
_SAMPLE = 128
_FIRST = 16


@dataclass(frozen=True, eq=False)
class Envelope:
    """The vectors that are best for some nonnegative weights, and where they are.

    Attributes
    ----------
    vectors : ndarray of shape (n, d)
        Each is better than all others for some weights; in lexicographic order.
    corners : ndarray of shape (n_corners, d)
        The weights, with sum 1, at which regions meet one another or the edge of the simplex.
    touches : ndarray of shape (n_corners, n), bool
        Which vectors are best at each corner.

    Examples
    --------
    >>> best = upper_envelope([[1, 0], [0, 1], [0.6, 0.6], [0.7, 0.4]])
    >>> best.vectors
    array([[0. , 1. ],
           [0.6, 0.6],
           [1. , 0. ]])
    >>> best.region(1)
    array([[0.4, 0.6],
           [0.6, 0.4]])
    >>> best.value([1, 1]), best.best([1, 1])
    (1.2, 1)
    """

    vectors: np.ndarray
    corners: np.ndarray
    touches: np.ndarray

    def best(self, weights):
        """Return the number of the best vector for weights (any nonnegative scale)."""
        weights = check_weights(weights, self.vectors.shape[1])
        return int(np.argmax(self.vectors @ weights))

    def value(self, weights):
        """Return the value of the best vector for weights."""
        weights = check_weights(weights, self.vectors.shape[1])
        return float(np.max(self.vectors @ weights))

    def region(self, i):
        """Return the corners of the weights for which vector `i` is best, (n_corners, d).

        In lexicographic order; with two criteria these are the ends of an interval.
        """
        corners = self.corners[self.touches[:, i]]
        return corners[np.lexsort(corners.T[::-1])]

    def centre(self, i):
        """Return weights within the region of vector `i`, shape (d,)."""
        return self.region(i).mean(axis=0)


def lexicographic(vectors):
    """Return the order of vectors by their coordinates, rounding apart."""
    scale = np.abs(vectors).max() or 1.0
    return np.lexsort(np.round(vectors / scale, 10).T[::-1])


def envelope_of(vectors, tol):
    """Return the envelope of vectors in order, each of which is best somewhere."""
    weights, heights, tight = first_corners(vectors[0])
    for number in range(1, len(vectors)):
        weights, heights, tight = insert(weights, heights, tight, vectors[number], number, tol)
    touches = np.abs(weights @ vectors.T - heights[:, None]) <= 10 * tol
    return Envelope(vectors, weights, touches)


@cache
def _sample(d):
    """Return weights, of any sum, that are the same at each call."""
    return np.random.default_rng(0).standard_exponential((_SAMPLE, d))


def surely_many(points):
    """Tell whether more than `_FEW` points are seen to be best for some of a sample of weights."""
    n, d = points.shape
    if n <= _FEW or d < 3:  # with two criteria asking costs little
        return False
    weights = _sample(d)
    for part, needed in ((weights[:_FIRST], 3 * _FIRST // 4), (weights, _FEW + 1)):
        best = (part @ points.T).argmax(axis=1)
        if len(np.unique(best)) < needed:
            return False
    return True


def simple_envelope(points, tol):
    """Return the envelope of points if each of its corners is simple; else, None.

    It is None as well where a vector is hardly better than those around it. `tol` is in the unit
    of the points.
    """
    corners = simple_corners(points)
    if corners is None:
        return None
    weights, meeting = corners
    n, d = points.shape
    is_best = np.zeros(n + d, dtype=bool)
    is_best[meeting] = True
    chosen = np.flatnonzero(is_best[:n])
    chosen = chosen[lexicographic(points[chosen])]
    vectors = points[chosen]
    # All edges w_l = 0 count as one vector more here.
    place = np.full(n + d, len(chosen))
    place[chosen] = np.arange(len(chosen))
    places = place[meeting]
    counts = np.bincount(places.ravel(), minlength=len(chosen) + 1)
    centres = np.empty((len(chosen) + 1, d))
    for criterion, column in enumerate(weights.T):
        sums = np.bincount(places.ravel(), np.repeat(column, d), minlength=len(chosen) + 1)
        centres[:, criterion] = sums / np.maximum(counts, 1)
    # Were a vector taken away, those that it meets would share its region.
    met = np.vstack([vectors, np.zeros(d)])[places]
    values = np.einsum("kac,kbc->kab", centres[places], met)
    ahead = np.einsum("kaa->ka", values)[..., None] - values
    is_vector = places < len(chosen)
    rivals = is_vector[:, None] & is_vector[..., None] & ~np.eye(d, dtype=bool)
    if ahead[rivals].min() <= tol / 100:
        return None
    touches = np.zeros((len(weights), len(vectors) + 1), dtype=bool)
    touches[np.arange(len(weights))[:, None], places] = True
    return Envelope(vectors, weights, touches[:, :-1].copy())


def large_envelope(points, tol):
    """Return the envelope of points of which many are best somewhere; `tol` in their unit."""
    simple = simple_envelope(points, tol)
    if simple is not None:
        return simple
    weights, touching = corners_above(points)
    vectors = points[touching]
    vectors = vectors[lexicographic(vectors)]
    touches = _touches(weights, vectors, tol)
    # A vector that only touches the envelope has no advantage in the middle of where it does.
    shares = touches.astype(float)
    with np.errstate(invalid="ignore"):
        centres = shares.T @ weights / shares.sum(axis=0)[:, None]
    keep = lasting(vectors, centres, tol / 100)
    if not keep.all():
        vectors = vectors[keep]
        touches = _touches(weights, vectors, tol)
    return Envelope(vectors, weights, touches)


def _touches(weights, vectors, tol):
    values = weights @ vectors.T
    return values >= values.max(axis=1, keepdims=True) - 10 * tol


def upper_envelope(points, *, tol=1e-12):
    """Keep the vectors that are best for some nonnegative weights: the upper right of their hull.

    Parameters
    ----------
    points : array-like of shape (n, d)
    tol : float
        A vector that is nowhere better than the others by more than this, times the largest
        magnitude, is left out.

    Returns
    -------
    Envelope

    Raises
    ------
    ValueError
        If there is no point, or one is not finite.

    Notes
    -----
    Other sets of preferences are sums ``G.T @ u`` of *their* extreme preferences, the rows of G,
    with nonnegative u: give ``points @ G.T`` instead.

    Up to 64 vectors are found by asking for the best one at corner after corner, which hardly
    looks at the others; where there are more, Qhull intersects the half-spaces above all points.

    References
    ----------
    L. Barrett and S. Narayanan. Learning All Optimal Policies with Multiple Criteria. ICML 2008,
    Sections 3.2 and 5.1.

    Examples
    --------
    >>> from icml2008.methods import upper_envelope
    >>> points = [[0.0, 3.0], [2.0, 2.0], [3.0, 0.0], [1.0, 2.0]]  # the last is never the best
    >>> upper_envelope(points).vectors.tolist()
    [[0.0, 3.0], [2.0, 2.0], [3.0, 0.0]]
    """
    points = np.array(points, dtype=float, order="C")
    if points.ndim != 2 or 0 in points.shape or not np.isfinite(points).all():
        msg = f"points need shape (n, d) and finite numbers; found shape {points.shape}"
        raise ValueError(msg)
    n, d = points.shape
    tol = tol * max(np.abs(points).max(), np.finfo(float).tiny)
    if surely_many(points):
        return large_envelope(points, tol)
    # Points are the actions of a state after which nothing comes.
    none = np.zeros(0, dtype=np.int64)
    model = np.zeros(n + 1, dtype=np.int64), none, np.zeros(0), points
    guesses = np.full((1, d), 1 / d)
    hull, *_, complete = hull_of_rows(
        0, n, model, np.zeros((0, d)), np.zeros(1, dtype=np.int64), guesses, tol, _FEW
    )
    if not complete:
        return large_envelope(points, tol)
    return envelope_of(hull[lexicographic(hull)], tol)
