"""Items in bags in boxes: checking the labels, ranking the bags of a box, counting good guesses.

A *box* (a state, a molecule) holds *bags* (its districts, its hydrogen groups) of *items* (rows of
features). A bag is the pair (box, bag label): the same bag label in two boxes means two bags.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Grouping:
    """Items by bag and bags by box, both numbered in order of first appearance.

    Attributes
    ----------
    boxes, bags : list
        Labels of the boxes (n_boxes,) and of the bags (n_bags,), as plain Python values.
    bag_of_item : ndarray of int, shape (n_items,)
    box_of_bag : ndarray of int, shape (n_bags,)
    """

    boxes: list
    bags: list
    bag_of_item: NDArray[np.intp]
    box_of_bag: NDArray[np.intp]

    @property
    def box_of_item(self) -> NDArray[np.intp]:
        return self.box_of_bag[self.bag_of_item]


def group_items(n_items: int, boxes: ArrayLike, bags: ArrayLike) -> Grouping:
    """Number the boxes and bags of `n_items` items.

    Parameters
    ----------
    n_items : int
        Number of rows that the labels must have.
    boxes, bags : array-like of shape (n_items,)
        Hashable labels, neither None nor NaN.

    Returns
    -------
    Grouping

    Raises
    ------
    ValueError
        If there are no items, the labels have another length or more than one dimension, or a label
        is missing.

    Examples
    --------
    >>> group = group_items(3, boxes=["b", "a", "b"], bags=[1, 1, 2])
    >>> group.boxes, group.bags
    (['b', 'a'], [1, 1, 2])
    """
    box_labels, box_of_item = _number("boxes", boxes, n_items)
    bag_labels, label_of_item = _number("bags", bags, n_items)
    pairs, bag_of_item = _by_first_appearance(box_of_item * len(bag_labels) + label_of_item)
    box_of_bag, label_of_bag = np.divmod(pairs, len(bag_labels))
    return Grouping(box_labels, [bag_labels[i] for i in label_of_bag], bag_of_item, box_of_bag)


def preferred_bags(y: ArrayLike, group: Grouping) -> NDArray[np.intp]:
    """Return the number of each box's preferred bag.

    Parameters
    ----------
    y : array-like of shape (n_items,)
        1 for every item of the preferred bag of its box, else 0.
    group : Grouping

    Returns
    -------
    ndarray of int, shape (n_boxes,)

    Raises
    ------
    ValueError
        If y has another length or other values, if the items of one bag disagree, or if a box has
        no preferred bag or more than one.

    Examples
    --------
    >>> group = group_items(3, boxes=[0, 0, 0], bags=["x", "y", "y"])
    >>> preferred_bags([0, 1, 1], group)
    array([1])
    """
    y = np.asarray(y)
    if y.shape != group.bag_of_item.shape:
        msg = (
            f"y has shape {y.shape}, expected one value for each of {len(group.bag_of_item)} items"
        )
        raise ValueError(msg)
    if not np.isin(y, (0, 1)).all():
        wrong = y[~np.isin(y, (0, 1))].ravel()[:1].tolist()[0]
        msg = f"y must be 1 for items of a preferred bag and 0 for others, found {wrong!r}"
        raise ValueError(msg)
    y = y.astype(bool)
    preferred = np.zeros(len(group.bags), dtype=bool)
    preferred[group.bag_of_item[y]] = True
    if (mixed := preferred[group.bag_of_item] & ~y).any():
        bag = group.bag_of_item[mixed][0]
        box = group.box_of_bag[bag]
        msg = (
            f"items of bag {group.bags[bag]!r} in box {group.boxes[box]!r} have both y=0 and y=1; "
            "y must be 1 for every item of a preferred bag"
        )
        raise ValueError(msg)
    count = np.bincount(group.box_of_bag[preferred], minlength=len(group.boxes))
    if (count != 1).any():
        box = np.flatnonzero(count != 1)[0]
        msg = (
            f"box {group.boxes[box]!r} has {count[box] or 'no'} preferred bag{'s'[: count[box]]}; "
            "exactly one is needed: leave the box out, or set y=1 on the items of one bag"
        )
        raise ValueError(msg)
    chosen = np.flatnonzero(preferred)
    return chosen[np.argsort(group.box_of_bag[chosen])]


@dataclass(frozen=True)
class ItemRoles:
    """Items of preferred bags, one box after the other, and all other items.

    Attributes
    ----------
    preferred : ndarray of int, shape (n_preferred,)
        Items of the preferred bags, sorted by box.
    starts, sizes : ndarray of int, shape (n_boxes,)
        Where in `preferred` the bag of each box begins, and how many items it has.
    others : ndarray of int, shape (n_others,)
        Items of the other bags.
    box_of_other : ndarray of int, shape (n_others,)
    """

    preferred: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    others: NDArray[np.intp]
    box_of_other: NDArray[np.intp]


def item_roles(y: ArrayLike, boxes: ArrayLike, bags: ArrayLike, *, n_items: int) -> ItemRoles:
    """Tell the items of preferred bags from the others.

    Parameters
    ----------
    y : array-like of shape (n_items,)
        1 for every item of the preferred bag of its box, else 0.
    boxes, bags : array-like of shape (n_items,)
    n_items : int

    Returns
    -------
    ItemRoles

    Raises
    ------
    ValueError
        As :func:`group_items` and :func:`preferred_bags`, and if no box has two bags.

    Examples
    --------
    >>> roles = item_roles([0, 1, 1], boxes=[0, 0, 0], bags=["x", "y", "y"], n_items=3)
    >>> roles.preferred, roles.others
    (array([1, 2]), array([0]))
    """
    group = group_items(n_items, boxes, bags)
    is_preferred = np.isin(group.bag_of_item, preferred_bags(y, group))
    if is_preferred.all():
        msg = "no box has more than one bag, so there is nothing to rank"
        raise ValueError(msg)
    preferred, others = np.flatnonzero(is_preferred), np.flatnonzero(~is_preferred)
    preferred = preferred[np.argsort(group.box_of_item[preferred], kind="stable")]
    sizes = np.bincount(group.box_of_item[preferred])
    starts = np.cumsum(sizes) - sizes
    return ItemRoles(preferred, starts, sizes, others, group.box_of_item[others])


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
    """Tell for each box whether its preferred bag is among the first guesses.

    Parameters
    ----------
    ranking : dict
        From :func:`rank_bags`.
    y, boxes, bags : array-like of shape (n_items,)
        y is 1 for every item of its box's preferred bag, else 0.
    guesses : int
        Number of guesses a box.

    Returns
    -------
    ndarray of bool, shape (n_boxes,)
        In order of first appearance of the boxes.

    Examples
    --------
    >>> guess_hits({0: ["b", "a"]}, y=[1, 0], boxes=[0, 0], bags=["a", "b"], guesses=1)
    array([False])
    """
    if not isinstance(guesses, (int, np.integer)) or guesses < 1:
        msg = f"guesses must be a whole number of at least 1, found {guesses!r}"
        raise ValueError(msg)
    group = group_items(len(np.asarray(y)), boxes, bags)
    preferred = preferred_bags(y, group)
    return np.array(
        [
            group.bags[bag] in ranking[box][:guesses]
            for box, bag in zip(group.boxes, preferred, strict=True)
        ]
    )


def _number(name: str, labels: ArrayLike, n_items: int) -> tuple[list, NDArray[np.intp]]:
    labels = np.asarray(labels)
    if labels.shape != (n_items,):
        msg = f"{name} has shape {labels.shape}, expected one label for each of {n_items} items"
        raise ValueError(msg)
    if n_items == 0:
        msg = "there are no items; at least one box with two bags is needed"
        raise ValueError(msg)
    if labels.dtype.kind in "fO":
        # NaN is the only value unequal to itself
        missing = [label is None or label != label for label in labels.tolist()]
        if any(missing):
            msg = f"{name} has a missing label (None or NaN) at item {missing.index(True)}"
            raise ValueError(msg)
    values, number = _by_first_appearance(labels)
    return values.tolist(), number


def _by_first_appearance(values: NDArray) -> tuple[NDArray, NDArray[np.intp]]:
    """Return the distinct values in order of first appearance, and the number of each value."""
    if values.dtype.kind == "O":  # labels of mixed types cannot be sorted
        seen: dict = {}
        number = np.array([seen.setdefault(value, len(seen)) for value in values], dtype=np.intp)
        distinct = np.empty(len(seen), dtype=object)
        distinct[:] = list(seen)
        return distinct, number
    distinct, first, number = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.empty(len(order), dtype=np.intp)
    position[order] = np.arange(len(order))
    return distinct[order], position[number]
