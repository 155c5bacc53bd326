"""Training and test examples of many tasks, with what the methods share: kernels and posteriors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

from icml2008.methods.multitask.base import LinearGram
from icml2008.methods.multitask.tasks import locate_tasks, number_tasks

Array = NDArray[np.float64]

_ROUNDING = 1e-9  # log-odds of which nothing is known but that they are small


@dataclass(frozen=True)
class Examples:
    """Labelled examples of many tasks.

    Attributes
    ----------
    X : ndarray of shape (n, n_features)
    y : ndarray of shape (n,)
        -1 or 1.
    task : ndarray of str, shape (n,)
    """

    X: Array
    y: Array
    task: NDArray[np.str_]

    def take(self, rows) -> Examples:
        """Return the examples at some rows."""
        return Examples(self.X[rows], self.y[rows], self.task[rows])


@dataclass(frozen=True)
class Kernel:
    """An RBF kernel of a split.

    Attributes
    ----------
    gram : object with ``gram @ A``
        Between training examples.
    features : ndarray of shape (n_train, m) or None
        With ``gram = features @ features.T``; None if the kernel is exact.
    cross : ndarray of shape (n_test, m) or (n_test, n_train)
        The test examples' features, or their kernel with the training examples.
    """

    gram: Array | LinearGram
    features: Array | None
    cross: Array

    def rows(self, rows) -> Array | LinearGram:
        """Return the Gram matrix of some training examples."""
        if self.features is None:
            return self.gram[np.ix_(rows, rows)]
        return LinearGram(self.features[rows])

    def between(self, others, rows) -> Array:
        """Return the kernel of some training examples with others."""
        if self.features is None:
            return self.gram[np.ix_(others, rows)]
        return self.features[others] @ self.features[rows].T

    def scores(self, dual: Array) -> Array:
        """Return ``k(test, train) @ dual``."""
        return self.cross @ (dual if self.features is None else self.features.T @ dual)

    def dense(self) -> tuple[Array, Array]:
        """Return the kernel among training examples, and of the test examples with them."""
        if self.features is None:
            return self.gram, self.cross
        return self.features @ self.features.T, self.cross @ self.features.T


class Split:
    """Examples to learn from and examples to judge by.

    Parameters
    ----------
    train, test : Examples
    landmarks : int or None
        Number of training examples that carry the kernel (Nyström); None leaves it exact.
    seed : int
        Draws the landmarks, and folds.

    Attributes
    ----------
    tasks : list
        Those of the training examples first.
    number : ndarray of int, shape (n_train,)
        Position of each training example's task in `tasks`.
    wanted : ndarray of int
        Positions of the test examples' tasks.
    column : ndarray of int, shape (n_test,)
        Position of each test example's task in `wanted`.
    """

    def __init__(self, train: Examples, test: Examples, landmarks: int | None, seed: int) -> None:
        self.train = train
        self.test = test
        self.landmarks = landmarks
        self.seed = seed
        self.tasks, self.number = number_tasks(train.task, len(train.y), test.task.tolist())
        of_test = locate_tasks(test.task, len(test.y), self.tasks)
        self.wanted, self.column = np.unique(of_test, return_inverse=True)
        self._remembered: dict = {}

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """Number of training examples of each task."""
        return np.bincount(self.number, minlength=len(self.tasks))

    def remember(self, key, make: Callable):
        """Return ``make()``, called once for a key."""
        if key not in self._remembered:
            self._remembered[key] = make()
        return self._remembered[key]

    def kernel(self, gamma: float) -> Kernel:
        """Return the kernel ``exp(-gamma |x - x'|^2)``."""
        return self.remember(("kernel", gamma), lambda: self._kernel(gamma, self.landmarks))

    def features(self, gamma: float, at_most: int) -> tuple[Array, Array]:
        """Return features of training and test examples whose inner products are the kernel."""
        number = min(at_most, len(self.train.y))
        kernel = self.remember(("features", gamma), lambda: self._kernel(gamma, number))
        return kernel.features, kernel.cross

    def _kernel(self, gamma: float, landmarks: int | None) -> Kernel:
        X = self.train.X
        others = self.test.X
        if landmarks is None or landmarks > len(X):
            return Kernel(rbf_kernel(X, gamma=gamma), None, rbf_kernel(others, X, gamma=gamma))
        map_ = Nystroem(gamma=gamma, n_components=landmarks, random_state=self.seed).fit(X)
        features = map_.transform(X)
        return Kernel(LinearGram(features), features, map_.transform(others))

    def similarity(self, task_kernel, tasks: Sequence) -> Array:
        """Return the similarity of tasks (rows) to all tasks (columns)."""
        return np.asarray(task_kernel(tasks, self.tasks), dtype=float)


def hits(decision: Array, y: Array) -> Array:
    """Return 1 for a right decision, 0 for a wrong one and a half for none.

    Where two examples balance each other, rounding leaves a sign that decides nothing.

    Examples
    --------
    >>> hits(np.array([2.0, 0.0, -1.0, 1e-17]), np.array([1.0, 1.0, 1.0, 1.0]))
    array([1. , 0.5, 0. , 0.5])
    """
    decided = np.abs(decision) > _ROUNDING
    return (1 + decided * np.sign(decision) * y) / 2
