"""Linear classifiers that stand an adversary who deletes features (Dekel and Shamir, ICML 2008).

Feature j has a value v_j >= 0, and an adversary sets features of a total value of at most N to
zero, anew for each example. Everything but the ratio C / gamma is a matter of scale.
"""

from __future__ import annotations

from collections.abc import Iterator

import highspy
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.silent import SilentHighs

Array = NDArray[np.float64]

_MOST_BY_ROWS = 100  # features; with more, vertices of few rows are far from the optimum
_TOLERANCE = 1e-7


def kept_shares(
    contributions: Array, values: Array, limit: float, margin: float, *, whole: bool = False
) -> Array:
    """Return how much of each feature an adversary leaves who maximises the hinge loss.

    Parameters
    ----------
    contributions : ndarray of shape (n_examples, n_features)
        y_i w_j x_ij.
    values : ndarray of shape (n_features,)
    limit : float
        N, the total value that may be deleted.
    margin : float
        gamma / P, that each unit of value that is left has to contribute.
    whole : bool
        Whether features go whole or stay, which is the optimum if values are 0 or 1 and N is an
        integer. Otherwise the last one may go in part: the optimum of Equation 7.

    Returns
    -------
    ndarray of shape (n_examples, n_features)
        tau, in [0, 1].
    """
    gains = contributions - margin * values
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(gains > 0, gains / values, -np.inf)
    order = np.argsort(-density, axis=1, kind="stable")
    ordered = values[order]
    left = limit - (np.cumsum(ordered, axis=1) - ordered)
    with np.errstate(divide="ignore", invalid="ignore"):
        deleted = np.where(ordered > 0, np.clip(left / ordered, 0, 1), 1.0)
    if whole:
        deleted = np.floor(deleted)
    deleted[np.take_along_axis(gains, order, axis=1) <= 0] = 0
    kept = np.empty_like(deleted)
    np.put_along_axis(kept, order, 1 - deleted, axis=1)
    return kept


def solve_program(
    X: Array, y: Array, values: Array, limit: float, ratio: float
) -> tuple[Array, float, float]:
    """Return weights, intercept and value of Equation 4 with gamma = 1 and C = `ratio`.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_features)
    y : ndarray of shape (n_examples,)
        Signs.
    values : ndarray of shape (n_features,)
    limit : float
        N, less than the sum of values.
    ratio : float
        C / gamma.

    Raises
    ------
    FloatingPointError
        If the solver stops without an optimum.
    """
    active = np.flatnonzero((X != 0).any(axis=0))
    solve = _by_rows if len(active) <= _MOST_BY_ROWS else _as_printed
    solution, value = solve(X[:, active], y, values, values[active], limit, ratio)
    w = np.zeros(X.shape[1])
    w[active] = solution[: len(active)]
    return w, float(solution[len(active)]), value


def _new_solver(**options: str) -> SilentHighs:
    highs = SilentHighs()
    for option, setting in {"threads": 1, **options}.items():
        highs.setOptionValue(option, setting)
    return highs


def _run(highs: SilentHighs) -> tuple[Array, float]:
    if highs.run() == highspy.HighsStatus.kError:
        # the pool of threads may have been made by somebody else, with another number
        highs.setOptionValue("threads", 0)
        highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        msg = (
            f"the linear program ended with {highs.modelStatusToString(status)!r}; "
            "bring the features into [-1, 1]"
        )
        raise FloatingPointError(msg)
    return np.array(highs.getSolution().col_value), highs.getObjectiveValue()


def _bounds(n_weights: int, n_examples: int, n_more: int, ratio: float) -> tuple[Array, ...]:
    """Return costs, lower and upper bounds of weights, intercept, losses and more variables."""
    costs = np.zeros(n_weights + 1 + n_examples + n_more)
    costs[n_weights + 1 : n_weights + 1 + n_examples] = 1 / n_examples
    lower = np.zeros(len(costs))
    lower[:n_weights] = -ratio
    lower[n_weights] = -np.inf
    upper = np.full(len(costs), np.inf)
    upper[:n_weights] = ratio
    return costs, lower, upper


def _by_rows(
    X: Array, y: Array, all_values: Array, values: Array, limit: float, ratio: float
) -> tuple[Array, float]:
    """Solve Equation 4 by the rows of Equation 3, with parts of features, that are violated."""
    m, n = X.shape
    highs = _new_solver(presolve="off", solver="simplex")
    costs, lower, upper = _bounds(n, m, 0, ratio)
    no_index = np.zeros(0, np.int32)
    highs.addCols(len(costs), costs, lower, upper, 0, no_index, no_index, np.zeros(0))
    total = all_values.sum()
    margin = 1 / (total - limit)
    absent = total - values.sum()
    kept = np.ones((m, n))
    violated = np.arange(m)
    while len(violated):
        block = np.zeros((len(violated), len(costs)))
        block[:, :n] = y[violated, None] * X[violated] * kept[violated]
        block[:, n] = y[violated]
        block[np.arange(len(violated)), n + 1 + violated] = 1
        filled = block != 0
        starts = np.concatenate([[0], np.cumsum(filled.sum(axis=1))[:-1]]).astype(np.int32)
        columns = np.nonzero(filled)[1].astype(np.int32)
        least = margin * (absent + kept[violated] @ values)
        most = np.full(len(violated), np.inf)
        highs.addRows(len(violated), least, most, len(columns), starts, columns, block[filled])
        solution, value = _run(highs)
        contributions = y[:, None] * X * solution[:n]
        kept = kept_shares(contributions, values, limit, margin)
        hinge = np.sum(kept * (margin * values - contributions), axis=1)
        hinge += margin * absent - y * solution[n]
        violated = np.flatnonzero(hinge > solution[n + 1 :] + _TOLERANCE)
    return solution, value


def _as_printed(
    X: Array, y: Array, all_values: Array, values: Array, limit: float, ratio: float
) -> tuple[Array, float]:
    """Solve Equation 4 with a variable alpha for each entry that is not zero, by interior points.

    Where an entry is zero, alpha is v_j (lambda_i + gamma / P), which needs no variable.
    """
    m, n = X.shape
    example, feature = np.nonzero(X)
    entries = np.arange(len(example))
    left = all_values.sum() - limit
    worth = values[feature]
    absent = all_values.sum() - np.bincount(example, worth, m)
    costs, lower, upper = _bounds(n, m, m + len(entries), ratio)
    loss = n + 1
    price = loss + m
    alpha = price + m
    rows = [np.arange(m)] * 3 + [example] + [m + entries] * 3
    columns = [price + np.arange(m), np.full(m, n), loss + np.arange(m), alpha + entries]
    columns += [price + example, alpha + entries, feature]
    numbers = [absent - left, -y, np.full(m, -1.0), np.ones(len(entries))]
    numbers += [worth, np.full(len(entries), -1.0), -y[example] * X[example, feature]]
    matrix = csc_array(
        (np.concatenate(numbers), (np.concatenate(rows), np.concatenate(columns))),
        shape=(m + len(entries), len(costs)),
    )
    highs = _new_solver(solver="ipm", run_crossover="off")
    highs.passModel(
        len(costs),
        m + len(entries),
        matrix.nnz,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        costs,
        lower,
        upper,
        np.full(m + len(entries), -np.inf),
        np.concatenate([-absent / left, -worth / left]),
        matrix.indptr.astype(np.int32),
        matrix.indices.astype(np.int32),
        matrix.data,
        np.zeros(len(costs), np.int32),
    )
    return _run(highs)


def perceptron_path(
    X: Array, y: Array, values: Array, limit: float, ratios: ArrayLike, *, passes: int = 1
) -> Iterator[Array]:
    """Yield weights and intercepts of the projected perceptron before each example.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_features)
        In the order in which they are met.
    y : ndarray of shape (n_examples,)
        Signs.
    values, limit
        As in `solve_program`.
    ratios : array-like of shape (n_ratios,)
        C / gamma.
    passes : int

    Yields
    ------
    ndarray of shape (n_ratios, n_features + 1)
        The intercept last.
    """
    cube = np.asarray(ratios, dtype=float)[:, None]
    m, n = X.shape
    margin = 1 / (values.sum() - limit)
    rate = np.sqrt((n + 1) / (2 * m * passes)) * cube
    weights = np.zeros((len(cube), n + 1))
    kept = np.ones_like(weights)
    inputs = np.hstack([X, np.ones((m, 1))])
    for x, label in zip(np.tile(inputs, (passes, 1)), np.tile(y, passes), strict=True):
        yield weights
        contributions = label * weights * x
        kept[:, :n] = kept_shares(contributions[:, :n], values, limit, margin, whole=True)
        hinge = margin * kept[:, :n] @ values - np.sum(kept * contributions, axis=1)
        step = np.where(hinge[:, None] > 0, rate, 0) * label * kept * x
        weights = np.clip(weights + step, -cube, cube)


def average_perceptrons(
    X: Array, y: Array, values: Array, limit: float, ratios: ArrayLike, *, passes: int = 1
) -> tuple[Array, Array]:
    """Return average weights, (n_ratios, n_features), and intercepts of `perceptron_path`."""
    average = sum(perceptron_path(X, y, values, limit, ratios, passes=passes)) / (len(y) * passes)
    return average[:, :-1], average[:, -1]


class _DeletionClassifier(ClassifierMixin, BaseEstimator):
    """What both classifiers have: checked input, signs for two classes, a linear score."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> _DeletionClassifier:
        """Fit to features, (n_examples, n_features), best in [-1, 1], and labels of two classes."""
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_ = unique_labels(y)
        if len(self.classes_) != 2:
            msg = f"y has {len(self.classes_)} classes; {type(self).__name__} takes two"
            raise ValueError(msg)
        values = np.ones(X.shape[1]) if self.values is None else np.asarray(self.values, float)
        if values.shape != (X.shape[1],) or np.any(values < 0):
            msg = f"values: one of at least 0 for each of {X.shape[1]} features is needed"
            raise ValueError(msg)
        if not 0 <= self.N < values.sum():
            msg = f"N={self.N} is not between 0 and the sum of values, {values.sum():g}"
            raise ValueError(msg)
        if self.C <= 0:
            msg = f"C={self.C} is not positive"
            raise ValueError(msg)
        self.coef_, self.intercept_ = self._solve(
            X, np.where(y == self.classes_[1], 1.0, -1.0), values
        )
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Return scores, (n_examples,): positive for the second class; zeros are deleted."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return X @ self.coef_ + self.intercept_

    def predict(self, X: ArrayLike) -> NDArray:
        """Return classes, (n_examples,)."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class DeletionProgram(_DeletionClassifier):
    """The linear program of Equation 4.

    Parameters
    ----------
    N : float
        Total value of the features that may be missing from an example.
    C : float
        Largest weight, for a margin gamma of 1.
    values : array-like of shape (n_features,), optional
        What each feature is worth; 1 by default.
    chunk : int, optional
        Examples that are trained on at once, the weights of chunks being averaged; all by default.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    classes_ : ndarray of shape (2,)
    """

    def __init__(self, N=1, C=1.0, values=None, chunk=None):
        self.N = N
        self.C = C
        self.values = values
        self.chunk = chunk

    def _solve(self, X, y, values):
        chunks = 1 if self.chunk is None else max(1, round(len(y) / self.chunk))
        parts = np.array_split(np.arange(len(y)), chunks)
        solved = [solve_program(X[part], y[part], values, self.N, self.C) for part in parts]
        return (
            np.mean([w for w, _, _ in solved], axis=0),
            float(np.mean([b for _, b, _ in solved])),
        )


class DeletionPerceptron(_DeletionClassifier):
    """The perceptron on the cube whose average is the classifier (Section 3).

    Parameters
    ----------
    N, C, values
        As in `DeletionProgram`.
    passes : int
        Over the examples, in the order in which they are given.

    Attributes
    ----------
    coef_, intercept_, classes_
        As in `DeletionProgram`.
    """

    def __init__(self, N=1, C=1.0, values=None, passes=1):
        self.N = N
        self.C = C
        self.values = values
        self.passes = passes

    def _solve(self, X, y, values):
        weights, intercepts = average_perceptrons(
            X, y, values, self.N, [self.C], passes=self.passes
        )
        return weights[0], float(intercepts[0])
