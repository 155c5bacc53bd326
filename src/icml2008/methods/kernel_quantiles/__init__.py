"""Kernel quantile regression for all quantiles and penalties at once (Rosset 2008; Li et al. 2007).

Over the plane of (lambda, tau) the solution of (3) is affine on convex polygons: between two knots
of a path at fixed tau, and, by Theorem 1, between the straight lines on which the knots move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.kernel_quantiles.program import QuantileProgram

TIE = 1e-9  # what breaks ties of targets of at most 1
RIDGE = 1e-8  # what keeps kernels of equal rows regular


def quantile_loss(residual, tau):
    """Return L_tau of residuals."""
    return np.where(residual >= 0, tau, tau - 1.0) * residual


class Candidate(NamedTuple):
    """Where by Theorem 2 the best lambda can be, or the path's end, and the solution there."""

    lambda_: float
    loss: float
    """Sum over the validation rows."""
    theta: np.ndarray
    intercept: float


def candidates(program, tau, low, validation):
    """Yield the `Candidate`s at a level, from the largest lambda on.

    Parameters
    ----------
    program : QuantileProgram
    tau, low : float
    validation : slice
        Which of the program's points are those of validation.
    """
    for top, bottom, piece, at in program.path(tau, low):
        slope = piece.residual[validation, 0]
        rest = piece.residual[validation, 1:] @ at
        crossings = np.full(len(slope), np.inf)
        np.divide(-rest, slope, out=crossings, where=slope != 0)
        inside = np.sort(crossings[(crossings > bottom) & (crossings < top)])[::-1]
        for place in (*inside, bottom):
            w = np.array([place, *at])
            loss = quantile_loss(piece.residual[validation] @ w, at[0]).sum() / place
            yield Candidate(place, loss, piece.theta @ w, piece.intercept @ w)


class KernelQuantilePath(RegressorMixin, BaseEstimator):
    """Kernel quantile regression by the exact path of solutions, and the best lambda of all on it.

    The penalty is chosen by rows that are held out: by Theorem 2 their loss is least at a knot of
    the path or where one of them is fitted exactly, so that no grid is needed.

    Parameters
    ----------
    quantile : float, default=0.5
        In (0, 1).
    gamma : float or None, default=None
        Of the kernel ``exp(-gamma |x - x'|^2)``; 1 / n_features if None.
    lambda_min : float, default=1e-4
        Where the path ends.
    validation_fraction : float, default=0.5
        Share of the rows that is held out.
    random_state : int, RandomState or None, default=None
        Which rows are held out, and how ties of y are broken, by 1e-9 of its size.

    Attributes
    ----------
    lambda_ : float
        The penalty of least loss.
    path_lambdas_, path_losses_ : ndarray, shape (n_candidates,)
        All penalties at which the loss can be least, falling, and the mean losses there.
    dual_coef_ : ndarray, shape (n_train,)
        theta / lambda of (5).
    intercept_ : float
    X_fit_ : ndarray, shape (n_train, n_features)
        The rows that were not held out.
    n_features_in_ : int

    References
    ----------
    Rosset (2008), Theorem 2; the path is that of Li, Liu and Zhu (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import KernelQuantilePath
    >>> x = np.linspace(0, 6, 200)[:, None]
    >>> y = np.sin(x[:, 0]) + np.random.default_rng(0).normal(scale=0.2, size=200)
    >>> model = KernelQuantilePath(quantile=0.9, random_state=0).fit(x, y)
    >>> bool(0.8 < np.mean(y < model.predict(x)) < 1.0)
    True
    """

    def __init__(
        self,
        quantile=0.5,
        *,
        gamma=None,
        lambda_min=1e-4,
        validation_fraction=0.5,
        random_state=None,
    ):
        self.quantile = quantile
        self.gamma = gamma
        self.lambda_min = lambda_min
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def fit(self, X, y):
        """Follow the path on some rows and choose lambda by the others.

        Parameters
        ----------
        X : array-like, shape (n_rows, n_features)
        y : array-like, shape (n_rows,)

        Returns
        -------
        KernelQuantilePath

        Raises
        ------
        ValueError
            If a parameter is out of its range, or there are too few rows.
        """
        for name, top in (("quantile", 1), ("validation_fraction", 1), ("lambda_min", np.inf)):
            if not 0 < getattr(self, name) < top:
                msg = f"{name} is {getattr(self, name)!r}, not between 0 and {top}"
                raise ValueError(msg)
        X, y = validate_data(self, X, y, y_numeric=True, dtype=float, ensure_min_samples=4)
        rng = check_random_state(self.random_state)
        held_out = max(1, min(len(y) - 2, round(self.validation_fraction * len(y))))
        rows = rng.permutation(len(y))
        n = len(y) - held_out
        X = X[rows]
        y = y[rows]
        scale = np.abs(y).max() or 1.0
        kernel = rbf_kernel(X[:n], X, gamma=self.gamma)
        kernel[:, :n] += RIDGE * np.eye(n)
        program = QuantileProgram(kernel, y / scale + TIE * rng.uniform(size=len(y)))
        minima = list(candidates(program, self.quantile, self.lambda_min * scale, slice(n, None)))
        best = min(minima, key=lambda candidate: candidate.loss)
        self.lambda_ = best.lambda_ / scale
        self.X_fit_ = X[:n]
        self.dual_coef_ = best.theta / self.lambda_
        self.intercept_ = best.intercept / self.lambda_
        self.path_lambdas_ = np.array([candidate.lambda_ for candidate in minima]) / scale
        self.path_losses_ = np.array([candidate.loss for candidate in minima]) * scale / held_out
        return self

    def predict(self, X):
        """Return the estimated quantiles, (n_rows,), of rows (n_rows, n_features)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return rbf_kernel(X, self.X_fit_, gamma=self.gamma) @ self.dual_coef_ + self.intercept_
