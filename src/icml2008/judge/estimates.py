"""Intervals: what some repeats say about the number behind them.

Everything here works on whole arrays of experiments at once (leading axes), so that the simulation
that calibrates the judge runs the same code as a single verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from .verdict import number

Array = NDArray[np.float64]

Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-math.inf, math.inf)

# A spread below this share of the values is the rounding of equal numbers.
EQUAL = 1e-12


class Estimate(Protocol):
    """An estimated number with its uncertainty.

    Attributes
    ----------
    effect : ndarray
        The estimate.
    """

    effect: Array

    def ends(self, level: float) -> tuple[Array, Array]:
        """Return the two ends of the interval of that level, half of the rest on each side."""

    def p_above(self, value: ArrayLike) -> Array:
        """Return the one-sided p-value of the data against a number at or below `value`."""

    def p_below(self, value: ArrayLike) -> Array:
        """Return the one-sided p-value of the data against a number at or above `value`."""

    def how(self, level: float) -> str:
        """Say how the ends of a single estimate come about."""


@dataclass(frozen=True)
class Mean:
    """The mean of independent repeats, by Student's t.

    Cases in which Student's t is too sure of itself are helped by exact limits:

    - The values are shares of a bounded range, skewed near its ends. Limits are at least as wide
      as those of Clopper and Pearson for the number of effective cases that has the variance seen,
      n* = p (1 - p) / se^2 (z / t)^2, p being the share (Korn and Graubard).
    - The values are counts, skewed where they are small. Limits are at least as wide as those of a
      Poisson number for the effective number of things that has the variance seen,
      (mean / se)^2 (z / t)^2.
    - All repeats agree. The number of test cases that came out otherwise in all n repeats was 0,
      so a Poisson number with an expectation of up to -log(tail) (3.69 for 95 %) cannot be
      excluded: the mean has -log(tail) / n test cases on both sides. Where no test case is known,
      a bounded value v in [a, b] has the limits v - q (v - a) and v + q (b - v); the largest
      share of other repeats that leaves n equal ones with probability `tail` is
      q = 1 - tail ** (1 / n).

    Attributes
    ----------
    effect, se : ndarray
        Mean and its standard error.
    n : int
        Repeats.
    bounds : tuple of float
        Smallest and largest possible mean; no interval leaves them.
    case : float or None
        What one test case adds to the value of its repeat.
    shares : bool
        Whether values are shares of the range between the bounds.
    counts : bool
        Whether values are counts, from 0 on.
    overlap : float
        What is added to 1 / n where repeats share their data.
    freedom : float or None
        Degrees of freedom, if not n - 1.

    References
    ----------
    Clopper and Pearson (1934). The use of confidence or fiducial limits illustrated in the case of
    the binomial. Biometrika 26, 404-413.

    Korn and Graubard (1998). Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data. Survey Methodology 24, 193-201.
    """

    effect: Array
    se: Array
    n: int
    bounds: Bounds = UNBOUNDED
    case: float | None = None
    shares: bool = False
    overlap: float = 0.0
    freedom: float | None = None
    counts: bool = False

    @property
    def df(self) -> float:
        """Degrees of freedom."""
        return self.n - 1 if self.freedom is None else self.freedom

    def ends(self, level: float) -> tuple[Array, Array]:
        tail = (1 - level) / 2
        half = float(special.stdtrit(self.df, 1 - tail)) * self.se if self.df > 0 else np.inf
        low = self.effect - half
        high = self.effect + half
        if self.counts and self.df > 0:
            things = self.effective_things(tail)
            with np.errstate(invalid="ignore", divide="ignore"):
                scale = self.effect / things
                least = scale * special.gammaincinv(things, tail)
                most = scale * special.gammaincinv(things + 1, 1 - tail)
            low = np.fmin(low, least)
            high = np.fmax(high, most)
        if self.shares and self.df > 0:
            bottom = self.bounds[0]
            width = self.bounds[1] - self.bounds[0]
            hits, misses = self.effective_cases(tail)
            with np.errstate(invalid="ignore"):
                least = special.betaincinv(hits, misses + 1, tail)
                most = special.betaincinv(hits + 1, misses, 1 - tail)
            low = np.fmin(low, bottom + width * least)
            high = np.fmax(high, bottom + width * most)
        if np.any(flat := self.se == 0):
            down, up = self._without_spread(tail)
            low = np.where(flat, self.effect - down, low)
            high = np.where(flat, self.effect + up, high)
        return np.clip(low, *self.bounds), np.clip(high, *self.bounds)

    def p_above(self, value: ArrayLike) -> Array:
        return self._p(self.effect - value, self.effect - self.bounds[0], value)

    def p_below(self, value: ArrayLike) -> Array:
        bounds = -self.bounds[1], -self.bounds[0]
        mirrored = replace(self, effect=-self.effect, bounds=bounds)
        return mirrored.p_above(-np.asarray(value))

    def how(self, level: float) -> str:
        tail = (1 - level) / 2
        if self.df < 1:
            return "one repeat"
        if self.se == 0 and self.case == 0:
            return "deterministic, all repeats alike"
        if self.se == 0:
            worth = f"{1 / self._inverse:.3g}"
            alike = f"all {self.n} repeats alike{f', worth {worth}' if self.overlap else ''}"
            if self.case is None:
                return f"{alike}: 1 - {tail:.3g}^(1/{worth}) towards the bounds"
            return f"{alike}: ± {-math.log(tail):.3g} × {self.case:.4g} / {worth}"
        t = special.stdtrit(self.df, 1 - tail)
        text = f"{number(self.effect)} ± {t:.4g} × {number(self.se)}, df = {self.df:.4g}"
        if self.shares:
            hits, misses = self.effective_cases(tail)
            text += f"; at least exact limits of {hits:.1f} : {misses:.1f} effective cases"
        if self.counts:
            text += f"; at least exact limits of {self.effective_things(tail):.1f} effective things"
        return text

    def effective_cases(self, tail: ArrayLike) -> tuple[Array, Array]:
        """Return the effective hits and misses n* p and n* (1 - p) at a tail of the interval."""
        share = self._share(self.effect)
        width = self.bounds[1] - self.bounds[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            shrink = (special.ndtri(tail) / special.stdtrit(self.df, tail)) ** 2
            cases = share * (1 - share) / (self.se / width) ** 2 * shrink
        return cases * share, cases * (1 - share)

    def effective_things(self, tail: ArrayLike) -> Array:
        """Return the effective number of things that were counted, at a tail of the interval."""
        with np.errstate(divide="ignore", invalid="ignore"):
            shrink = (special.ndtri(tail) / special.stdtrit(self.df, tail)) ** 2
            return (self.effect / self.se) ** 2 * shrink

    def _share(self, value: ArrayLike) -> Array:
        if not self.shares:
            return np.asarray(0.0)
        low, high = self.bounds
        return np.clip((np.asarray(value) - low) / (high - low), 0, 1)

    @property
    def _inverse(self) -> float:
        """One over the number of independent repeats that the repeats are worth."""
        return 1 / self.n + self.overlap

    def _without_spread(self, tail: float) -> tuple[Array, Array]:
        """Return the distances to both ends where all repeats agree."""
        if self.case is not None:
            half = np.asarray(-math.log(tail) * self._inverse * self.case)
            return half, half
        q = -math.expm1(math.log(tail) * self._inverse)
        return q * (self.effect - self.bounds[0]), q * (self.bounds[1] - self.effect)

    def _p(self, distance: Array, room: Array, value: ArrayLike) -> Array:
        """Return the p-value of an effect `distance` above a value, its lower bound at `room`."""
        if self.df < 1:
            return np.ones(np.broadcast(distance, self.se).shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = special.stdtr(self.df, -distance / self.se)
            if self.shares or self.counts:
                p = np.fmax(p, self._exact_p(value))
            if np.any(flat := self.se == 0):
                if self.case is None:
                    agree = (1 - np.clip(distance / room, 0, 1)) ** (1 / self._inverse)
                elif self.case == 0:
                    agree = 0.0
                else:
                    agree = np.exp(-np.maximum(distance, 0) / (self._inverse * self.case))
                p = np.where(flat, np.where(distance > 0, agree, 1.0), p)
        # Beyond its bound the number cannot lie; at its bound it can.
        return np.where(distance > room, 0.0, p)

    def _exact_p(self, value: ArrayLike) -> Array:
        """Return the tail at which the exact lower limit is `value`, by bisection of its log."""
        low = np.full(np.broadcast(self.effect, value).shape, -60.0)
        high = np.asarray(0.0)
        for _ in range(32):
            middle = (low + high) / 2
            tail = np.exp(middle) / 2
            excluded = self._exact_tail(value, tail) < tail
            low = np.where(excluded, low, middle)
            high = np.where(excluded, middle, high)
        return np.exp(high) / 2

    def _exact_tail(self, value: ArrayLike, tail: Array) -> Array:
        """Return the chance of so high a mean if `value` is true, effective numbers at `tail`."""
        if self.shares:
            hits, misses = self.effective_cases(tail)
            return special.betainc(hits, misses + 1, self._share(value))
        things = self.effective_things(tail)
        expected = np.maximum(things * np.asarray(value) / self.effect, 0.0)
        # Mirrored counts end at 0: a high mean is then a small count.
        mirrored = self.bounds[1] == 0
        tails = special.gammaincc(things + 1, expected), special.gammainc(things, expected)
        return tails[0] if mirrored else tails[1]


def mean_of(
    values: ArrayLike,
    *,
    bounds: Bounds = UNBOUNDED,
    case: float | None = None,
    shares: bool = False,
    overlap: float = 0.0,
    counts: bool = False,
) -> Mean:
    """Estimate the mean of repeats along the last axis.

    Parameters
    ----------
    values : array_like of shape (..., n_repeats)
        One number a repeat.
    bounds : tuple of float
        Smallest and largest possible value.
    case : float, optional
        Value of one test case.
    shares : bool
        Whether the values are shares of the range between the bounds, skewed near them.
    counts : bool
        Whether the values are counts, skewed where they are small.
    overlap : float
        n_test / n_train, for a mean over new data that was estimated on re-splits of one data set:
        the variance of the mean is then s^2 (1 / n + n_test / n_train).

    References
    ----------
    Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52, Sec. 5.

    Examples
    --------
    >>> estimate = mean_of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> [round(float(end), 3) for end in estimate.ends(0.95)]
    [1.537, 5.463]
    """
    x = np.asarray(values, dtype=float)
    n = x.shape[-1]
    effect = x.mean(axis=-1)
    about = {"bounds": bounds, "case": case, "shares": shares, "overlap": overlap, "counts": counts}
    if n < 2:
        return Mean(effect, np.full_like(effect, np.nan), n, **about)
    spread = x.std(axis=-1, ddof=1)
    reach = np.ptp(x, axis=-1)
    spread = np.where(reach <= EQUAL * np.abs(x).max(axis=-1), 0.0, spread)
    return Mean(effect, spread * math.sqrt(1 / n + overlap), n, **about)
