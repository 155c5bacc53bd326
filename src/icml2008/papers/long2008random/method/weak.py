"""Oracles for the best base classifier: the features themselves, or decision stumps."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from icml2008.errors import nearest


class WeakLearner(Protocol):
    """A set H of base classifiers h: X -> [-1, 1] with an oracle for the best one.

    An object of one's own with these methods serves as well as the two below.
    """

    def prepare(self, X: np.ndarray) -> None:
        """Take in the training examples, shape (n_samples, n_features)."""

    def best(self, pull: np.ndarray, complements: bool) -> tuple[Any, float, float]:
        """Return the key, the sign and the edge of the best base classifier.

        The edge of h is sum_i pull_i h(x_i); with `complements`, -h belongs to H if h does, and
        the sign is then -1 where -h is the better.
        """

    def outputs(self, key: Any, X: np.ndarray) -> np.ndarray:
        """Return h(x) in [-1, 1] for the rows of X, h having the given key."""


def first_best(edges: np.ndarray, rounding: float) -> np.ndarray:
    """Return where the best edge is along the last axis.

    It is the first of those that fall short of the best by no more than `rounding`: which of equal
    edges comes out ahead is not left to the order in which a machine adds.
    """
    return np.argmax(edges >= edges.max(axis=-1, keepdims=True) - rounding, axis=-1)


def _rounding(pull: np.ndarray) -> float:
    return 1e-13 * float(np.abs(pull).sum())


class Features:
    """The confidence-rated base classifiers h_j(x) = x_j, with key j; features in [-1, 1]."""

    def prepare(self, X: np.ndarray) -> None:
        if np.abs(X).max() > 1:
            msg = (
                f"X: found values from {X.min():.4g} to {X.max():.4g}; features serve as base "
                'classifiers from -1 to 1 only: scale them, or take weak_learner="stumps"'
            )
            raise ValueError(msg)
        self._X = X

    def best(self, pull: np.ndarray, complements: bool) -> tuple[int, float, float]:
        edges = pull @ self._X
        j = int(first_best(np.abs(edges) if complements else edges, _rounding(pull)))
        sign = -1.0 if complements and edges[j] < 0 else 1.0
        return j, sign, sign * float(edges[j])

    def outputs(self, key: int, X: np.ndarray) -> np.ndarray:
        return X[:, key]


class Stumps:
    """Decision stumps: 1 where x_j is above a threshold, else -1, with key (j, threshold).

    Thresholds lie halfway between neighbouring values of a feature. All of them are looked at in
    O(n_samples n_features), after one sort.
    """

    def prepare(self, X: np.ndarray) -> None:
        self._order = np.argsort(X, axis=0, kind="stable")
        self._sorted = np.take_along_axis(X, self._order, axis=0)
        self._splits = self._sorted[1:] > self._sorted[:-1]

    def best(self, pull: np.ndarray, complements: bool) -> tuple[tuple[int, float], float, float]:
        below = np.cumsum(pull[self._order], axis=0)
        edges = below[-1] - 2 * below[:-1]
        rated = np.where(self._splits, np.abs(edges) if complements else edges, -np.inf)
        if not self._splits.any():  # constant features: nothing to tell apart
            return (0, np.inf), 1.0, 0.0
        i, j = divmod(int(first_best(rated.ravel(), _rounding(pull))), rated.shape[1])
        sign = -1.0 if complements and edges[i, j] < 0 else 1.0
        low = self._sorted[i, j]
        high = self._sorted[i + 1, j]
        middle = low / 2 + high / 2
        threshold = float(middle if low <= middle < high else low)
        return (j, threshold), sign, float(rated[i, j])

    def outputs(self, key: tuple[int, float], X: np.ndarray) -> np.ndarray:
        j, threshold = key
        return np.where(X[:, j] > threshold, 1.0, -1.0)


_LEARNERS = {"features": Features, "stumps": Stumps}


def as_weak_learner(learner: str | WeakLearner) -> WeakLearner:
    """Return a weak learner given by name, or as it is.

    Raises
    ------
    ValueError
        If there is no weak learner of that name.
    """
    if not isinstance(learner, str):
        return learner
    if learner not in _LEARNERS:
        msg = (
            f"weak_learner: no weak learner {learner!r}{nearest(learner, _LEARNERS)}; there are "
            f"{', '.join(_LEARNERS)}"
        )
        raise ValueError(msg)
    return _LEARNERS[learner]()
