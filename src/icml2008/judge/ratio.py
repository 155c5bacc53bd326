"""The ratio of two means."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from .estimates import EQUAL, UNBOUNDED, Array, Bounds
from .verdict import number


@dataclass(frozen=True)
class Ratio:
    """The ratio of two means over the same repeats, by Fieller's theorem.

    The ratio r is in the interval if the paired t-test of `above - r * below` does not reject it;
    where the mean below may be 0, the interval is the whole line.
    """

    above: Array
    below: Array
    var_above: Array
    var_below: Array
    covariance: Array
    n: int
    bounds: Bounds = UNBOUNDED
    case: float | None = None

    @property
    def effect(self) -> Array:
        """The ratio of the means."""
        return quotient(self.above, self.below)

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return self.n - 1

    @property
    def se(self) -> Array:
        """Standard error to first order: that of `above - r * below`, over `below`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.sqrt(self._variance(self.effect)) / np.abs(self.below)

    def _variance(self, ratio: ArrayLike) -> Array:
        variance = self.var_above - 2 * ratio * self.covariance + ratio**2 * self.var_below
        return np.maximum(variance, 0.0)

    def _half_without_spread(self) -> Array:
        """Return one test case on both means where the ratio has no spread, else NaN."""
        case = math.inf if self.case is None else self.case
        flat = self._variance(self.effect) <= (EQUAL * self.above) ** 2
        return np.where(flat, case * (1 + np.abs(self.effect)) / np.abs(self.below), np.nan)

    def ends(self, level: float) -> tuple[Array, Array]:
        if self.df < 1:
            return np.full_like(self.above, -np.inf), np.full_like(self.above, np.inf)
        t2 = float(special.stdtrit(self.df, 0.5 + level / 2)) ** 2
        a = self.below**2 - t2 * self.var_below
        b = self.above * self.below - t2 * self.covariance
        c = self.above**2 - t2 * self.var_above
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
            low = (b - root) / a
            high = (b + root) / a
            half = self._half_without_spread()
            low = np.where(half >= 0, self.effect - half, low)
            high = np.where(half >= 0, self.effect + half, high)
        low = np.where(a > 0, low, -np.inf)
        high = np.where(a > 0, high, np.inf)
        return np.clip(low, *self.bounds), np.clip(high, *self.bounds)

    def how(self, level: float) -> str:
        means = f"{number(self.above)} / {number(self.below)}"
        t = special.stdtrit(self.df, 0.5 + level / 2) if self.df > 0 else math.nan
        return f"{means}, Fieller with t = {t:.4g}, df = {self.df}"

    def _p(self, value: ArrayLike, side: int) -> Array:
        value = np.asarray(value, dtype=float)
        if self.df < 1:
            return np.ones(np.broadcast(value, self.above).shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            difference = side * np.sign(self.below) * (self.above - value * self.below)
            t = difference / np.sqrt(self._variance(value))
            p = special.stdtr(self.df, -t)
            # The ratio has a side only where the mean below is not 0: both tests have to reject.
            defined = special.stdtr(self.df, -np.abs(self.below) / np.sqrt(self.var_below))
            half = self._half_without_spread()
            certain = np.where(side * (self.effect - value) > half, 0.0, 1.0)
        p = np.where(half >= 0, certain, np.maximum(p, np.where(np.isnan(defined), 0.0, defined)))
        beyond = value < self.bounds[0] if side > 0 else value > self.bounds[1]
        return np.where(beyond, 0.0, p)

    def p_above(self, value: ArrayLike) -> Array:
        return self._p(value, +1)

    def p_below(self, value: ArrayLike) -> Array:
        return self._p(value, -1)


def quotient(above: Array, below: Array) -> Array:
    """Return a ratio of means, infinite or NaN where the lower one is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return above / below


def ratio_of(
    above: ArrayLike,
    below: ArrayLike,
    *,
    bounds: Bounds = UNBOUNDED,
    case: float | None = None,
    overlap: float = 0.0,
) -> Ratio:
    """Estimate mean(above) / mean(below) from paired repeats along the last axis.

    References
    ----------
    Fieller (1954). Some problems in interval estimation. JRSS B 16, 175-185.
    """
    x, y = np.broadcast_arrays(np.asarray(above, dtype=float), np.asarray(below, dtype=float))
    n = x.shape[-1]
    a = x.mean(axis=-1)
    b = y.mean(axis=-1)
    share = (1 / n + overlap) / max(n - 1, 1)
    dx = x - a[..., None]
    dy = y - b[..., None]
    products = (share * (u * v).sum(axis=-1) for u, v in ((dx, dx), (dy, dy), (dx, dy)))
    return Ratio(a, b, *products, n=n, bounds=bounds, case=case)
