"""Resamples of data and their second moments, values of mu, and fits on supports."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_X_y

from ._resampling import all_moments

Array = np.ndarray


def bootstrap_counts(n_samples: int, n_bootstraps: int, random_state) -> Array:
    """Return how often each row is in each resample, shape (n_bootstraps, n_samples).

    Raises
    ------
    ValueError
        If `n_bootstraps` is not positive.
    """
    if n_bootstraps < 1:
        msg = f"n_bootstraps is at least 1, found {n_bootstraps!r}"
        raise ValueError(msg)
    random = check_random_state(random_state)
    rows = random.randint(n_samples, size=(n_bootstraps, n_samples))
    rows += np.arange(n_bootstraps)[:, None] * n_samples
    counts = np.bincount(rows.ravel(), minlength=n_bootstraps * n_samples)
    return counts.reshape(n_bootstraps, n_samples)


def bootstrap_moments(
    X, y, *, n_bootstraps: int = 128, fit_intercept: bool = True, random_state=None
) -> tuple[Array, Array]:
    """Return the second moments that `bolasso_path` uses: X'X / n, (m, p, p), and X'y / n, (m, p).

    Examples
    --------
    >>> grams, moments = bootstrap_moments([[1.0], [1.0]], [2.0, 2.0], n_bootstraps=3,
    ...                                    fit_intercept=False)
    >>> moments.ravel()
    array([2., 2., 2.])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    X, y, _, _ = centred(X, y, fit_intercept)
    counts = bootstrap_counts(len(X), n_bootstraps, random_state)
    p = X.shape[1]
    grams = np.empty((n_bootstraps, p, p))
    crosses = np.empty((n_bootstraps, p))
    all_moments(X, y, counts, fit_intercept, grams, crosses)
    return grams, crosses


def second_moments(X: Array, y: Array) -> tuple[Array, Array]:
    """Return X'X / n and X'y / n."""
    return X.T @ X / len(X), X.T @ y / len(X)


def centred(X: Array, y: Array, fit_intercept: bool) -> tuple[Array, Array, Array, float]:
    """Return X and y less their means, and the means: zeros without an intercept."""
    X_mean = X.mean(axis=0) if fit_intercept else np.zeros(X.shape[1])
    y_mean = float(y.mean()) if fit_intercept else 0.0
    return np.ascontiguousarray(X - X_mean), y - y_mean, X_mean, y_mean


def default_mus(X: Array, y: Array, n_mus: int = 100, eps: float = 1e-4) -> Array:
    """Return values of mu, evenly spaced in the logarithm, from where the Lasso is 0 down."""
    top = float(np.abs(X.T @ y).max()) / len(X)
    return np.geomspace(1.0, eps, n_mus) * (top or 1.0)


def checked_mus(mus) -> Array:
    """Return values of mu in descending order.

    Raises
    ------
    ValueError
        If there is none, or one is not positive.
    """
    mus = np.sort(np.atleast_1d(np.asarray(mus, dtype=float)))[::-1]
    if mus.ndim != 1 or not mus.size or not (mus > 0).all():
        msg = f"mus are positive numbers, at least one; found {mus}"
        raise ValueError(msg)
    return mus.copy()


def needed(n_resamples: int, threshold: float) -> int:
    """Return the number of resamples that is at least the share `threshold` of them.

    Raises
    ------
    ValueError
        If the threshold does not lie in (0, 1].
    """
    if not 0 < threshold <= 1:
        msg = f"threshold is a share in (0, 1], found {threshold!r}"
        raise ValueError(msg)
    return max(1, int(np.ceil(threshold * n_resamples - 1e-9)))


def least_squares_on(gram: Array, moment: Array, supports: Array) -> Array:
    """Return the least-squares fit restricted to each support, 0 elsewhere; of least norm."""
    coefs = np.zeros(supports.shape)
    for i, support in enumerate(supports):
        if i and (support == supports[i - 1]).all():
            coefs[i] = coefs[i - 1]
        elif support.any():
            inside = np.ix_(support, support)
            coefs[i, support] = np.linalg.lstsq(gram[inside], moment[support], rcond=None)[0]
    return coefs


def check_room(resample: int) -> None:
    """Raise RuntimeError if a path did not come to its end."""
    if resample >= 0:
        msg = (
            f"the Lasso path of resample {resample} has more knots than there is room for, as where"
            " variables tie at one mu; add a little noise to X, or drop duplicate columns"
        )
        raise RuntimeError(msg)
