"""Euclidean projections onto the simplex and the l1 ball: by filter, sort, pivot, and in a tree."""

from __future__ import annotations

from collections import namedtuple
from math import isfinite

import numba
import numpy as np

from icml2008.papers.duchi2008projections.filtered import filtered_projection, sum_and_most

METHODS = ("filter", "sort", "pivot")


def sorted_threshold(v, radius):
    """Return theta of Equation 5 for components (n,), by Lemma 2 on the sorted ones."""
    ordered = np.sort(v)[::-1]
    excess = np.cumsum(ordered) - radius
    count = np.arange(1, len(v) + 1)
    above = np.flatnonzero(ordered * count > excess)
    rho = above[-1] if len(above) else 0  # none is where the radius is lost to rounding
    return excess[rho] / count[rho]


@numba.njit(cache=True)
def pivot_threshold(v, radius, seed, printed):
    """Return theta, and how many elements of v, (n,), were compared with a pivot, by Figure 2.

    Elements that equal the pivot are dropped together; with `printed` one is, as there, which
    takes quadratic time where many are equal.
    """
    return _search(v.copy(), radius, seed, printed)


_COMPILED = hasattr(pivot_threshold, "py_func")


@numba.njit(cache=True)
def _search(current, radius, seed, printed):
    """Return what `pivot_threshold` does, and overwrite the components."""
    left = len(current)
    above = np.empty_like(current)
    below = np.empty_like(current)
    work = 0
    state = np.uint64(seed)
    s = 0.0
    rho = 0
    while left:
        # Knuth's linear congruential generator, of which the high bits choose: the pivots, and so
        # the count of work, follow from the seed alone.
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        pivot = current[np.int64((state >> np.uint64(33)) % np.uint64(left))]
        more = less = 0
        for i in range(left):  # without branches, which cannot be foreseen here
            x = current[i]
            above[more] = x
            below[less] = x
            more = more + (x > pivot)
            less = less + (x < pivot)
        ties = left - more - less
        partial = 0.0
        for i in range(more):
            partial += above[i]
        partial += ties * pivot
        work += left
        if (s + partial) - (rho + more + ties) * pivot < radius:
            s = s + partial
            rho = rho + more + ties
            current, below = below, current
            left = less
        else:
            if printed:
                above[more : more + ties - 1] = pivot
                more += ties - 1
            current, above = above, current
            left = more
    return (s - radius) / rho, work


@numba.njit(cache=True)
def _bounded_threshold(v, radius, seed, ball):
    """Return theta for v, (n,), or its absolute values: 0 inside the ball, NaN for a sum that is.

    What is below two lower bounds of theta, the largest component less the radius and the mean
    that all would leave, is dropped before the search.
    """
    n = len(v)
    total, most = sum_and_most(v, ball)
    if not np.isfinite(total):
        return np.nan
    if ball and total <= radius:
        return 0.0
    floor = min(max(most - radius, (total - radius) / n), most)
    kept = np.empty(n)
    left = 0
    for x in v:
        x = abs(x) if ball else x
        kept[left] = x
        left += x >= floor
    return _search(kept[:left], radius, seed, False)[0]


@numba.njit(cache=True)
def _shrunk(v, theta):
    """Return v, (n,), with each component moved towards zero by theta, at most to it."""
    w = np.empty_like(v)
    for i in range(len(v)):
        w[i] = max(v[i] - theta, 0.0) + min(v[i] + theta, 0.0)
    return w


def _projected(v, radius, method, random_state, ball):
    """Return the projection of v, (n,), on the simplex or the l1 ball."""
    v = np.ascontiguousarray(v, dtype=float)
    if v.ndim != 1 or not len(v):
        msg = "v must be a vector of finite numbers, with one at least"
        raise ValueError(msg)
    if not 0 < radius < np.inf:
        msg = f"radius must be positive and finite, not {radius}"
        raise ValueError(msg)
    if method not in METHODS:
        msg = f"method must be one of {', '.join(METHODS)}, not {method!r}"
        raise ValueError(msg)
    w = None
    if method == "filter" and _COMPILED:
        w, theta = filtered_projection(v, float(radius), ball)
    elif method == "pivot" and _COMPILED:
        theta = _bounded_threshold(v, float(radius), random_state, ball)
    else:  # NumPy's
        sizes = np.abs(v) if ball else v
        theta = 0.0 if ball and sizes.sum() <= radius else sorted_threshold(sizes, radius)
    if not isfinite(theta):
        msg = "v must be a vector of finite numbers with a finite sum"
        raise ValueError(msg)
    if w is None:
        w = _shrunk(v, theta) if ball else np.maximum(v - theta, 0.0)
    return w


def project_simplex(v, radius=1.0, *, method="filter", random_state=0):
    """Return the nearest point with components that are not negative and add up to the radius.

    Parameters
    ----------
    v : array-like of shape (n,)
    radius : float
        z of Equation 3, positive.
    method : {"filter", "sort", "pivot"}
        By a bound of the shift, from a sample and one look at all components, and what is above it;
        or the paper's Figure 1, O(n log n), or Figure 2, expected O(n). All are exact but for
        rounding. Without numba all are Figure 1.
    random_state : int
        Seed of the pivots, which changes the time and not the point.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        If v is no vector of finite numbers, the radius is not positive, or the method is unknown.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra (2008), Efficient Projections onto the
    l1-Ball for Learning in High Dimensions, ICML.

    Examples
    --------
    >>> from icml2008.methods import project_simplex
    >>> project_simplex([0.5, 1.5, -1.0], radius=1.0)
    array([0., 1., 0.])
    >>> project_simplex([0.75, 1.25, -1.0], radius=1.0)
    array([0.25, 0.75, 0.  ])
    """
    return _projected(v, radius, method, random_state, ball=False)


def project_l1_ball(v, radius=1.0, *, method="filter", random_state=0):
    """Return the nearest point of which the absolute components add up to at most the radius.

    Parameters, errors and result are those of `project_simplex`; the reduction is Section 4's.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra (2008), Efficient Projections onto the
    l1-Ball for Learning in High Dimensions, ICML.

    Examples
    --------
    >>> from icml2008.methods import project_l1_ball
    >>> project_l1_ball([0.75, -1.25, 0.25])
    array([ 0.25, -0.75,  0.  ])
    >>> project_l1_ball([0.25, -0.5])  # which is in it
    array([ 0.25, -0.5 ])
    """
    return _projected(v, radius, method, random_state, ball=True)


# The node of component i is i; -1 is no node, and the last entry of each array stands for it.
Tree = namedtuple("Tree", "key priority left right count total work")


@numba.njit(cache=True)
def _pull(tree, i):
    a = tree.left[i]
    b = tree.right[i]
    tree.count[i] = tree.count[a] + tree.count[b] + 1
    tree.total[i] = tree.total[a] + tree.total[b] + tree.key[i]


@numba.njit(cache=True)
def _split(tree, i, key, j):
    """Return the roots of the nodes of subtree i before (key, j) and of the others."""
    if i < 0:
        return -1, -1
    tree.work[0] += 1
    if tree.key[i] < key or (tree.key[i] == key and i < j):
        before, after = _split(tree, tree.right[i], key, j)
        tree.right[i] = before
        _pull(tree, i)
        return i, after
    before, after = _split(tree, tree.left[i], key, j)
    tree.left[i] = after
    _pull(tree, i)
    return before, i


@numba.njit(cache=True)
def _merge(tree, a, b):
    """Return the root of two subtrees, all nodes of a before those of b."""
    if a < 0:
        return b
    if b < 0:
        return a
    tree.work[0] += 1
    if tree.priority[a] > tree.priority[b]:
        tree.right[a] = _merge(tree, tree.right[a], b)
        _pull(tree, a)
        return a
    tree.left[b] = _merge(tree, a, tree.left[b])
    _pull(tree, b)
    return b


@numba.njit(cache=True)
def _insert(tree, i, j):
    """Return the root of subtree i with node j."""
    tree.work[0] += 1
    if i < 0 or tree.priority[j] > tree.priority[i]:
        tree.left[j], tree.right[j] = _split(tree, i, tree.key[j], j)
        i = j
    elif tree.key[i] < tree.key[j] or (tree.key[i] == tree.key[j] and i < j):
        tree.right[i] = _insert(tree, tree.right[i], j)
    else:
        tree.left[i] = _insert(tree, tree.left[i], j)
    _pull(tree, i)
    return i


@numba.njit(cache=True)
def _erase(tree, i, j):
    """Return the root of subtree i without node j, which is in it."""
    tree.work[0] += 1
    if i == j:
        return _merge(tree, tree.left[i], tree.right[i])
    if tree.key[i] < tree.key[j] or (tree.key[i] == tree.key[j] and i < j):
        tree.right[i] = _erase(tree, tree.right[i], j)
    else:
        tree.left[i] = _erase(tree, tree.left[i], j)
    _pull(tree, i)
    return i


@numba.njit(cache=True)
def _tree_threshold(tree, root, radius):
    """Return (s - z) / rho of Figure 3; of shifted keys, that is the new shift and no increment."""
    rho = 0
    s = 0.0
    i = root
    while i >= 0:
        tree.work[0] += 1
        count = rho + 1 + tree.count[tree.right[i]]
        total = s + tree.key[i] + tree.total[tree.right[i]]
        if total < tree.key[i] * count + radius:
            rho = count
            s = total
            i = tree.left[i]
        else:
            i = tree.right[i]
    return (s - radius) / rho


@numba.njit(cache=True)
def _add(tree, negative, root, shift, indices, values, radius):
    """Add values to components and project; return the new root and shift."""
    for at in range(len(indices)):
        j = indices[at]
        w = values[at]
        if tree.key[j] > shift:
            root = _erase(tree, root, j)
            w += shift - tree.key[j] if negative[j] else tree.key[j] - shift
        negative[j] = w < 0
        tree.key[j] = abs(w) + shift
        if tree.key[j] > shift:
            root = _insert(tree, root, j)
    if tree.total[root] - tree.count[root] * shift > radius:
        shift = _tree_threshold(tree, root, radius)
        root = _split(tree, root, shift, len(tree.key))[1]
    return root, shift


class SparseL1Ball:
    """A point of the l1 ball to which sparse vectors are added, each time projected (Section 6).

    Components that are not zero stand in a search tree by size, each with the sum and number of
    those below it, and all share a shift. A step of k components takes O(k log n) expected time.
    Where the paper has a red-black tree, this one is kept in balance by fixed random priorities (a
    treap), of which a split is six lines.

    Parameters
    ----------
    n_features : int
    radius : float
        Largest 1-norm.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra (2008), Efficient Projections onto the
    l1-Ball for Learning in High Dimensions, ICML, Section 6 and Figure 3.

    Examples
    --------
    >>> from icml2008.methods import SparseL1Ball
    >>> ball = SparseL1Ball(1_000_000, radius=1.0)
    >>> ball.add([3, 70_000], [0.75, -0.5]).weights([3, 70_000, 5]).tolist()
    [0.625, -0.375, 0.0]
    >>> ball.n_nonzero_
    2
    """

    def __init__(self, n_features, radius=1.0):
        if n_features < 1 or not 0 < radius < np.inf:
            msg = "n_features must be 1 or more, the radius positive and finite"
            raise ValueError(msg)
        self.n_features = int(n_features)
        self.radius = float(radius)
        self._reset()

    def _reset(self):
        n = self.n_features + 1
        mixed = np.arange(n, dtype=np.uint64)  # splitmix64 of the index
        for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(factor)
        links = [np.full(n, -1, dtype=np.int64) for _ in range(2)]
        sums = np.zeros(n, dtype=np.int64), np.zeros(n)
        work = np.zeros(1, dtype=np.int64)
        self._tree = Tree(np.zeros(n), mixed ^ (mixed >> np.uint64(31)), *links, *sums, work)
        self._negative = np.zeros(n, dtype=np.bool_)
        self._root = -1
        self._shift = 0.0

    @property
    def n_nonzero_(self):
        """Number of components that are not zero."""
        return int(self._tree.count[self._root])

    @property
    def work_(self):
        """Number of tree nodes visited so far."""
        return int(self._tree.work[0])

    def add(self, indices, values):
        """Add values, (k,), to the components of indices, (k,), project, and return self.

        Raises
        ------
        ValueError
            If lengths differ, an index is out of range or a value is not finite.
        """
        indices = np.ascontiguousarray(indices, dtype=np.int64)
        values = np.ascontiguousarray(values, dtype=float)
        if indices.shape != values.shape or indices.ndim != 1 or not np.isfinite(values).all():
            msg = "indices and values must be vectors of one length, values finite"
            raise ValueError(msg)
        if len(indices) and not 0 <= indices.min() <= indices.max() < self.n_features:
            msg = f"indices must be from 0 to {self.n_features - 1}"
            raise ValueError(msg)
        if self._shift > 64 * self.radius:  # or keys would lose digits to the shift
            kept = np.flatnonzero(self._tree.key[:-1] > self._shift)
            again = self.weights(kept)
            work = self.work_
            self._reset()
            self._tree.work[0] = work
            self.add(kept, again)
        at = self._root, self._shift
        self._root, self._shift = _add(
            self._tree, self._negative, *at, indices, values, self.radius
        )
        return self

    def weights(self, indices):
        """Return the components of indices, (k,)."""
        indices = np.asarray(indices, dtype=np.int64)
        sizes = np.maximum(self._tree.key[indices] - self._shift, 0.0)
        return np.where(self._negative[indices], -sizes, sizes)

    def to_array(self):
        """Return the point, (n_features,)."""
        return self.weights(np.arange(self.n_features))
