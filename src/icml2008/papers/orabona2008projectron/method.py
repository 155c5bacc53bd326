"""Kernel perceptrons that store few examples: the Projectron, its rivals and their baselines.

Orabona, Keshet and Caputo (2008). All learn online: each row is predicted by the hypothesis of the
rows before it. Kernel values are computed for blocks of rows, by matrix products.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

BLOCK = 128
SPANNED = 1e-10  # share of k(x, x) up to which a squared distance to the span is rounding


def forgetron_norm(budget: int) -> float:
    """Return U, the largest norm of a competitor that the Forgetron's bound allows for."""
    return math.sqrt((budget + 1) / math.log(budget + 1)) / 4


def gaussian(rows, columns, gamma):
    """Return the Gram matrix of ``exp(-gamma ||x - x'||^2)``.

    As scikit-learn's, whose checks of its input cost more than the values of a small block.
    """
    exponents = 2 * gamma * (rows @ columns.T)
    exponents -= gamma * np.sum(rows**2, axis=1)[:, None]
    exponents -= gamma * np.sum(columns**2, axis=1)
    return np.exp(np.minimum(exponents, 0.0, out=exponents), out=exponents)


class _OnlineKernelClassifier(ClassifierMixin, BaseEstimator):
    """What the classifiers here share.

    Attributes
    ----------
    mistakes_ : ndarray of int, shape (n_mistakes,)
        Rows, counted over all calls, that were predicted wrongly when they came. A score of zero
        is a mistake, as the first row's is.
    support_ : ndarray of int, shape (n_stored,)
        Rows that are stored, the oldest first.
    support_vectors_ : ndarray, shape (n_stored, n_features)
    dual_coef_ : ndarray, shape (n_stored,)
        Their weights in the hypothesis ``f(x) = sum dual_coef_ * kernel(support_vectors_, x)``.
    stored_ : ndarray of int, shape (n_rows,)
        Number of stored rows after each one.
    """

    def fit(self, X, y):
        """Learn from rows in their order, once, and forget what was learnt before.

        Parameters
        ----------
        X : array_like, shape (n_rows, n_features)
        y : array_like, shape (n_rows,)
            Labels, -1 or 1.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a label is neither -1 nor 1, or a parameter is out of its range.
        """
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        return self.partial_fit(X, y)

    def partial_fit(self, X, y):
        """Go on learning from further rows; parameters as for `fit`."""
        X, y = validate_data(self, X, y, dtype=float, reset=not hasattr(self, "support_"))
        if not np.isin(y, (-1, 1)).all():
            odd = next(label for label in y if label not in (-1, 1))
            msg = f"labels are -1 or 1, found {odd:g}"
            raise ValueError(msg)
        if not hasattr(self, "support_"):
            self._check()
            self.classes_ = np.array([-1, 1])
            self.mistakes_ = self.support_ = self.stored_ = np.empty(0, dtype=int)
            self.support_vectors_ = np.empty((0, X.shape[1]))
            self.dual_coef_ = np.empty(0)
            self._start()
        y = y.astype(float)
        mistakes = [self.mistakes_]
        pieces = [self.stored_]
        seen = len(self.stored_)
        for start in range(0, len(y), BLOCK):
            rows = slice(start, start + BLOCK)
            scores, sizes = self._learn(X[rows], y[rows], seen + start)
            mistakes.append(seen + start + np.flatnonzero(1 - scores * y[rows] >= 1))
            pieces.append(sizes)
        self.mistakes_ = np.concatenate(mistakes)
        self.stored_ = np.concatenate(pieces)
        self._finish()
        return self

    def decision_function(self, X):
        """Return f of each row, (n_rows,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return self._kernel(X, self.support_vectors_) @ self.dual_coef_

    def predict(self, X):
        """Return the label, -1 or 1, of each row, (n_rows,)."""
        return np.where(self.decision_function(X) > 0, 1, -1)

    def _kernel(self, rows, columns):
        if not len(columns):
            return np.empty((len(rows), 0))
        if callable(self.kernel):
            return np.ascontiguousarray(self.kernel(rows, columns), dtype=float)
        return gaussian(rows, columns, self.gamma)

    def _check(self):
        if not (callable(self.kernel) or self.kernel == "rbf"):
            msg = f"kernel is 'rbf' or a function of two matrices, found {self.kernel!r}"
            raise ValueError(msg)
        for name in {"gamma", "eta", "U", "C", "budget"} & self.get_params().keys():
            value = getattr(self, name)
            if name == "U" and value is None and self.eta is not None:
                continue
            least = {"budget": 1, "eta": 0}.get(name)
            if value is None or not (value > 0 if least is None else value >= least):
                bound = "above 0" if least is None else f"at least {least}"
                msg = f"{name} is {bound}, found {value!r}"
                raise ValueError(msg)

    def _start(self):
        """Begin without stored rows."""

    def _finish(self):
        """Bring what users see up to date."""


class _Pool:
    """Stored rows and a block of new ones, by age, with their weights."""

    def __init__(self, rows, weights, kernel):
        self.rows = rows
        self.weights = np.zeros(len(rows))
        self.size = len(weights)
        self.weights[: len(weights)] = weights
        self.stored = np.arange(len(rows)) < len(weights)
        self._kernel = kernel
        self._oldest = np.empty((0, len(rows)))

    def store(self, row, weight):
        self.weights[row] = weight
        self.stored[row] = True
        self.size += 1

    def drop(self, row):
        self.weights[row] = 0.0
        self.stored[row] = False
        self.size -= 1

    def value(self, row):
        """Return f of one of the oldest rows; their kernel values are computed at once."""
        if not len(self._oldest):
            self._oldest = self._kernel(self.rows[:BLOCK], self.rows)
        return self._oldest[row] @ self.weights


class _WeightedRows(_OnlineKernelClassifier):
    """Those that keep a weight for each stored row and project nothing."""

    def _learn(self, X, y, first):
        n = len(self.support_)
        index = np.arange(first, first + len(y))
        pool = _Pool(np.concatenate([self.support_vectors_, X]), self.dual_coef_, self._kernel)
        gram = self._kernel(X, pool.rows)
        scores = np.empty(len(y))
        sizes = np.empty(len(y), int)
        for t, label in enumerate(y.tolist()):
            scores[t] = gram[t, : n + t] @ pool.weights[: n + t]
            loss = 1 - label * scores[t]
            if loss > 0 and (step := self._step(loss, gram[t, n + t])):
                self._store(pool, n + t, label * step)
            sizes[t] = pool.size
        self.support_ = np.concatenate([self.support_, index])[pool.stored]
        self.support_vectors_ = pool.rows[pool.stored]
        self.dual_coef_ = pool.weights[pool.stored]
        return scores, sizes

    def _step(self, loss, norm):
        """Return how far to go along a row; `norm` is its k(x, x)."""
        return float(loss >= 1)

    def _store(self, pool, row, weight):
        pool.store(row, weight)


class KernelPerceptron(_WeightedRows):
    """The perceptron with a kernel, Algorithm 1: every mistake is stored.

    Parameters
    ----------
    kernel : "rbf" or callable, default="rbf"
        A function of two matrices of rows that returns their Gram matrix.
    gamma : float, default=1.0
        Of the Gaussian ``exp(-gamma ||x - x'||^2)``.
    """

    __doc__ += _OnlineKernelClassifier.__doc__.partition("\n")[2]

    def __init__(self, kernel="rbf", gamma=1.0):
        self.kernel = kernel
        self.gamma = gamma


class PassiveAggressive(_WeightedRows):
    """PA-I with a kernel (Crammer et al. 2006): each row with a margin below 1 is stored.

    Its weight is ``min(C, (1 - y f(x)) / k(x, x))``. Other parameters as of `KernelPerceptron`.
    """

    def __init__(self, kernel="rbf", gamma=1.0, C=1.0):
        self.kernel = kernel
        self.gamma = gamma
        self.C = C

    def _step(self, loss, norm):
        return min(self.C, loss / norm)


class Stoptron(_WeightedRows):
    """A perceptron that stops to learn when it has stored `budget` rows."""

    def __init__(self, budget, kernel="rbf", gamma=1.0):
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma

    def _store(self, pool, row, weight):
        if pool.size < self.budget:
            pool.store(row, weight)


class RandomBudgetPerceptron(_WeightedRows):
    """The randomized budget perceptron (Cesa-Bianchi et al. 2006).

    When `budget` rows are stored, a mistake takes the place of one that is drawn among them.
    """

    def __init__(self, budget, kernel="rbf", gamma=1.0, random_state=None):
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.random_state = random_state

    def _start(self):
        self._random = check_random_state(self.random_state)

    def _store(self, pool, row, weight):
        if pool.size == self.budget:
            pool.drop(self._random.choice(np.flatnonzero(pool.stored)))
        pool.store(row, weight)


class Forgetron(_WeightedRows):
    """The self-tuned Forgetron (Dekel et al. 2007).

    When `budget` rows are stored, a mistake scales all weights down and removes the oldest; the
    scale is the largest for which the damage of all removals is at most 15/32 of the mistakes.
    """

    def __init__(self, budget, kernel="rbf", gamma=1.0):
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma

    def _start(self):
        self._mistakes = 0
        self._damage = 0.0

    def _store(self, pool, row, weight):
        pool.store(row, weight)
        self._mistakes += 1
        if pool.size > self.budget:
            oldest = np.argmax(pool.stored)
            weight = abs(pool.weights[oldest])
            margin = pool.value(oldest)
            margin *= np.sign(pool.weights[oldest])
            scale = largest_scale(weight, margin, self._damage - 15 / 32 * self._mistakes)
            pool.weights *= scale
            pool.drop(oldest)
            self._damage += damage(weight, margin, scale)


def damage(weight, margin, scale):
    """Return what scaling and then removing a row costs in the Forgetron's bound."""
    return (weight * scale) ** 2 + 2 * weight * scale * (1 - margin * scale)


def largest_scale(weight, margin, debt):
    """Return the largest scale in (0, 1] whose `damage` is at most -debt, a positive number."""
    a = weight * weight - 2 * weight * margin
    b = 2 * weight
    if a + b + debt <= 0:
        return 1.0
    if abs(a) < 1e-12:
        return -debt / b
    return (-b + math.sqrt(b * b - 4 * a * debt)) / (2 * a)


class Projectron(_OnlineKernelClassifier):
    """The Projectron, Algorithm 2: mistakes that the stored rows nearly span are not stored.

    A mistake whose image is within `eta` of the span of the stored ones is projected on it, else
    stored. Projections are kept as coordinates in an orthonormal basis, by Cholesky's
    decomposition of the stored rows' Gram matrix: where the paper's inverse (Equation 11) takes
    O(n_stored^2) for a mistake, a block of rows is projected by one triangular solve.

    Parameters
    ----------
    kernel : "rbf" or callable, default="rbf"
        A function of two matrices of rows that returns their Gram matrix.
    gamma : float, default=1.0
        Of the Gaussian ``exp(-gamma ||x - x'||^2)``.
    eta : float, default=0.1
        Largest distance that is projected. At 0 the predictions are the perceptron's.
    U : float, optional
        Largest norm of a competitor: sets eta in each round by Equation 13, in place of `eta`.
    """

    __doc__ += _OnlineKernelClassifier.__doc__.partition("\n")[2]

    def __init__(self, kernel="rbf", gamma=1.0, eta=0.1, U=None):
        self.kernel = kernel
        self.gamma = gamma
        self.eta = eta
        self.U = U

    def _start(self):
        self._factor = np.empty((0, 0))
        self._beta = np.empty(0)

    def _learn(self, X, y, first):
        n = len(self.support_)
        room = len(self.support_) + len(y)
        basis = np.zeros((len(y), room))
        beta = np.zeros(room)
        gram = self._kernel(X, X)
        beta[:n] = self._beta
        if n:
            shared = self._kernel(self.support_vectors_, X)
            basis[:, :n] = solve_triangular(self._factor, shared, lower=True, check_finite=False).T
        scores = np.empty(len(y))
        added = np.zeros(len(y), dtype=bool)
        size = n
        for t, label in enumerate(y.tolist()):
            row = basis[t, :size]  # the coordinates of its projection
            scores[t] = row @ beta[:size]
            loss = 1 - label * scores[t]
            if loss <= 0:
                continue
            length = row @ row
            rest = gram[t, t] - length
            distance = math.sqrt(rest) if rest > SPANNED * gram[t, t] else 0.0
            beta[:size] += label * self._step(loss, length, distance) * row
            if loss >= 1 and distance > max(self._limit(loss, length), 0.0):
                basis[t + 1 :, size] = (gram[t, t + 1 :] - basis[t + 1 :, :size] @ row) / distance
                basis[t, size] = distance
                beta[size] = label * distance
                added[t] = True
                size += 1
        self._beta = beta[:size]
        if size > n:
            factor = np.zeros((size, size), order="F")
            factor[:n, :n] = self._factor
            factor[n:] = np.tril(basis[added, :size], n)
            self._factor = factor
            self.support_vectors_ = np.concatenate([self.support_vectors_, X[added]])
            self.support_ = np.concatenate([self.support_, first + np.flatnonzero(added)])
        return scores, n + np.cumsum(added)

    def _step(self, loss, length, distance):
        """Return how far to go along a projection; both are norms, the length's squared."""
        return float(loss >= 1)

    def _limit(self, loss, length):
        """Return the largest distance to the span at which nothing is stored."""
        return self.eta if self.U is None else (2 * loss - length - 0.5) / (2 * self.U)

    def _finish(self):
        self.dual_coef_ = solve_triangular(self._factor, self._beta, lower=True, trans="T")


class ProjectronPlusPlus(Projectron):
    """The Projectron++, Section 4.1: projected steps at margin errors, too, if they pay.

    At a right prediction with a margin below 1, the step along the projection is taken if it lowers
    the bound (Equation 16); nothing is stored. Needs `U`.

    Parameters
    ----------
    kernel, gamma, U
        As of `Projectron`.
    step : {"printed", "maximiser"}, default="printed"
        Equation 17, or what maximises Equation 16 where the projection is inexact.

    Attributes
    ----------
    progress_ : float
        Sum of Equation 16 over the steps at margin errors, by which the bound is lowered (15).
    """

    eta = None

    def __init__(self, U, kernel="rbf", gamma=1.0, step="printed"):
        self.U = U
        self.kernel = kernel
        self.gamma = gamma
        self.step = step

    def _start(self):
        super()._start()
        self.progress_ = 0.0

    def _check(self):
        super()._check()
        if self.step not in ("printed", "maximiser"):
            msg = f"step is 'printed' or 'maximiser', found {self.step!r}"
            raise ValueError(msg)

    def _step(self, loss, length, distance):
        if loss >= 1 or length == 0:
            return super()._step(loss, length, distance)
        aim = loss if self.step == "printed" else loss - self.U * distance
        step = min(aim / length, 1.0)
        progress = step * (2 * loss - step * length - 2 * self.U * distance)
        if step <= 0 or progress < 0:
            return 0.0
        self.progress_ += progress
        return step
