"""Numbers of curves: how they rank, and where they cross."""

from __future__ import annotations

import warnings

import numpy as np

from .estimates import Array


def rank_correlation(curve: Array, points: Array) -> Array:
    """Return Spearman's rank correlation along the last axis; 0 for a constant curve."""
    from scipy import stats

    ranks = stats.rankdata(curve, axis=-1)
    steps = stats.rankdata(points)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        correlation = stats.pearsonr(ranks, np.broadcast_to(steps, ranks.shape), axis=-1).statistic
    return np.nan_to_num(correlation)


def crossing(curve: Array, points: Array, *, last: bool = False) -> Array:
    """Return where curves first rise above 0, or for good, interpolated; NaN if nowhere."""
    rises = (curve[..., :-1] <= 0) & (curve[..., 1:] > 0)
    if last:
        rises &= curve[..., -1:] > 0
        at = rises.shape[-1] - 1 - rises[..., ::-1].argmax(axis=-1)[..., None]
    else:
        at = rises.argmax(axis=-1)[..., None]
    before = np.take_along_axis(curve, at, axis=-1)[..., 0]
    after = np.take_along_axis(curve, at + 1, axis=-1)[..., 0]
    at = at[..., 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        place = points[at] + (points[at + 1] - points[at]) * before / (before - after)
    return np.where(rises.any(axis=-1), place, np.nan)
