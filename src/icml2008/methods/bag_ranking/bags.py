"""Bags of items in boxes: the roles of their items, ranking the bags of a box, good guesses.

A *box* (a state, a molecule) holds *bags* (its districts, its hydrogen groups) of *items* (rows of
features). A bag is the pair (box, bag label): the same bag label in two boxes means two bags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from icml2008.methods.bag_ranking.grouping import bag_pairs, group_items, preferred_bags


@dataclass(frozen=True)
class ItemRoles:
    """Items of preferred bags, one bag after the other, and the items that they should beat.

    Attributes
    ----------
    preferred : ndarray of int, shape (n_preferred_items,)
        Items of the preferred bags, sorted by box and bag.
    starts, sizes : ndarray of int, shape (n_preferred,)
        Where in `preferred` each bag begins, and how many items it has.
    others : ndarray of int, shape (n_others,)
        Items that some bag is preferred over, increasing.
    winners, losers : ndarray of int, shape (n_comparisons,)
        For each pair of bags (I, J) and each item of J: the place of I among the preferred bags,
        and that of the item in `others`.
    n_skipped : int
        Boxes of which nothing is known.
    """

    preferred: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    others: NDArray[np.intp]
    winners: NDArray[np.intp]
    losers: NDArray[np.intp]
    n_skipped: int


def item_roles(
    y: ArrayLike | None,
    boxes: ArrayLike,
    bags: ArrayLike,
    *,
    n_items: int,
    pairs: Sequence[Sequence[tuple]] = (),
) -> ItemRoles:
    """Tell the items of preferred bags from those that they should beat.

    Parameters
    ----------
    y : array-like of shape (n_items,) or None
        1 for every item of a preferred bag, else 0: each preferred bag of a box is preferred over
        all bags of the box that are not. None if all that is known are pairs.
    boxes, bags : array-like of shape (n_items,)
    n_items : int
    pairs : sequence of pairs of bags, optional
        What is known besides, see :func:`bag_pairs`; within a box or across.

    Returns
    -------
    ItemRoles

    Raises
    ------
    ValueError
        As :func:`group_items`, :func:`preferred_bags` and :func:`bag_pairs`, and if no bag is
        preferred over another.

    Examples
    --------
    >>> roles = item_roles([0, 1, 1], boxes=[0, 0, 0], bags=["x", "y", "y"], n_items=3)
    >>> roles.preferred, roles.others
    (array([1, 2]), array([0]))
    """
    group = group_items(n_items, boxes, bags)
    box_of = group.box_of_bag
    given = bag_pairs(pairs, group)
    known = np.zeros(len(box_of), bool) if y is None else preferred_bags(y, group)
    per_box = np.bincount(box_of[known], minlength=len(group.boxes))
    beaten = ~known & (per_box[box_of] > 0)
    implied = (
        known[given[:, 0]] & beaten[given[:, 1]] & (box_of[given[:, 0]] == box_of[given[:, 1]])
    )
    given = given[~implied]

    chosen = np.flatnonzero(known)
    chosen = chosen[np.argsort(box_of[chosen], kind="stable")]
    first = np.cumsum(per_box) - per_box
    items = np.flatnonzero(beaten[group.bag_of_item])
    box = group.box_of_item[items]
    # the first preferred bag of each box against all items, then the second where there is one
    parts = [
        (chosen[first[box[among]] + k], items[among])
        for k in range(per_box.max(initial=0))
        for among in [per_box[box] > k]
    ]
    for bag, other in given:
        inside = np.flatnonzero(group.bag_of_item == other)
        parts.append((np.full(len(inside), bag), inside))
    up, down = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not len(down):
        msg = "no box has more than one bag, so there is nothing to rank"
        raise ValueError(msg)

    winning = np.union1d(chosen, given[:, 0])
    winning = winning[np.argsort(box_of[winning], kind="stable")]
    place = np.full(len(box_of), -1)
    place[winning] = np.arange(len(winning))
    place_of_item = place[group.bag_of_item]
    preferred = np.flatnonzero(place_of_item >= 0)
    preferred = preferred[np.argsort(place_of_item[preferred], kind="stable")]
    sizes = np.bincount(place_of_item[preferred])
    others, losers = np.unique(down, return_inverse=True)
    n_known = len(np.unique(np.concatenate([box_of[chosen], box_of[given].ravel()])))
    return ItemRoles(
        preferred,
        np.cumsum(sizes) - sizes,
        sizes,
        others,
        place[up],
        losers,
        len(group.boxes) - n_known,
    )


def rank_bags(scores: ArrayLike, boxes: ArrayLike, bags: ArrayLike) -> dict:
    """Order the bags of each box by their best item.

    Parameters
    ----------
    scores : array-like of shape (n_items,)
        The higher, the more preferred.
    boxes, bags : array-like of shape (n_items,)
        Labels; a bag is the pair (box, bag).

    Returns
    -------
    dict
        For each box its bag labels, best first. Boxes come in order of first appearance, and so do
        bags of equal score.

    Raises
    ------
    ValueError
        If a score is NaN or the labels do not fit.

    References
    ----------
    Bergeron, Zaretzki, Breneman and Bennett (2008). Multiple Instance Ranking. ICML, section 4: a
    bag counts by the maximum over its items. The paper is silent on ties.

    Examples
    --------
    >>> from icml2008.methods import rank_bags
    >>> rank_bags([0.1, 0.9, 0.5, 0.5], boxes=[7, 7, 8, 8], bags=["a", "b", "a", "b"])
    {7: ['b', 'a'], 8: ['a', 'b']}
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 1 or np.isnan(scores).any():
        msg = f"scores must be one number per item and not NaN, found shape {scores.shape}"
        raise ValueError(msg)
    group = group_items(len(scores), boxes, bags)
    best = np.full(len(group.bags), -np.inf)
    np.maximum.at(best, group.bag_of_item, scores)
    ranking: dict = {box: [] for box in group.boxes}
    # lexsort is stable: equal scores keep the order of first appearance
    for bag in np.lexsort((-best, group.box_of_bag)):
        ranking[group.boxes[group.box_of_bag[bag]]].append(group.bags[bag])
    return ranking


def guess_hits(
    ranking: dict, y: ArrayLike, boxes: ArrayLike, bags: ArrayLike, *, guesses: int = 2
) -> NDArray[np.bool_]:
    """Tell for each box whether a preferred bag of it is among the first guesses.

    Parameters
    ----------
    ranking : dict
        From :func:`rank_bags`.
    y, boxes, bags : array-like of shape (n_items,)
        y is 1 for every item of a preferred bag, else 0.
    guesses : int
        Number of guesses a box.

    Returns
    -------
    ndarray of bool, shape (n_boxes,)
        In order of first appearance of the boxes, without those that have no preferred bag.

    Examples
    --------
    >>> guess_hits({0: ["b", "a"]}, y=[1, 0], boxes=[0, 0], bags=["a", "b"], guesses=1)
    array([False])
    """
    if not isinstance(guesses, (int, np.integer)) or guesses < 1:
        msg = f"guesses must be a whole number of at least 1, found {guesses!r}"
        raise ValueError(msg)
    group = group_items(len(np.asarray(y)), boxes, bags)
    right: dict = {}
    for bag in np.flatnonzero(preferred_bags(y, group)):
        right.setdefault(group.box_of_bag[bag], set()).add(group.bags[bag])
    return np.array(
        [not right[i].isdisjoint(ranking[group.boxes[i]][:guesses]) for i in sorted(right)]
    )


def box_weights(
    sample_weight: ArrayLike, y: ArrayLike, boxes: ArrayLike, bags: ArrayLike
) -> NDArray[np.float64]:
    """Return the mean weight of each box's items, in the order of :func:`guess_hits`.

    Parameters
    ----------
    sample_weight, y, boxes, bags : array-like of shape (n_items,)
        Weights are finite and at least 0; y is 1 for every item of a preferred bag, else 0.

    Returns
    -------
    ndarray of shape (n_boxes,)
        Without the boxes that have no preferred bag.

    Raises
    ------
    ValueError
        If weights have another length, or one is negative or not finite, or all are 0.

    Examples
    --------
    >>> box_weights([1, 3, 5], y=[1, 0, 1], boxes=["a", "a", "b"], bags=[1, 2, 1])
    array([2., 5.])
    """
    group = group_items(len(np.asarray(y)), boxes, bags)
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != group.bag_of_item.shape:
        msg = f"sample_weight has shape {weights.shape}, expected one weight for each of "
        msg += f"{len(group.bag_of_item)} items"
        raise ValueError(msg)
    if not (np.isfinite(weights).all() and weights.min() >= 0):
        msg = "sample_weight must be finite and at least 0"
        raise ValueError(msg)
    box = group.box_of_item
    means = np.bincount(box, weights) / np.bincount(box)
    known = np.unique(group.box_of_bag[preferred_bags(y, group)])
    if not means[known].any():
        msg = "sample_weight is 0 for all items of boxes that have a preferred bag"
        raise ValueError(msg)
    return means[known]
