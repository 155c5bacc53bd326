"""Confidence-weighted linear classifiers, and their combination after parallel training."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from numbers import Integral, Real

import numpy as np
from numba import njit
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, type_of_target, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

UPDATES = ("variance", "projected", "exact")


@njit(cache=True)
def multiplier(m, v, phi):
    """Return the multiplier of Lemma 1 for the mean margin m and its variance v.

    Equation 16, written so that nothing cancels.
    """
    if m >= phi * v:
        return 0.0
    b = 1.0 + 2.0 * phi * m
    root = np.sqrt(b * b - 8.0 * phi * (m - phi * v))
    if b > 0.0:
        return 2.0 * (phi * v - m) / (v * (b + root))
    return (root - b) / (4.0 * phi * v)


@njit(cache=True)
def learn(starts, columns, values, y, mean, variance, phi, update):
    """Go through the rows of a sparse matrix once; return the mistakes, each made before learning.

    `update` is a position in `UPDATES`.
    """
    mistakes = 0
    for i in range(y.size):
        first = starts[i]
        last = starts[i + 1]
        m = 0.0
        v = 0.0
        for k in range(first, last):
            m += mean[columns[k]] * values[k]
            v += variance[columns[k]] * values[k] * values[k]
        m *= y[i]
        mistakes += m <= 0.0
        alpha = multiplier(m, v, phi)
        if alpha == 0.0:
            continue
        if update == 2:
            # The slack is concave in alpha and negative at Lemma 1's: Newton comes from below.
            for _ in range(100):
                slack = m + alpha * v
                slope = v
                for k in range(first, last):
                    part = variance[columns[k]] * values[k] * values[k]
                    share = part / (1.0 + 2.0 * alpha * phi * part)
                    slack -= phi * share
                    slope += 2.0 * phi * phi * share * share
                alpha -= slack / slope
                if -slack <= 1e-12 * alpha * slope:
                    break
        for k in range(first, last):
            j = columns[k]
            x = values[k]
            before = variance[j]
            mean[j] += alpha * y[i] * before * x
            if update == 1:
                variance[j] -= (before * x) ** 2 * 2.0 * alpha * phi / (1.0 + 2.0 * alpha * phi * v)
            else:
                variance[j] = before / (1.0 + 2.0 * alpha * phi * before * x * x)
    return mistakes


class ConfidenceWeighted(ClassifierMixin, BaseEstimator):
    """A linear classifier of two classes that knows how sure it is of each weight.

    Weights are independent Gaussians. An example that is not told right with probability eta
    moves them as little as possible, in relative entropy, until it is; so weights of rare features,
    of which little is known, move most. There is no intercept: add a feature that is always 1.

    Parameters
    ----------
    phi : float
        Confidence: the normal quantile of eta in (1/2, 1). Only ``phi * sqrt(a)`` matters for
        predictions.
    a : float
        Variance of every weight before the first example.
    update : {"variance", "projected", "exact"}
        How the diagonal covariance is updated: the step of a full covariance, with the squares of
        the example added to the inverse (Equation 17, the paper's Variance) or with the
        off-diagonal entries of Equation 13 dropped; or the optimal diagonal step, found by
        Newton's method (Variance-Exact).
    max_iter : int
        Passes of `fit` over the examples, which are taken in their order.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
        Means of the weights.
    variance_ : ndarray of shape (n_features,)
        Their variances.
    n_iter_ : int
        Times that `fit` went through the examples.
    classes_ : ndarray of shape (2,)
    n_mistakes_ : int
        Wrong predictions in the last pass, each made before its example was learnt.

    References
    ----------
    M. Dredze, K. Crammer and F. Pereira (2008): Confidence-Weighted Linear Classification, ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ConfidenceWeighted
    >>> X, y = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]), np.array(["good", "bad"])
    >>> model = ConfidenceWeighted(phi=1.0).fit(X, y)
    >>> model.predict(X)
    array(['good', 'bad'], dtype='<U4')
    >>> bool(model.variance_[0] < model.variance_[1])  # the shared word is the surest
    True
    """

    _parameter_constraints = {
        "phi": [Interval(Real, 0, None, closed="neither")],
        "a": [Interval(Real, 0, None, closed="neither")],
        "update": [StrOptions(set(UPDATES))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, phi=1.0, a=1.0, update="variance", max_iter=5):
        self.phi = phi
        self.a = a
        self.update = update
        self.max_iter = max_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y):
        """Forget what was learnt and go through the examples `max_iter` times.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Labels of two classes.
        """
        X, y = self._checked(X, y, None)
        for _ in range(self.max_iter):
            self._learn(X, y)
        self.n_iter_ = self.max_iter
        return self

    def partial_fit(self, X, y, classes=None):
        """Go on with the examples, once.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes : array of shape (2,), optional
            Both classes, at the first call, if `y` may lack one.
        """
        X, y = self._checked(X, y, classes, reset=not hasattr(self, "coef_"))
        return self._learn(X, y)

    def decision_function(self, X):
        """Return the mean margin of the second class, shape (n_samples,)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        return X @ self.coef_[0]

    def predict(self, X):
        """Return the class of each example, shape (n_samples,)."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]

    def _checked(self, X, y, classes, reset=True):
        self._validate_params()
        X, y = validate_data(self, X, y, reset=reset, accept_sparse="csr", dtype=np.float64)
        labels = np.unique(y)
        check_classification_targets(labels)
        if reset:
            self.classes_ = labels if classes is None else unique_labels(classes)
            if len(self.classes_) > 2:
                msg = (
                    "Only binary classification is supported. The type of the target is "
                    f"{type_of_target(labels)}, with {len(self.classes_)} classes"
                )
                raise ValueError(msg)
            if len(self.classes_) < 2:
                msg = "ConfidenceWeighted tells 2 classes apart, found 1 class"
                raise ValueError(msg)
            self.coef_ = np.zeros((1, X.shape[1]))
            self.variance_ = np.full(X.shape[1], float(self.a))
        if strange := np.setdiff1d(labels, self.classes_).tolist():
            msg = f"y has classes {strange} beyond {self.classes_.tolist()}"
            raise ValueError(msg)
        return csr_array(X), np.where(y == self.classes_[1], 1.0, -1.0)

    def _learn(self, X, y):
        # Indices without sign spare the kernel a test for negative ones.
        starts = X.indptr.view(f"u{X.indptr.itemsize}")
        columns = X.indices.view(f"u{X.indices.itemsize}")
        try:
            self.n_mistakes_ = learn(
                starts, columns, X.data, y, self.coef_[0], self.variance_,
                float(self.phi), UPDATES.index(self.update),
            )  # fmt: skip
        except ZeroDivisionError:
            msg = (
                "the features are so large that a variance vanishes; scale them, "
                "by sklearn.preprocessing.StandardScaler or MaxAbsScaler"
            )
            raise ValueError(msg) from None
        return self


def combine_confidence_weighted(
    models: Sequence[ConfidenceWeighted], weights: str = "precision"
) -> ConfidenceWeighted:
    """Return one classifier in the place of several that were trained apart (Equation 18).

    Parameters
    ----------
    models : sequence of ConfidenceWeighted
        Fitted, of the same classes and features.
    weights : {"precision", "uniform"}
        Whether each weight counts by its inverse variance (least relative entropy), or all alike
        (least squared distance).

    Raises
    ------
    ValueError
        If there is no model, or if classes or features differ.

    References
    ----------
    M. Dredze, K. Crammer and F. Pereira (2008): Confidence-Weighted Linear Classification, ICML,
    Section 3.4 and Equation 18.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ConfidenceWeighted, combine_confidence_weighted
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.1], [0.1, 1.0]])
    >>> y = np.array(["good", "bad", "good", "bad"])
    >>> parts = [ConfidenceWeighted().fit(X[rows], y[rows]) for rows in (slice(2), slice(2, 4))]
    >>> combine_confidence_weighted(parts).predict(X).tolist()
    ['good', 'bad', 'good', 'bad']
    """
    if weights not in ("precision", "uniform"):
        msg = f"weights is 'precision' or 'uniform', not {weights!r}"
        raise ValueError(msg)
    if len({(m.coef_.shape, tuple(m.classes_)) for m in models}) != 1:
        msg = "combine_confidence_weighted needs models, all of the same classes and features"
        raise ValueError(msg)
    joined = deepcopy(models[0])
    if weights == "uniform":
        joined.coef_ = sum(model.coef_ for model in models) / len(models)
        joined.variance_ = sum(model.variance_ for model in models) / len(models)
    else:
        joined.variance_ = 1 / sum(1 / model.variance_ for model in models)
        joined.coef_ = joined.variance_ * sum(model.coef_ / model.variance_ for model in models)
    return joined
