"""Sequential minimal optimisation of the dual of a soft-margin support vector machine."""

from __future__ import annotations

import warnings
from numbers import Integral, Real

import numpy as np
from numba import njit
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

# Curvature along a pair whose two samples coincide in the kernel's space.
_FLAT = 1e-12
# Of the tolerance, and of a gain: what differs by less is equal but for rounding. A step makes the
# violations of its two samples equal, so that ties are the rule.
_EVEN = 1e-3
_EVEN_GAIN = 1e-9
# Of the bound: a variable that comes as close was to reach it.
_HAIR = 1e-12


@njit(cache=True)
def _solve(K, y, cap, tol, path):
    """Return the dual variables, b and the number of steps; `path` receives the objective."""
    n = len(y)
    alpha = np.zeros(n)
    gradient = -np.ones(n)  # of 1/2 a'Qa - sum(a), with q_ij = y_i y_j K_ij
    value = 0.0
    steps = 0
    high = 0.0
    low = 0.0
    while True:
        i = -1
        j = -1
        gain = 0.0
        ahead = 0.0
        high = -np.inf
        low = np.inf
        for t in range(n):
            may_rise = alpha[t] < cap if y[t] > 0 else alpha[t] > 0.0
            if may_rise and -y[t] * gradient[t] > high + _EVEN * tol:
                i = t
                high = -y[t] * gradient[t]
        for t in range(n):
            if (alpha[t] > 0.0) if y[t] > 0 else (alpha[t] < cap):
                place = -y[t] * gradient[t]
                low = min(low, place)
                if i >= 0 and place < high:
                    curvature = max(K[i, i] + K[t, t] - 2.0 * K[i, t], _FLAT)
                    if (high - place) ** 2 / curvature > gain * (1 + _EVEN_GAIN):
                        j = t
                        gain = (high - place) ** 2 / curvature
                        ahead = high - place
        if j < 0 or high - low <= tol or steps == len(path):
            break
        curvature = max(K[i, i] + K[j, j] - 2.0 * K[i, j], _FLAT)
        room_i = cap - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else cap - alpha[j]
        step = min(ahead / curvature, room_i, room_j)
        alpha[i] += y[i] * step
        alpha[j] -= y[j] * step
        if room_i - step <= _HAIR * cap:
            alpha[i] = cap if y[i] > 0 else 0.0
        if room_j - step <= _HAIR * cap:
            alpha[j] = 0.0 if y[j] > 0 else cap
        for t in range(n):
            gradient[t] += y[t] * step * (K[t, i] - K[t, j])
        value += step * ahead - 0.5 * step * step * (K[i, i] + K[j, j] - 2.0 * K[i, j])
        path[steps] = value
        steps += 1
    total = 0.0
    free = 0
    for t in range(n):
        if 0.0 < alpha[t] < cap:
            total -= y[t] * gradient[t]
            free += 1
    return alpha, total / free if free else 0.5 * (high + low), steps, high - low


class SMOClassifier(ClassifierMixin, BaseEstimator):
    """Support vector machine for two classes, trained two dual variables at a time.

    It maximises ``sum(a) - 1/2 sum_ij a_i a_j y_i y_j k(x_i, x_j)`` subject to ``sum(a * y) = 0``
    and ``0 <= a <= C``. Each step takes the variable that violates the optimality
    conditions most and the partner with which it gains most, and solves for the two exactly. A
    later sample is preferred to an earlier one only if it violates by more than a thousandth of
    `tol` more, or gains more by 1e-9 of the gain: rounding chooses none.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the sum of hinge losses against ``||w||^2 / 2``, as `sklearn.svm.SVC` has it.
    kernel : str or callable, default="rbf"
        As `sklearn.metrics.pairwise.pairwise_kernels` takes it, "precomputed" included.
    gamma : {"scale", "auto"} or float, default="scale"
        Parameter of the kernels that have one, as in `SVC`: "scale" is
        ``1 / (n_features * X.var())``, "auto" is ``1 / n_features``.
    tol : float, default=1e-6
        Largest violation of the optimality conditions at the end.
    max_iter : int, default=1_000_000
        Most steps; one takes time proportional to the number of samples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    alpha_ : ndarray of shape (n_samples,)
        Dual variables.
    gamma_ : float or None
        What `gamma` came to; None for a kernel that is precomputed.
    support_ : ndarray of shape (n_support,)
        Indices of the samples whose dual variable is above 0.
    intercept_ : float
        Mean over the samples strictly between the bounds, the middle of its range if there is none.
    objective_path_ : ndarray of shape (n_iter_,)
        The dual objective after each step.
    n_iter_ : int
    n_features_in_ : int

    References
    ----------
    J. Platt (1998): Sequential minimal optimization. R.-E. Fan, P.-H. Chen, C.-J. Lin (2005):
    Working set selection using second order information for training support vector machines.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import SMOClassifier
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> machine = SMOClassifier(C=10.0, kernel="linear").fit(X, [0, 0, 1, 1])
    >>> machine.alpha_.round(3).tolist()
    [0.0, 0.5, 0.5, 0.0]
    >>> machine.predict([[-0.1], [0.1]]).tolist()
    [0, 1]
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernel": [StrOptions({"precomputed", *PAIRWISE_KERNEL_FUNCTIONS}), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, C=1.0, *, kernel="rbf", gamma="scale", tol=1e-6, max_iter=1_000_000):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter

    def _kernel(self, X, Y):
        if self.kernel == "precomputed":
            return X
        if callable(self.kernel):
            return pairwise_kernels(X, Y, metric=self.kernel)
        return pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, gamma=self.gamma_)

    def _width(self, X):
        """Return the number that `gamma` stands for."""
        if self.kernel == "precomputed":
            return None
        if self.gamma == "auto":
            return 1.0 / X.shape[1]
        if self.gamma == "scale":
            squares = X.multiply(X) if issparse(X) else X * X
            variance = squares.mean() - X.mean() ** 2
            return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
        return float(self.gamma)

    def fit(self, X, y):
        """Fit to samples X, (n_samples, n_features), or their kernel, and labels y of two classes.

        Raises
        ------
        ValueError
            If a parameter is out of its range, there are not two classes or a precomputed kernel
            is not square.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If `max_iter` steps do not reach `tol`.
        """
        self._validate_params()
        sparse = self.kernel != "precomputed" and "csr"
        X, y = validate_data(self, X, y, dtype=float, accept_sparse=sparse)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            msg = f"Only binary classification is supported. y has {len(self.classes_)} class(es)"
            raise ValueError(msg)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            msg = f"X: a precomputed kernel is square, found shape {X.shape}"
            raise ValueError(msg)
        self.gamma_ = self._width(X)
        K = np.ascontiguousarray(self._kernel(X, X), dtype=float)
        signs = 2.0 * codes - 1.0
        path = np.empty(self.max_iter)
        solved = _solve(K, signs, float(self.C), self.tol, path)
        self.alpha_, self.intercept_, self.n_iter_, violation = solved
        if violation > self.tol:
            msg = (
                f"after {self.max_iter} steps the optimality conditions are still violated by "
                f"{violation:.1e}, more than tol = {self.tol:.1e}; raise max_iter or tol"
            )
            warnings.warn(msg, ConvergenceWarning, stacklevel=2)
        self.objective_path_ = path[: self.n_iter_].copy()
        self.support_ = np.flatnonzero(self.alpha_)
        self._X = X if self.kernel != "precomputed" else None
        self._signed = self.alpha_ * signs
        return self

    def decision_function(self, X):
        """Return the signed values, (n_samples,); above 0 is the second class."""
        check_is_fitted(self)
        sparse = self.kernel != "precomputed" and "csr"
        X = validate_data(self, X, dtype=float, accept_sparse=sparse, reset=False)
        kernel = self._kernel(X, self._X)
        return kernel[:, self.support_] @ self._signed[self.support_] + self.intercept_

    def predict(self, X):
        """Return the class of each sample, (n_samples,)."""
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
