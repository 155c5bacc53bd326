"""Rankings chosen with full knowledge of the users: popularity, greedy, and the best there is."""

from __future__ import annotations

import numpy as np
from numba import njit


def _chances(clicks: np.ndarray, n_ranks: int) -> np.ndarray:
    clicks = np.ascontiguousarray(clicks, dtype=float)
    if clicks.ndim != 2 or not ((clicks >= 0) & (clicks <= 1)).all():
        msg = "clicks: give the probabilities of clicks, shape (n_users, n_documents)"
        raise ValueError(msg)
    if not 1 <= n_ranks <= clicks.shape[1]:
        msg = f"n_ranks: found {n_ranks}; there are {clicks.shape[1]} documents"
        raise ValueError(msg)
    return clicks


def click_chance(clicks: np.ndarray, ranking: np.ndarray) -> float:
    """Return the chance that a user, drawn uniformly, clicks on a document of a ranking.

    Parameters
    ----------
    clicks : ndarray of shape (n_users, n_documents)
        Chance that a user who looks at a document clicks on it.
    ranking : array-like of int
        Different documents.

    Examples
    --------
    >>> click_chance(np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]), [0, 2])
    0.75
    """
    chances = np.asarray(clicks, dtype=float)[:, np.asarray(ranking)]
    return float(np.mean(1 - np.prod(1 - chances, axis=1)))


def popularity_ranking(clicks: np.ndarray, n_ranks: int) -> np.ndarray:
    """Return the documents of highest mean click chance, each by itself; of equals, the first.

    Parameters
    ----------
    clicks : ndarray of shape (n_users, n_documents)
    n_ranks : int

    Returns
    -------
    ndarray of shape (n_ranks,)

    Examples
    --------
    >>> popularity_ranking(np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]), 2)
    array([0, 1])
    """
    clicks = _chances(clicks, n_ranks)
    return np.argsort(-clicks.mean(axis=0), kind="stable")[:n_ranks]


def greedy_ranking(clicks: np.ndarray, n_ranks: int) -> np.ndarray:
    """Return the ranking that adds, at each rank, the document that most increases the clicks.

    Its chance of a click is at least (1 - 1/e) of the best there is (Nemhauser et al. 1978).

    Parameters
    ----------
    clicks : ndarray of shape (n_users, n_documents)
    n_ranks : int

    Returns
    -------
    ndarray of shape (n_ranks,)

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import greedy_ranking
    >>> greedy_ranking(np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]), 2)
    array([0, 2])
    """
    clicks = _chances(clicks, n_ranks)
    missed = np.ones(len(clicks))
    ranking = []
    for _ in range(n_ranks):
        gains = missed @ clicks
        gains[ranking] = -1.0
        ranking.append(int(np.argmax(gains)))
        missed = missed * (1 - clicks[:, ranking[-1]])
    return np.array(ranking)


def best_ranking(clicks: np.ndarray, n_ranks: int) -> np.ndarray:
    """Return the documents with the highest chance of a click, by branch and bound.

    The problem is NP-hard; 50 documents at 5 ranks take milliseconds. What any documents add is
    bounded by the sum of what they add one by one, since the chance of a click is submodular.

    Parameters
    ----------
    clicks : ndarray of shape (n_users, n_documents)
    n_ranks : int

    Returns
    -------
    ndarray of shape (n_ranks,)
        In ascending order: the chance of a click does not depend on the order.

    References
    ----------
    Radlinski, F., Kleinberg, R. and Joachims, T. (2008). Learning diverse rankings with
    multi-armed bandits. ICML. Section 5.1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import best_ranking, greedy_ranking
    >>> clicks = np.array([[1, 0, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1]])
    >>> best_ranking(clicks, 2), greedy_ranking(clicks, 2)
    (array([1, 2]), array([0, 1]))
    """
    clicks = _chances(clicks, n_ranks)
    start = greedy_ranking(clicks, n_ranks)
    # Documents in order of what they add alone: good sets are met early, and bounds are tight.
    order = np.argsort(-clicks.mean(axis=0), kind="stable")
    worth = click_chance(clicks, start)
    chosen = _search(np.ascontiguousarray(clicks[:, order].T), n_ranks, worth)
    return np.sort(start if chosen[0] < 0 else order[chosen])


@njit(cache=True)
def _search(chances, n_ranks, worth):
    """Return positions of a set better than `worth`, the best of them, or -1 if there is none."""
    n, n_users = chances.shape
    best = np.full(n_ranks, -1)
    chosen = np.full(n_ranks, -1)
    missed = np.ones((n_ranks + 1, n_users))
    values = np.zeros(n_ranks + 1)
    gains = np.empty(n)
    depth = 0
    while depth >= 0:
        # the next document at this depth
        chosen[depth] += 1
        left = n_ranks - depth
        if chosen[depth] > n - left:
            depth -= 1
            continue
        if chosen[depth] == (chosen[depth - 1] + 1 if depth else 0):
            bound = 0.0
            for j in range(chosen[depth], n):
                gain = 0.0
                for u in range(n_users):
                    gain += missed[depth, u] * chances[j, u]
                gains[j] = gain / n_users
            top = np.sort(gains[chosen[depth] :])
            for i in range(left):
                bound += top[len(top) - 1 - i]
            if values[depth] + bound <= worth + 1e-12:
                depth -= 1
                continue
        j = chosen[depth]
        value = 0.0
        for u in range(n_users):
            missed[depth + 1, u] = missed[depth, u] * (1 - chances[j, u])
            value += 1 - missed[depth + 1, u]
        values[depth + 1] = value / n_users
        if left == 1:
            if values[depth + 1] > worth + 1e-12:
                worth = values[depth + 1]
                best[:] = chosen
        else:
            depth += 1
            chosen[depth] = j
    return best
