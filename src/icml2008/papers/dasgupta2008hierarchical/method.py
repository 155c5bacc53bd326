"""Cluster trees, their best prunings, and the sampler that walks down them (Algorithm 1)."""

import numpy as np
from numba import njit
from scipy.cluster.hierarchy import linkage

from icml2008.papers.dasgupta2008hierarchical.wide import chain_of_squares, squares_of

# A split has to lower the score by more than rounding does; at a tie the cluster stays whole.
MARGIN = 1e-12
# Where points have so many columns, distances are held if they need no more bytes than this.
WIDE = 48
ROOM = 512e6
INTERVALS = {"plain": 0, "lemma": 1, "finite": 2}
RULES = {"lower": 0, "upper": 1, "naive": 2}


@njit(cache=True)
def _nearest(centres, sizes, tip, begin, end, best, least, near):
    """Return which of clusters begin, ..., end - 1 is nearer to the tip than `least`, and how near.

    Ward's distance is at least that to a single point; few pass this test, and only they need a
    division.
    """
    bound = (1 - 1e-12) * sizes[tip] / (1 + sizes[tip])
    for start in range(begin, end, len(near)):
        width = min(len(near), end - start)
        for k in range(len(centres)):
            here = centres[k, tip]
            row = centres[k, start : start + width]
            for j in range(width):
                near[j] = (near[j] if k else 0.0) + (row[j] - here) ** 2
        for j in range(width):
            if near[j] * bound < least and start + j != tip:
                size = sizes[start + j]
                far = near[j] * size * sizes[tip] / (size + sizes[tip])
                if far < least:
                    best = start + j
                    least = far
    return best, least


@njit(cache=True)
def _ward_chain(centres, sizes, ids, near, chain, children, heights):
    """Fill in children and heights; what else is given is worked on."""
    (d, n) = centres.shape
    length = 0
    m = len(ids)
    for merge in range(n - 1):
        if length == 0:
            chain[0] = 0
            length = 1
        while True:
            tip = chain[length - 1]
            came = chain[length - 2] if length > 1 else -1
            least = np.inf
            best = came
            # The one that it came from is first: at a tie it wins, else the chain could go round.
            for begin, end in ((max(came, 0), came + 1), (0, m)):
                best, least = _nearest(centres, sizes, tip, begin, end, best, least, near)
            if best == came:
                break
            chain[length] = best
            length += 1
        length -= 2
        keep = min(tip, best)
        gone = max(tip, best)
        children[merge, 0] = ids[keep]
        children[merge, 1] = ids[gone]
        heights[merge] = np.sqrt(2 * least)
        total = sizes[keep] + sizes[gone]
        m -= 1  # the last cluster takes the place of the one that is gone
        for k in range(d):
            both = sizes[keep] * centres[k, keep] + sizes[gone] * centres[k, gone]
            centres[k, keep] = both / total
            centres[k, gone] = centres[k, m]
        sizes[keep] = total
        ids[keep] = n + merge
        sizes[gone] = sizes[m]
        ids[gone] = ids[m]
        for i in range(length):
            if chain[i] == m:
                chain[i] = gone


def ward_tree(X, *, distances="auto"):
    """Return Ward's tree of points by a chain of nearest neighbours.

    Parameters
    ----------
    X : ndarray, shape (n, d)
    distances : {"auto", "anew", "held"}
        Whether each is computed anew from the centres, in memory O(n d), or all are computed by
        products of matrices and held, in memory 8 n^2 bytes. By default they are held where d is
        48 or more and that is at most 512 MB. The two differ by rounding.

    Returns
    -------
    children : ndarray of int, shape (n - 1, 2)
        Node n + i has these two; nodes below n are points, and children come before parents.
    heights : ndarray, shape (n - 1,)
        As SciPy has them, in the order of the merges (not sorted).

    Raises
    ------
    ValueError
        If X is no table of finite numbers, or squares of them overflow.

    References
    ----------
    S. Dasgupta and D. Hsu (2008), Hierarchical Sampling for Active Learning, ICML, has its trees
    from Ward's method.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ward_tree
    >>> children, heights = ward_tree(np.array([[0.0], [1.0], [10.0]]))
    >>> children.tolist(), heights.round(3).tolist()
    ([[0, 1], [3, 2]], [1.0, 10.97])
    """
    X = np.asarray(X, dtype=float)
    n = len(X) if X.ndim == 2 else 0
    if not n or not np.isfinite(4.0 * n * np.vdot(X, X)):
        msg = f"X must be a table of finite numbers, a row a point; found an array of {X.shape}"
        raise ValueError(msg)
    if distances not in ("auto", "anew", "held"):
        msg = f"distances is 'auto', 'anew' or 'held', found {distances!r}"
        raise ValueError(msg)
    if distances == "auto":
        distances = "held" if X.shape[1] >= WIDE and 8 * n * n <= ROOM else "anew"
    children = np.empty((n - 1, 2), np.int64)
    heights = np.empty(n - 1)
    chain = np.empty(n, np.int64)
    state = np.ones(n), np.arange(n)
    if distances == "held":
        chain_of_squares(squares_of(X), *state, chain, children, heights)
    else:
        centres = np.array(X.T, order="C")
        _ward_chain(centres, *state, np.empty(512), chain, children, heights)
    return children, heights


def linkage_tree(squares, method="ward"):
    """Return the children of SciPy's tree from squared distances, (n, n), by a linkage."""
    rows = np.triu_indices(len(squares), 1)
    return linkage(np.sqrt(np.maximum(squares[rows], 0)), method)[:, :2].astype(np.int64)


@njit(cache=True)
def _prune(children, counts, sizes, best):
    """Fill in `best`, (n_nodes, k_max + 1), infinite at first: errors of the best prunings."""
    n = len(children) + 1
    k_max = best.shape[1] - 1
    for v in range(len(best)):
        if v >= n:
            a, b = children[v - n]
            for label in range(counts.shape[1]):
                counts[v, label] = counts[a, label] + counts[b, label]
            for i in range(1, min(sizes[a], k_max) + 1):
                for j in range(1, min(sizes[b], k_max - i) + 1):
                    best[v, i + j] = min(best[v, i + j], best[a, i] + best[b, j])
        best[v, 1] = sizes[v]
        for count in counts[v]:
            best[v, 1] = min(best[v, 1], sizes[v] - count)


def best_prunings(children, labels, k_max):
    """Return the error of the best pruning of k = 1, ..., k_max nodes, (k_max,), by majorities.

    Section 3.1's error of a pruning, least over all prunings of a size by dynamic programming:
    the best k nodes below a node are the best i below one child and k - i below the other.
    """
    n = len(labels)
    n_nodes = 2 * len(children) + 1
    counts = np.zeros((n_nodes, labels.max() + 1), np.int64)
    best = np.full((n_nodes, k_max + 1), np.inf)
    counts[np.arange(n), labels] = 1
    _prune(children, counts, shape_of(children)[0], best)
    return best[-1, 1:] / n


@njit(cache=True)
def _bounds(p, seen, size, interval, log_term):
    if seen == 0:
        return 0.0, 1.0
    if interval == 0:  # Section 3.1
        width = 1 / seen + np.sqrt(p * (1 - p) / seen)
    elif interval == 2:  # of distinct points some are known, and fewer are to be guessed
        rest = max(1 - seen / size, 0.0)
        width = rest / seen + np.sqrt(rest * p * (1 - p) / seen)
        known = min(seen / size, 1.0)
        return max(p - width, p * known), min(p + width, 1 - (1 - p) * known)
    else:  # Lemma 1
        width = 5 / seen * log_term + np.sqrt(4.5 * p * (1 - p) / seen * log_term)
    return max(p - width, 0.0), min(p + width, 1.0)


@njit(cache=True)
def _total(counts, v):
    total = 0
    for label in range(counts.shape[1]):
        total += counts[v, label]
    return total


@njit(cache=True)
def _pick(u, where, members, m, label, counts, left, sizes, depth, rule, interval, log_t):
    for attempt in range(2):  # where all weights vanish, as at the start of rule 2, by size
        total = 0.0
        for i in range(m):
            v = members[i]
            seen = _total(counts, v)
            weight = 1.0
            if attempt == 0 and rule < 2:
                p = counts[v, label[v]] / max(seen, 1)
                low, high = _bounds(p, seen, sizes[v], interval, log_t + 2 * np.log(depth[v]))
                weight = 1 - (low if rule == 0 else high)
            total += weight * sizes[v] if left[v] else 0.0
            where[i] = total
        if total > 0:
            break
    for i in range(m - 1):
        if where[i] > u * total:
            return i
    return m - 1


@njit(cache=True)
def _point(rng, v, children, n, left):
    while v >= n:
        a, b = children[v - n]
        v = a if rng.random() * left[v] < left[a] else b
    return v


@njit(cache=True)
def _refresh(v, children, n, sizes, depth, counts, allowed, score, split, best, beta, how, log_t):
    seen = _total(counts, v)
    k = counts.shape[1]
    label = -1
    own = 1.0
    high1 = -1.0
    high2 = -1.0
    lows = np.empty(k)
    highs = np.empty(k)
    for i in range(k):
        lows[i], highs[i] = _bounds(
            counts[v, i] / seen, seen, sizes[v], how, log_t + 2 * np.log(depth[v])
        )
        if highs[i] > high1:
            high2 = high1
            high1 = highs[i]
        elif highs[i] > high2:
            high2 = highs[i]
    for i in range(k):
        # The largest upper bound among the other labels.
        other = high2 if highs[i] == high1 else high1
        if 1 - lows[i] < beta * (1 - other):
            allowed[v, i] = True
        if allowed[v, i] and (label < 0 or counts[v, i] > counts[v, label]):
            label = i
            own = 1 - counts[v, i] / seen
    best[v] = label
    score[v] = own
    split[v] = False
    if v >= n and label >= 0:
        a, b = children[v - n]
        through = (sizes[a] * score[a] + sizes[b] * score[b]) / sizes[v]
        # By more than rounding: of equals a cluster stays whole.
        if through < own - MARGIN:
            score[v] = through
            split[v] = True


@njit(cache=True)
def _descend(at, members, m, label, children, n, split, best):
    """Replace member `at` by its best admissible pruning; return the number of members."""
    stack = np.empty(4 * len(children) + 4, np.int64)
    top = 1
    stack[0] = members[at]
    free = at
    while top:
        top -= 1
        v = stack[top]
        if best[v] >= 0:
            label[v] = best[v]
        if split[v]:
            for child in children[v - n]:
                label[child] = label[v]  # until it has an admissible label of its own
                stack[top] = child
                top += 1
        else:
            members[free] = v
            if free != at:
                m += 1
            free = m
    return m


class ClusterSampler:
    """Cluster-adaptive active learning (Algorithm 1), one query at a time.

    Parameters
    ----------
    children : ndarray of int, shape (n - 1, 2)
        The tree: node n + i has children[i], which come before it.
    n_classes : int
    rng : numpy.random.Generator
    beta : float
        How much worse an admissible label may be than any other (Equation 1).
    select : {"lower", "upper", "naive"}
        A cluster is chosen in proportion to its weight times one minus the lower bound of its
        label's share (Section 3.4), the upper bound (rule 2 as printed), or to its weight.
    interval : {"plain", "lemma", "finite"}
        1/n + sqrt(p (1 - p) / n) of Section 3.1, or Lemma 1's; depths there count from 1, since
        the root's printed depth of 0 would be divided by; or the plain one with 1/n times the
        share of points not drawn, for draws without replacement.
    replace : bool
        Whether a point can be drawn, and paid for, again.
    batch : int
        Queries between two updates of the pruning, B.
    delta : float
        Of Lemma 1.

    Attributes
    ----------
    members : ndarray of int
        Nodes of the current pruning.
    labels_ : ndarray of int, shape (n,)
        Every point's label: that of its cluster.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    References
    ----------
    S. Dasgupta and D. Hsu (2008), Hierarchical Sampling for Active Learning, ICML.

    Examples
    --------
    Two clusters; a dozen queries label all points.

    >>> import numpy as np
    >>> from icml2008.methods import ClusterSampler, ward_tree
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> X = rng.normal(size=(100, 2)) + 10 * y[:, None]
    >>> sampler = ClusterSampler(ward_tree(X)[0], 2, rng)
    >>> for _ in range(12):
    ...     sampler.tell(y[sampler.ask()])
    >>> bool(np.array_equal(sampler.labels_, y))
    True
    """

    def __init__(
        self, children, n_classes, rng, *, beta=2.0, select="lower", interval="plain",
        replace=True, batch=1, delta=0.05,
    ):  # fmt: skip
        if beta <= 1 or batch < 1:
            msg = f"beta must exceed 1 and batch be positive, not {beta} and {batch}"
            raise ValueError(msg)
        for name, given, known in (("select", select, RULES), ("interval", interval, INTERVALS)):
            if given not in known:
                msg = f"{name} must be one of {', '.join(known)}, not {given!r}"
                raise ValueError(msg)
        self.n = len(children) + 1
        self.rng = rng
        self.beta = beta
        self.delta = delta
        self.children = np.ascontiguousarray(children, dtype=np.int64)
        self.rule = RULES[select]
        self.how = INTERVALS[interval]
        self.replace = replace
        self.batch = batch
        n_nodes = 2 * self.n - 1
        self.sizes, self.depth, self.parent = shape_of(self.children)
        self.left = self.sizes.copy()
        self.counts = np.zeros((n_nodes, n_classes), np.int64)
        self.allowed = np.zeros((n_nodes, n_classes), bool)
        self.score = np.ones(n_nodes)
        self.split = np.zeros(n_nodes, bool)
        self.best = np.full(n_nodes, -1)
        self.label = np.zeros(n_nodes, np.int64)
        self._members = np.full(self.n + 1, n_nodes - 1)
        self.m = 1
        self._sums = np.empty(self.n + 1)
        self.time = 1
        self.pending = []

    @property
    def log_term(self):
        """Log of 1 / delta' at depth 1."""
        return np.log(self.counts.shape[1] * self.batch * self.time**2 / self.delta)

    @property
    def members(self):
        return self._members[: self.m]

    def ask(self):
        """Return the point whose label is wanted next."""
        at = _pick(
            self.rng.random(), self._sums, self._members, self.m, self.label, self.counts,
            self.left, self.sizes, self.depth, self.rule, self.how, self.log_term,
        )  # fmt: skip
        node = self._members[at]
        self.asked = (_point(self.rng, node, self.children, self.n, self.left), node, at)
        return self.asked[0]

    def tell(self, label):
        """Take the label of the point that was asked for."""
        point, node, _ = self.asked
        _count(point, node, label, self.parent, self.counts, self.left, self.replace)
        self.pending.append(self.asked)
        if len(self.pending) == self.batch:
            for point, node, _ in self.pending:
                _climb(
                    point, node, self.parent, self.children, self.n, self.sizes, self.depth,
                    self.counts, self.allowed, self.score, self.split, self.best, self.beta,
                    self.how, self.log_term,
                )  # fmt: skip
            for _, node, at in self.pending:
                if self._members[at] == node:
                    self.m = _descend(
                        at, self._members, self.m, self.label, self.children, self.n, self.split,
                        self.best,
                    )  # fmt: skip
            self.pending = []
            self.time += 1

    @property
    def labels_(self):
        labels = np.full(2 * self.n - 1, -1)
        _spread(self.members, self.label, self.children, labels)
        return labels[: self.n]


def shape_of(children):
    """Return sizes, depths (the root's is 1) and parents (the root's is -1) of the nodes."""
    n_nodes = 2 * len(children) + 1
    sizes = np.ones(n_nodes, np.int64)
    depth = np.ones(n_nodes, np.int64)
    parent = np.full(n_nodes, -1)
    _measure(children, sizes, depth, parent)
    return sizes, depth, parent


@njit(cache=True)
def _measure(children, sizes, depth, parent):
    n = len(children) + 1
    for v in range(n, 2 * n - 1):
        sizes[v] = sizes[children[v - n, 0]] + sizes[children[v - n, 1]]
    for v in range(2 * n - 2, n - 1, -1):
        for child in children[v - n]:
            depth[child] = depth[v] + 1
            parent[child] = v


@njit(cache=True)
def _count(point, node, label, parent, counts, left, replace):
    v = point
    while True:
        counts[v, label] += 1
        if v == node:
            break
        v = parent[v]
    while not replace and point >= 0:
        left[point] -= 1
        point = parent[point]


@njit(cache=True)
def _climb(
    v, node, parent, children, n, sizes, depth, counts, allowed, score, split, best, beta,
    how, log_t,
):  # fmt: skip
    while True:
        _refresh(
            v, children, n, sizes, depth, counts, allowed, score, split, best, beta, how, log_t
        )
        if v == node:
            return
        v = parent[v]


@njit(cache=True)
def _spread(members, label, children, labels):
    n = len(children) + 1
    for v in members:
        labels[v] = label[v]
    for v in range(2 * n - 2, n - 1, -1):
        if labels[v] >= 0:
            for child in children[v - n]:
                labels[child] = labels[v]
