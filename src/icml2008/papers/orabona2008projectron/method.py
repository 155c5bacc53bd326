"""Kernel perceptrons that store few examples: the Projectron, its rivals and their baselines.

Orabona, Keshet and Caputo (2008). All learn online: each row is predicted by the hypothesis of the
rows before it. Kernel values are computed for blocks of rows, by matrix products.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, issparse, vstack
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

BLOCK = 128
SPANNED = 1e-10  # share of k(x, x) up to which a squared distance to the span is rounding


def forgetron_norm(budget: int) -> float:
    """Return U, the largest norm of a competitor that the Forgetron's bound allows for."""
    return math.sqrt((budget + 1) / math.log(budget + 1)) / 4


def gaussian(rows, columns, gamma):
    """Return the Gram matrix of ``exp(-gamma ||x - x'||^2)``, of rows that may be sparse.

    As scikit-learn's, whose checks of its input cost more than the values of a small block.
    """
    products = rows @ columns.T
    exponents = 2 * gamma * (products.toarray() if issparse(products) else products)
    exponents -= gamma * np.sum(rows**2, axis=1)[:, None]
    exponents -= gamma * np.sum(columns**2, axis=1)
    return np.exp(np.minimum(exponents, 0.0, out=exponents), out=exponents)


def stacked(above, below):
    """Return rows over rows, sparse if the lower ones are."""
    if issparse(below):
        return vstack([csr_array(above), below], format="csr")
    return np.concatenate([above, below])


class OnlineKernelClassifier(ClassifierMixin, BaseEstimator):
    """What the classifiers here share.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Any two labels; positive scores speak for the second.
    mistakes_ : ndarray of int, shape (n_mistakes,)
        Rows, counted over all calls, that were predicted wrongly when they came. A score of zero
        is a mistake, as the first row's is.
    support_ : ndarray of int, shape (n_stored,)
        Rows that are stored, the oldest first.
    support_vectors_ : ndarray or csr_array, shape (n_stored, n_features)
    dual_coef_ : ndarray, shape (n_stored,)
        Their weights in the hypothesis ``f(x) = sum dual_coef_ * kernel(support_vectors_, x)``.
    stored_ : ndarray of int, shape (n_rows,)
        Number of stored rows after each one.
    """

    def fit(self, X, y):
        """Learn from rows in their order, once, and forget what was learnt before.

        Parameters
        ----------
        X : array_like or sparse matrix, shape (n_rows, n_features)
        y : array_like, shape (n_rows,)
            Labels of two classes.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there are not two classes, or a parameter is out of its range.
        """
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        return self.partial_fit(X, y)

    def partial_fit(self, X, y, classes=None):
        """Go on learning from further rows.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes : array_like, shape (2,), optional
            Both classes, at the first call, if `y` may lack one.
        """
        first = not hasattr(self, "support_")
        X, y = validate_data(self, X, y, dtype=float, accept_sparse="csr", reset=first)
        X = csr_array(X) if issparse(X) else X
        check_classification_targets(y)
        if first:
            self._check()
            self.classes_ = self._both(y if classes is None else classes)
        if strange := np.setdiff1d(y, self.classes_).tolist():
            msg = f"y has classes {strange} beyond {self.classes_.tolist()}"
            raise ValueError(msg)
        if first:
            self.mistakes_ = self.support_ = self.stored_ = np.empty(0, dtype=int)
            self.support_vectors_ = np.empty((0, X.shape[1]))
            self.dual_coef_ = np.empty(0)
            self._start()
        y = np.where(y == self.classes_[1], 1.0, -1.0)
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
        X = validate_data(self, X, dtype=float, accept_sparse="csr", reset=False)
        X = csr_array(X) if issparse(X) else X
        return self._kernel(X, self.support_vectors_) @ self.dual_coef_

    def predict(self, X):
        """Return the class of each row, (n_rows,)."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def _both(self, labels):
        """Return the two classes among labels."""
        classes = unique_labels(labels)
        if len(classes) > 2:
            msg = "Only binary classification is supported. The type of the target is "
            msg += f"{type_of_target(labels)}, with {len(classes)} classes"
            raise ValueError(msg)
        if len(classes) < 2:
            msg = f"{type(self).__name__} tells 2 classes apart, found 1 class; a first "
            msg += "partial_fit is given both as classes"
            raise ValueError(msg)
        return classes

    def _kernel(self, rows, columns):
        if not columns.shape[0]:
            return np.empty((rows.shape[0], 0))
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
        self.weights = np.zeros(rows.shape[0])
        self.size = len(weights)
        self.weights[: len(weights)] = weights
        self.stored = np.arange(rows.shape[0]) < len(weights)
        self._kernel = kernel
        self._oldest = np.empty((0, rows.shape[0]))

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


class _WeightedRows(OnlineKernelClassifier):
    """Those that keep a weight for each stored row and project nothing."""

    def _learn(self, X, y, first):
        n = len(self.support_)
        index = np.arange(first, first + len(y))
        pool = _Pool(stacked(self.support_vectors_, X), self.dual_coef_, self._kernel)
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

    References
    ----------
    Orabona, Keshet and Caputo (2008), The Projectron: a Bounded Kernel-Based Perceptron,
    ICML, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import KernelPerceptron
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = KernelPerceptron(gamma=1.0).fit(X, y)
    >>> bool(model.score(X, y) > 0.9)
    True
    >>> len(model.support_) == len(model.mistakes_)
    True
    """

    __doc__ += OnlineKernelClassifier.__doc__.partition("\n")[2]

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
    """A perceptron that stops to learn when it has stored `budget` rows.

    References
    ----------
    Orabona, Keshet and Caputo (2008), The Projectron: a Bounded Kernel-Based Perceptron,
    ICML, Section 5.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import Stoptron
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = Stoptron(budget=30).fit(X, y)
    >>> len(model.support_), bool(model.score(X, y) > 0.8)
    (30, True)
    """

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

    References
    ----------
    Cesa-Bianchi, Conconi and Gentile (2006), Tracking the best hyperplane with a simple budget
    perceptron, COLT.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RandomBudgetPerceptron
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = RandomBudgetPerceptron(budget=30, random_state=0).fit(X, y)
    >>> len(model.support_), bool(model.score(X, y) > 0.8)
    (30, True)
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

    References
    ----------
    Dekel, Shalev-Shwartz and Singer (2007), The Forgetron: a kernel-based perceptron on a budget,
    SIAM Journal on Computing 37.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import Forgetron
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = Forgetron(budget=60).fit(X, y)
    >>> len(model.support_), bool(model.score(X, y) > 0.8)
    (60, True)
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


class Projectron(OnlineKernelClassifier):
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

    References
    ----------
    Orabona, Keshet and Caputo (2008), The Projectron: a Bounded Kernel-Based Perceptron,
    ICML, Algorithm 2 and Equations 11 and 13.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import KernelPerceptron, Projectron
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = Projectron(eta=0.3).fit(X, y)
    >>> plain = KernelPerceptron().fit(X, y)
    >>> bool(model.score(X, y) > 0.9), len(model.support_) < len(plain.support_)
    (True, True)
    """

    __doc__ += OnlineKernelClassifier.__doc__.partition("\n")[2]

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
            self.support_vectors_ = stacked(self.support_vectors_, X[added])
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

    References
    ----------
    Orabona, Keshet and Caputo (2008), The Projectron: a Bounded Kernel-Based Perceptron,
    ICML, Section 4.1 and Equations 15 to 17.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import Projectron, ProjectronPlusPlus
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "apart")
    >>> model = ProjectronPlusPlus(U=1.0).fit(X, y)
    >>> len(model.mistakes_) < len(Projectron(U=1.0).fit(X, y).mistakes_)
    True
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
