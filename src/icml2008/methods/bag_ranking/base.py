"""What estimators have in common that score items and rank bags by their best item."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from icml2008.methods.bag_ranking.bags import (
    ItemRoles,
    box_weights,
    guess_hits,
    item_roles,
    rank_bags,
)


class BagRanker(BaseEstimator, ABC):
    """Base class: a subclass fits and scores items, and inherits ranking and its evaluation."""

    @abstractmethod
    def fit(self, X: ArrayLike, y: ArrayLike, *, boxes: ArrayLike, bags: ArrayLike) -> BagRanker:
        """Learn from the preferred bag of each box."""

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score items; the higher, the more preferred."""

    def rank(self, X: ArrayLike, *, boxes: ArrayLike, bags: ArrayLike) -> dict:
        """Order the bags of each box by their best item.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag).

        Returns
        -------
        dict
            For each box its bag labels, best first; equal scores in order of first appearance.
        """
        return rank_bags(self.decision_function(X), boxes, bags)

    def score(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        boxes: ArrayLike,
        bags: ArrayLike,
        guesses: int = 2,
    ) -> float:
        """Return the share of boxes, 0 to 1, of which a preferred bag is among the first guesses.

        Boxes without a preferred bag are left out.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
        y : array-like of shape (n_items,)
            1 for every item of a preferred bag, else 0.
        sample_weight : array-like of shape (n_items,), optional
            A box counts as much as its items do on average.
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag).
        guesses : int, default=2
            Guesses a box; a box of no more bags than that always counts as a hit.

        Returns
        -------
        float
        """
        ranking = self.rank(X, boxes=boxes, bags=bags)
        hits = guess_hits(ranking, y, boxes, bags, guesses=guesses)
        weights = None if sample_weight is None else box_weights(sample_weight, y, boxes, bags)
        return float(np.average(hits, weights=weights))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _training_data(self, X, y, boxes, bags, pairs=()) -> tuple[NDArray[np.float64], ItemRoles]:
        """Check what `fit` was given, and count the boxes of which nothing is known."""
        self._check_parameters()
        X = validate_data(self, X, dtype=np.float64)
        roles = item_roles(y, boxes, bags, n_items=len(X), pairs=pairs)
        self.n_skipped_boxes_ = roles.n_skipped
        return X, roles

    def _check_parameters(self) -> None:
        for name in ("nu", "C"):
            value = getattr(self, name, 1.0)
            if not (isinstance(value, Real) and 0 < value < np.inf):
                msg = f"{name} must be a positive number, found {value!r}"
                raise ValueError(msg)
        if not (isinstance(self.tol, Real) and self.tol >= 0):
            msg = f"tol must be a number of at least 0, found {self.tol!r}"
            raise ValueError(msg)
        if not (isinstance(self.max_iter, Integral) and self.max_iter >= 1):
            msg = f"max_iter must be a whole number of at least 1, found {self.max_iter!r}"
            raise ValueError(msg)
