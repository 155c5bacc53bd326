"""Ordinary kriging with a linear semivariance, as a scikit-learn regressor."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.active.system import MIN_SAMPLES, KrigingSystem, check_kriging_options


class OrdinaryKriging(RegressorMixin, BaseEstimator):
    """Interpolate by ordinary kriging with the semivariance ``gamma(h) = c + k h``.

    Parameters
    ----------
    slope : float, default=1.0
        k: growth of the semivariance, in squared units of y per unit of distance. Without a nugget
        it scales the predicted variance and leaves the mean alone. `slopes` offers rules to set it.
    nugget : float, default=1e-10
        c: semivariance at distances just above zero, in squared units of y. Small and positive, it
        lets the same point be sampled twice; zero interpolates exactly.
    form : {"textbook", "short"}, default="textbook"
        "textbook": the best weights that sum to one, found with a Lagrange multiplier. "short":
        Eqs. 1 and 2 of the paper, which leave the multiplier out. Their symbol stands for
        covariances there, which would make the variance largest at the samples; with semivariances
        the mean interpolates and the variance is never below the textbook's.
    neighbors : int, optional
        With more samples than this, each prediction uses that many nearest ones (the paper: 1000),
        at O(neighbors^3) a point. By default all are used always.

    Attributes
    ----------
    system_ : KrigingSystem
        The samples and the factored kriging equations.
    n_features_in_ : int
        Number of features seen in `fit`.

    Notes
    -----
    The returned deviation is that of a new observation, nugget included. `fit` costs O(n^3),
    `partial_fit` O(n^2) a sample, means O(n) and deviations O(n^2) a point.

    References
    ----------
    .. [1] B. Bryan, J. Schneider. Actively Learning Level-Sets of Composite Functions. ICML 2008,
       section 2.
    .. [2] N. Cressie. Statistics for Spatial Data. Wiley, 1991, section 3.2.

    Examples
    --------
    On a line the mean runs straight from sample to sample, and half way between two that are 1
    apart the variance is k/2.

    >>> import numpy as np
    >>> from icml2008.methods import OrdinaryKriging
    >>> kriging = OrdinaryKriging(slope=2.0, nugget=0.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0])
    >>> mean, std = kriging.predict([[0.5], [1.0]], return_std=True)
    >>> mean.round(6).tolist(), (std**2).round(6).tolist()
    ([0.5, 1.0], [1.0, 0.0])
    """

    def __init__(self, slope=1.0, nugget=1e-10, *, form="textbook", neighbors=None):
        self.slope = slope
        self.nugget = nugget
        self.form = form
        self.neighbors = neighbors

    def fit(self, X, y):
        """Fit to points X, shape (n_samples, n_features), with values y, shape (n_samples,).

        Returns
        -------
        self : OrdinaryKriging
        """
        self._check_parameters()
        X, y = validate_data(
            self, X, y, dtype=float, y_numeric=True, ensure_min_samples=MIN_SAMPLES[self.form]
        )
        system = KrigingSystem(X.shape[1], self.nugget / self.slope, self.form, self.neighbors)
        system.extend(X, y)
        self.system_ = system
        return self

    def partial_fit(self, X, y):
        """Add samples to those already fitted; arguments as for `fit`."""
        if not hasattr(self, "system_"):
            return self.fit(X, y)
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, reset=False)
        self.system_.extend(X, y)
        return self

    def predict(self, X, return_std=False):
        """Predict values at points X, shape (n_points, n_features).

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)
        return_std : bool, default=False
            Also return the kriging standard deviations.

        Returns
        -------
        mean : ndarray of shape (n_points,)
        std : ndarray of shape (n_points,)
            Only with ``return_std=True``; in the unit of y.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        mean = self.system_.mean(X)
        if not return_std:
            return mean
        return mean, np.sqrt(self.slope * self.system_.variance(X))

    def _check_parameters(self):
        check_kriging_options(self.form, self.neighbors)
        if not self.slope > 0:
            msg = f"slope={self.slope!r} must be positive"
            raise ValueError(msg)
        if not self.nugget >= 0:
            msg = f"nugget={self.nugget!r} must not be negative"
            raise ValueError(msg)
