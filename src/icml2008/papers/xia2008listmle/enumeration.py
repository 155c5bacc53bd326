"""Section 4 by enumeration: order sensitivity, consistency, convexity and soundness of a loss."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.listwise.consistency import by_item, exchanged, minimiser, orders
from icml2008.methods.listwise.losses import (
    cosine_loss,
    cross_entropy_loss,
    full_cross_entropy_loss,
    likelihood_loss,
)

Array = NDArray[np.float64]

LOSSES: dict[str, Callable] = {
    "likelihood": likelihood_loss,
    "cosine": cosine_loss,
    "cross entropy": full_cross_entropy_loss,
    "top-one cross entropy": cross_entropy_loss,
}
# minimisers are found up to about this
SMALL = 1e-7


def exchange_violation(loss: Callable, scores: Array, places: Array) -> float:
    """Return by how much a loss fails the first condition of Definition 4.

    Where the item at the better place has the smaller score, exchanging the two places must not
    raise the loss, and must lower it for one order at least.
    """
    n = len(scores)
    rows = [tuple(row) for row in orders(n).tolist()]
    value = {row: loss(scores, by_item(row, places))[0] for row in rows}
    gains = [
        value[row] - value[exchanged(row, row[i], row[j])]
        for row in rows
        for i, j in combinations(range(n), 2)
        if scores[row[i]] < scores[row[j]]
    ]
    return 1.0 if max(gains) <= 0 else max(0.0, -min(gains))


def slope_violation(loss: Callable, scores: Array, places: Array) -> float:
    """Return by how much a loss fails the second condition of Definition 4.

    Of two items of equal score, over all orders with the first one ahead, one derivative must
    never be the larger, and must be the smaller for one order at least.
    """
    worst = 0.0
    for i, j in combinations(range(len(scores)), 2):
        equal = scores.copy()
        equal[j] = equal[i]
        slopes = []
        for row in orders(len(scores)).tolist():
            if row.index(i) < row.index(j):
                _, gradient = loss(equal, by_item(row, places))
                slopes.append(gradient[i] - gradient[j])
        apart = min(max(slopes), -min(slopes))
        strict = max(np.abs(slopes)) > SMALL
        worst = max(worst, apart if strict else 1.0)
    return worst


def minimum_misses(loss: Callable, probabilities: Array, places: Array) -> float:
    """Return by how much the minimiser of the expected loss fails to give the likeliest order.

    0 if its scores fall along the likeliest order; else the largest step that does not, at least
    as large as what the search leaves open.
    """
    best = orders(len(places))[np.argmax(probabilities)]
    scores = minimiser(loss, probabilities, places)
    scores = scores / np.ptp(scores)
    step = float(np.max(np.diff(scores[best])))
    return 0.0 if step < -SMALL else max(step, SMALL)


def convexity_violation(loss: Callable, rng: np.random.Generator, places: Array) -> float:
    """Return by how much the middle of two random score vectors lies above its chord."""
    left, other = rng.normal(scale=2.0, size=(2, len(places)))
    ends = (loss(left, places)[0] + loss(other, places)[0]) / 2
    return max(0.0, loss((left + other) / 2, places)[0] - ends)


def soundness(loss: Callable) -> dict[str, float]:
    """Return how the loss of two items changes with the confidence of a right order.

    The first is the better one, with target scores 2 and 1; its score is ahead by d. ``rise`` is
    the largest increase of the loss from one d to any greater one, ``right-over-wrong`` by how much
    a right order can cost more than a wrong one, ``mirror`` how much more a right order costs than
    the same scores exchanged, at the worst d.
    """
    ahead = np.linspace(-6, 6, 241)
    # the cosine loss depends on more than d: the sum of the scores is kept at 3, as of the targets
    values = np.array([loss([1.5 + d / 2, 1.5 - d / 2], [2.0, 1.0])[0] for d in ahead])
    right = ahead > 0
    return {
        "rise": float(np.max(values - np.minimum.accumulate(values))),
        "right-over-wrong": float(values[right].max() - values[~right].min()),
        "mirror": float(np.max(values[right] - values[::-1][right])),
    }
