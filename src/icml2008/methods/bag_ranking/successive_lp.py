"""Alternate between a linear program in the coefficients and the best convex combinations."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.errors import nearest
from icml2008.methods.bag_ranking.bags import ItemRoles
from icml2008.methods.bag_ranking.base import BagRanker
from icml2008.methods.bag_ranking.central_path import CentralProgram
from icml2008.methods.bag_ranking.hinge_program import HingeProgram

PROGRAMS = {"vertex": HingeProgram, "interior": CentralProgram}
# scores closer than this, relative to the largest, count as equal: rounding of a sum of products
_TIE = 1e-12
# a smaller decrease of the objective, relative to it, is rounding
_DECREASE = 1e-9


class SuccessiveLinearProgramming(BagRanker):
    """Base of rankers that are fitted by Algorithm 1 of Bergeron et al. (2008).

    A subclass says which vectors the coefficients should separate (`_rows`), how much a loss weighs
    (`_loss_weights`) and which coefficients are penalised (`_penalty`).
    """

    def fit(self, X, y, *, boxes, bags):
        """Learn from the preferred bag of each box.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Finite. The 1-norm depends on the units of features: bring them to similar scales.
        y : array-like of shape (n_items,)
            1 for every item of a preferred bag, else 0. A box may have several preferred bags; one
            that has none is skipped, and `n_skipped_boxes_` counts it.
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag). A box of one bag holds no preference.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X, y or the labels are malformed, no bag is preferred over another, or a parameter
            is out of range.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If convex combinations still change and the objective still decreases after `max_iter`
            rounds; the last coefficients are kept.
        """
        features, roles = self._features(X, y, boxes, bags)
        self._alternate([self], features, roles)
        return self

    def decision_function(self, X):
        """Score items; the higher, the more preferred.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)

        Returns
        -------
        ndarray of shape (n_items,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel is None:
            return X @ self.coef_ + getattr(self, "intercept_", 0.0)
        return self._kernel(X) @ self.dual_coef_ + getattr(self, "intercept_", 0.0)

    @abstractmethod
    def _penalty(self, n_coefs: int) -> NDArray[np.float64]:
        """Return the weights of the 1-norm."""

    @abstractmethod
    def _loss_weights(self, roles: ItemRoles) -> NDArray[np.float64]:
        """Return the weights of the losses, one for each row."""

    @abstractmethod
    def _rows(self, centres, others, roles: ItemRoles) -> NDArray[np.float64]:
        """Return the vectors whose products with the coefficients should be at least 1."""

    def _keep(self, w: NDArray[np.float64]) -> None:
        if self.kernel is None:
            self.coef_ = w
        else:
            self.dual_coef_ = w

    def _fit_path(self, X, y, boxes, bags, nus: Sequence[float], pairs=()) -> list[Self]:
        models = [clone(self).set_params(nu=nu) for nu in nus]
        for model in models:
            model._check_parameters()
        features, roles = self._features(X, y, boxes, bags, pairs)
        seen = {name: value for name, value in vars(self).items() if name.endswith("_")}
        for model in models:
            vars(model).update(seen)
        self._alternate(models, features, roles)
        return models

    def _check_parameters(self) -> None:
        super()._check_parameters()
        known = {"linear", "poly", "rbf", *PAIRWISE_KERNEL_FUNCTIONS}
        if not (self.kernel is None or callable(self.kernel) or self.kernel in known):
            msg = f"unknown kernel {self.kernel!r}{nearest(self.kernel, known)}, a callable or None"
            raise ValueError(msg)
        if self.solution not in PROGRAMS:
            msg = f"unknown solution {self.solution!r}{nearest(self.solution, PROGRAMS)}"
            raise ValueError(msg)

    def _features(self, X, y, boxes, bags, pairs=()) -> tuple[NDArray[np.float64], ItemRoles]:
        X, roles = self._training_data(X, y, boxes, bags, pairs)
        if self.kernel is None:
            return X, roles
        self.X_fit_ = X
        return self._kernel(X), roles

    def _alternate(
        self, models: Sequence[Self], features: NDArray[np.float64], roles: ItemRoles
    ) -> None:
        """Fit models that differ in nu alone, one round of Algorithm 1 after the other.

        Models with the same convex combinations share a linear program but for its cost.
        """
        preferred = features[roles.preferred]
        others = features[roles.others]
        loss_weights = self._loss_weights(roles)
        penalty = self._penalty(features.shape[1])
        shares = {model: np.repeat(1.0 / roles.sizes, roles.sizes) for model in models}
        bases: dict = dict.fromkeys(models)
        paths: dict = {model: [] for model in models}
        active = sorted(models, key=lambda model: model.nu)
        for _ in range(self.max_iter):
            alike: dict[bytes, list] = {}
            for model in active:
                alike.setdefault(shares[model].tobytes(), []).append(model)
            active = []
            for group in alike.values():
                share = shares[group[0]]
                centres = np.add.reduceat(share[:, None] * preferred, roles.starts)
                rows = self._rows(centres, others, roles)
                program = PROGRAMS[self.solution](rows, penalty, start=bases[group[0]])
                for model in group:
                    cost = model.nu * loss_weights
                    w = program.solve(cost)
                    bases[model] = program.basis
                    paths[model].append(program.objective(w, cost))
                    model._keep(w)
                    shares[model] = _best_shares(preferred @ w[: features.shape[1]], roles)
                    change = np.add.reduceat(np.abs(shares[model] - share), roles.starts)
                    # Without a decrease, w is optimal for both the old and the new combinations: a
                    # stationary point. Of many equivalent vertices it would only find others.
                    stuck = (
                        self.solution == "vertex"
                        and len(paths[model]) > 1
                        and paths[model][-1] >= paths[model][-2] * (1 - _DECREASE)
                    )
                    if change.max() > self.tol and not stuck:
                        active.append(model)
            if not active:
                break
        for model in models:
            model.objective_path_ = np.array(paths[model])
            model.n_iter_ = len(paths[model])
        for model in active:
            warnings.warn(
                f"{type(model).__name__}(nu={model.nu:g}) did not settle in "
                f"max_iter={model.max_iter} rounds: convex combinations still change; "
                "raise max_iter",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _kernel(self, X) -> NDArray[np.float64]:
        parameters = dict(self.kernel_params or {})
        if not callable(self.kernel):
            parameters |= {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return pairwise_kernels(
            X, self.X_fit_, metric=self.kernel, filter_params=True, **parameters
        )


def _best_shares(scores: NDArray[np.float64], roles: ItemRoles) -> NDArray[np.float64]:
    """Solve the second linear program: all weight on the best item, shared where items tie."""
    best = np.repeat(np.maximum.reduceat(scores, roles.starts), roles.sizes)
    tied = (scores >= best - _TIE * np.abs(scores).max()).astype(float)
    return tied / np.repeat(np.add.reduceat(tied, roles.starts), roles.sizes)
