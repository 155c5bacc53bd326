"""Paths over mu: of the Lasso, exactly, and of the Bolasso, over draws with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_X_y

from ._homotopy import trace
from ._resampling import events, interpolate, on_grid, room

Array = np.ndarray


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
        found = np.empty((len(mus), self.coefs.shape[1]))
        interpolate(self.mus, self.coefs, len(self.mus), mus[order], found)
        result = np.empty_like(found)
        result[order] = found
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


@dataclass(frozen=True)
class SelectionSteps:
    """How many resamples select each variable, for all mu at once: constant between breakpoints.

    Attributes
    ----------
    breakpoints : ndarray of shape (n_steps + 1,)
        Descending values of mu, each where some resample's Lasso gains or loses a variable.
    counts : ndarray of int, shape (n_steps, n_features)
        Resamples that select a variable between breakpoints i and i + 1.
    n_bootstraps : int
    """

    breakpoints: Array
    counts: Array
    n_bootstraps: int

    def supports(self, threshold: float = 1.0) -> Array:
        """Return the variables selected in at least this share of resamples, per step."""
        return self.counts >= needed(self.n_bootstraps, threshold)

    def patterns(self, threshold: float = 1.0) -> tuple[Array, Array, Array]:
        """Return the supports along mu, equal neighbours merged, and where each begins and ends.

        Returns
        -------
        supports : ndarray of bool, shape (n_patterns, n_features)
        highest, lowest : ndarray of shape (n_patterns,)
            The interval of mu of each.
        """
        supports = self.supports(threshold)
        new = np.r_[True, (supports[1:] != supports[:-1]).any(axis=1)]
        starts = np.flatnonzero(new)
        ends = np.r_[starts[1:], len(supports)]
        return supports[starts], self.breakpoints[starts], self.breakpoints[ends]


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
    knots, changes = np.empty(room(p)), np.empty(room(p), dtype=np.int64)
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
    bagged, intercepts = mean[:, :p], mean[:, p] + y_mean - mean[:, :p] @ X_mean
    return BolassoPath(
        mus, selected, bagged, intercepts, X_mean, y_mean, *second_moments(X, y)
    )  # fmt: skip


def selection_steps(
    X, y, *, n_bootstraps: int = 128, fit_intercept: bool = True, mu_min=0.0, random_state=None
) -> SelectionSteps:
    """Count selections over resamples for every mu, without a grid.

    Parameters are those of `bolasso_path`; `mu_min` is where the paths end.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 4))
    >>> y = X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=200)
    >>> supports, highest, lowest = selection_steps(X, y, random_state=0).patterns()
    >>> longest = np.argmax(np.log(highest / lowest) * (supports.sum(axis=1) == 2))
    >>> supports[longest]
    array([ True,  True, False, False])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    X, y, _, _ = centred(X, y, fit_intercept)
    counts = bootstrap_counts(len(X), n_bootstraps, random_state)
    p = X.shape[1]
    knots = np.empty((n_bootstraps, room(p)))
    changes = np.empty((n_bootstraps, room(p)), dtype=np.int64)
    check_room(events(X, y, counts, fit_intercept, float(mu_min), p, knots, changes))
    used = changes != 0
    end = max(float(mu_min), float(np.where(knots > 0, knots, np.inf).min(initial=np.inf)))
    order = np.argsort(-knots[used], kind="stable")
    at, change = knots[used][order], changes[used][order]
    steps = np.zeros((len(at), p), dtype=np.int32)
    steps[np.arange(len(at)), np.abs(change) - 1] = np.sign(change)
    return SelectionSteps(np.r_[at, end], np.cumsum(steps, axis=0), n_bootstraps)


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


def second_moments(X: Array, y: Array) -> tuple[Array, Array]:
    """Return X'X / n and X'y / n."""
    return X.T @ X / len(X), X.T @ y / len(X)


def centred(X: Array, y: Array, fit_intercept: bool) -> tuple[Array, Array, Array, float]:
    """Return X and y less their means, and the means: zeros without an intercept."""
    X_mean = X.mean(axis=0) if fit_intercept else np.zeros(X.shape[1])
    y_mean = float(y.mean()) if fit_intercept else 0.0
    return np.ascontiguousarray(X - X_mean), y - y_mean, X_mean, y_mean


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
