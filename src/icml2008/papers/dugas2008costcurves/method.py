"""Cost of a binary classifier over operating conditions, with bootstrap intervals that need no
resampling.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from icml2008.errors import nearest


def bootstrap_moments(sums, squares, sizes, w, *, sampling="stratified", positive_rate=None):
    """Return mean and variance of the normalised cost over all bootstrap samples.

    Parameters
    ----------
    sums, squares : array of shape (2, ..., n_conditions)
        Of the errors of the positive and of the negative instances, and of their squares. An error
        is 1; in a difference between classifiers, an error of the subtracted one alone is -1.
    sizes : array that broadcasts to (2, ..., n_conditions)
        Numbers of positive and negative instances.
    w : array of shape (n_conditions,)
        Operating conditions (Eq. 2): the share of the positives in the largest cost.
    sampling : {"stratified", "full"}
        Whether each class is sampled by itself (the cost is a share of the largest for these class
        sizes) or all instances together (it is a share of the dearer error's).
    positive_rate : float, optional
        With full sampling, the rate of positives behind w; by default that of the instances.

    Returns
    -------
    mean, variance : ndarray of shape (..., n_conditions)

    References
    ----------
    Dugas and Gadoury (2008), Equations 4, 5 (with 1 / n, which it lacks), 7 to 10, 12 and 13.
    """
    sums, squares, sizes = (np.asarray(given, dtype=float) for given in (sums, squares, sizes))
    n = sizes[0] + sizes[1]
    w = np.asarray(w)
    if sampling == "stratified":
        costs = (w / sizes[0], (1 - w) / sizes[1])
        largest = 1.0
        classes = 0.0
    else:
        rate = sizes[0] / n if positive_rate is None else positive_rate
        costs = w / rate, (1 - w) / (1 - rate)
        largest = n * np.maximum(*costs)
        between = costs[0] * sums[0] / sizes[0] - costs[1] * sums[1] / sizes[1]
        classes = between**2 * sizes[0] * sizes[1] / n
    within = squares - sums**2 / sizes
    variance = costs[0] ** 2 * within[0] + costs[1] ** 2 * within[1] + classes
    return (costs[0] * sums[0] + costs[1] * sums[1]) / largest, variance / largest**2


def only_first(switches, others, sets, n_sets, n_conditions):
    """Return how many instances of each set the first of two classifiers alone labels positive.

    Parameters
    ----------
    switches, others : int array of shape (n_instances,)
        From which condition on the first and the second do; `n_conditions` stands for never.
    sets : int array of shape (n_instances,)

    Returns
    -------
    ndarray of shape (n_sets, n_conditions)
    """
    places = np.flatnonzero(switches < others)
    rows = n_conditions + 1
    begin, end = (
        np.bincount(sets[places] * rows + at[places], minlength=n_sets * rows).reshape(n_sets, rows)
        for at in (switches, others)
    )
    return (begin - end).cumsum(axis=1)[:, :n_conditions]


class CostInterval(NamedTuple):
    """Costs, their standard deviations and the ends of their intervals, each (n_conditions,)."""

    cost: np.ndarray
    std: np.ndarray
    low: np.ndarray
    high: np.ndarray


class CostCurve:
    """Cost of a classifier over operating conditions, with pointwise intervals.

    They are Gaussian, with the mean and variance of infinitely many bootstrap samples, in the time
    of a sort. Where hardly an instance of a class lies beyond the threshold they are too short.

    Parameters
    ----------
    sampling : {"stratified", "full"}
        Whether bootstrap samples have the test set's numbers of positives and of negatives.
    level : float
        Coverage that is aimed at.

    Examples
    --------
    >>> from icml2008.methods import CostCurve
    >>> y, scores = [0, 0, 0, 1, 1, 1], [-2.0, -1.0, 0.5, -0.5, 1.0, 2.0]
    >>> found = CostCurve().interval(y, scores, w=[0.3, 0.5], thresholds=[0.75, 0.0])
    >>> found.cost.round(3).tolist(), found.high.round(3).tolist()
    ([0.1, 0.333], [0.234, 0.65])
    """

    def __init__(self, sampling="stratified", *, level=0.9):
        self.sampling = sampling
        self.level = level

    def interval(self, y, scores, *, w, thresholds, rival=None):
        """Return the cost of a classifier, or by how much it is above a rival's.

        Parameters
        ----------
        y : array of shape (n_instances,)
            1 for a positive instance, 0 for a negative one.
        scores : array of shape (n_instances,)
            An instance is labelled positive if its score is at least the threshold.
        w, thresholds : array of shape (n_conditions,)
            Operating conditions, rising from 0 to 1, and the threshold for each, chosen without
            `y`: the higher w, the lower.
        rival : pair of arrays, optional
            Scores and thresholds of another classifier, on the same instances and conditions.

        Returns
        -------
        CostInterval

        Raises
        ------
        ValueError
            If a class is missing, lengths do not agree, or thresholds rise.
        """
        y = np.asarray(y)
        w = np.asarray(w, dtype=float)
        self._check(y, w)
        first = _switches(y, w, scores, thresholds, "")
        # without a rival, above a classifier that makes no errors
        perfect = np.where(y == 1, 0, len(w))
        second = perfect if rival is None else _switches(y, w, *rival, " of the rival")
        sums = []
        squares = []
        for label in (1, 0):
            pair = first[y == label], second[y == label]
            where = np.zeros(len(pair[0]), dtype=int), 1, len(w)
            mine = only_first(*pair, *where)[0]
            theirs = only_first(*pair[::-1], *where)[0]
            sums.append(theirs - mine if label else mine - theirs)
            squares.append(mine + theirs)
        sizes = np.array([[np.sum(y == 1)], [np.sum(y == 0)]])
        cost, variance = bootstrap_moments(sums, squares, sizes, w, sampling=self.sampling)
        std = np.sqrt(variance)
        half = ndtri((1 + self.level) / 2) * std
        return CostInterval(cost, std, cost - half, cost + half)

    def _check(self, y, w):
        if self.sampling not in ("stratified", "full"):
            hint = nearest(self.sampling, ("stratified", "full"))
            msg = f"sampling: no {self.sampling!r}{hint}"
        elif not 0 < self.level < 1:
            msg = f"level is between 0 and 1, found {self.level}"
        elif set(np.unique(y)) != {0, 1}:
            msg = f"y has zeros and ones, both of them; found {np.unique(y)[:5].tolist()}"
        elif w.ndim != 1 or not (np.all((w >= 0) & (w <= 1)) and np.all(np.diff(w) >= 0)):
            msg = "w is a rising array of numbers from 0 to 1"
        else:
            return
        raise ValueError(msg)


def _switches(y, w, scores, thresholds, whose):
    """Return the first condition at which each instance is labelled positive."""
    scores = np.asarray(scores, dtype=float)
    thresholds = np.asarray(thresholds, dtype=float)
    for name, given, like in (("scores", scores, y), ("thresholds", thresholds, w)):
        if given.shape != like.shape or np.isnan(given).any():
            msg = f"{name}{whose}: {len(like)} numbers are needed, found shape {given.shape}"
            raise ValueError(msg + (" with nan" if np.isnan(given).any() else ""))
    if np.any(np.diff(thresholds) > 0):
        msg = f"thresholds{whose} rise with w: a higher w asks for more positives"
        raise ValueError(msg)
    return np.searchsorted(-thresholds, -scores)
