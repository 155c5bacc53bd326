"""An estimator of small Markov random fields by joint, conditional or pseudolikelihood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from icml2008.errors import nearest
from icml2008.papers.liang2008asymptotic.method.components import (
    Array,
    Components,
    conditional,
    joint,
    pseudolikelihood,
)
from icml2008.papers.liang2008asymptotic.method.fitting import maximise

CRITERIA = ("joint", "conditional", "pseudolikelihood")
_MOST_OUTCOMES = 2**20


class CompositeLikelihood(BaseEstimator):
    """A log-linear model of a few discrete variables that predicts some from the others.

    All outcomes are enumerated, so that every likelihood is exact; that bounds the number of
    variables (a million outcomes are allowed).

    Parameters
    ----------
    features : callable
        Takes outcomes, an array (n_outcomes, n_inputs + n_outputs), and returns the sufficient
        statistics, an array (n_outcomes, n_features).
    criterion : {"conditional", "joint", "pseudolikelihood"}, default="conditional"
        What is maximised: the probability of the outputs given the inputs (discriminative), that
        of both (generative), or that of each output given all other variables.
    values : sequence of int, default=(0, 1)
        What each variable may be.
    tol : float, default=1e-9
        Largest entry of the gradient at the end.
    max_iter : int, default=100
        Newton steps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    outputs_ : ndarray of shape (n_states, n_outputs)
        All outputs, in the order of the columns of `predict_log_proba`.
    n_features_in_ : int
        Number of inputs.

    References
    ----------
    Liang and Jordan (2008), Section 2.1.

    Examples
    --------
    Two inputs, two outputs; like values attract each other across an edge.

    >>> import numpy as np
    >>> from icml2008.methods import CompositeLikelihood
    >>> def edges(z):
    ...     x1, x2, y1, y2 = z.T
    ...     return np.column_stack([y1 == y2, (x1 == y1) * 1.0 + (x2 == y2)])
    >>> X = np.array([[0, 0], [1, 1], [0, 1], [1, 0], [0, 0], [0, 1]])
    >>> Y = np.array([[0, 0], [1, 1], [0, 0], [1, 0], [0, 1], [0, 1]])
    >>> model = CompositeLikelihood(edges).fit(X, Y)
    >>> model.predict(X[:2])
    array([[0, 0],
           [1, 1]])
    """

    def __init__(
        self,
        features: Callable[[NDArray], ArrayLike],
        criterion: str = "conditional",
        *,
        values: Sequence[int] = (0, 1),
        tol: float = 1e-9,
        max_iter: int = 100,
    ) -> None:
        self.features = features
        self.criterion = criterion
        self.values = values
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, Y: ArrayLike) -> CompositeLikelihood:
        """Estimate the parameters from inputs X (n, n_inputs) and outputs Y (n, n_outputs)."""
        X = self._table(X, "X")
        Y = self._table(Y, "Y")
        check_consistent_length(X, Y)
        self.n_features_in_ = X.shape[1]
        outcomes = self._states(X.shape[1] + Y.shape[1])
        features = np.asarray(self.features(outcomes), dtype=float)
        if features.ndim != 2 or len(features) != len(outcomes) or not np.isfinite(features).all():
            msg = (
                f"features must give a finite array ({len(outcomes)}, n_features) for as many "
                f"outcomes, found shape {features.shape}"
            )
            raise ValueError(msg)
        counts = np.bincount(self._codes(np.hstack([X, Y])), minlength=len(outcomes))
        self.coef_ = maximise(
            features,
            self._components(outcomes, X.shape[1]),
            counts,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.outputs_ = self._states(Y.shape[1])
        self._logits = (features @ self.coef_).reshape(-1, len(self.outputs_))
        return self

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return log probabilities of all outputs given inputs, shape (n, n_states)."""
        check_is_fitted(self)
        X = self._table(X, "X")
        if X.shape[1] != self.n_features_in_:
            msg = f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
            msg += f"{self.n_features_in_} features as input"
            raise ValueError(msg)
        logits = self._logits[self._codes(X)]
        return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the most probable outputs, shape (n, n_outputs)."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return self.outputs_[best]

    def score(self, X: ArrayLike, Y: ArrayLike) -> float:
        """Return the mean log probability of the outputs, minus the log-loss in nats."""
        log_probabilities = self.predict_log_proba(X)
        codes = self._codes(self._table(Y, "Y"))
        return float(log_probabilities[np.arange(len(codes)), codes].mean())

    def _components(self, outcomes: NDArray, n_inputs: int) -> Components:
        if self.criterion == "joint":
            return joint(outcomes)
        if self.criterion == "conditional":
            return conditional(outcomes, range(n_inputs))
        if self.criterion == "pseudolikelihood":
            return pseudolikelihood(outcomes, range(n_inputs, outcomes.shape[1]))
        msg = (
            f"criterion must be one of {', '.join(CRITERIA)}, found {self.criterion!r}"
            f"{nearest(str(self.criterion), CRITERIA)}"
        )
        raise ValueError(msg)

    def _states(self, n_variables: int) -> NDArray:
        size = len(self.values) ** n_variables
        if size > _MOST_OUTCOMES:
            msg = (
                f"{n_variables} variables of {len(self.values)} values have {size} outcomes, more "
                f"than the {_MOST_OUTCOMES} that are enumerated; use fewer variables"
            )
            raise ValueError(msg)
        return np.array(list(product(self.values, repeat=n_variables)))

    def _table(self, table: ArrayLike, name: str) -> NDArray:
        table = check_array(table, dtype=None, input_name=name)
        if not np.isin(table, self.values).all():
            msg = f"{name} holds values other than {tuple(self.values)}; give them as `values`"
            raise ValueError(msg)
        return table

    def _codes(self, table: NDArray) -> NDArray[np.intp]:
        """Return the place of each row among all states."""
        values = np.asarray(self.values)
        order = np.argsort(values)
        digits = order[np.searchsorted(values, table, sorter=order)]
        places = len(values) ** np.arange(table.shape[1] - 1, -1, -1)
        return digits @ places
