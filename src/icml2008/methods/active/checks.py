"""Checks of arguments, with messages that say what is allowed."""

from __future__ import annotations

import numpy as np

from icml2008.errors import nearest


def check_known(what, name, options):
    """Raise ValueError unless the value `name` of the argument `what` is one of the options."""
    if name not in options:
        msg = f"{what}={name!r} is unknown{nearest(name, options)}"
        raise ValueError(msg)


def check_numbers(what, values, size, *, positive=False):
    """Return values as an array of shape (size,); positive ones have to be finite, too."""
    values = np.array(values, dtype=float)
    wrong = np.isnan(values) | (positive & ~((values > 0) & (values < np.inf)))
    if values.shape != (size,) or wrong.any():
        msg = f"{what} must be {size} {'positive ' * positive}numbers, got {values.tolist()}"
        raise ValueError(msg)
    return values


def check_bounds(bounds):
    """Return bounds as an array of shape (d, 2)."""
    array = np.array(bounds, dtype=float)
    if array.ndim != 2 or array.shape[1] != 2 or not np.all(np.diff(array) > 0):
        msg = (
            f"bounds must be a pair (lower, upper) per dimension, lower below upper, got {bounds!r}"
        )
        raise ValueError(msg)
    return array


def check_points(points, d):
    """Return points as an array of shape (q, d)."""
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or points.shape[1] != d or not np.isfinite(points).all():
        msg = f"points must be finite numbers of shape (how many, {d}), got shape {points.shape}"
        raise ValueError(msg)
    return points
