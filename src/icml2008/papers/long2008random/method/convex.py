"""The convex potential booster: descent on a potential of the margins, one coordinate a round."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from scipy.optimize import brentq
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from .labels import signs_of
from .potentials import Potential, as_potential
from .weak import WeakLearner, as_weak_learner

STEPS = ("line-search", "weighted-error", "newton")
_NO_EDGE = 1e-13  # of the total weight: rounding, not an edge
_FLAT = 1e-10  # of the first slope: a potential that only tends to its minimum has come near it
_LONGEST = 1e12


class ConvexPotentialBooster(ClassifierMixin, BaseEstimator):
    """Boosting as coordinate descent on a convex potential of the margins.

    Each round takes the base classifier along which the potential falls most steeply and moves its
    vote. The potentials of AdaBoost, LogitBoost and MadaBoost give these algorithms.

    Parameters
    ----------
    potential : str or Potential
        "exponential" (AdaBoost), "logistic" (LogitBoost), "madaboost", "squared-hinge",
        "smooth-hinge", or one's own (see `check_potential`).
    n_rounds : int
    weak_learner : {"stumps", "features"} or WeakLearner
        The set of base classifiers with its oracle; "features" takes h_j(x) = x_j from -1 to 1.
    complements : bool
        Whether -h is a base classifier wherever h is one.
    step : {"line-search", "weighted-error", "newton"}
        How far a vote is moved: to the minimum along the coordinate (the paper's choice), by
        AdaBoost's 1/2 log((1 - e) / e) with e the error weighted by -phi', or by one Newton step,
        which is LogitBoost's.
    clip : float, optional
        For Newton steps: largest working response -phi' / phi''. Implementations of LogitBoost
        clip at 2 to 4; with that, it descends on no convex potential any more.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    keys_, votes_ : list and ndarray of shape (n_rounds_,)
        The base classifier of each round and what was added to its vote.
    n_rounds_ : int
        Rounds done: fewer than asked for if the potential falls along no coordinate.
    potential_path_ : ndarray of shape (n_rounds_ + 1,)
        The weighted mean of the potential of the training margins before and after each round.

    References
    ----------
    Long, P. M. and Servedio, R. A. (2008). Random classification noise defeats all convex
    potential boosters. ICML. Section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ConvexPotentialBooster
    >>> X = np.array([[0.2], [0.6], [-0.4], [-0.9]])
    >>> booster = ConvexPotentialBooster("logistic", n_rounds=5).fit(X, [1, 1, 0, 0])
    >>> booster.predict([[0.3], [-0.3]])
    array([1, 0])
    """

    def __init__(
        self,
        potential: str | Potential = "exponential",
        n_rounds: int = 100,
        *,
        weak_learner: str | WeakLearner = "stumps",
        complements: bool = True,
        step: str = "line-search",
        clip: float | None = None,
    ):
        self.potential = potential
        self.n_rounds = n_rounds
        self.weak_learner = weak_learner
        self.complements = complements
        self.step = step
        self.clip = clip

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ConvexPotentialBooster:
        """Boost.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Two classes; the one that sorts last counts as 1, the other as -1.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the examples: with them, expectations over a distribution are exact.
        """
        potential = as_potential(self.potential)
        self._check_parameters(potential)
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, signs = signs_of(y)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not (kept := weights > 0).all():  # 0 times an infinite potential is no number
            X = X[kept]
            signs = signs[kept]
            weights = weights[kept]
        weights = weights / weights.sum()
        learner = as_weak_learner(self.weak_learner)
        learner.prepare(X)

        keys = []
        votes = []
        margins = np.zeros(len(signs))
        path = [weights @ potential.value(margins)]
        for _ in range(self.n_rounds):
            force = self._force(potential, margins)
            key, sign, edge = learner.best(weights * force * signs, self.complements)
            if edge <= _NO_EDGE * (weights @ force):
                break
            agreement = sign * signs * learner.outputs(key, X)
            vote = self._step(potential, weights, margins, agreement, edge)
            margins = margins + vote * agreement
            keys.append(key)
            votes.append(sign * vote)
            path.append(weights @ potential.value(margins))
        self.keys_ = keys
        self.votes_ = np.array(votes)
        self.n_rounds_ = len(keys)
        self.potential_path_ = np.array(path)
        self._learner = learner
        return self

    def _check_parameters(self, potential: Potential) -> None:
        if not isinstance(self.n_rounds, Integral) or self.n_rounds < 1:
            msg = f"n_rounds: found {self.n_rounds!r}; give a whole number from 1 on"
            raise ValueError(msg)
        if self.step not in STEPS:
            msg = f"step: found {self.step!r}; choose among {', '.join(STEPS)}"
            raise ValueError(msg)
        if self.step == "newton" and potential.curvature is None:
            msg = f"step: {potential.name} has no curvature, which Newton steps need"
            raise ValueError(msg)
        if self.clip is not None and (self.step != "newton" or not self.clip > 0):
            msg = (
                f"clip: found {self.clip!r} with step {self.step!r}; it is a positive number that "
                'goes with step="newton"'
            )
            raise ValueError(msg)

    def _force(self, potential: Potential, margins: np.ndarray) -> np.ndarray:
        """Return the weights -phi'(margin), as far as they come from a clipped response."""
        force = -potential.slope(margins)
        if self.clip is None:
            return force
        return np.minimum(force, self.clip * potential.curvature(margins))

    def _step(self, potential, weights, margins, agreement, edge) -> float:
        if self.step == "line-search":
            return line_search(potential, weights, margins, agreement)
        if self.step == "newton":
            curvature = weights * potential.curvature(margins) @ agreement**2
            return edge / curvature if curvature > edge / _LONGEST else _LONGEST
        advantage = edge / (weights @ self._force(potential, margins))
        return float(np.arctanh(min(advantage, 1 - _FLAT)))  # 1/2 log((1 + r) / (1 - r))

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the sum of votes F(x), shape (n_samples,), above 0 for the last class."""
        scores = None
        for scores in self.staged_decision_function(X):  # noqa: B007
            pass
        return np.zeros(len(X)) if scores is None else scores

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """Yield the sum of votes after each round, each of shape (n_samples,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = np.zeros(len(X))
        for key, vote in zip(self.keys_, self.votes_, strict=True):
            scores = scores + vote * self._learner.outputs(key, X)
            yield scores

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each example, shape (n_samples,)."""
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def line_search(
    potential: Potential, weights: np.ndarray, margins: np.ndarray, agreement: np.ndarray
) -> float:
    """Return the s > 0 that minimises sum_i weights_i phi(margins_i + s agreement_i).

    The slope at s = 0 must be negative. Where the potential only tends to its minimum, s is such
    that the slope has fallen to 1e-10 of the first one.
    """
    parts = weights * agreement

    def slope(s: float) -> float:
        return float(parts @ potential.slope(margins + s * agreement))

    with np.errstate(over="ignore"):  # a step that is too long is halved
        first = slope(0.0)
        high = 1.0
        at_high = slope(high)
        while at_high < _FLAT * first and high < _LONGEST:
            high *= 2
            at_high = slope(high)
        if high >= _LONGEST:
            return high
        target = 0.0 if at_high > 0 else _FLAT * first
        return brentq(lambda s: slope(s) - target, 0.0, high, xtol=1e-14)
