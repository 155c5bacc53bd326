"""Results that lie where none should: beyond bounds, floors and ceilings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .cells import Cell, part_name
from .controls import SIDES, Constant, Controls
from .estimates import mean_of
from .gathering import beyond_bounds
from .measures import Metric
from .recorded import Records

# In how many experiments chance alone puts any result beyond a floor, or beyond a ceiling.
_LEVEL = 0.025

At = tuple[Cell, str, str]
"""A result by cell, method and metric."""


@dataclass(frozen=True)
class Outside:
    """A result that lies where none should.

    Attributes
    ----------
    experiment, cell, method, metric : str
        Its address; `cell` as a part of a claim is named.
    side : {"bounds", "floor", "ceiling"}
        Beyond what: the bounds of the metric, a floor or a ceiling.
    control : str
        The method that it is held against, the constant or the bounds.
    value, limit : float
        The means of the method and of the control over the same repeats; of a value beyond a
        bound, itself and the bound.
    n : int
        Repeats.
    p : float
        One-sided p-value of the single comparison; 0 beyond a bound.
    """

    experiment: str
    cell: str
    method: str
    metric: str
    side: str
    control: str
    value: float
    limit: float
    n: int
    p: float = 0.0


def outside(
    records: Records, controls: Sequence[Controls], metrics: Mapping[str, Metric]
) -> list[Outside]:
    """Return the results of an experiment that lie beyond bounds, floors and ceilings.

    A result is a method's mean in a cell, paired with the control by repeat where that is a
    method. Results beyond a floor, or beyond a ceiling, are those that chance alone puts there in
    at most 2.5 % of experiments (Bonferroni, over all results of the experiment).

    Parameters
    ----------
    records : Records
        Of the experiment in one universe.
    controls : sequence of Controls
    metrics : mapping of str to Metric

    Examples
    --------
    >>> from icml2008.judge import Records
    >>> head = {"schema": 2, "paper": "p", "experiment": "e"}
    >>> at = {"kind": "measurement", "cell": {}, "method": "A", "metric": "hits"}
    >>> lines = [
    ...     at | {"repeat": k, "value": value}
    ...     for k, value in enumerate([40.0, 42.0, 41.0, 39.0, 43.0, 40.0])
    ... ]
    >>> floor = Controls(metrics=["hits"], floor={"value": "50", "why": "Of two, one is right."})
    >>> hits = Metric(unit="percent", bounds=(0, 100), better="higher")
    >>> [found] = outside(Records([head, *lines]), [floor], {"hits": hits})
    >>> (found.method, found.side, round(found.value, 1), found.limit)
    ('A', 'floor', 40.8, 50.0)
    """
    declared = [at for at in records.measured if at[2] in metrics]
    outliers = [
        result for at in declared if (result := _beyond_bounds(records, at, metrics[at[2]]))
    ]
    for side in SIDES:
        compared = [
            result
            for at in declared
            for control in controls
            if at[2] in control.metrics
            and (result := _compare(records, at, side, getattr(control, side), metrics[at[2]]))
        ]
        outliers += [comparison for comparison in compared if comparison.p * len(compared) < _LEVEL]
    return outliers


def _beyond_bounds(records: Records, at: At, metric: Metric) -> Outside | None:
    values = np.array(list(_finite(records, at).values()))
    strange = beyond_bounds(metric, values)
    if not strange.size:
        return None
    low, high = metric.limits
    worst = strange[np.argmax(np.maximum(low - strange, strange - high))]
    return Outside(
        **_address(records, at),
        side="bounds",
        control=f"[{low:g}, {high:g}]",
        value=float(worst),
        limit=low if worst < low else high,
        n=len(values),
    )


def _compare(
    records: Records, at: At, side: str, control: str | Constant | None, metric: Metric
) -> Outside | None:
    """Return a result beside its control; None where that is itself, or has nothing to say."""
    cell, method, name = at
    values = _finite(records, at)
    constant = isinstance(control, Constant)
    if constant:
        number = control.at(dict(cell))
        limits = {} if number is None else dict.fromkeys(values, number)
    elif method == control or (cell, control, name) not in records.measured:
        limits = {}
    else:
        limits = _finite(records, (cell, control, name))
    if not (repeats := sorted(values.keys() & limits.keys())):
        return None
    ours, theirs = (
        np.array([numbers[repeat] for repeat in repeats]) for numbers in (values, limits)
    )
    low, high = metric.limits
    if constant:
        estimate = mean_of(ours, bounds=(low, high))
    else:
        estimate = mean_of(ours - theirs, bounds=(low - high, high - low))
    limit = theirs[0] if constant else 0.0
    # A result beyond the floor is worse than it, one beyond the ceiling better.
    smaller = (side == "floor") == (metric.sign > 0)
    p = estimate.p_below(limit) if smaller else estimate.p_above(limit)
    if constant and p < _LEVEL and math.isfinite(high - low):
        # Of shares the exact p-value is the larger one, and takes a bisection: seldom needed.
        exact = replace(estimate, shares=True)
        p = exact.p_below(limit) if smaller else exact.p_above(limit)
    return Outside(
        **_address(records, at),
        side=side,
        control=f"{limit:g}" if constant else control,
        value=float(ours.mean()),
        limit=float(theirs.mean()),
        n=len(repeats),
        p=float(p),
    )


def _address(records: Records, at: At) -> dict[str, str]:
    cell, method, metric = at
    address = {"cell": part_name(cell), "method": method, "metric": metric}
    return {"experiment": records.experiment, **address}


def _finite(records: Records, at: At) -> dict[int, float]:
    return {r: value for r, value in records.series(*at).values.items() if value is not None}
