"""Stability selection with the Lasso: what descended from the Bolasso and is used today."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from ._data import centred, check_room, needed
from ._resampling import events, room


class StabilitySelection(SelectorMixin, BaseEstimator):
    """Variables that are among the first q of the Lasso's path in most half-samples.

    From each of `n_resamples` subsamples of half the rows, the first q variables to enter the
    Lasso's path are taken. Those taken in at least a share `threshold` of subsamples are selected.
    Where irrelevant variables are exchangeable and the Lasso is no worse than guessing, the
    expected number of them that are selected is at most q^2 / ((2 threshold - 1) n_features).

    Parameters
    ----------
    threshold : float in (0.5, 1]
        Share of subsamples.
    max_false : float
        Bound on the expected number of wrong selections, which sets q.
    n_resamples : int
        Number of subsamples.
    fit_intercept : bool
        Whether each subsample is centred.
    random_state : int, RandomState or None

    Attributes
    ----------
    frequencies_ : ndarray of shape (n_features_in_,)
        Share of subsamples in which a variable is among the first q.
    support_ : ndarray of bool, shape (n_features_in_,)
    n_first_ : int
        q.

    References
    ----------
    Meinshausen, N. and Bühlmann, P. (2010). Stability selection. JRSS B 72, 417-473, Theorem 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import StabilitySelection
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 20))
    >>> y = 2 * X[:, 1] - X[:, 3] + 0.5 * rng.normal(size=100)
    >>> StabilitySelection(random_state=0).fit(X, y).get_support(indices=True)
    array([1, 3])
    """

    _parameter_constraints = {
        "threshold": [Interval(Real, 0.5, 1, closed="right")],
        "max_false": [Interval(Real, 0, None, closed="neither")],
        "n_resamples": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self, threshold=0.75, *, max_false=1.0, n_resamples=100, fit_intercept=True,
        random_state=None,
    ):  # fmt: skip
        self.threshold = threshold
        self.max_false = max_false
        self.n_resamples = n_resamples
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y):
        """Select variables.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        StabilitySelection
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, ensure_min_samples=4)
        X, y, _, _ = centred(X, y, self.fit_intercept)
        n, p = X.shape
        bound = self.max_false * (2 * self.threshold - 1) * p
        self.n_first_ = min(p, max(1, int(np.sqrt(bound) + 1e-9)))
        random = check_random_state(self.random_state)
        counts = np.zeros((self.n_resamples, n), dtype=np.int64)
        for row in counts:
            row[random.permutation(n)[: n // 2]] = 1
        knots = np.empty((self.n_resamples, room(p)))
        changes = np.empty((self.n_resamples, room(p)), dtype=np.int64)
        check_room(events(X, y, counts, self.fit_intercept, 0.0, self.n_first_, knots, changes))
        taken = np.zeros((self.n_resamples, p), dtype=bool)
        for row, change in zip(taken, changes, strict=True):
            entering = dict.fromkeys((change[change > 0] - 1).tolist())
            row[list(entering)[: self.n_first_]] = True
        self.frequencies_ = taken.mean(axis=0)
        self.support_ = taken.sum(axis=0) >= needed(self.n_resamples, self.threshold)
        return self

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_
