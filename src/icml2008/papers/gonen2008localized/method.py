"""Kernels whose weights depend on the input, Gönen and Alpaydın (2008): Algorithm 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real

import numpy as np
from numba import njit
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.errors import nearest
from icml2008.methods.smo import _solve

_PATH = np.empty(100_000)
_SHORT = {"linear": "L", "quadratic": "P", "gaussian": "G"}


def products(rows, columns):
    """Return inner products and squared distances, (n_rows, n_columns)."""
    inner = rows @ columns.T
    squares = np.sum(rows**2, axis=1)
    others = np.sum(columns**2, axis=1)
    return inner, np.maximum(squares[:, None] + others - 2 * inner, 0)


def grams(inner, far, width):
    """Return the linear, the quadratic and the Gaussian kernel by its letter."""
    return {"L": inner, "P": (inner + 1) ** 2, "G": np.exp(-far / width**2)}


@dataclass
class Fold:
    """Rows X, (n_rows, n_features), with signs y: n for training, n_valid, and those for testing.

    Gates start at `start`, (1 + n_features, n_kernels), with v_m0 above v_m. Kernels of training
    rows have this trace, None for n.
    """

    X: np.ndarray
    y: np.ndarray
    n: int
    n_valid: int
    start: np.ndarray
    trace: float | None = 1.0
    tol: float = 1e-3  # of the optimality conditions; the custom of SVM solvers

    @cached_property
    def kernels(self):
        """The kernels of all rows with the training rows, (n_rows, n), by name."""
        inner, far = products(self.X, self.X[: self.n])
        near = far[: self.n] + np.diag(np.full(self.n, np.inf))
        self.width = np.mean(np.sqrt(near.min(axis=1)))
        raw = grams(inner, far, self.width)
        self.scales = {name: (self.trace or self.n) / np.trace(K) for name, K in raw.items()}
        return {name: K * self.scales[name] for name, K in raw.items()}

    def with_rows(self, rows):
        """Return the kernels of further rows with the training rows, scaled as `kernels` are."""
        raw = grams(*products(rows, self.X[: self.n]), self.width)
        return {name: K * self.scales[name] for name, K in raw.items()}

    @cached_property
    def square(self):
        """The kernels of the training rows."""
        return {name: np.ascontiguousarray(K[: self.n]) for name, K in self.kernels.items()}

    def solve(self, K, C):
        """Return dual variables times signs, and b, of the canonical SVM (7)."""
        y = self.y[: self.n]
        alpha, b, *_ = _solve(K, y, C, self.tol, _PATH)
        return alpha * y, b


def gates(X, V):
    """Return eta_m(x), (n_rows, n_kernels)."""
    return softmax(X @ V[1:] + V[0], axis=1)


@njit(cache=True)
def _add(total, K, eta):
    """Add K times the products of rows' gates, (n_kernels, n_rows)."""
    weights = np.empty(len(K))
    for i in range(len(K)):
        weights[:] = 0.0
        for gate in eta:
            for j in range(len(K)):
                weights[j] += gate[i] * gate[j]
        for j in range(len(K)):
            total[i, j] += K[i, j] * weights[j]


def combined(kernels, names, eta):
    """Return the locally combined kernel matrix."""
    total = np.zeros((len(eta), len(eta)))
    for name in dict.fromkeys(names):
        _add(total, kernels[name], eta.T[[name == other for other in names]])
    return total


def shares(kernels, names, eta, signed):
    """Return what each kernel adds to a score, but for the row's own gate, (n_rows, n_kernels)."""
    weighed = (eta * signed[:, None]).T
    return np.column_stack([kernels[name] @ w for name, w in zip(names, weighed, strict=True)])


def optimum(fold, names, eta, C, signed=None):
    """Return dual variables with signs, b, J(eta), and the parts of its quadratic term.

    Earlier variables stay if they are optimal still, which is the hot start of Section 3.1.
    """
    y = fold.y[: fold.n]
    b = None
    if signed is not None:
        added = eta * shares(fold.square, names, eta, signed)
        errors = y - added.sum(axis=1)
        highest = errors[signed < np.where(y > 0, C, 0)].max()
        lowest = errors[signed > np.where(y > 0, 0, -C)].min()
        free = (np.abs(signed) > 0) & (np.abs(signed) < C)
        if highest - lowest <= fold.tol:
            b = errors[free].mean() if free.any() else (highest + lowest) / 2
    if b is None:
        signed, b = fold.solve(combined(fold.square, names, eta), C)
        added = eta * shares(fold.square, names, eta, signed)
    parts = signed[:, None] * added
    return signed, b, np.abs(signed).sum() - parts.sum() / 2, parts


def gradient(X, eta, parts):
    """Return the derivatives of J by v_m0 and v_m."""
    pulls = parts - eta * parts.sum(axis=1, keepdims=True)
    return -np.vstack([pulls.sum(axis=0), X.T @ pulls])


class LocalizedMKL(ClassifierMixin, BaseEstimator):
    """A support vector machine of several kernels, whose weights depend on the input.

    A softmax of linear functions of the input, the gates, weighs the kernels:
    ``k(x, z) = sum_m eta_m(x) k_m(x, z) eta_m(z)`` (Equation 5 of the paper). Machine and gates
    are learnt by turns: the machine for the gates as they are, then a gradient step of the gates
    (Algorithm 1). Several linear kernels make a boundary of straight pieces.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the sum of hinge losses.
    kernels : sequence of {"linear", "quadratic", "gaussian"}
        One may come several times. Each is scaled to a mean of 1 on the diagonal of the training
        rows; the Gaussian's width is the mean distance of a training row to its nearest.
    learning_rate : float, default=0.01
        Length of a gradient step.
    max_iter : int, default=50
        Gradient steps; all are taken.
    init_scale : float, default=0.01
        Gates start uniform within so much of 0.
    tol : float, default=1e-3
        Largest violation of the machine's optimality conditions.
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    gates_ : ndarray of shape (1 + n_features, n_kernels)
        Of the softmax: constants in the first row, weights of the features below.
    signed_ : ndarray of shape (n_samples,)
        Dual variables times the classes' signs.
    support_ : ndarray of shape (n_support,)
        Indices of the samples whose dual variable is not 0.
    intercept_ : float
    objective_path_ : ndarray of shape (max_iter + 1,)
        The machine's dual objective before each step and after the last; steps that are short
        enough lower it.
    n_iter_ : int
    n_features_in_ : int

    See Also
    --------
    sklearn.svm.SVC : As accurate with a Gaussian kernel on four of five sets, and faster.

    References
    ----------
    M. Gönen and E. Alpaydın (2008), Localized Multiple Kernel Learning, ICML, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import LocalizedMKL
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> y = np.where(X[:, 1] > np.abs(X[:, 0]) - 0.5, "above", "below")
    >>> bent = LocalizedMKL(10.0, kernels=["linear", "linear"], learning_rate=0.1, random_state=0)
    >>> straight = LocalizedMKL(10.0, kernels=["linear"])
    >>> bool(bent.fit(X, y).score(X, y) > straight.fit(X, y).score(X, y))
    True
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernels": ["array-like"],
        "learning_rate": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "init_scale": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C=1.0,
        *,
        kernels=("linear", "quadratic", "gaussian"),
        learning_rate=0.01,
        max_iter=50,
        init_scale=0.01,
        tol=1e-3,
        random_state=None,
    ):
        self.C = C
        self.kernels = kernels
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Learn from rows X, (n_samples, n_features), and labels y of two classes.

        Raises
        ------
        ValueError
            If a parameter is out of its range, there is no such kernel or there are not two
            classes.
        """
        self._validate_params()
        names = self._letters()
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            msg = f"Only binary classification is supported. y has {len(self.classes_)} class(es)"
            raise ValueError(msg)
        rng = check_random_state(self.random_state)
        start = self.init_scale * rng.uniform(-1, 1, (1 + X.shape[1], len(names)))
        self.learn(Fold(X, 2.0 * codes - 1.0, len(X), 0, start, None, self.tol), names)
        return self

    def learn(self, fold, names):
        """Learn from the training rows of a fold, with kernels by their letters."""
        X = fold.X[: fold.n]
        V = fold.start.copy()
        values = []
        signed = None
        for step in range(self.max_iter + 1):
            eta = gates(X, V)
            signed, b, value, parts = optimum(fold, names, eta, self.C, signed)
            values.append(value)
            if step < self.max_iter:
                V -= self.learning_rate * gradient(X, eta, parts)
        self._fold = fold
        self._names = names
        self._eta = eta
        self.gates_ = V
        self.signed_ = signed
        self.support_ = np.flatnonzero(signed)
        self.intercept_ = float(b)
        self.objective_path_ = np.array(values)
        self.n_iter_ = self.max_iter

    def weights(self, X):
        """Return the weight of each kernel at rows X, (n_samples, n_kernels); they sum to 1."""
        check_is_fitted(self)
        return self.gated(validate_data(self, X, dtype=np.float64, reset=False))

    def gated(self, X):
        """Return what `weights` does, of rows that were checked."""
        return gates(X, self.gates_)

    def decision_function(self, X):
        """Return the signed values, (n_samples,); above 0 is the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.scores(self._fold.with_rows(X), self.gated(X))

    def scores(self, kernels, eta):
        """Return the values of rows with these kernels and gates, (n_samples,)."""
        return np.sum(eta * shares(kernels, self._names, self._eta, self.signed_), axis=1) + (
            self.intercept_
        )

    def predict(self, X):
        """Return the class of each row, (n_samples,)."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _letters(self):
        """Return the kernels by their letters."""
        for name in self.kernels:
            if name not in _SHORT:
                msg = f"kernels: no {name!r}{nearest(str(name), _SHORT)}"
                raise ValueError(msg)
        if not len(self.kernels):
            msg = "kernels: none is given"
            raise ValueError(msg)
        return [_SHORT[name] for name in self.kernels]
