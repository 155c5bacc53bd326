"""The Bolasso as a regressor and selector in the manner of scikit-learn."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from ._data import centred, checked_mus, default_mus
from .paths import bolasso_path

_SHARED = {
    "n_bootstraps": [Interval(Integral, 1, None, closed="left")],
    "threshold": [Interval(Real, 0, 1, closed="right")],
    "fit_intercept": ["boolean"],
    "random_state": ["random_state"],
}


class _Refitted(SelectorMixin, RegressorMixin, BaseEstimator):
    """Least squares on the variables that enough resamples select."""

    def _fit_at(self, X, y, mu: float, random) -> None:
        path = bolasso_path(
            X,
            y,
            mus=[mu],
            n_bootstraps=self.n_bootstraps,
            fit_intercept=self.fit_intercept,
            random_state=random,
        )
        self.frequencies_ = path.frequencies[0]
        self.support_ = path.supports(self.threshold)[0]
        X, y, X_mean, y_mean = centred(X, y, self.fit_intercept)
        self.coef_ = np.zeros(X.shape[1])
        if self.support_.any():
            self.coef_[self.support_] = np.linalg.lstsq(X[:, self.support_], y, rcond=None)[0]
        self.intercept_ = y_mean - float(X_mean @ self.coef_)

    def predict(self, X):
        """Return X coef_ + intercept_, shape (n_samples,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return X @ self.coef_ + self.intercept_

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_


class Bolasso(_Refitted):
    """Least squares on the variables that the Lasso selects in every bootstrap sample.

    The Lasso ``min_w |y - X w|^2 / (2 n) + mu |w|_1`` is solved on `n_bootstraps` resamples of the
    rows; the variables of nonzero weight in all of them, or in a share `threshold` of them, are
    kept and fitted without a penalty. With mu of the order of n^-1/2 this finds the right variables
    also where correlations keep the Lasso from it.

    Parameters
    ----------
    mu : float
        Weight of the 1-norm, in units of y per unit of X; scikit-learn's ``alpha``.
    n_bootstraps : int
        Number of resamples, the paper's m.
    threshold : float in (0, 1]
        Share of resamples that must select a variable: 1 intersects the supports, 0.9 is the
        paper's Bolasso-S.
    fit_intercept : bool
    random_state : int, RandomState or None

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features_in_,)
        The selected variables.
    frequencies_ : ndarray of shape (n_features_in_,)
        Share of resamples that select each variable.
    coef_ : ndarray of shape (n_features_in_,)
        Zero outside of the support.
    intercept_ : float

    References
    ----------
    Bach, F. (2008). Bolasso: model consistent Lasso estimation through the bootstrap. ICML,
    Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import Bolasso
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 5))
    >>> y = 3 + 2 * X[:, 1] - X[:, 3] + 0.1 * rng.normal(size=100)
    >>> model = Bolasso(mu=0.05, random_state=0).fit(X, y)
    >>> model.get_support(indices=True)
    array([1, 3])
    >>> model.predict([[0, 1, 0, 0, 0]]).round(1)
    array([5.])
    """

    _parameter_constraints = {**_SHARED, "mu": [Interval(Real, 0, None, closed="neither")]}

    def __init__(
        self, mu=0.1, *, n_bootstraps=128, threshold=1.0, fit_intercept=True, random_state=None
    ):
        self.mu = mu
        self.n_bootstraps = n_bootstraps
        self.threshold = threshold
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y):
        """Select variables and fit their weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        Bolasso
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, ensure_min_samples=2)
        self._fit_at(X, y, self.mu, check_random_state(self.random_state))
        return self


class BolassoCV(_Refitted):
    """The Bolasso with mu chosen by the squared error of cross-validation.

    Parameters
    ----------
    mus : array-like of float, optional
        Values to choose from; default 100 down to 1e-4 of where the Lasso has no variable.
    cv : int, splitter or iterable of splits, optional
        As in scikit-learn; default 5 folds.
    n_bootstraps, threshold, fit_intercept, random_state
        As for `Bolasso`.

    Attributes
    ----------
    mu_ : float
        The value chosen: the largest of the best.
    mus_ : ndarray of shape (n_mus,)
        Descending.
    mse_path_ : ndarray of shape (n_mus, n_folds)
        Mean squared error on each fold.
    support_, frequencies_, coef_, intercept_
        As for `Bolasso`.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import BolassoCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 5))
    >>> y = 3 + 2 * X[:, 1] - X[:, 3] + 0.1 * rng.normal(size=100)
    >>> BolassoCV(random_state=0).fit(X, y).get_support(indices=True)
    array([1, 3])
    """

    _parameter_constraints = {**_SHARED, "mus": ["array-like", None], "cv": ["cv_object"]}

    def __init__(
        self,
        *,
        mus=None,
        cv=None,
        n_bootstraps=128,
        threshold=1.0,
        fit_intercept=True,
        random_state=None,
    ):
        self.mus = mus
        self.cv = cv
        self.n_bootstraps = n_bootstraps
        self.threshold = threshold
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y):
        """Choose mu, select variables and fit their weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        BolassoCV
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, ensure_min_samples=2)
        random = check_random_state(self.random_state)
        if self.mus is None:
            self.mus_ = default_mus(*centred(X, y, self.fit_intercept)[:2])
        else:
            self.mus_ = checked_mus(self.mus)
        errors = []
        for train, test in check_cv(self.cv).split(X, y):
            path = bolasso_path(
                X[train],
                y[train],
                mus=self.mus_,
                n_bootstraps=self.n_bootstraps,
                fit_intercept=self.fit_intercept,
                random_state=random,
            )
            _, _, X_mean, y_mean = centred(X[train], y[train], self.fit_intercept)
            left = y[test] - y_mean - path.coefs(self.threshold) @ (X[test] - X_mean).T
            errors.append(np.mean(left**2, axis=1))
        self.mse_path_ = np.stack(errors, axis=1)
        self.mu_ = float(self.mus_[self.mse_path_.mean(axis=1).argmin()])
        self._fit_at(X, y, self.mu_, random)
        return self
