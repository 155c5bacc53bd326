"""Consistency of a listwise loss by enumeration: what minimises its expectation over all orders."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]
Loss = Callable[[ArrayLike, ArrayLike], tuple[float, Array]]


def orders(n_items: int) -> NDArray[np.intp]:
    """Return all orders of the items, (n!, n_items): each row lists items, best first.

    Examples
    --------
    >>> orders(2).tolist()
    [[0, 1], [1, 0]]
    """
    return np.array(list(permutations(range(n_items))))


def by_item(order: ArrayLike, places: ArrayLike) -> Array:
    """Return what each item's place is worth: `places` is (n_items,), best place first."""
    values = np.empty(len(places))
    values[np.asarray(order)] = places
    return values


def expected_loss(
    loss: Loss, scores: ArrayLike, probabilities: ArrayLike, places: ArrayLike
) -> tuple[float, Array]:
    """Return the expectation Q of a loss over random orders, and its gradient in the scores.

    Parameters
    ----------
    loss : callable
        One of the losses, of scores and targets.
    scores : array_like of shape (n_items,)
    probabilities : array_like of shape (n!,)
        Of the rows of `orders`.
    places : array_like of shape (n_items,)
        Target score of each place, decreasing.

    References
    ----------
    Xia et al. (2008), Eq. 8.
    """
    value = 0.0
    gradient = np.zeros(len(places))
    for p, order in zip(probabilities, orders(len(places)), strict=True):
        if p > 0:
            loss_value, by_score = loss(scores, by_item(order, places))
            value += p * loss_value
            gradient += p * by_score
    return value, gradient


def minimiser(
    loss: Loss, probabilities: ArrayLike, places: ArrayLike, start: ArrayLike | None = None
) -> Array:
    """Return scores that minimise the expected loss over random orders.

    Parameters
    ----------
    loss, probabilities, places
        As for `expected_loss`.
    start : array_like of shape (n_items,), optional
        Where to begin; the expected target scores by default.

    Returns
    -------
    scores : ndarray of shape (n_items,)
        A global minimiser: the search is local, but the other losses are convex, and the expected
        cosine loss falls towards the mean of the targets from everywhere but its opposite.

    Examples
    --------
    >>> from icml2008.methods.listwise.losses import likelihood_loss
    >>> scores = minimiser(likelihood_loss, [0.75, 0.25], [2.0, 1.0])
    >>> round(float(scores[0] - scores[1]), 4)  # the log odds of the first order
    1.0986
    """
    probabilities = np.asarray(probabilities, float)
    places = np.asarray(places, float)
    if start is None:
        table = np.array([by_item(order, places) for order in orders(len(places))])
        start = probabilities @ table
    result = minimize(
        lambda scores: expected_loss(loss, scores, probabilities, places),
        np.asarray(start, dtype=float),
        jac=True,
        method="BFGS",
        options={"gtol": 1e-9},
    )
    return result.x


def order_preserving(n_items: int, rng: np.random.Generator) -> Array:
    """Draw probabilities of all orders that prefer item i to item i + 1, for each i.

    An order in which i comes before i + 1 is more likely than the one with the two exchanged. That
    makes the orders a partially ordered set; random probabilities fall along a random
    enumeration of it.

    Parameters
    ----------
    n_items : int
    rng : numpy Generator

    Returns
    -------
    probabilities : ndarray of shape (n!,)
        Of the rows of `orders`.

    References
    ----------
    Xia et al. (2008), Definition 3 and Theorem 5.
    """
    rows = [tuple(row) for row in orders(n_items).tolist()]
    index = {row: k for k, row in enumerate(rows)}
    better: list[list[int]] = [[] for _ in rows]
    waiting = np.zeros(len(rows), dtype=int)
    for k, row in enumerate(rows):
        for i in range(n_items - 1):
            if row.index(i) < row.index(i + 1):
                worse = index[exchanged(row, i, i + 1)]
                better[k].append(worse)
                waiting[worse] += 1
    values = np.sort(rng.dirichlet(np.ones(len(rows))))[::-1]
    probabilities = np.empty(len(rows))
    free = [k for k in range(len(rows)) if not waiting[k]]
    for value in values:
        k = free.pop(int(rng.integers(len(free))))
        probabilities[k] = value
        for worse in better[k]:
            waiting[worse] -= 1
            if not waiting[worse]:
                free.append(worse)
    return probabilities


def exchanged(order: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    """Return the order with two items exchanged.

    Examples
    --------
    >>> exchanged((2, 0, 1), 0, 2)
    (0, 2, 1)
    """
    swap = {first: second, second: first}
    return tuple(swap.get(item, item) for item in order)
