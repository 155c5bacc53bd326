"""What rankers of whole lists share: the network, the solvers and the interface."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, check_random_state, validate_data

from icml2008.errors import nearest
from icml2008.methods.listwise import _kernels
from icml2008.methods.listwise.targets import Array, target_scores

SOLVERS = ("lbfgs", "sgd")


def list_numbers(qid: ArrayLike | None, n_samples: int) -> np.ndarray:
    """Return the number of each sample's list, lists counted in order of their first sample.

    Raises
    ------
    ValueError
        If there is not one label a sample.
    """
    if qid is None:
        return np.zeros(n_samples, dtype=np.intp)
    qid = np.asarray(qid)
    if qid.shape != (n_samples,):
        msg = f"qid must give a list to each of {n_samples} samples, found shape {qid.shape}"
        raise ValueError(msg)
    ends = np.flatnonzero(qid[1:] != qid[:-1])
    if len(np.unique(qid[np.append(0, ends + 1)])) == len(ends) + 1:  # list after list already
        return np.repeat(
            np.arange(len(ends) + 1), np.diff(np.concatenate([[-1], ends, [n_samples - 1]]))
        )
    _, first, code = np.unique(qid, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[code]


def _short(numbers: np.ndarray) -> np.ndarray:
    """Return numbers as the type that is sorted in linear time, if they fit."""
    return numbers.astype(np.uint16) if numbers.max() < 2**16 else numbers


class ListwiseRanker(BaseEstimator):
    """What the three rankers share: the network, the solvers and the interface."""

    _kind: str

    def fit(self, X: ArrayLike, y: ArrayLike, qid: ArrayLike | None = None):
        """Learn to score.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
        y : array_like of shape (n_samples,)
            The higher, the better within a list.
        qid : array_like of shape (n_samples,), optional
            The list of each sample; one list by default.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        rng = check_random_state(self.random_state)
        numbers = list_numbers(qid, len(X))
        # of equal items, any order is a perfect one
        order = np.argsort(rng.permutation(len(X)))
        order = order[np.argsort(-y[order], kind="stable")]
        order = order[np.argsort(_short(numbers)[order], kind="stable")]
        starts = np.concatenate([[0], np.cumsum(np.bincount(numbers))])
        data = _kernels.KINDS[self._kind], X[order], self._targets(y[order], starts), starts
        theta = self._start(rng)
        solve = {"lbfgs": self._lbfgs, "sgd": self._sgd}
        if self.solver not in SOLVERS:
            msg = f"solver must be one of {', '.join(SOLVERS)}, found {self.solver!r}"
            raise ValueError(msg + nearest(str(self.solver), SOLVERS))
        converged = solve[self.solver](data, theta)
        if not converged:
            msg = f"{self.solver} stopped after max_iter={self.max_iter} of it"
            warnings.warn(msg, ConvergenceWarning, stacklevel=2)
        self.coef_ = theta
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return scores, (n_samples,): the higher, the better within a list."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = np.empty(len(X))
        layer = np.empty((len(X), self.hidden))
        _kernels.network(np.ascontiguousarray(X), self.coef_, self.hidden, scores, layer)
        return scores

    def score(
        self,
        X: ArrayLike,
        y: ArrayLike,
        qid: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the share of lists in which no two items stand in the wrong order.

        Parameters
        ----------
        X, y, qid
            As for `fit`.
        sample_weight : array_like of shape (n_samples,), optional
            A list counts as much as its samples do on average.
        """
        scores = self.predict(X)
        y = check_array(y, ensure_2d=False, input_name="y")
        numbers = list_numbers(qid, len(scores))
        # of equal scores the worse item is taken to come first
        order = np.lexsort((y, -scores, numbers))
        rises = (np.diff(y[order]) > 0) & (np.diff(numbers[order]) == 0)
        wrong = np.unique(numbers[order][1:][rises])
        if sample_weight is None:
            return float(1.0 - len(wrong) / (numbers.max() + 1))
        weights = np.bincount(numbers, sample_weight) / np.bincount(numbers)
        return float(1.0 - weights[wrong].sum() / weights.sum())

    def _targets(self, y: Array, starts: np.ndarray) -> Array:
        """Return what the loss knows of the truth beside the order."""
        raise NotImplementedError

    def _target_scores(self, y: Array, starts: np.ndarray) -> Array:
        if self.mapping is None:
            return y.astype(float)
        sizes = np.diff(starts)
        of_size = {n: target_scores(n, self.mapping) for n in np.unique(sizes).tolist()}
        return np.concatenate([of_size[n] for n in sizes.tolist()])

    def _start(self, rng: np.random.RandomState) -> Array:
        """Return the initial parameters; see `_kernels` for their order."""
        p = self.n_features_in_
        h = self.hidden
        theta = rng.normal(scale=self.init_scale, size=h * (p + 2) + 1 if h else p + 1)
        theta[-1] = 0.0
        return theta

    def _lbfgs(self, data: tuple, theta: Array) -> bool:
        from scipy.optimize import minimize

        n_lists = len(data[-1]) - 1
        gradient = np.empty_like(theta)
        loss_of = self._total_loss(*data)

        def objective(at):
            loss = loss_of(at, gradient)
            gradient[-1] *= bool(self.bias)
            penalty = self.alpha * at
            return loss / n_lists + penalty @ at / 2, gradient / n_lists + penalty

        options = {"maxiter": self.max_iter, "gtol": self.tol, "ftol": 0.0, "maxls": 50}
        result = minimize(objective, theta, jac=True, method="L-BFGS-B", options=options)
        theta[:] = result.x
        self.n_iter_ = int(result.nit)
        self.loss_ = float(result.fun)
        return bool(result.nit < self.max_iter)

    def _total_loss(self, kind, X, targets, starts):
        """Return the function that writes the gradient at parameters and returns the loss."""

        def loss(at, gradient):
            return _kernels.total_loss(kind, X, targets, starts, at, self.hidden, gradient)

        return loss

    def _sgd(self, data: tuple, theta: Array) -> bool:
        if self.alpha:
            msg = "solver='sgd' takes the printed steps, which have no penalty; set alpha=0"
            raise ValueError(msg)
        kind, X, targets, starts = data
        losses = np.empty(self.max_iter)
        self.n_iter_ = _kernels.descend(
            kind, X, targets, starts, theta, self.hidden, bool(self.bias),
            self.learning_rate, self.tol, self.max_iter, losses,
        )  # fmt: skip
        self.loss_path_ = losses[: self.n_iter_]
        self.loss_ = float(losses[self.n_iter_ - 1])
        return self.n_iter_ < self.max_iter
