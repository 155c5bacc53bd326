"""Selections over resamples for every mu, without a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_X_y

from ._data import Array, bootstrap_counts, centred, check_room, needed
from ._resampling import events, room


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


def selection_steps(
    X, y, *, n_bootstraps: int = 128, fit_intercept: bool = True, mu_min=0.0, random_state=None
) -> SelectionSteps:
    """Count selections over resamples for every mu, without a grid.

    Parameters are those of `bolasso_path`; `mu_min` is where the paths end.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import selection_steps
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
    at = knots[used][order]
    change = changes[used][order]
    steps = np.zeros((len(at), p), dtype=np.int32)
    steps[np.arange(len(at)), np.abs(change) - 1] = np.sign(change)
    return SelectionSteps(np.r_[at, end], np.cumsum(steps, axis=0), n_bootstraps)
