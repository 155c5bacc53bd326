"""Dual coordinate descent for linear support vector machines (Hsieh et al. 2008)."""

from __future__ import annotations

import warnings
from collections import deque
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.papers.hsieh2008dual.ahead import ask_for

LOSSES = ("hinge", "squared_hinge")
ORDERS = {"cyclic": 0, "permuted": 1, "random": 2}


class Iterate(NamedTuple):
    """Where an outer iteration ended; the arrays are overwritten by the next one."""

    w: np.ndarray
    """Normal of the hyperplane, (n_features,)."""
    alpha: np.ndarray
    """Dual variables, (n_rows,)."""
    work: int
    """Features touched so far: a row's for its gradient, and again where it changes w."""
    violation: float
    """max(M, 0) - min(m, 0) of (17), infinite where rows were left out."""


# How many rows ahead of the one that is visited memory is asked for the next ones.
AHEAD = 8


@njit(cache=True)
def _sweep(
    values, columns, starts, y, curvature, ridge, upper, alpha, w, active, shrink, order, rng
):
    """Run an outer iteration over `active`, whose front is overwritten by the rows that stay.

    Algorithms 1 (order 0), its permuted form (1) and 2 (2); `shrink` has the limits of (16).
    """
    largest = -np.inf
    smallest = np.inf
    kept = 0
    work = 0
    n = len(active)
    if order == 1:  # beforehand, so that the processor can look ahead to the next rows
        for step in range(n):
            other = step + int(rng.random() * (n - step))
            active[step], active[other] = active[other], active[step]
    for step in range(n):
        if order != 2:
            if step + 2 * AHEAD < n:
                i = active[step + 2 * AHEAD]
                ask_for(starts, i)
                ask_for(alpha, i)
                ask_for(y, i)
                ask_for(curvature, i)
            if step + AHEAD < n:
                begin = starts[active[step + AHEAD]]
                end = starts[active[step + AHEAD] + 1]
                for p in range(begin, end, 8):
                    ask_for(values, p)
                ask_for(values, end - 1)
                for p in range(begin, end, 16):
                    ask_for(columns, p)
                ask_for(columns, end - 1)
        i = active[step]
        if order == 2:
            i = active[int(rng.random() * n)]
        begin = starts[i]
        end = starts[i + 1]
        old = alpha[i]
        score = 0.0
        for p in range(begin, end):
            score += values[p] * w[columns[p]]
        work += end - begin
        gradient = y[i] * score - 1.0 + ridge * old
        projected = gradient
        if old == 0.0:
            if gradient > shrink[0]:
                continue
            projected = min(gradient, 0.0)
        elif old == upper:
            if gradient < shrink[1]:
                continue
            projected = max(gradient, 0.0)
        if order != 2:
            active[kept] = i
            kept += 1
        largest = max(largest, projected)
        smallest = min(smallest, projected)
        if projected != 0.0:
            new = upper if curvature[i] == 0.0 else old - gradient / curvature[i]
            new = min(max(new, 0.0), upper)
            if new != old:
                alpha[i] = new
                change = (new - old) * y[i]
                for p in range(begin, end):
                    w[columns[p]] += change * values[p]
                work += end - begin
    return largest, smallest, kept, work


def outer_iterations(
    X,
    y,
    C=1.0,
    loss="hinge",
    *,
    order="permuted",
    shrinking=False,
    tol=0.0,
    aggressive=1.0,
    rng=None,
):
    """Yield the iterates of dual coordinate descent from alpha = 0, until (17) holds.

    Parameters
    ----------
    X : csr_array, shape (n_rows, n_features)
    y : ndarray of -1.0 and 1.0, shape (n_rows,)
    C : float
    loss : {"hinge", "squared_hinge"}
        Of (2): L1-SVM or L2-SVM.
    order : {"cyclic", "permuted", "random"}
        Algorithm 1, its form of Section 3.1, or Algorithm 2.
    shrinking : bool
        Section 3.2; not with order "random".
    tol : float
        Of (17), for all rows and for those that are left.
    aggressive : float
        Factor of the limits in (16), at most 1.
    rng : numpy.random.Generator

    Yields
    ------
    Iterate
    """
    n = X.shape[0]
    rng = np.random.default_rng(0) if rng is None else rng
    upper, ridge = (C, 0.0) if loss == "hinge" else (np.inf, 0.5 / C)
    curvature = X.multiply(X).sum(axis=1) + ridge
    # Indices without sign spare the kernel a test for negative ones.
    rows = X.data.astype(float, copy=False), X.indices.astype(np.uint32), X.indptr.astype(np.int64)
    alpha = np.zeros(n)
    w = np.zeros(X.shape[1])
    work = 0
    active = np.arange(n)
    never = (np.inf, -np.inf)
    shrink = never
    while True:
        whole = len(active) == n
        largest, smallest, kept, touched = _sweep(
            *rows, y, curvature, ridge, upper, alpha, w, active, shrink, ORDERS[order], rng
        )
        work += touched
        # (17) with M and m taken to 0: all gradients may be near -1, and M - m near 0.
        violation = max(largest, 0.0) - min(smallest, 0.0)
        done = violation < tol
        yield Iterate(w, alpha, work, violation if whole else np.inf)
        if done and whole:
            return
        if not shrinking:
            if order != "random":
                continue
        elif done:
            active = np.arange(n)
            shrink = never
        else:
            active = active[:kept]
            shrink = (
                aggressive * largest if largest > 0 else np.inf,
                aggressive * smallest if smallest < 0 else -np.inf,
            )


def last(iterations):
    """Return the last of some iterations."""
    (end,) = deque(iterations, maxlen=1)
    return end


def primal(X, y, w, C, loss):
    """Return the objective (1) of w."""
    excess = np.maximum(1.0 - y * (X @ w), 0.0)
    return 0.5 * (w @ w) + C * np.sum(excess if loss == "hinge" else excess**2)


def dual(alpha, w, C, loss):
    """Return the objective f(alpha) of (4), w being that of (11)."""
    ridge = 0.0 if loss == "hinge" else 0.5 / C
    return 0.5 * (w @ w) + 0.5 * ridge * (alpha @ alpha) - np.sum(alpha)


class DualCoordinateDescentSVC(ClassifierMixin, BaseEstimator):
    """Linear support vector classifier for two classes, by dual coordinate descent.

    One dual variable at a time is set to its optimum (9) while w is kept (13), so that a step reads
    one row. There is no bias; a column of ones makes one (3).

    Parameters
    ----------
    C : float, default=1.0
        Weight of the sum of losses in (1).
    loss : {"hinge", "squared_hinge"}, default="squared_hinge"
        L1-SVM or L2-SVM.
    shrinking : bool, default=True
        Leave out variables that stay at a bound (16).
    permute : bool, default=True
        Visit the variables of each outer iteration in a new random order (Section 3.1).
    tol : float, default=0.01
        The largest and the least projected gradient of an outer iteration differ by less (17).
    max_iter : int, default=1000
        Largest number of outer iterations.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    coef_ : ndarray, shape (1, n_features)
    dual_coef_ : ndarray, shape (n_rows,)
        Dual variables, from 0 to C, or to infinity for "squared_hinge".
    n_iter_ : int
        Outer iterations.
    work_ : int
        Features touched.

    References
    ----------
    C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan (2008), A Dual Coordinate
    Descent Method for Large-scale Linear SVM, ICML; the numbers of equations are this paper's.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import DualCoordinateDescentSVC
    >>> X = np.array([[0.0, 2.0, 1.0], [1.0, 2.0, 1.0], [1.0, 0.0, 1.0], [2.0, 1.0, 1.0]])
    >>> y = ["up", "up", "down", "down"]  # the last column makes a bias
    >>> model = DualCoordinateDescentSVC(C=10.0, random_state=0).fit(X, y)
    >>> model.predict([[0.5, 3.0, 1.0], [3.0, 0.0, 1.0]]).tolist()
    ['up', 'down']
    """

    def __init__(
        self,
        C=1.0,
        *,
        loss="squared_hinge",
        shrinking=True,
        permute=True,
        tol=0.01,
        max_iter=1000,
        random_state=None,
    ):
        self.C = C
        self.loss = loss
        self.shrinking = shrinking
        self.permute = permute
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y):
        """Fit to rows of two classes.

        Parameters
        ----------
        X : array_like or sparse, shape (n_rows, n_features)
        y : array_like, shape (n_rows,)

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there are not two classes, or a parameter is out of its range.
        """
        for name in ("C", "tol", "max_iter"):
            if not getattr(self, name) > 0:
                msg = f"{name} is above 0, found {getattr(self, name)!r}"
                raise ValueError(msg)
        if self.loss not in LOSSES:
            msg = f"loss is 'hinge' or 'squared_hinge', found {self.loss!r}"
            raise ValueError(msg)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=float)
        check_classification_targets(y)
        self.classes_, signs = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            msg = f"Only binary classification is supported; found {len(self.classes_)} class(es)"
            raise ValueError(msg)
        seed = check_random_state(self.random_state).randint(2**31)
        steps = outer_iterations(
            csr_array(X),
            2.0 * signs - 1.0,
            self.C,
            self.loss,
            order="permuted" if self.permute else "cyclic",
            shrinking=self.shrinking,
            tol=self.tol,
            rng=np.random.default_rng(seed),
        )
        for count, state in enumerate(steps, start=1):  # noqa: B007
            if count == self.max_iter:
                break
        if not state.violation < self.tol:
            msg = f"M - m is {state.violation:.3g} after {count} outer iterations"
            warnings.warn(msg, ConvergenceWarning, stacklevel=2)
        self.coef_ = state.w[None]
        self.dual_coef_ = state.alpha
        self.n_iter_ = count
        self.work_ = state.work
        return self

    def decision_function(self, X):
        """Return w x of each row, (n_rows,)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        return X @ self.coef_[0]

    def predict(self, X):
        """Return the class of each row, (n_rows,)."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int)]
