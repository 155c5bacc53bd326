"""Online linear classifiers of many classes: the Perceptron, and the Banditron, which is only told
whether its guess was right.
"""

from __future__ import annotations

from numbers import Real

import numpy as np
from numba import njit
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data


@njit(cache=True)
def update_weights(n_classes, greedy, drawn, correct, gamma):
    """Return what multiples of x the Banditron adds to the rows of W, shape (n_classes,).

    Parameters
    ----------
    n_classes : int
    greedy : int
        The class of the highest score.
    drawn : int
        The class that was predicted.
    correct : bool
        Whether it was right.
    gamma : float
        Rate of exploration.

    References
    ----------
    Kakade, Shalev-Shwartz and Tewari (2008), Algorithm 1: the matrix U of an update is the outer
    product of these and x.

    Examples
    --------
    >>> update_weights(3, greedy=0, drawn=2, correct=True, gamma=0.3)
    array([-1.,  0., 10.])
    """
    weights = np.zeros(n_classes)
    weights[greedy] = -1.0
    if correct:
        weights[drawn] += 1.0 / (gamma / n_classes + (1.0 - gamma if drawn == greedy else 0.0))
    return weights


@njit(cache=True)
def _greedy(scores, random_ties, rng):
    """Return the class of the highest score; the first of equals, or any of them."""
    best, ties = 0, 1
    for r in range(1, scores.size):
        if scores[r] > scores[best]:
            best, ties = r, 1
        elif random_ties and scores[r] == scores[best]:
            ties += 1
            if rng.random() * ties < 1.0:
                best = r
    return best


@njit(cache=True)
def _draw(greedy, n_classes, gamma, rng):
    u = rng.random()
    return min(int(u / gamma * n_classes), n_classes - 1) if u < gamma else greedy


@njit(cache=True)
def _learn(starts, columns, values, y, W, gamma, random_ties, rng):
    """Go through rows of a sparse matrix once; return the mistakes. No feedback but right or wrong.

    W has shape (n_features, n_classes). A negative gamma stands for the Perceptron.
    """
    n_classes = W.shape[1]
    scores = np.empty(n_classes)
    mistakes = 0
    for t in range(y.size):
        scores[:] = 0.0
        for i in range(starts[t], starts[t + 1]):
            row, value = columns[i], values[i]
            for r in range(n_classes):
                scores[r] += value * W[row, r]
        greedy = _greedy(scores, random_ties, rng)
        right, down = y[t], 1.0
        if gamma < 0.0:
            if greedy == y[t]:
                continue
            mistakes += 1
            up = 1.0
        else:
            right = _draw(greedy, n_classes, gamma, rng)
            up = 0.0
            if right == y[t]:
                up = 1.0 / (gamma / n_classes + (1.0 - gamma if right == greedy else 0.0))
            else:
                mistakes += 1
        for i in range(starts[t], starts[t + 1]):
            W[columns[i], right] += up * values[i]
            W[columns[i], greedy] -= down * values[i]
    return mistakes


class _OnlineLinear(ClassifierMixin, BaseEstimator):
    """A matrix of weights that is learnt in one pass over examples."""

    def fit(self, X, y):
        """Forget what was learnt and go through the examples once.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        if hasattr(self, "classes_"):
            del self.classes_
        check_classification_targets(y)
        return self.partial_fit(X, y, classes=unique_labels(y))

    def partial_fit(self, X, y, classes=None):
        """Go on with further examples, one after the other.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,)
            All classes; needed in the first call.

        Returns
        -------
        self
        """
        first = not hasattr(self, "classes_")
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, reset=first,
            multi_output=False,
        )  # fmt: skip
        self._begin(classes, X.shape[1])
        codes = np.searchsorted(self.classes_, y)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == y
        if not known.all():
            msg = f"y has {y[~known][0]!r}, which is none of the classes {self.classes_}"
            raise ValueError(msg)
        rows = X if issparse(X) else csr_array(X)
        self.n_mistakes_ += _learn(
            rows.indptr, rows.indices, rows.data, codes, self._weights, self._rate,
            self.ties == "random", self._rng,
        )  # fmt: skip
        self.n_seen_ += len(codes)
        return self

    def _begin(self, classes, n_features: int) -> None:
        if hasattr(self, "classes_"):
            if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                msg = f"classes are {self.classes_} since the first call, found {classes}"
                raise ValueError(msg)
            return
        self._validate_params()
        if classes is None:
            msg = "the first call needs `classes`, all labels there will be"
            raise ValueError(msg)
        self.classes_ = np.unique(classes)
        if len(self.classes_) < 2:
            msg = f"there must be two classes or more, found 1 class: {self.classes_}"
            raise ValueError(msg)
        self._weights = np.zeros((n_features, len(self.classes_)))
        seed = check_random_state(self.random_state).randint(2**31)
        self._rng = np.random.default_rng(seed)
        self.n_mistakes_, self.n_seen_ = 0, 0

    @property
    def coef_(self):
        """Weights of shape (n_classes, n_features)."""
        return self._weights.T

    def decision_function(self, X):
        """Return the scores of all classes, or how far the second of two is ahead.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or, with two classes, (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        scores = X @ self._weights
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Return the class of the highest score, shape (n_samples,); nothing is explored."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class MulticlassPerceptron(_OnlineLinear):
    """The Perceptron with one row of weights a class, which is told the right class.

    After a mistake, x is added to the row of the right class and taken from that of the guess
    (Kesler's construction). There is no intercept: append a constant column where one is wanted.

    Parameters
    ----------
    ties : {"first", "random"}
        Which of several classes of the highest score is predicted.
    random_state : int, RandomState or None
        For random ties.

    Attributes
    ----------
    coef_ : ndarray of shape (n_classes, n_features)
    classes_ : ndarray of shape (n_classes,)
    n_mistakes_, n_seen_ : int
        Wrong predictions while learning, each made before the class was told, and examples.

    References
    ----------
    Crammer and Singer (2003), Ultraconservative online algorithms for multiclass problems.
    Kakade et al. (2008), Eqs. 2 and 3.

    Examples
    --------
    >>> X = np.eye(3)[[0, 1, 2] * 5]
    >>> y = np.array([0, 1, 2] * 5)
    >>> model = MulticlassPerceptron().fit(X, y)
    >>> model.n_mistakes_, model.score(X, y)
    (2, 1.0)
    """

    _parameter_constraints = {
        "ties": [StrOptions({"first", "random"})],
        "random_state": ["random_state"],
    }
    _rate = -1.0

    def __init__(self, *, ties="first", random_state=None):
        self.ties = ties
        self.random_state = random_state


class Banditron(_OnlineLinear):
    """A Perceptron for many classes that is only told whether its prediction was right.

    With probability gamma it predicts a class at random instead of the best one. Its update has
    the Perceptron's as expectation, so that it learns as if the right class were told, at the price
    of gamma and of noise.

    `partial_fit` and `fit` play the game with labelled examples: the label serves to say right or
    wrong and for nothing else. Where a user answers, call `choose` and `tell` in turn.

    Parameters
    ----------
    gamma : float in [0, 1)
        Rate of exploration; the paper's analysis is for values below 1/2. With 0, a wrong class is
        only ever pushed down.
    ties : {"first", "random"}
        Which of several classes of the highest score is the best.
    random_state : int, RandomState or None

    Attributes
    ----------
    coef_ : ndarray of shape (n_classes, n_features)
    classes_ : ndarray of shape (n_classes,)
    n_mistakes_, n_seen_ : int
        Wrong predictions while learning, those of exploration included, and examples.

    References
    ----------
    Kakade, S., Shalev-Shwartz, S. and Tewari, A. (2008). Efficient bandit algorithms for online
    multiclass prediction. ICML, Algorithm 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(4, size=5000)
    >>> X = np.eye(4)[y]
    >>> model = Banditron(gamma=0.1, random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> round(model.n_mistakes_ / model.n_seen_, 2)  # of this, gamma (1 - 1/4) is exploration
    0.09

    One's own feedback, here from a user who likes the class 2 only:

    >>> model = Banditron(gamma=0.2, random_state=0)
    >>> for _ in range(200):
    ...     label = model.choose([1.0, 0.5], classes=[0, 1, 2])
    ...     _ = model.tell(label == 2)
    >>> model.predict([[1.0, 0.5]])
    array([2])
    """

    _parameter_constraints = {
        "gamma": [Interval(Real, 0, 1, closed="left")],
        "ties": [StrOptions({"first", "random"})],
        "random_state": ["random_state"],
    }

    def __init__(self, gamma=0.05, *, ties="first", random_state=None):
        self.gamma = gamma
        self.ties = ties
        self.random_state = random_state

    @property
    def _rate(self) -> float:
        return float(self.gamma)

    def choose(self, x, classes=None):
        """Return the class to predict for one example, drawn as Algorithm 1 says.

        Parameters
        ----------
        x : array-like of shape (n_features,)
        classes : array-like of shape (n_classes,)
            All classes; needed in the first call.

        Returns
        -------
        object
            One of the classes.
        """
        first = not hasattr(self, "classes_")
        x = validate_data(self, [x], dtype=np.float64, reset=first)[0]
        self._begin(classes, len(x))
        greedy = _greedy(x @ self._weights, self.ties == "random", self._rng)
        drawn = _draw(greedy, len(self.classes_), self._rate, self._rng)
        self._asked = x, greedy, drawn
        return self.classes_[drawn]

    def tell(self, correct: bool) -> Banditron:
        """Learn whether the class that `choose` returned was right.

        Raises
        ------
        ValueError
            If `choose` was not called since.
        """
        if getattr(self, "_asked", None) is None:
            msg = "there is no open question: call choose first, then tell"
            raise ValueError(msg)
        x, greedy, drawn = self._asked
        self._asked = None
        weights = update_weights(len(self.classes_), greedy, drawn, bool(correct), self._rate)
        self._weights += np.outer(x, weights)
        self.n_mistakes_ += not correct
        self.n_seen_ += 1
        return self
