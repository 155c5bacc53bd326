"""One function's model in a campaign: kriging equations, and a slope that is given or learnt."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist


class FunctionModel:
    """Kriging of one function, with variances in its own squared unit.

    Parameters
    ----------
    system : KrigingSystem
        Without samples.
    slope : float, "likelihood" or an object with ``add(distances, differences)`` and ``slope()``
        The slope, or what estimates it from the samples told.
    """

    def __init__(self, system, slope):
        self.system = system
        self.told = 0  # the system may hold assumed samples after these
        self.least_slope = 1.0  # stands in where all values told are equal
        self._rule = slope

    @property
    def slope(self):
        """Slope of the semivariance; nan where there are too few samples for an estimate."""
        if self._rule == "likelihood":
            # One assumed at its mean is no surprise, and must not count as evidence.
            return self.system.unit_slope(self.told) if self.told > 1 else np.nan
        return self._rule if isinstance(self._rule, float) else self._rule.slope()

    @property
    def usable_slope(self):
        """Slope, or `least_slope` for a function that looks constant, lest it is never sampled."""
        return self.slope or self.least_slope

    def tell(self, x, y):
        """Add a sample; needs that none are assumed."""
        if hasattr(self._rule, "add"):
            self._rule.add(cdist(x[None], self.system.X)[0], y - self.system.y)
        self.system.append(x, y)
        self.told = self.system.n

    def tell_all(self, X, y):
        """Add the first samples, several at once."""
        if hasattr(self._rule, "add"):
            lower = np.tril_indices(len(X), -1)
            self._rule.add(cdist(X, X)[lower], np.subtract.outer(y, y)[lower])
        self.system.extend(X, y)
        self.told = self.system.n

    def value_at(self, x):
        """Value told at the point x, shape (d,), or None."""
        rows = np.flatnonzero((self.system.X[: self.told] == x).all(axis=1))
        return float(self.system.y[rows[-1]]) if len(rows) else None

    def assume(self, x):
        """Count the point x, shape (d,), as sampled at its predicted value, until `forget`."""
        self.system.append(x, self.system.mean(x[None])[0])

    def forget(self):
        """Drop the assumed samples."""
        if self.system.n > self.told:
            self.system.truncate(self.told)

    def mean(self, points):
        """Predicted means at points, shape (q, d)."""
        return self.system.mean(points)

    def variance(self, points):
        """Kriging variances at points, shape (q, d), by the slope that choices are made with."""
        return self.usable_slope * self.system.variance(points)

    def likely_variance(self, points):
        """Kriging variances at points, shape (q, d), by the slope given or the most likely one.

        The steepest slope would not do: it has not the unit of a variance over a distance.
        """
        slope = self._rule if isinstance(self._rule, float) else self.system.unit_slope()
        return slope * self.system.variance(points)

    def bound(self, points):
        """Upper bounds on what `variance` returns, in less time."""
        return self.usable_slope * self.system.bound(points)
