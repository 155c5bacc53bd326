"""What all multi-task classifiers of this package share: checks, kernels, predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.errors import nearest
from icml2008.methods.multitask.newton import Matrix
from icml2008.methods.multitask.tasks import locate_tasks, number_tasks


@dataclass(frozen=True)
class LinearGram:
    """The Gram matrix X X', never formed: for n rows and d < n features, products cost n d.

    Examples
    --------
    >>> (2.0 * LinearGram(np.array([[1.0], [3.0]]))) @ np.eye(2)
    array([[ 2.,  6.],
           [ 6., 18.]])
    """

    features: Matrix
    scale: float = 1.0
    # numpy scalars leave the multiplication to __rmul__
    __array_ufunc__ = None

    def __matmul__(self, other: Matrix) -> Matrix:
        return self.scale * (self.features @ (self.features.T @ other))

    def __rmul__(self, factor: float) -> LinearGram:
        return LinearGram(self.features, self.scale * float(factor))


class MultiTaskClassifier(BaseEstimator, ABC):
    """Base of classifiers that are told the task of each example."""

    @abstractmethod
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        task: Iterable[Hashable],
        tasks: Iterable[Hashable] | None = None,
    ) -> MultiTaskClassifier:
        """Learn from examples of all tasks.

        Parameters
        ----------
        X : array-like of shape (n_examples, n_features)
            Finite; the Gram matrix (n_examples, n_examples) if the kernel is "precomputed".
        y : array-like of shape (n_examples,)
            Two classes, usually -1 and 1; the larger is the positive one.
        task : iterable of n_examples hashable labels
            The task of each example.
        tasks : iterable of hashable labels, optional
            Further tasks, that need have no examples, to make predictions for.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X, y or the labels are malformed, or a parameter is out of range.
        TypeError
            If a task label is not hashable.
        """

    @abstractmethod
    def decision_function(self, X: ArrayLike, *, task: Iterable[Hashable]) -> NDArray[np.float64]:
        """Score examples; positive speaks for the positive class.

        Parameters
        ----------
        X : array-like of shape (n_examples, n_features)
            The kernel with the training examples, (n_examples, n_train), if it is "precomputed".
        task : iterable of n_examples hashable labels

        Returns
        -------
        ndarray of shape (n_examples,)
            Log-odds of the positive class, unless the class says otherwise.
        """

    def predict_proba(self, X: ArrayLike, *, task: Iterable[Hashable]) -> NDArray[np.float64]:
        """Return class probabilities.

        Parameters
        ----------
        X, task
            As for :meth:`decision_function`.

        Returns
        -------
        ndarray of shape (n_examples, 2)
            In the order of `classes_`.
        """
        positive = expit(self.decision_function(X, task=task))
        return np.column_stack([1 - positive, positive])

    def predict(self, X: ArrayLike, *, task: Iterable[Hashable]) -> NDArray:
        """Return the more probable class; the negative one if both are equally probable.

        Parameters
        ----------
        X, task
            As for :meth:`decision_function`.

        Returns
        -------
        ndarray of shape (n_examples,)
        """
        positive = self.decision_function(X, task=task) > 0
        return self.classes_[positive.astype(int)]

    def score(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        task: Iterable[Hashable],
    ) -> float:
        """Return the accuracy, 0 to 1; an undecided prediction counts half.

        Parameters
        ----------
        X, task
            As for :meth:`decision_function`.
        y : array-like of shape (n_examples,)
        sample_weight : array-like of shape (n_examples,), optional

        Returns
        -------
        float
        """
        decision = self.decision_function(X, task=task)
        sign = np.where(np.asarray(y) == self.classes_[1], 1, -1)
        return float(np.average((1 + np.sign(sign * decision)) / 2, weights=sample_weight))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _start(self, X, y, task, tasks) -> tuple[Matrix, Matrix, NDArray[np.intp]]:
        """Check data and kernel; set what all fits set; return X, signs and numbers of tasks."""
        known = {"linear", "rbf", "precomputed", *PAIRWISE_KERNEL_FUNCTIONS}
        if not (callable(self.kernel) or self.kernel in known):
            msg = f"unknown kernel {self.kernel!r}{nearest(self.kernel, known)}, or a callable"
            raise ValueError(msg)
        if not (isinstance(self.max_iter, Integral) and self.max_iter >= 1):
            msg = f"max_iter must be a whole number of at least 1, found {self.max_iter!r}"
            raise ValueError(msg)
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            msg = f"a precomputed kernel must be square to fit, found shape {X.shape}"
            raise ValueError(msg)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            labels = self.classes_[:3].tolist()
            msg = "Only binary classification is supported. "
            msg += f"y must hold two classes, found {len(self.classes_)}, such as {labels}"
            raise ValueError(msg)
        self.tasks_, number = number_tasks(task, len(X), tasks)
        self.X_fit_ = X
        return X, 2.0 * index - 1.0, number

    def _new(self, X, task) -> tuple[Matrix, list, NDArray[np.intp]]:
        """Check new examples; return X, their task labels, and the tasks' positions or -1."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        labels, number = number_tasks(task, len(X))
        return X, labels, locate_tasks(labels, len(labels), self.tasks_)[number]

    def _kernel(
        self, X: Matrix, others: Matrix | None = None, gamma: float | None = None
    ) -> Matrix:
        if self.kernel == "precomputed":
            return X
        if callable(self.kernel):
            values = self.kernel(X, X if others is None else others, **(self.kernel_params or {}))
            values = np.asarray(values, dtype=np.float64)
            expected = (len(X), len(X if others is None else others))
            if values.shape != expected:
                msg = f"the kernel gave an array of shape {values.shape}, expected {expected}"
                raise ValueError(msg)
            return values
        gamma = self.gamma if gamma is None else gamma
        parameters = {"gamma": gamma} | (self.kernel_params or {})
        return pairwise_kernels(X, others, metric=self.kernel, filter_params=True, **parameters)

    def _gram(self, X: Matrix, rows=slice(None), gamma: float | None = None) -> Matrix | LinearGram:
        """Return the Gram matrix of some rows, as a product of features where that is cheaper."""
        if self.kernel == "precomputed":
            return X[rows][:, rows]
        X = X[rows]
        if self.kernel == "linear" and X.shape[1] < len(X):
            return LinearGram(X)
        return self._kernel(X, gamma=gamma)


def check_above(name: str, value: float, floor: float = 0.0, *, strict: bool = True) -> None:
    """Raise ValueError unless `value` is a finite number above `floor` (or equal, if not strict).

    Examples
    --------
    >>> check_above("sigma_w", -1.0)
    Traceback (most recent call last):
        ...
    ValueError: sigma_w must be a number above 0, found -1.0
    """
    if isinstance(value, Real) and (value > floor if strict else value >= floor) and value < np.inf:
        return
    msg = (
        f"{name} must be a number {'above' if strict else 'of at least'} {floor:g}, found {value!r}"
    )
    raise ValueError(msg)
