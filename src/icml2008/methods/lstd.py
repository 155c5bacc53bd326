"""LSTD as an instrumental variable method, and better instruments than its own."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

INSTRUMENTS = ("features", "shifted", "optimal")


def optimal_shift(square, square_z, square_zz, xz, x):
    """Return the constant vector that, added to an instrument z, makes the variance least.

    Parameters
    ----------
    square : float
        E[e^2], of the residual e.
    square_z, x : ndarray of shape (m,)
        E[e^2 z] and E[x].
    square_zz, xz : ndarray of shape (m, m)
        E[e^2 z z'] and E[x z'].

    Returns
    -------
    ndarray of shape (m,)

    References
    ----------
    Ueno et al. (2008), Equation 23, with the transpose that Algorithm 2 has.
    """
    along = np.linalg.solve(xz, x)
    return -(square_z - square_zz @ along) / (square - square_z @ along)


class LSTD(BaseEstimator):
    """Values of a policy, linear in features, from steps that it took.

    Parameters
    ----------
    instrument : {'features', 'shifted', 'optimal'}
        What the residuals are to be uncorrelated with: the features, as in LSTD; the features and
        a constant vector, LSTDc (Algorithm 2); or the mean of the regressors in a state over the
        variance of its residuals, gLSTD (Algorithm 1), of which no instrument has a smaller
        asymptotic variance (Theorem 1).
    discount : float in [0, 1]
    average_reward : float or 'mean'
        What is taken off the rewards: with discount 1, values are of rewards beyond the average,
        a number, or estimated by the mean.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    average_reward_ : float
    covariance_ : ndarray of shape (n_features, n_features)
        Of `coef_`, by Lemma 2, with means over the steps in place of expectations.
    n_features_in_ : int

    References
    ----------
    T. Ueno, M. Kawanabe, T. Mori, S. Maeda and S. Ishii. A semiparametric statistical approach to
    model-free policy evaluation. ICML 2008.

    Examples
    --------
    Two states take turns, and the first pays 1:

    >>> import numpy as np
    >>> from icml2008.methods import LSTD
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]] * 5)
    >>> LSTD(discount=0.5).fit(X, [1.0, 0.0] * 5, X[:, ::-1]).coef_.round(6)
    array([1.333333, 0.666667])
    """

    def __init__(self, instrument="features", discount=1.0, average_reward=0.0):
        self.instrument = instrument
        self.discount = discount
        self.average_reward = average_reward

    def fit(self, X, y, X_next, states=None):
        """Estimate the coefficients.

        Parameters
        ----------
        X, X_next : array-like of shape (n_steps, n_features)
            Features of the state before each step and after it; 0 after an end.
        y : array-like of shape (n_steps,)
            Rewards.
        states : array-like of shape (n_steps,), optional
            Which state each step began in; by default, states are told apart by their features.
            It matters for the optimal instrument alone.

        Returns
        -------
        LSTD

        Raises
        ------
        ValueError
            If shapes do not meet, a parameter is out of range, or the steps do not determine the
            coefficients.
        """
        X = check_array(X, dtype=float)
        X_next = check_array(X_next, dtype=float)
        y = check_array(y, dtype=float, ensure_2d=False)
        check_consistent_length(X, y, X_next, states)
        if X.shape != X_next.shape or y.ndim != 1:
            msg = (
                f"X has shape {X.shape}, X_next {X_next.shape} and y {y.shape}; steps and features "
                "differ"
            )
            raise ValueError(msg)
        if self.instrument not in INSTRUMENTS:
            msg = (
                f"instrument is {self.instrument!r}; it needs to be one of {', '.join(INSTRUMENTS)}"
            )
            raise ValueError(msg)
        if not 0 <= self.discount <= 1:
            msg = f"discount is {self.discount!r}; it needs to lie in [0, 1]"
            raise ValueError(msg)
        mean = self.average_reward == "mean"
        self.average_reward_ = float(np.mean(y) if mean else self.average_reward)
        self.n_features_in_ = X.shape[1]
        x = X - self.discount * X_next
        y = y - self.average_reward_
        z = X
        coef = _solved(X.T @ x, X.T @ y)
        residuals = y - x @ coef
        if self.instrument == "shifted":
            weighed = residuals**2 @ X, (X.T * residuals**2) @ X
            z = X + optimal_shift(residuals @ residuals, *weighed, x.T @ X, x.sum(axis=0))
        elif self.instrument == "optimal":
            z = _optimal(x, residuals, X if states is None else np.asarray(states))
        self.coef_ = _solved(z.T @ x, z.T @ y)
        half = _solved(z.T @ x, (z * (y - x @ self.coef_)[:, None]).T)
        self.covariance_ = half @ half.T
        return self

    def predict(self, X):
        """Return the values of states with these features, (n,)."""
        check_is_fitted(self)
        return check_array(X, dtype=float) @ self.coef_


def _optimal(x, residuals, states):
    """Return the mean regressor of each step's state over the variance of its residuals."""
    if states.ndim > 1:
        states = np.unique(states, axis=0, return_inverse=True)[1]
    else:
        states = np.unique(states, return_inverse=True)[1]
    counts = np.bincount(states)
    variances = np.bincount(states, residuals**2) / counts
    # A state without residuals would weigh infinitely; it weighs as much as rounding lets it.
    variances = np.maximum(variances, 1e-12 * variances.max())
    means = np.stack([np.bincount(states, column) for column in x.T], axis=1) / counts[:, None]
    return (means / variances[:, None])[states]


def _solved(matrix, target):
    try:
        solution = np.linalg.solve(matrix, target)
    except np.linalg.LinAlgError:
        solution = np.full(1, np.nan)
    if not np.isfinite(solution).all():
        msg = (
            "the steps do not determine the coefficients: the features of their states depend on "
            "each other, or with discount 1 a combination of them is constant"
        )
        raise ValueError(msg)
    return solution
