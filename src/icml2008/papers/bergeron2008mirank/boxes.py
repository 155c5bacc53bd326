"""The data of the paper as boxes of bags of items (Section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

# Section 6.2: half-widths of the bags' and of the items' uniform distributions.
SYNTHETIC = {
    "synthetic-1": (0.01, 0.01),
    "synthetic-2": (0.1, 0.01),
    "synthetic-3": (0.01, 0.1),
    "synthetic-4": (0.1, 0.1),
}
# census-8l stands in for the lost census-16l: the same towns with eight other features.
CENSUS = ("census-16h", "census-8l")


@dataclass(frozen=True)
class Boxes:
    """Items with the box and bag that they lie in.

    Attributes
    ----------
    X : ndarray of shape (n_items, n_features)
    boxes, bags : ndarray of shape (n_items,)
        Labels; a bag is the pair (box, bag).
    preferred : dict of box to list of bags
        For each box of the study, the bags that count as preferred: one, save where a tie in the
        response is let stand. Boxes that a universe leaves out are missing here only, so that
        the others meet the same splits in every universe.
    """

    X: np.ndarray
    boxes: np.ndarray
    bags: np.ndarray
    preferred: dict[Any, list[Any]]

    def take(self, names: np.ndarray) -> Boxes:
        """Return the named boxes, those that are left out excepted."""
        preferred = {box: self.preferred[box] for box in names.tolist() if box in self.preferred}
        kept = np.isin(self.boxes, list(preferred))
        return Boxes(self.X[kept], self.boxes[kept], self.bags[kept], preferred)

    @property
    def y(self) -> np.ndarray:
        """1 for every item of its box's (first) preferred bag, else 0; shape (n_items,)."""
        pairs = zip(self.boxes.tolist(), self.bags.tolist(), strict=True)
        return np.array([int(self.preferred[box][0] == bag) for box, bag in pairs])

    @cached_property
    def by_bag(self) -> tuple[np.ndarray, np.ndarray]:
        """Items sorted by box and bag, and where in that order each bag starts."""
        order = np.lexsort((self.bags, self.boxes))
        boxes = self.boxes[order]
        bags = self.bags[order]
        new = (boxes[1:] != boxes[:-1]) | (bags[1:] != bags[:-1])
        return order, np.flatnonzero(np.append(True, new))


def preferred_bags(boxes: np.ndarray, bags: np.ndarray, response: np.ndarray) -> dict[Any, list]:
    """Return, for each box, the bags with an item whose response is the box's greatest.

    Tied bags stand in the order of their items. A box without any response is missing.
    """
    preferred = {}
    for box in np.unique(boxes):
        inside = np.flatnonzero((boxes == box) & np.isfinite(response))
        if len(inside):
            top = inside[response[inside] == response[inside].max()]
            preferred[box.item()] = list(dict.fromkeys(bags[top].tolist()))
    return preferred


def synthetic(a: float, b: float, rng: np.random.Generator, n_boxes: int = 227) -> Boxes:
    """Draw a synthetic set: five bags a box, five items a bag, two features (Section 6.2).

    Bags lie within `a` of the centre of their box and items within `b` of that of their bag.
    """
    n_bags = n_items = 5
    centre = rng.uniform(-1, 1, (n_boxes, 1, 1, 2))
    bag = rng.uniform(-a, a, (n_boxes, n_bags, 1, 2))
    item = rng.uniform(-b, b, (n_boxes, n_bags, n_items, 2))
    X = (centre + bag + item).reshape(-1, 2)
    boxes = np.repeat(np.arange(n_boxes), n_bags * n_items)
    bags = np.tile(np.repeat(np.arange(n_bags), n_items), n_boxes)
    return Boxes(X, boxes, bags, preferred_bags(boxes, bags, X.sum(axis=1)))


def census(data: Any, choices: Mapping[str, str]) -> Boxes:
    """Fit the towns into boxes, states, and bags, first digits of place codes (Section 6.3)."""
    response = data.median_value if choices["target"] == "median" else data.target
    bags = np.array([code[0] for code in data.place])
    preferred = preferred_bags(data.state, bags, response)
    if choices["alaska-hawaii"] == "left-out":
        preferred = {box: best for box, best in preferred.items() if box not in ("02", "15")}
    if choices["california"] == "left-out":
        preferred = {box: best for box, best in preferred.items() if len(best) == 1}
    if choices["california"] == "first":
        preferred = {box: best[:1] for box, best in preferred.items()}
    return Boxes(data.X, data.state, bags, preferred)
