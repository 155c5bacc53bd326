"""Rivals that do not work: they earn nobody a win, and no win against them counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .controls import is_controlled
from .decide import MIN_REPEATS
from .estimates import EQUAL, Array
from .measures import Metric, Resampling
from .recorded import Records

Flags = NDArray[np.bool_]


def degenerate(
    methods: Sequence[str],
    grid: np.ndarray,
    table: Records,
    metrics: Mapping[str, Metric],
    at_caps: Flags,
    alike: Flags,
) -> tuple[str, ...]:
    """Return the compared methods that tell nothing apart, or are broken off, in most repeats.

    Parameters
    ----------
    methods : sequence of str
        Of several; a single one is compared with nothing.
    grid : ndarray of shape (n_cells, n_points)
        The cells.
    table : Records
    metrics : mapping of str to Metric
        One of them may tell by a value whether a method tells things apart.
    at_caps : ndarray of shape (n_repeats, n_methods, n_cells, n_points)
        Which measurements were broken off.
    alike : ndarray of shape (n_methods,)
        Which methods give one number where another does not; see `give_one_number`.
    """
    if len(methods) < 2:
        return ()
    flags = {name: m.degenerate for name, m in metrics.items() if m.degenerate is not None}
    broken_off = at_caps.mean(axis=(0, 2, 3)) > 0.5
    idle = [
        any(
            table.share_at(cell, method, name, value) > 0.5
            for cell in grid.flat
            for name, value in flags.items()
        )
        for method in methods
    ]
    marked = broken_off | alike | np.array(idle)
    return tuple(dict.fromkeys(np.array(methods)[marked].tolist()))


def give_one_number(
    methods: Sequence[str],
    values: Array,
    how: Resampling | None,
    metric: Metric,
    controls: Collection[str],
) -> Flags:
    """Return which methods score alike on all data, as a constant predictor does, where not all do.

    Only of scores that run from 0 to a bound, as accuracy does. One that is always best is none of
    these, nor is a control, which is meant to be constant, nor anything on data that do not change.

    Parameters
    ----------
    methods : sequence of str
    values : ndarray of shape (n_repeats, n_methods, n_cells, n_points)
    how : Resampling or None
    metric : Metric
    controls : collection of str
        The methods that are a floor or a ceiling of the experiment.
    """
    complete = values[~np.isnan(values).any(axis=(1, 2, 3))]
    same_data = how is None or how.kind == "fixed"
    if same_data or not is_controlled(metric) or len(complete) < MIN_REPEATS:
        return np.zeros(len(methods), dtype=bool)
    best = metric.limits[1] if metric.sign > 0 else metric.limits[0]
    alike = np.ptp(complete, axis=0) <= EQUAL * np.abs(complete).max()
    beaten = ~np.isclose(complete[0], best)
    others_vary = ~alike.all(axis=0)
    scores_alike = (alike & beaten & others_vary).mean(axis=(1, 2)) > 0.5
    return scores_alike & ~np.isin(methods, list(controls))
