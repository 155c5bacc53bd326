"""Slopes of the linear semivariance: from a function beforehand, or from its samples.

Without a nugget the slope leaves the kriging mean alone and multiplies the variance: it sets how
much exploring is worth against refining, one number per function. Functions that are mirror images
of each other should share one.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from scipy.stats import qmc

from icml2008.errors import nearest
from icml2008.methods.active.running_slopes import Steepest, Variogram
from icml2008.methods.active.system import KrigingSystem


def gradient_slope(function, bounds, *, n_points=1024, n_polished=4, length_scales=None):
    """Return the largest norm of a function's gradient over a box.

    The gradient has the unit of the function over a distance, so that slope times distance is a
    size of a difference, not its square.

    Parameters
    ----------
    function : callable
        From a point, shape (d,), to a float; evaluated (2 d + 1) n_points times and more: for
        functions that are cheap, or stand-ins of the expensive ones.
    bounds : array-like of shape (d, 2)
        Lower and upper end of the box in each dimension.
    n_points : int, default=1024
        Points of a Sobol sequence at which the gradient is first looked at.
    n_polished : int, default=4
        The steepest of them start a local search.
    length_scales : array-like of shape (d,), optional
        Distances are measured in these units.

    Returns
    -------
    float

    Examples
    --------
    The gradient is longest where x[0] is 2: it is (4, 1) there.

    >>> round(gradient_slope(lambda x: x[0] ** 2 + x[1], [[0, 2], [0, 1]]), 4)
    4.1231
    """
    bounds, scales = _box(bounds, length_scales)
    step = 1e-6 * (bounds[:, 1] - bounds[:, 0])

    def steepness(point):
        square = 0.0
        for j in range(len(point)):
            low = point.copy()
            high = point.copy()
            low[j] = max(point[j] - step[j], bounds[j, 0])
            high[j] = min(point[j] + step[j], bounds[j, 1])
            square += (scales[j] * (function(high) - function(low)) / (high[j] - low[j])) ** 2
        return np.sqrt(square)

    points = _spread_out(bounds, n_points)
    values = np.array([steepness(point) for point in points])
    starts = points[np.argsort(-values)[:n_polished]]
    # A simplex needs no second differences, which the first ones are too coarse for.
    climbs = [
        minimize(lambda p: -steepness(p), start, method="Nelder-Mead", bounds=bounds)
        for start in starts
    ]
    return float(max(values.max(), *(-result.fun for result in climbs)))


def variogram_slope(X, y, *, max_lag=None, n_lags=12):
    """Return the slope of the line through zero that fits the empirical semivariances best.

    Pairs of samples are put into bins of equal width by their distance; a bin's semivariance is
    half the mean squared difference (Matheron), and bins count by their number of pairs. Smooth
    functions have semivariances that grow with the square of short distances, so the slope depends
    on the longest lag.

    Parameters
    ----------
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    max_lag : float, optional
        Longest distance of a pair; half the largest one by default, the custom in geostatistics.
    n_lags : int, default=12
        Number of bins.

    Returns
    -------
    float

    References
    ----------
    Cressie (1991), *Statistics for Spatial Data*, section 2.4.

    Examples
    --------
    Neighbours that differ by one, at the distance one, have the semivariance 1/2.

    >>> variogram_slope([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 0.0, 1.0], max_lag=1.0)
    0.5
    """
    X = np.asarray(X, dtype=float)
    y = np.asarray(y, dtype=float)
    lower = np.tril_indices(len(X), -1)
    distances = cdist(X, X)[lower]
    differences = np.subtract.outer(y, y)[lower]
    if max_lag is None:
        largest = distances.max(initial=0.0)
        max_lag = 0.5 * largest if np.any(distances <= 0.5 * largest) else largest
    variogram = Variogram(max_lag, n_lags)
    variogram.add(distances, differences)
    slope = variogram.slope()
    if np.isnan(slope):
        msg = (
            f"no two of {len(X)} samples are more than 0 and at most max_lag={max_lag:.6g} apart: "
            "add samples, or lengthen it"
        )
        raise ValueError(msg)
    return slope


def likelihood_slope(X, y, *, nugget_ratio=0.0):
    """Return the slope that makes the differences between samples most likely.

    This is restricted likelihood: a linear semivariance gives probabilities to differences only.

    Parameters
    ----------
    X : array-like of shape (n, d)
        At least two points.
    y : array-like of shape (n,)
    nugget_ratio : float, default=0.0
        Nugget divided by the slope.

    Returns
    -------
    float

    Examples
    --------
    A step of one over a unit of distance has the variance 2 k, so that k = 1/2 suits it best.

    >>> round(likelihood_slope([[0.0], [1.0]], [0.0, 1.0]), 6)
    0.5
    """
    X = np.asarray(X, dtype=float)
    y = np.asarray(y, dtype=float)
    if len(X) < 2:
        msg = f"a slope needs at least 2 samples, got {len(X)}: add samples"
        raise ValueError(msg)
    system = KrigingSystem(X.shape[1], nugget_ratio)
    system.extend(X, y)
    return system.unit_slope()


def steepest_slope(X, y):
    """Return the slope of the steepest line between two samples: at most the largest gradient.

    Parameters
    ----------
    X : array-like of shape (n, d)
        At least two different points.
    y : array-like of shape (n,)

    Returns
    -------
    float

    Examples
    --------
    >>> steepest_slope([[0.0], [1.0], [3.0]], [0.0, 1.0, 7.0])
    3.0
    """
    X = np.asarray(X, dtype=float)
    y = np.asarray(y, dtype=float)
    steepest = Steepest()
    steepest.add(cdist(X, X), np.subtract.outer(y, y))
    if np.isnan(steepest.slope()):
        msg = f"a slope needs samples at two different points, got {len(X)} at one: add samples"
        raise ValueError(msg)
    return steepest.slope()


SLOPE_RULES = ("gradient", "half-gradient", "variogram", "likelihood")


def slopes_beforehand(
    functions, bounds, rule="gradient", *, n_points=1024, max_lag=None, length_scales=None
):
    """Return one slope per function, found from the functions themselves before a campaign.

    Parameters
    ----------
    functions : sequence of m callables
        From a point, shape (d,), to a float.
    bounds : array-like of shape (d, 2)
    rule : {"gradient", "half-gradient", "variogram", "likelihood"}
        The largest gradient over the box, half of it, or one of the two estimates from values at
        `n_points` points of a Sobol sequence. Their answer depends on how dense the points are
        where the functions are smooth.
    n_points : int, default=1024
    max_lag : float, optional
        Longest distance for "variogram", in units of `length_scales`.
    length_scales : array-like of shape (d,), optional
        Distances are measured in these units.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        If the rule is unknown, or a function is constant: with slope zero it would never be
        sampled.

    Examples
    --------
    >>> slopes_beforehand([lambda x: 3 * x[0]], [[0, 1]], "half-gradient").round(6).tolist()
    [1.5]
    """
    if rule not in SLOPE_RULES:
        msg = f"slope rule {rule!r} is unknown{nearest(rule, SLOPE_RULES)}"
        raise ValueError(msg)
    box, scales = _box(bounds, length_scales)
    if rule in ("gradient", "half-gradient"):
        share = 1.0 if rule == "gradient" else 0.5
        slopes = [
            share * gradient_slope(f, box, n_points=n_points, length_scales=scales)
            for f in functions
        ]
    else:
        points = _spread_out(box, n_points)
        values = [np.array([f(point) for point in points]) for f in functions]
        if rule == "variogram":
            slopes = [variogram_slope(points / scales, v, max_lag=max_lag) for v in values]
        else:
            slopes = [likelihood_slope(points / scales, v) for v in values]
    if not np.all(np.greater(slopes, 0)):
        msg = (
            f"function {int(np.argmin(slopes))} seems to be constant (slope {min(slopes):.6g}): "
            "leave it out, and take its value from the threshold"
        )
        raise ValueError(msg)
    return np.array(slopes)


def _box(bounds, length_scales):
    bounds = np.asarray(bounds, dtype=float)
    return bounds, np.ones(len(bounds)) if length_scales is None else np.asarray(
        length_scales, dtype=float
    )


def _spread_out(bounds, n_points):
    """Points of an unscrambled Sobol sequence: the same in every call."""
    power = int(np.ceil(np.log2(max(n_points, 2))))
    unit = qmc.Sobol(len(bounds), scramble=False).random_base2(power)[:n_points]
    return bounds[:, 0] + unit * (bounds[:, 1] - bounds[:, 0])
