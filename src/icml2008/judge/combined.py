"""Intervals of numbers that several means decide together, and of any other statistic."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from .estimates import UNBOUNDED, Array, Bounds, Mean

RESAMPLES = 9999
_SEED = 2008


def holm(p: ArrayLike) -> Array:
    """Adjust p-values along the last axis for their number.

    References
    ----------
    Holm (1979). A simple sequentially rejective multiple test procedure.
    Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p, axis=-1, kind="stable")
    steps = np.arange(p.shape[-1], 0, -1)
    ordered = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * steps, axis=-1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(ordered, 1.0), axis=-1)
    return adjusted


@dataclass(frozen=True)
class Extreme:
    """The smallest (sign -1) or largest (sign +1) of several means, along the last axis.

    The smallest is above a floor if all are, each at its own level (intersection-union); it is
    below a ceiling if any is, each at the level over their number (Bonferroni). So neither end
    is too tight although the place of the smallest is chosen from the same data.
    """

    means: Mean
    sign: int

    @property
    def effect(self) -> Array:
        """The smallest or largest of the estimated means."""
        return self.sign * (self.sign * self.means.effect).max(axis=-1)

    def ends(self, level: float) -> tuple[Array, Array]:
        shared = 1 - (1 - level) / self.means.effect.shape[-1]
        if self.sign < 0:
            return self.means.ends(level)[0].min(axis=-1), self.means.ends(shared)[1].min(axis=-1)
        return self.means.ends(shared)[0].max(axis=-1), self.means.ends(level)[1].max(axis=-1)

    @property
    def se(self) -> Array:
        """Standard error of the smallest or largest mean by itself."""
        place = (self.sign * self.means.effect).argmax(axis=-1)[..., None]
        return np.take_along_axis(self.means.se, place, axis=-1)[..., 0]

    def how(self, level: float) -> str:
        number = self.means.effect.shape[-1]
        word, near, far = (
            ("smallest", "low", "high") if self.sign < 0 else ("largest", "high", "low")
        )
        tail = (1 - level) / 2
        return f"{word} of {number} means: {near} at {tail:.3g}, {far} at {tail:.3g} / {number}"

    def _any(self, p: Array) -> Array:
        return np.minimum(p.min(axis=-1) * p.shape[-1], 1.0)

    def p_above(self, value: ArrayLike) -> Array:
        p = self.means.p_above(np.asarray(value)[..., None])
        return p.max(axis=-1) if self.sign < 0 else self._any(p)

    def p_below(self, value: ArrayLike) -> Array:
        p = self.means.p_below(np.asarray(value)[..., None])
        return self._any(p) if self.sign < 0 else p.max(axis=-1)


@dataclass(frozen=True)
class Count:
    """How many of several means, along the last axis, are above 0.

    The interval runs from the number that are shown to be above 0 to the number that are not
    shown to be below 0, both after Holm's correction.
    """

    means: Mean

    @property
    def effect(self) -> Array:
        """The number of estimated means above 0."""
        return (self.means.effect > 0).sum(axis=-1).astype(float)

    def ends(self, level: float) -> tuple[Array, Array]:
        tail = (1 - level) / 2
        total = self.means.effect.shape[-1]
        above = (holm(self.means.p_above(0.0)) < tail).sum(axis=-1)
        below = (holm(self.means.p_below(0.0)) < tail).sum(axis=-1)
        return above.astype(float), (total - below).astype(float)

    def how(self, level: float) -> str:
        number = self.means.effect.shape[-1]
        tail = (1 - level) / 2
        return f"shown to be above 0, and not shown to be below, of {number} (Holm at {tail:.3g})"

    @staticmethod
    def _at_least(p: Array, number: float) -> Array:
        """Return the p-value of `number` or more false hypotheses."""
        if number <= 0:
            return np.zeros(p.shape[:-1])
        if number > p.shape[-1]:
            return np.ones(p.shape[:-1])
        return np.sort(holm(p), axis=-1)[..., int(number) - 1]

    def p_above(self, value: float) -> Array:
        return self._at_least(self.means.p_above(0.0), math.floor(value) + 1)

    def p_below(self, value: float) -> Array:
        total = self.means.effect.shape[-1]
        return self._at_least(self.means.p_below(0.0), math.floor(total - value) + 1)


@dataclass(frozen=True)
class Bootstrap:
    """A function of all repeats, by resampling them.

    Percentile interval with the tails moved out to Student's: at n repeats, tail a is taken at
    Phi(sqrt(n / (n - 1)) t_{a, n - 1}), which undoes the narrowness of the plain one for small n.

    References
    ----------
    Hesterberg (2015). What teachers should know about the bootstrap. American Statistician 69,
    371-386, Section 4.3 (expanded percentile interval).
    """

    effect: Array
    samples: Array
    n: int
    bounds: Bounds = UNBOUNDED
    stretch: float = 1.0

    @property
    def se(self) -> Array:
        """Standard deviation of the resampled values."""
        with np.errstate(invalid="ignore"):
            return self.samples.std(axis=-1, ddof=1) * self.stretch

    def _stretched(self, value: ArrayLike) -> Array:
        return self.effect + (value - self.effect) * self.stretch

    def ends(self, level: float) -> tuple[Array, Array]:
        if self.n < 2 or np.isnan(self.effect):
            return np.full_like(self.effect, -np.inf), np.full_like(self.effect, np.inf)
        t = special.stdtrit(self.n - 1, (1 - level) / 2)
        tail = float(special.ndtr(math.sqrt(self.n / (self.n - 1)) * t))
        low, high = np.quantile(self.samples, [tail, 1 - tail], axis=-1, method="inverted_cdf")
        low = self._stretched(low)
        high = self._stretched(high)
        return np.clip(low, *self.bounds), np.clip(high, *self.bounds)

    def how(self, level: float) -> str:
        return f"{level:.0%} of {self.samples.shape[-1]} resamples of {self.n} repeats, tails as t"

    def _p(self, beyond: Array) -> Array:
        if np.isnan(self.effect):
            return np.ones(beyond.shape[:-1])
        share = (beyond.sum(axis=-1) + 1) / (self.samples.shape[-1] + 1)
        t = special.ndtri(share) * math.sqrt(max(self.n - 1, 0) / self.n)
        return special.stdtr(self.n - 1, t) if self.n > 1 else np.ones_like(share)

    def p_above(self, value: ArrayLike) -> Array:
        return self._p(self._stretched(self.samples) <= value)

    def p_below(self, value: ArrayLike) -> Array:
        return self._p(self._stretched(self.samples) >= value)


def bootstrap_of(
    function: Callable[[Array], Array],
    values: Array,
    *,
    bounds: Bounds = UNBOUNDED,
    overlap: float = 0.0,
) -> Bootstrap:
    """Estimate a function of all repeats.

    Parameters
    ----------
    function : callable
        Maps an array of shape (..., n_repeats, n_methods, n_cells, n_points) to shape (...).
    values : ndarray of shape (n_repeats, n_methods, n_cells, n_points)
        The measurements.
    overlap : float
        n_test / n_train for a statement about new data: distances from the estimate grow by
        sqrt(1 + n n_test / n_train), as the corrected resampled t grows its standard error.
    """
    n = len(values)
    rows = np.random.default_rng(_SEED).integers(n, size=(RESAMPLES, n))
    with np.errstate(invalid="ignore"):
        samples = np.asarray(function(values[rows]), dtype=float)
        effect = np.asarray(function(values), dtype=float)
    # A resample without the feature (curves that do not cross) may lie on either side.
    gone = np.flatnonzero(np.isnan(samples))
    samples[gone] = np.where(np.arange(gone.size) % 2, np.inf, -np.inf)
    return Bootstrap(effect, samples, n, bounds, math.sqrt(1 + n * overlap))
