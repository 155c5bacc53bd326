"""Paths over mu: of the Lasso, exactly, and of the Bolasso, over draws with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_X_y

from ._data import (
    Array,
    bootstrap_counts,
    centred,
    check_room,
    checked_mus,
    default_mus,
    least_squares_on,
    needed,
    second_moments,
)
from ._homotopy import trace
from ._resampling import interpolate, on_grid, room, solutions


@dataclass(frozen=True)
class LassoPath:
    """All solutions of the Lasso, as the corners of a piecewise linear path.

    Attributes
    ----------
    mus : ndarray of shape (n_knots,)
        Descending values of mu at which a variable joins or leaves; the last one is the end.
    coefs : ndarray of shape (n_knots, n_features)
        The solutions there.
    """

    mus: Array
    coefs: Array

    def coefs_at(self, mus: Array) -> Array:
        """Return the solutions at any values of mu, shape (n_mus, n_features)."""
        mus = np.atleast_1d(np.asarray(mus, dtype=float))
        order = np.argsort(-mus, kind="stable")
        descending = np.empty((len(mus), self.coefs.shape[1]))
        interpolate(self.mus, self.coefs, len(self.mus), mus[order], descending)
        result = np.empty_like(descending)
        result[order] = descending
        return result

    @property
    def signs(self) -> Array:
        """Signs between consecutive knots, int8, shape (n_knots - 1, n_features)."""
        return np.sign(self.coefs[:-1] + self.coefs[1:]).astype(np.int8)


@dataclass(frozen=True)
class BolassoPath:
    """How often resampled Lassos select each variable, over values of mu.

    Attributes
    ----------
    mus : ndarray of shape (n_mus,)
        Descending.
    selected : ndarray of bool, shape (n_bootstraps, n_mus, n_features)
        Which variables each resample's Lasso selects.
    bagged_coefs : ndarray of shape (n_mus, n_features)
        Mean of the Lassos' solutions (bagging).
    bagged_intercepts : ndarray of shape (n_mus,)
    X_mean, y_mean : ndarray of shape (n_features,), float
        Means of the data; 0 without an intercept.
    """

    mus: Array
    selected: Array
    bagged_coefs: Array
    bagged_intercepts: Array
    X_mean: Array
    y_mean: float
    _gram: Array
    _moment: Array

    @property
    def frequencies(self) -> Array:
        """Share of resamples that select a variable, shape (n_mus, n_features)."""
        return self.selected.mean(axis=0)

    def supports(self, threshold: float = 1.0) -> Array:
        """Return the variables selected in at least this share of resamples, (n_mus, n_features).

        1 is the Bolasso, which intersects the supports; 0.9 is the paper's soft version.
        """
        return self.selected.sum(axis=0) >= needed(len(self.selected), threshold)

    def coefs(self, threshold: float = 1.0) -> Array:
        """Return the least-squares fits on the supports, shape (n_mus, n_features)."""
        return least_squares_on(self._gram, self._moment, self.supports(threshold))


def lasso_homotopy(X, y, *, fit_intercept: bool = True, mu_min: float = 0.0) -> LassoPath:
    """Return the exact path of ``min_w |y - X w|^2 / (2 n) + mu |w|_1`` over mu.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    fit_intercept : bool
        Whether X and y are centred first, so that an intercept is fitted and not penalised.
    mu_min : float
        Where the path ends; at the earliest at 1e-10 of its first knot.

    Returns
    -------
    LassoPath

    Notes
    -----
    A variable that the active ones explain up to rounding is passed over.

    References
    ----------
    Osborne, Presnell and Turlach (2000), A new approach to variable selection in least squares
    problems. Efron, Hastie, Johnstone and Tibshirani (2004), Least angle regression.

    Examples
    --------
    >>> from icml2008.methods import lasso_homotopy
    >>> path = lasso_homotopy([[1.0, 0], [0, 1], [0, 0]], [6.0, 3, 0], fit_intercept=False)
    >>> path.mus[:2]
    array([2., 1.])
    >>> path.coefs_at(0.5)
    array([[4.5, 1.5]])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    X, y, _, _ = centred(X, y, fit_intercept)
    p = X.shape[1]
    Q, r = second_moments(X, y)
    knots = np.empty(room(p))
    changes = np.empty(room(p), dtype=np.int64)
    coefs = np.empty((room(p), p))
    n = trace(Q, r, float(mu_min), p, knots, changes, coefs)
    check_room(-1 if n else 0)
    return LassoPath(knots[:n].copy(), coefs[:n].copy())


def bolasso_path(
    X, y, *, mus=None, n_bootstraps: int = 128, fit_intercept: bool = True, random_state=None
) -> BolassoPath:
    """Run the Lasso on resamples of the data and count selections, at given values of mu.

    One pass over each resample makes its second moments, and one exact path over these serves all
    values of mu.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    mus : array-like, optional
        Positive; default `default_mus`: 100 values.
    n_bootstraps : int
        The paper's m.
    fit_intercept : bool
        Whether an intercept is fitted, which is not penalised; each resample is centred by itself.
    random_state : int, RandomState or None
        The first draws are the same for any `n_bootstraps`.

    Returns
    -------
    BolassoPath

    References
    ----------
    Bach (2008), Bolasso: model consistent Lasso estimation through the bootstrap, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import bolasso_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 4))
    >>> y = X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=200)
    >>> path = bolasso_path(X, y, mus=[0.01], random_state=0)
    >>> path.supports()
    array([[ True,  True, False, False]])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    X, y, X_mean, y_mean = centred(X, y, fit_intercept)
    mus = default_mus(X, y) if mus is None else checked_mus(mus)
    counts = bootstrap_counts(len(X), n_bootstraps, random_state)
    p = X.shape[1]
    selected = np.empty((n_bootstraps, len(mus), p), dtype=np.bool_)
    mean = np.empty((len(mus), p + 1))
    check_room(on_grid(X, y, counts, fit_intercept, mus, room(p), selected, mean))
    bagged = mean[:, :p]
    intercepts = mean[:, p] + y_mean - mean[:, :p] @ X_mean
    return BolassoPath(
        mus, selected, bagged, intercepts, X_mean, y_mean, *second_moments(X, y)
    )  # fmt: skip


def lasso_at(grams, moments, mu: float) -> Array:
    """Return the Lasso's solution at one mu for each of many second moments.

    Parameters
    ----------
    grams : array-like of shape (m, p, p)
        X'X / n.
    moments : array-like of shape (m, p)
        X'y / n.
    mu : float
        Positive.

    Returns
    -------
    ndarray of shape (m, p)

    Examples
    --------
    >>> lasso_at([np.eye(2)], [[3.0, -0.5]], mu=1.0)
    array([[2., 0.]])
    """
    grams = np.ascontiguousarray(grams, dtype=float)
    moments = np.ascontiguousarray(moments, dtype=float)
    coefs = np.empty_like(moments)
    check_room(solutions(grams, moments, float(mu), room(moments.shape[1]), coefs))
    return coefs
