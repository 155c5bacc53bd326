"""Statistics: from the measurements of all repeats to the number that a claim speaks of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import Icml2008Error, nearest
from .combined import Count, Extreme, bootstrap_of
from .curves import crossing, rank_correlation
from .estimates import EQUAL, UNBOUNDED, Array, Bounds, Estimate, mean_of
from .measures import KINDS, PLACES, TRENDS
from .ratio import quotient, ratio_of

# Near a bound these are skewed; the difference of two methods is not if they are alike.
_OF_SHARES = ("mean", "rank_correlation")


@dataclass(frozen=True)
class Custom:
    """A paper's own statistic; see `statistic`."""

    function: Callable[[Array], Array]
    per_repeat: bool
    bounds: Bounds


_registry: dict[str, Custom] = {}


def statistic(
    name: str, *, per_repeat: bool = True, bounds: Bounds = UNBOUNDED
) -> Callable[[Callable[[Array], Array]], Callable[[Array], Array]]:
    """Register a statistic of a paper's own, for ``statistic: {custom: name, methods: [...]}``.

    Parameters
    ----------
    name : str
        Its name in ``paper.yaml``; a second registration replaces the first.
    per_repeat : bool
        Whether there is one number a repeat (judged by Student's t) or a number of all repeats
        together (judged by bootstrap).
    bounds : tuple of float
        Smallest and largest possible value.

    Examples
    --------
    The function gets an array of shape (..., n_repeats, n_methods, n_cells, n_points) and returns
    shape (..., n_repeats), or (...) if not `per_repeat`.

    >>> @statistic("spread-of-methods")
    ... def spread(values):
    ...     return np.ptp(values[..., :, 0, 0], axis=-1)
    """

    def register(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
        _registry[name] = Custom(function, per_repeat, bounds)
        return function

    return register


def _custom(name: str) -> Custom:
    if name not in _registry:
        msg = f"no statistic {name!r} is registered{nearest(name, _registry)}"
        raise Icml2008Error(msg)
    return _registry[name]


@dataclass(frozen=True)
class Formula:
    """A statistic of measurements of shape (..., n_repeats, n_methods, n_cells, n_points).

    Attributes
    ----------
    kind : str
        One of `KINDS`, or the name of a registered statistic.
    reduce : {"mean", "min", "max", "count"}
        What is made of the cells: their mean in each repeat, the smallest or largest of their
        means, or the number of cells whose mean is above 0.
    sign : {1, -1}
        -1 where a lower value of the metric is better.
    points : tuple of float
        The numeric coordinate of the last axis.
    bounds : tuple of float
        Of the metric.
    n_test : int or None
        Test cases behind a value; one of them is worth the range of the metric over their number.
    whole : bool
        Whether the metric counts things, so that a single one is worth 1.
    step : float or None
        The step in which a metric comes that is neither a count nor a share of test cases.
    """

    kind: str
    reduce: str = "mean"
    sign: int = 1
    points: tuple[float, ...] = (0.0,)
    bounds: Bounds = UNBOUNDED
    n_test: int | None = None
    whole: bool = False
    step: float | None = None

    def estimate(self, values: Array, *, overlap: float = 0.0) -> Estimate:
        """Estimate the statistic; `overlap` is n_test / n_train for a statement about new data."""
        values = np.asarray(values, dtype=float)
        if self.kind == "ratio":
            above, below = self._favoured_first(values)
            return ratio_of(above, below, bounds=self.range, case=self.case, overlap=overlap)
        if self.over_all_repeats:
            return bootstrap_of(self.of_all, values, bounds=self.range, overlap=overlap)
        groups = self._groups(values)
        how = {"case": self.case, "overlap": overlap}
        how |= {"shares": self.of_shares, "counts": self.of_counts}
        means = mean_of(groups, bounds=self.range, **how)
        if self.reduced == "count":
            return Count(means)
        if self.reduced in ("min", "max"):
            return Extreme(means, 1 if self.reduced == "max" else -1)
        return means

    def effect(self, values: Array) -> Array:
        """Return the statistic itself, without its uncertainty."""
        if self.over_all_repeats:
            return self.of_all(values)
        if self.kind == "ratio":
            above, below = self._favoured_first(values)
            return quotient(above.mean(axis=-1), below.mean(axis=-1))
        return self._reduced(self._groups(values).mean(axis=-1))

    def by_repeat(self, values: Array) -> Array:
        """Return the numbers of each repeat whose means decide the effect, by `of_means`.

        Shape (..., n_repeats, n_numbers); nothing that is a function of all repeats has them.
        """
        if self.kind == "ratio":
            return np.stack(self._favoured_first(values), axis=-1)
        return self.per_repeat(values)

    def of_means(self, means: Array) -> Array:
        """Return the effect from the means over repeats of what `by_repeat` returns."""
        if self.kind == "ratio":
            return quotient(means[..., 0], means[..., 1])
        return self._reduced(means[..., 0] if self.reduced == "mean" else means)

    def _groups(self, values: Array) -> Array:
        """Return what estimates are the means of, shape (..., n_groups, n_repeats) or without."""
        groups = np.moveaxis(self.per_repeat(np.asarray(values, dtype=float)), -1, -2)
        return groups[..., 0, :] if self.reduced == "mean" else groups

    def _reduced(self, means: Array) -> Array:
        if self.reduced == "mean":
            return means
        if self.reduced == "count":
            return (means > 0).sum(axis=-1).astype(float)
        return means.max(axis=-1) if self.reduced == "max" else means.min(axis=-1)

    def rounding(self, values: Array) -> float:
        """Return how far the rounding of the measurements may move the statistic."""
        size = float(np.abs(values).max())
        if self.kind in ("slope", "second_difference"):
            size *= float(np.abs(self._weights()).sum())
        elif self.kind not in ("mean", "difference", "lead", "crosses"):
            size = float(np.abs(self.effect(values)))
        return EQUAL * size

    @property
    def of_shares(self) -> bool:
        """Whether the statistic is a share of a bounded range."""
        return self.kind in _OF_SHARES and bool(np.isfinite(self.range).all())

    @property
    def of_counts(self) -> bool:
        """Whether the statistic is a mean of counts without an upper bound."""
        return self.whole and self.kind == "mean" and self.bounds == (0.0, math.inf)

    @property
    def reduced(self) -> str:
        return "min" if self.kind in ("lead", "crosses") else self.reduce

    @property
    def over_all_repeats(self) -> bool:
        """Whether the statistic is a function of all repeats, to be bootstrapped."""
        if self.kind in PLACES:
            return True
        return self.kind not in KINDS and not _custom(self.kind).per_repeat

    def _favoured_first(self, values: Array) -> tuple[Array, Array]:
        first = values.mean(axis=(-2, -1))[..., 0]
        second = values.mean(axis=(-2, -1))[..., 1]
        return (first, second) if self.sign > 0 else (second, first)

    def _contrast(self, values: Array) -> Array:
        """Return the curve of one method, or how far the first is ahead of the second."""
        if values.shape[-3] == 1:
            return values[..., 0, :, :]
        return self.sign * (values[..., 0, :, :] - values[..., 1, :, :])

    def per_repeat(self, values: Array) -> Array:
        """Return one number a repeat and group, shape (..., n_repeats, n_groups)."""
        if self.kind not in KINDS:
            return np.asarray(_custom(self.kind).function(values))[..., None]
        if self.kind == "lead":
            ahead = self.sign * (values[..., :1, :, :] - values[..., 1:, :, :])
            return ahead.mean(axis=-1).reshape(*ahead.shape[:-3], -1)
        curve = self._contrast(values)
        if self.kind == "crosses":
            curve = curve.mean(axis=-2)
            return np.stack([-curve[..., 0], curve[..., -1]], axis=-1)
        if self.kind == "rank_correlation":
            groups = rank_correlation(curve, np.asarray(self.points))
        elif self.kind in TRENDS:
            groups = curve @ self._weights()
        else:
            groups = curve.mean(axis=-1)
        return groups.mean(axis=-1, keepdims=True) if self.reduce == "mean" else groups

    def _weights(self) -> Array:
        """Return the weights of a least-squares slope, or twice those of the quadratic term."""
        degree = 1 if self.kind == "slope" else 2
        return degree * np.linalg.pinv(np.vander(self.points, degree + 1))[0]

    def of_all(self, values: Array) -> Array:
        """Return the number that all repeats together give, shape (...)."""
        points = np.asarray(self.points)
        if self.kind == "argbest":
            curve = self.sign * values[..., 0, :, :].mean(axis=(-3, -2))
            return points[curve.argmax(axis=-1)]
        if self.kind in ("crossing", "last_crossing"):
            last = self.kind == "last_crossing"
            return crossing(self._contrast(values).mean(axis=(-3, -2)), points, last=last)
        return np.asarray(_custom(self.kind).function(values))

    @property
    def range(self) -> Bounds:
        """Smallest and largest possible value."""
        low, high = self.bounds
        if self.kind == "mean":
            return self.bounds
        if self.kind in ("difference", "lead", "crosses"):
            return low - high, high - low
        if self.kind == "ratio":
            return (0.0, math.inf) if low >= 0 else UNBOUNDED
        if self.kind == "rank_correlation":
            return -1.0, 1.0
        if self.kind in PLACES:
            return min(self.points), max(self.points)
        return UNBOUNDED if self.kind in TRENDS else _custom(self.kind).bounds

    @property
    def case(self) -> float | None:
        """What one test case, count or step adds to the statistic; None where it is not known."""
        low, high = self.bounds
        if self.kind not in KINDS or self.kind == "rank_correlation":
            return None
        if self.whole:
            unit = 1.0
        elif self.n_test and math.isfinite(high - low):
            unit = (high - low) / self.n_test
        elif self.step:
            unit = self.step
        else:
            return None
        return unit * float(np.abs(self._weights()).max()) if self.kind in TRENDS else unit

    def binomial_spread(self, value: float) -> float:
        """Return the standard deviation of a share of the test cases; 0 where none are known.

        The share is brought at least a test case away from the bounds, where chance, too, would
        seem to have no part.
        """
        low, high = self.bounds
        if self.kind != "mean" or self.whole or not (self.n_test and math.isfinite(high - low)):
            return 0.0
        share = float(np.clip((value - low) / (high - low), 1 / self.n_test, 1 - 1 / self.n_test))
        return (high - low) * math.sqrt(max(share * (1 - share), 0.0) / self.n_test)
