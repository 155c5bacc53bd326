"""Learning which cost matrix to partition the simplex of class probabilities by.

A row of probabilities p is assigned to the class i of least a_i . p, with a partition matrix a in
place of the cost matrix c; a is learned so that assignments cost least by c on rows whose
probabilities came from models that had not seen them.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

FAMILIES = ("parallel", "weights", "sequential", "before", "rows", "columns", "free")
# Multiples of a column that are tried: there a row may change its class more than once.
MULTIPLES = 10.0 ** np.linspace(-3, 3, 61)
# Shifts end as far inside of their limits, since on these two classes would cost the same.
INSIDE = 1 - 1e-6


def assign(probabilities, partition):
    """Return the class of least expected cost of each row, O'Brien et al. (2008), Equation 1."""
    return np.argmin(probabilities @ partition.T, axis=1)


def middle_of(low, high, middle="geometric"):
    """Return the geometric or arithmetic mean of two numbers of one sign."""
    if middle == "arithmetic":
        return (low + high) / 2
    return np.sign(low + high) * np.sqrt(np.abs(low)) * np.sqrt(np.abs(high))


def best_value(points, below, above, start, limits, *, middle, ties, rounding=0.0):
    """Return the value of a parameter by which rows cost least, Equation 14.

    Parameters
    ----------
    points : ndarray, shape (n_rows,)
        Where a row changes its class.
    below, above : ndarray, shape (n_rows,)
        What a row costs while the parameter is below its point, and above.
    start : float
        Kept if it lies in the best interval.
    limits : tuple of float
        Smallest and largest value that is allowed.
    middle : {"geometric", "arithmetic"}
        Which mean of its ends stands for an interval.
    ties : {"first", "least"}
        Whether of equally good intervals the lowest is taken, or the one nearest to `start`.
    rounding : float
        Points that are no further apart are one, beside those alike to twelve digits.
    """
    order = np.argsort(points, kind="stable")
    points = points[order]
    totals = np.append(0.0, np.cumsum((above - below)[order])) + below.sum()
    lows = np.append(-np.inf, points)
    highs = np.append(points, np.inf)
    slack = np.append(0.0, np.maximum(rounding, 1e-12 * np.abs(points)))
    with np.errstate(invalid="ignore"):
        apart = highs - lows > np.where(np.isfinite(slack), slack, 0.0)
    least = totals[apart].min()
    best = np.flatnonzero(apart & (totals <= least + 1e-9 * max(1.0, abs(least))))
    place = best[0]
    if ties == "least":
        place = best[np.argmin(np.maximum(lows[best] - start, start - highs[best]))]
    low = lows[place]
    high = highs[place]
    if low < start < high:
        return start
    if not np.isfinite(low):
        return limits[0] if high > limits[0] else float(np.clip(high, *limits))
    if not np.isfinite(high):
        return max(limits[1], limits[0])
    return float(np.clip(middle_of(low, high, middle), *limits))


def learn_partition(
    probabilities,
    y,
    costs,
    family="parallel",
    *,
    order=None,
    passes=1,
    middle="geometric",
    ties="first",
    shifts=None,
):
    """Return the partition matrix by which rows are assigned at the least cost, greedily.

    Each parameter is set once a pass to its best value, the others being as they are.

    Parameters
    ----------
    probabilities : ndarray, shape (n_rows, n_classes)
        Of rows that the models behind them have not seen.
    y : ndarray of int, shape (n_rows,)
    costs : ndarray, shape (n_classes, n_classes)
        ``costs[i, j]`` is the cost of assigning class i to a row of class j; the diagonal is 0.
    family : str
        "parallel" moves boundaries of `costs` in parallel, a_ij = c_ij + s_i - s_j (Section 5).
        "weights" multiplies columns of the 0/1 matrix, which is the method of Lachiche and Flach
        (Equations 4 and 5); "sequential" sets each weight against the classes before it alone, by
        rows of these, and "before" by all rows.
        "rows" and "columns" multiply those of `costs`, "free" sets each entry.
    order : sequence of int, optional
        In which classes take turns; the most frequent first by default.
    passes : int
    middle, ties : str
        As in `best_value`.
    shifts : ndarray, optional
        From which "parallel" starts; none by default.

    Returns
    -------
    ndarray, shape (n_classes, n_classes)
    """
    n_classes = len(costs)
    if order is None:
        order = np.argsort(-np.bincount(y, minlength=n_classes), kind="stable")
    search = _SEARCHES[family]
    how = {"order": list(order), "passes": passes, "middle": middle, "ties": ties}
    if family == "parallel":
        how["shifts"] = np.zeros(n_classes) if shifts is None else shifts.astype(float)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return search(probabilities, y, costs, **how)


def _rivals(scores, i):
    """Return the class with the least score beside class i, and that score."""
    others = scores.copy()
    others[:, i] = np.inf
    rival = np.argmin(others, axis=1)
    return rival, others[np.arange(len(others)), rival]


def _limits_of(points):
    """Return limits of a factor: half the smallest point, and twice the largest."""
    finite = points[np.isfinite(points) & (points > 0)]
    return (finite.min() / 2, finite.max() * 2) if len(finite) else (1.0, 1.0)


def _parallel(probabilities, y, costs, *, order, passes, shifts, **how):
    risks = probabilities @ costs.T
    off = ~np.eye(len(costs), dtype=bool)
    for i in order * passes:
        rival, least = _rivals(risks + shifts, i)
        points = least - risks[:, i] - shifts[i]
        partition = costs + shifts[:, None] - shifts
        limits = (-INSIDE * partition[i][off[i]].min(), INSIDE * partition[:, i][off[i]].min())
        shifts[i] += best_value(
            points, costs[i, y], costs[rival, y], 0.0, limits, rounding=1e-12 * costs.max(), **how
        )
    return costs + shifts[:, None] - shifts


def _weights(probabilities, y, costs, *, order, passes, **how):
    weights = np.ones(len(costs))
    for i in order * passes:
        weights[i] = _weight(probabilities * weights, probabilities, y, costs, i, weights[i], how)
    return weights * (1 - np.eye(len(costs)))


def _sequential(probabilities, y, costs, *, order, passes, every=False, **how):
    weights = np.zeros(len(costs))
    weights[order[0]] = 1.0
    for number, i in enumerate(order[1:], start=2):
        rows = np.isin(y, order if every else order[:number])
        among = probabilities[rows]
        weights[i] = _weight(among * weights, among, y[rows], costs, i, 1.0, how)
    return weights * (1 - np.eye(len(costs)))


def _before(probabilities, y, costs, **how):
    return _sequential(probabilities, y, costs, every=True, **how)


def _weight(scores, probabilities, y, costs, i, start, how):
    rival, best = _rivals(-scores, i)
    points = np.nan_to_num(-best / probabilities[:, i], nan=np.inf, posinf=np.inf)
    return best_value(points, costs[rival, y], costs[i, y], start, _limits_of(points), **how)


def _rows(probabilities, y, costs, *, order, passes, **how):
    risks = probabilities @ costs.T
    factors = np.ones(len(costs))
    for i in order * passes:
        rival, least = _rivals(risks * factors, i)
        points = np.nan_to_num(least / risks[:, i], nan=np.inf, posinf=np.inf)
        limits = _limits_of(points)
        factors[i] = best_value(points, costs[i, y], costs[rival, y], factors[i], limits, **how)
    return costs * factors[:, None]


def _columns(probabilities, y, costs, *, order, passes, **how):
    partition = costs.copy()
    tries = MULTIPLES[np.argsort(np.abs(np.log(MULTIPLES)), kind="stable")]
    for j in order * passes:
        risks = probabilities @ partition.T
        part = probabilities[:, [j]] * partition[:, j]
        totals = [costs[np.argmin(risks + (t - 1) * part, axis=1), y].sum() for t in tries]
        # Rounding decides nothing: the multiple next to 1 is taken of those that cost the same.
        partition[:, j] *= tries[np.argmax(np.array(totals) <= min(totals) * (1 + 1e-9))]
    return partition


def _free(probabilities, y, costs, *, order, passes, **how):
    partition = costs.copy()
    for i, j in [(i, j) for i in order for j in order if i != j] * passes:
        risks = probabilities @ partition.T
        rival, least = _rivals(risks, i)
        entry = partition[i, j]
        points = entry + (least - risks[:, i]) / probabilities[:, j]
        points = np.nan_to_num(points, nan=np.inf, posinf=np.inf, neginf=-np.inf)
        limits = ((1 - INSIDE) * costs.max(), _limits_of(points)[1])
        partition[i, j] = best_value(points, costs[i, y], costs[rival, y], entry, limits, **how)
    return partition


_SEARCHES = dict(
    zip(FAMILIES, (_parallel, _weights, _sequential, _before, _rows, _columns, _free), strict=True)
)


def search_from_many(probabilities, y, costs, rng, starts=5, passes=2, **how):
    """Return the best of parallel partition matrices that are reached from random shifts."""
    least = costs[~np.eye(len(costs), dtype=bool)].min()
    begin = rng.uniform(-least / 2, least / 2, size=(starts, len(costs)))
    begin[0] = 0
    partitions = [
        learn_partition(probabilities, y, costs, passes=passes, shifts=row, **how) for row in begin
    ]
    totals = [costs[assign(probabilities, partition), y].sum() for partition in partitions]
    return partitions[int(np.argmin(totals))]


class PartitionMatrixClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose class probabilities are assigned by a learned partition matrix.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, optional
        Gaussian naive Bayes by default.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        The cost of an assignment to the class of the row if that of the column is true, in the
        order of ``classes_``; less on the diagonal than elsewhere in a column. 0 and 1 by default.
    family : str
        Which matrices are searched: "parallel" as proposed, "weights" as by Lachiche and Flach, or
        another of `learn_partition`.
    passes : int
        How often each parameter is set.
    cv : int or splitter
        Folds by which rows get their probabilities.

    Attributes
    ----------
    classes_ : ndarray
    estimator_ : classifier
        Fitted to all rows.
    partition_matrix_ : ndarray of shape (n_classes, n_classes)

    References
    ----------
    D. B. O'Brien, M. R. Gupta, R. M. Gray (2008). Cost-sensitive multi-class classification from
    probability estimates. ICML, Section 5.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = np.array([[0, 1, 1], [1, 0, 10], [1, 1, 0]])
    >>> model = PartitionMatrixClassifier(cost_matrix=costs).fit(X, y)
    >>> model.partition_matrix_.shape
    (3, 3)
    """

    def __init__(self, estimator=None, cost_matrix=None, family="parallel", passes=1, cv=9):
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.family = family
        self.passes = passes
        self.cv = cv

    def fit(self, X, y):
        """Learn the partition matrix from folds, and fit the estimator to all rows."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            msg = f"y holds one class, {self.classes_[0]!r}: two or more are needed"
            raise ValueError(msg)
        if self.family not in _SEARCHES:
            msg = f"family {self.family!r} is none of {', '.join(FAMILIES)}"
            raise ValueError(msg)
        costs = 1 - np.eye(n_classes)
        if self.cost_matrix is not None:
            costs = np.array(self.cost_matrix, dtype=float)
        if costs.shape != (n_classes, n_classes):
            msg = f"cost_matrix has shape {costs.shape}, and y {n_classes} classes"
            raise ValueError(msg)
        # Property 3: what is added to a column changes no assignment.
        costs = costs - np.diag(costs)
        if not np.all(costs[~np.eye(n_classes, dtype=bool)] > 0):
            msg = "cost_matrix: a correct assignment costs less than any other of its column"
            raise ValueError(msg)
        base = GaussianNB() if self.estimator is None else self.estimator
        cv = StratifiedKFold(self.cv) if isinstance(self.cv, int) else self.cv
        seen = cross_val_predict(clone(base), X, codes, cv=cv, method="predict_proba")
        self.partition_matrix_ = learn_partition(
            seen, codes, costs, self.family, passes=self.passes
        )
        self.estimator_ = clone(base).fit(X, codes)
        return self

    def predict_proba(self, X):
        """Return the estimator's class probabilities."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self.estimator_.predict_proba(X)

    def predict(self, X):
        """Return the class of least cost by the partition matrix."""
        probabilities = self.predict_proba(X)
        return self.classes_[assign(probabilities, self.partition_matrix_)]
