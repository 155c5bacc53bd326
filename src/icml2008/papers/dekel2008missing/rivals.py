"""The adversaries of Section 4, its values by mutual information, and the two rivals."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC


def greedy_attack(contributions, values, limit, rank="contribution", *, below=False):
    """Return which features the greedy adversary leaves, (n_examples, n_features).

    Parameters
    ----------
    contributions : ndarray of shape (n_examples, n_features)
        What each feature adds to the right answer; only what adds something is worth deleting.
    values : ndarray of shape (n_features,)
    limit : float
        Total value that may be deleted.
    rank : {"contribution", "per-value", "value"}
        What the most valuable feature has most of. Those that do not fit are passed over.
    below : bool
        Whether the deleted value must stay below the limit.
    """
    useful = contributions > 0
    key = contributions
    if rank == "per-value":
        key = contributions / np.maximum(values, 1e-12)
    order = np.argsort(-np.where(useful, key, -np.inf), axis=1, kind="stable")
    if rank == "value":  # equal values by contribution
        by_value = -np.where(useful, values, -np.inf)
        places = np.argsort(np.take_along_axis(by_value, order, axis=1), axis=1, kind="stable")
        order = np.take_along_axis(order, places, axis=1)
    kept = np.ones(contributions.shape, dtype=bool)
    spent = np.zeros(len(contributions))
    rows = np.arange(len(contributions))
    room = limit * (1 - 1e-9 if below else 1 + 1e-9)
    for column in order.T[: useful.sum(axis=1).max(initial=0)]:
        deleted = useful[rows, column] & (spent + values[column] <= room)
        kept[rows[deleted], column[deleted]] = False
        spent += np.where(deleted, values[column], 0)
    return kept


def deletion_ranks(X, rng):
    """Return for each feature that is not zero its place in a random order, else n_features."""
    keys = np.where(X != 0, rng.random(X.shape), 2.0)
    ranks = np.empty(X.shape, dtype=int)
    np.put_along_axis(ranks, np.argsort(keys, axis=1), np.arange(X.shape[1])[None, :], axis=1)
    return np.where(X != 0, ranks, X.shape[1])


def information_values(X, y):
    """Return the largest mutual information of each feature's cuts with the label; mean 1.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_features)
    y : ndarray of shape (n_examples,)
        Signs.
    """
    m, n = X.shape
    share = np.mean(y > 0)
    best = np.zeros(n)
    for feature in range(n):
        order = np.argsort(X[:, feature], kind="stable")
        sizes = np.flatnonzero(np.diff(X[order, feature]) > 0) + 1
        if not len(sizes):
            continue
        below = sizes / m
        both = np.cumsum(y[order] > 0)[sizes - 1] / m
        joint = [both, below - both, share - both, 1 - share - below + both]
        parts = sum(map(_surprise, joint))
        single = _surprise(below) + _surprise(1 - below) + _surprise(share) + _surprise(1 - share)
        best[feature] = np.max(single - parts)
    best[best < 1e-12] = 0  # rounding
    return best * n / best.sum()


def _surprise(p):
    p = np.maximum(p, 0)
    return -p * np.log(np.where(p > 0, p, 1))


def fit_svm(X, y, cost):
    """Return weights and intercept of a linear support vector machine."""
    svm = LinearSVC(C=cost, loss="hinge", random_state=0, max_iter=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of large costs, near the optimum
        svm.fit(X, y)
    return svm.coef_[0], float(svm.intercept_[0])


def fit_worst_deletions(X, y, settings, passes=200):
    """Return Globerson and Roweis's classifiers, which stand the deletion of any K features.

    They minimise |w|^2 / 2 + C sum_i max(0, 1 - the least y_i w'x_i that K deletions leave), here
    by block-coordinate Frank-Wolfe steps in the dual (Lacoste-Julien et al. 2013). The intercept is
    the weight of a constant that cannot be deleted.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_features)
    y : ndarray of shape (n_examples,)
        Signs.
    settings : sequence of (int, float)
        K and C of each classifier.
    passes : int
        Over the examples.

    Returns
    -------
    weights : ndarray of shape (n_settings, n_features)
    intercepts : ndarray of shape (n_settings,)
    gaps : ndarray of shape (n_settings,)
        By which the objective is above its minimum, at most.
    """
    m, n = X.shape
    rows = np.hstack([y[:, None] * X, y[:, None]])
    budget = np.array([k for k, _ in settings])[:, None]
    cost = np.array([c for _, c in settings])
    w = np.zeros((len(settings), n + 1))
    parts = np.zeros((m, len(settings), n + 1))
    losses = np.zeros((m, len(settings)))

    def corner(i):
        contributions = w * rows[i]
        contributions[:, n] = -np.inf
        order = np.argsort(-contributions, axis=1, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(n + 1)[None, :], axis=1)
        left = np.where((ranks < budget) & (contributions > 0), 0, rows[i])
        wrong = np.sum(w * left, axis=1) < 1
        step = np.where(wrong, cost, 0)
        direction = parts[i] - step[:, None] * left
        return direction, np.sum(w * direction, axis=1) - losses[i] + step, step

    for _ in range(passes):
        for i in range(m):
            direction, slope, step = corner(i)
            length = np.sum(direction**2, axis=1)
            share = np.clip(slope / np.where(length > 0, length, 1), 0, 1)
            parts[i] -= share[:, None] * direction
            w -= share[:, None] * direction
            losses[i] += share * (step - losses[i])
    gaps = sum(corner(i)[1] for i in range(m))
    return w[:, :n], w[:, n], gaps
