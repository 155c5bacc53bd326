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
    # The mean of what is drawn is the perceptron's update: what is seen with a small chance
    # counts by its inverse.
    weights[greedy] = -1.0
    if correct:
        weights[drawn] += 1.0 / (gamma / n_classes + (1.0 - gamma if drawn == greedy else 0.0))
    return weights


@njit(cache=True)
def _greedy(scores, tie):
    """Return the class of the highest score: of equals, the one at a share `tie` of them."""
    best = 0
    ties = 1
    for r in range(1, scores.size):
        if scores[r] > scores[best]:
            best = r
            ties = 1
        elif scores[r] == scores[best]:
            ties += 1
    skip = int(tie * ties)
    for r in range(best, scores.size):
        if scores[r] == scores[best]:
            if skip == 0:
                return r
            skip -= 1
    return best


@njit(cache=True)
def _draw(greedy, n_classes, gamma, u):
    return min(int(u / gamma * n_classes), n_classes - 1) if u < gamma else greedy


@njit(cache=True)
def _learn(starts, columns, values, y, W, gammas, draws, mistakes):
    """Let several learners go through the rows of a sparse matrix once, and count their mistakes.

    W has shape (n_features, n_learners * n_classes): a feature's weights for all of them lie side
    by side, so that one walk over a row serves all. A negative gamma stands for the Perceptron.
    `draws` (n_rows, n_learners, 2) are uniform in [0, 1), for ties and for exploration.
    """
    n_learners = gammas.size
    width = W.shape[1]
    n_classes = width // n_learners
    scores = np.empty(width)
    for t in range(y.size):
        scores[:] = 0.0
        i = starts[t]
        stop = starts[t + 1]
        while i + 4 <= stop:  # four at a time, to pass over the scores less often
            a = W[columns[i]]
            b = W[columns[i + 1]]
            c = W[columns[i + 2]]
            d = W[columns[i + 3]]
            e = values[i]
            f = values[i + 1]
            g = values[i + 2]
            h = values[i + 3]
            for r in range(width):
                scores[r] += (e * a[r] + f * b[r]) + (g * c[r] + h * d[r])
            i += 4
        while i < stop:
            a = W[columns[i]]
            e = values[i]
            for r in range(width):
                scores[r] += e * a[r]
            i += 1
        for k in range(n_learners):
            first = k * n_classes
            greedy = _greedy(scores[first : first + n_classes], draws[t, k, 0])
            if gammas[k] < 0.0:
                right = y[t]
                up = 1.0
                mistakes[k] += greedy != right
            else:
                right = _draw(greedy, n_classes, gammas[k], draws[t, k, 1])
                up = 0.0
                if right == y[t]:
                    chance = gammas[k] / n_classes + (1.0 - gammas[k] if right == greedy else 0.0)
                    up = 1.0 / chance
                else:
                    mistakes[k] += 1
            if right == greedy:
                up -= 1.0  # both changes are of one row of weights
            else:
                for i in range(starts[t], stop):
                    W[columns[i], first + greedy] -= values[i]
            if up != 0.0:
                for i in range(starts[t], stop):
                    W[columns[i], first + right] += up * values[i]


def learn_together(learners, X, y, classes=None) -> None:
    """Give several learners the same examples, in much less time than one after the other.

    Parameters
    ----------
    learners : sequence of Banditron and MulticlassPerceptron
        With the same classes. Each ends up as after its own ``partial_fit(X, y, classes)``, but
        for the order of sums.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    classes : array-like of shape (n_classes,), optional
        As for ``partial_fit``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=1000)
    >>> learners = [Banditron(gamma, random_state=0) for gamma in (0.01, 0.1)]
    >>> learn_together(learners, np.eye(3)[y], y, classes=range(3))
    >>> [learner.n_mistakes_ for learner in learners]
    [10, 55]
    """
    ready = [learner._ready(X, y, classes) for learner in learners]
    rows, codes = ready[0]
    if any(not np.array_equal(learner.classes_, learners[0].classes_) for learner in learners):
        msg = "learners that learn together have the same classes"
        raise ValueError(msg)
    W = np.concatenate([learner._weights for learner in learners], axis=1)
    gammas = np.array([learner._rate for learner in learners])
    draws = np.stack([learner._draws(len(codes)) for learner in learners], axis=1)
    mistakes = np.zeros(len(learners), dtype=np.int64)
    _learn(rows.indptr, rows.indices, rows.data, codes, W, gammas, draws, mistakes)
    parts = np.split(W, len(learners), axis=1)
    for learner, weights, wrong in zip(learners, parts, mistakes.tolist(), strict=True):
        learner._weights = np.ascontiguousarray(weights)
        learner.n_mistakes_ += wrong
        learner.n_seen_ += len(codes)


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
        learn_together([self], X, y, classes)
        return self

    def _ready(self, X, y, classes) -> tuple[csr_array, np.ndarray]:
        """Return checked examples as sparse rows, and numbers of their classes."""
        first = not hasattr(self, "classes_")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=first)
        self._begin(classes, X.shape[1])
        codes = np.searchsorted(self.classes_, y)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == y
        if not known.all():
            msg = f"y has {y[~known][0]!r}, which is none of the classes {self.classes_}"
            raise ValueError(msg)
        return (X if issparse(X) else csr_array(X)), codes

    def _draws(self, n: int) -> np.ndarray:
        """Return uniform draws for n examples, (n, 2): for ties, zero for the first, and gamma."""
        draws = self._rng.random((n, 2))
        if self.ties == "first":
            draws[:, 0] = 0.0
        return draws

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
        self.n_mistakes_ = 0
        self.n_seen_ = 0

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
    >>> import numpy as np
    >>> from icml2008.methods import MulticlassPerceptron
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
    >>> import numpy as np
    >>> from icml2008.methods import Banditron
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(4, size=5000)
    >>> X = np.eye(4)[y]
    >>> model = Banditron(gamma=0.1, random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> round(model.n_mistakes_ / model.n_seen_, 2)  # gamma (1 - 1/4) is lost to exploration
    0.08

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
        tie, u = self._draws(1)[0]
        greedy = _greedy(x @ self._weights, tie)
        drawn = _draw(greedy, len(self.classes_), self._rate, u)
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
