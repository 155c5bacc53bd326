"""Scores that choose the next point, and the function to evaluate there.

Each takes None in place of means, for the score of points whose predicted sum is the threshold: a
bound on the score of points that have these variances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

WIDTH = 1.96  # standard normal: 95 % of its mass lies within


def straddle(mean, variance, threshold, spread="variance"):
    """Score points of one function: large where it is uncertain, small far from the threshold.

    Parameters
    ----------
    mean, variance : ndarrays of shape (q,)
        Prediction at q points, in the function's unit and its square.
    threshold : float
        Value of the level set.
    spread : {"variance", "deviation"}
        What the factor 1.96 multiplies: the variance as Bryan and Schneider (2008) print it, or the
        standard deviation, for which a negative score means 95 % confidence that the point lies off
        the level set.

    Returns
    -------
    ndarray of shape (q,)

    References
    ----------
    Bryan and Schneider (2008), section 2.1.

    Examples
    --------
    >>> straddle(np.array([1.0, 2.0]), np.array([4.0, 4.0]), 2.0).tolist()
    [6.84, 7.84]
    >>> straddle(np.array([1.0, 2.0]), np.array([4.0, 4.0]), 2.0, spread="deviation").tolist()
    [2.92, 3.92]
    """
    return WIDTH * _spread(variance, spread) - _distance(mean, threshold)


def combined_straddle(means, variances, threshold, spread="variance", costs=1.0):
    """Score points by the straddle of the sum of functions, Eq. 3 of the paper.

    Parameters
    ----------
    means, variances : ndarrays of shape (q, m)
        Predictions of m functions at q points.
    threshold, spread
        As in `straddle`.
    costs : ignored
        Every function has its share in the score.

    Returns
    -------
    ndarray of shape (q,)

    Examples
    --------
    >>> combined_straddle(np.array([[1.0, 2.0]]), np.array([[0.5, 0.5]]), 2.0).tolist()
    [0.96]
    """
    total = None if means is None else means.sum(axis=1)
    return straddle(total, variances.sum(axis=1), threshold, spread)


def variance_maxvarstraddle(means, variances, threshold, spread="variance", costs=1.0):
    """Score pairs of point and function by what one sample can gain, Eq. 4 of the paper.

    Parameters
    ----------
    means, variances : ndarrays of shape (q, m)
        Predictions of m functions at q points.
    threshold, spread
        As in `straddle`.
    costs : ndarray of shape (m,)
        Price of a sample of each function in units of the cheapest. It divides the spread, which is
        what the sample buys (an addition to the paper, where all are 1).

    Returns
    -------
    ndarray of shape (q, m)
        The largest entry of a row is Eq. 4, its column the function to sample.

    Examples
    --------
    >>> scores = variance_maxvarstraddle(np.array([[1.0, 2.0]]), np.array([[0.5, 1.0]]), 2.0)
    >>> scores.round(6).tolist()
    [[-0.02, 0.96]]
    """
    total = None if means is None else means.sum(axis=1, keepdims=True)
    return WIDTH * _spread(variances, spread) / costs - _distance(total, threshold)


def largest_variance(means, variances, threshold, spread="variance", costs=1.0):
    """Score pairs of point and function by their uncertainty alone.

    Arguments are those of `variance_maxvarstraddle`.

    Examples
    --------
    >>> costs = np.array([1.0, 3.0])
    >>> largest_variance(np.zeros((1, 2)), np.array([[4.0, 9.0]]), 0.0, costs=costs).tolist()
    [[4.0, 3.0]]
    """
    return _spread(variances, spread) / costs


@dataclass(frozen=True)
class Heuristic:
    """A score, and what is sampled at the point that it chooses.

    Attributes
    ----------
    score : callable or None
        One of the scores of this module; None draws point and function at random.
    samples : {"best", "widest", "all"}
        "best": the function whose pair has the best score; "widest": the one with the largest
        variance (over its cost); "all": each function in turn.
    """

    score: Callable[..., np.ndarray] | None
    samples: str


HEURISTICS = {
    "random": Heuristic(None, "best"),
    "variance": Heuristic(largest_variance, "best"),
    "sequential-straddle": Heuristic(combined_straddle, "all"),
    "variance-straddle": Heuristic(combined_straddle, "widest"),
    "variance-maxvarstraddle": Heuristic(variance_maxvarstraddle, "best"),
}


def _distance(mean, threshold):
    return 0.0 if mean is None else np.abs(mean - threshold)


def _spread(variance, spread):
    return variance if spread == "variance" else np.sqrt(variance)
