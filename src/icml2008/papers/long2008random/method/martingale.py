"""Martingale boosting: a branching program over base classifiers, which withstands label noise."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from .labels import signs_of
from .weak import first_best

_ROUNDING = 1e-9  # of the weight of a class at a place


class MartingaleBooster(ClassifierMixin, BaseEstimator):
    """Boosting by a branching program instead of a potential.

    Every example walks over the places 0, 1, 2, ...: at each of `n_rounds` stages, the base
    classifier of its place sends it one place up, or lets it stay. The label is 1 for those that
    end above the middle. A base classifier is chosen for each stage and place, on the examples
    that are there, classes given equal weight; how often the earlier ones were wrong on an example
    does not make it heavier, so that wrong labels gain no weight. Of base classifiers whose edges
    are equal, within 1e-9 of a class's weight, the first feature's is chosen.

    The base classifiers are the features, h_j(x) = x_j from -1 to 1; one that says h sends the
    share (1 + h) / 2 of the example up, so that the whole walk is computed, not drawn.

    Parameters
    ----------
    n_rounds : int
        Stages; an odd number leaves no example in the middle. Time and memory grow with
        n_samples n_rounds^2 n_features and n_samples n_rounds.
    noise_rate : float
        Known rate of label noise, below 1/2: where no more than this share of the examples at a
        place has the other label, they are noise, and the walk ends there with the majority's.
    complements : bool
        Whether -h is a base classifier wherever h is one.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    features_ : list of ndarray of shape (t + 1,)
        For each stage t, the feature of each place.
    signs_ : list of ndarray of shape (t + 1,)
        For each stage t, the sign of each place's base classifier.
    ends_ : list of ndarray of shape (t + 1,)
        For each stage t, the label with which the walk ends at each place, 0 where it goes on.

    References
    ----------
    Long, P. M. and Servedio, R. A. (2005). Martingale boosting. COLT.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MartingaleBooster
    >>> X = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]])
    >>> booster = MartingaleBooster(n_rounds=9).fit(X, [1, 1, 1, 0, 0, 0])
    >>> booster.predict(X)
    array([1, 1, 1, 0, 0, 0])
    """

    def __init__(self, n_rounds: int = 51, *, noise_rate: float = 0.0, complements: bool = True):
        self.n_rounds = n_rounds
        self.noise_rate = noise_rate
        self.complements = complements

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MartingaleBooster:
        """Build the branching program.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Values from -1 to 1.
        y : array-like of shape (n_samples,)
            Two classes; the one that sorts last counts as 1, the other as -1.
        sample_weight : array-like of shape (n_samples,), optional
        """
        if not isinstance(self.n_rounds, Integral) or self.n_rounds < 1:
            msg = f"n_rounds: found {self.n_rounds!r}; give a whole number from 1 on"
            raise ValueError(msg)
        if not 0 <= self.noise_rate < 0.5:
            msg = f"noise_rate: found {self.noise_rate!r}; it is at least 0 and below 1/2"
            raise ValueError(msg)
        X, y = validate_data(self, X, y, dtype=np.float64)
        if np.abs(X).max() > 1:
            msg = (
                f"X: found values from {X.min():.4g} to {X.max():.4g}; features serve as base "
                "classifiers from -1 to 1 only: scale them"
            )
            raise ValueError(msg)
        self.classes_, signs = signs_of(y)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        parts = np.stack([signs < 0, signs > 0]) * (weights / weights.sum())  # by label

        self.features_ = []
        self.signs_ = []
        self.ends_ = []
        mass = np.ones((len(X), 1))
        for _ in range(self.n_rounds):
            down_mass, up_mass = totals = parts @ mass  # by place
            # Rounding makes a place that holds one label hold a little of the other.
            share = max(self.noise_rate, 1e-12) * (1 + 1e-9)
            over = totals.min(axis=0) <= share * totals.sum(axis=0)
            self.ends_.append(np.where(over, np.sign(up_mass - down_mass), 0.0))
            balanced = parts[:, :, None] / np.where(totals > 0, totals, 1.0)[:, None]
            edges = ((balanced[1] - balanced[0]) * mass).T @ X
            best = first_best(np.abs(edges) if self.complements else edges, _ROUNDING)
            chosen = np.take_along_axis(edges, best[:, None], axis=1)[:, 0]
            self.features_.append(best)
            self.signs_.append(np.where(self.complements & (chosen < -_ROUNDING), -1.0, 1.0))
            mass, _ = self._walk(mass, X, len(self.ends_) - 1)
        return self

    def _walk(self, mass: np.ndarray, X: np.ndarray, t: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the mass at each place after stage t, and the label mass of ended walks."""
        ended = mass @ self.ends_[t]
        mass = np.where(self.ends_[t] == 0, mass, 0.0)
        rising = mass * (1 + self.signs_[t] * X[:, self.features_[t]]) / 2
        after = np.zeros((len(X), mass.shape[1] + 1))
        after[:, :-1] = mass - rising
        after[:, 1:] += rising
        return after, ended

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the chance to end up as the last class minus that of the other, in [-1, 1]."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        mass = np.ones((len(X), 1))
        score = np.zeros(len(X))
        for t in range(len(self.ends_)):
            mass, ended = self._walk(mass, X, t)
            score += ended
        return score + mass @ np.sign(np.arange(mass.shape[1]) - len(self.ends_) / 2)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each example, shape (n_samples,)."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
