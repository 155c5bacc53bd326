"""Items in bags in boxes: numbering the labels, and checking what is known of the bags.

A *box* (a state, a molecule) holds *bags* (its districts, its hydrogen groups) of *items* (rows of
features). A bag is the pair (box, bag label): the same bag label in two boxes means two bags.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """Tell which bags are preferred.

    Parameters
    ----------
    y : array-like of shape (n_items,)
        1 for every item of a preferred bag, else 0.
    group : Grouping

    Returns
    -------
    ndarray of bool, shape (n_bags,)

    Raises
    ------
    ValueError
        If y has another length or other values, if the items of one bag disagree, or if no bag is
        preferred.

    Examples
    --------
    >>> group = group_items(3, boxes=[0, 0, 0], bags=["x", "y", "y"])
    >>> preferred_bags([0, 1, 1], group)
    array([False,  True])
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
    if not preferred.any():
        msg = "no box has a preferred bag: set y=1 on the items of those that are known"
        raise ValueError(msg)
    return preferred


def bag_pairs(pairs: Sequence[Sequence[tuple]], group: Grouping) -> NDArray[np.intp]:
    """Return the numbers of bags that are said to be preferred over others.

    Parameters
    ----------
    pairs : sequence of pairs (I, J) of bags
        Bag I is preferred over bag J, each given as (box label, bag label).
    group : Grouping

    Returns
    -------
    ndarray of int, shape (n_pairs, 2)
        Each pair once, sorted.

    Raises
    ------
    ValueError
        If a pair is none, names a bag that has no items, or the same bag twice.

    Examples
    --------
    >>> group = group_items(3, boxes=["a", "a", "b"], bags=[1, 2, 1])
    >>> bag_pairs([(("a", 2), ("b", 1))], group)
    array([[1, 2]])
    """
    number = {
        (group.boxes[box], bag): i
        for i, (box, bag) in enumerate(zip(group.box_of_bag, group.bags, strict=True))
    }
    numbered = set()
    for k, pair in enumerate(pairs):
        try:
            (box, bag), (other_box, other_bag) = pair
        except (TypeError, ValueError):
            msg = f"pairs[{k}] must be ((box, bag), (box, bag)), the preferred first, not {pair!r}"
            raise ValueError(msg) from None
        for named in ((box, bag), (other_box, other_bag)):
            if named not in number:
                msg = f"pairs[{k}] names bag {named[1]!r} in box {named[0]!r}, which has no items"
                raise ValueError(msg)
        numbered.add((number[box, bag], number[other_box, other_bag]))
        if (box, bag) == (other_box, other_bag):
            msg = f"pairs[{k}] prefers bag {bag!r} in box {box!r} over itself"
            raise ValueError(msg)
    return np.array(sorted(numbered), dtype=np.intp).reshape(-1, 2)


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
