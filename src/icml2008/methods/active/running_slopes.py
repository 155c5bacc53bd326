"""Slopes of the linear semivariance from samples that come one after the other."""

from __future__ import annotations

import numpy as np


class Variogram:
    """Empirical semivariances that take pairs of samples as they come.

    `icml2008.methods.active.slopes.variogram_slope` takes all at once.

    Parameters
    ----------
    max_lag : float
        Longest distance of a pair.
    n_lags : int, default=12
    """

    def __init__(self, max_lag, n_lags=12):
        self.max_lag = max_lag
        self.n_lags = n_lags
        self._sums = np.zeros((3, n_lags))  # per bin: pairs, distances, half squared differences

    def add(self, distances, differences):
        """Add pairs by their distances and the differences of their values, arrays of one shape."""
        near = (distances > 0) & (distances <= self.max_lag)
        distances = distances[near]
        halves = 0.5 * differences[near] ** 2
        bins = np.minimum((distances / self.max_lag * self.n_lags).astype(int), self.n_lags - 1)
        for row, weights in zip(
            self._sums, (np.ones_like(distances), distances, halves), strict=True
        ):
            row += np.bincount(bins, weights, self.n_lags)

    def slope(self):
        """Return the slope of the fitted line; nan before there is a pair."""
        pairs, lags, semivariances = self._sums[:, self._sums[0] > 0]
        if not len(pairs):
            return np.nan
        return float(np.sum(lags * semivariances / pairs) / np.sum(lags**2 / pairs))


class Steepest:
    """Steepest line between two samples, taking pairs as they come.

    `icml2008.methods.active.slopes.steepest_slope` takes all at once.
    """

    def __init__(self):
        self._slope = np.nan

    def add(self, distances, differences):
        """Add pairs by their distances and the differences of their values, arrays of one shape."""
        apart = distances > 0
        if apart.any():
            self._slope = float(
                np.fmax(self._slope, np.max(np.abs(differences[apart]) / distances[apart]))
            )

    def slope(self):
        """Return the steepest slope; nan before there is a pair."""
        return self._slope
