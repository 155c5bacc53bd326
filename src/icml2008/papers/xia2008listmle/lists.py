"""Section 6.1: lists of points in the unit square, and how well scores order them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.listwise.rankers import ListMLE, ListNet, RankCosine

Array = NDArray[np.float64]

N_LISTS = 100
N_ITEMS = 15
# the paper's names of the mappings
MAPPINGS = {"log": "log", "sqrt": "sqrt", "l": "linear", "q": "quadratic", "exp": "exp"}


@dataclass(frozen=True)
class Lists:
    """Equally long lists: features (n_lists, n_items, 2) and scores (n_lists, n_items)."""

    X: Array
    y: Array

    @property
    def rows(self) -> tuple[Array, Array, NDArray[np.intp]]:
        """Features, scores and list of each item, as the rankers take them."""
        n_lists, n_items = self.y.shape
        return self.X.reshape(-1, 2), self.y.ravel(), np.repeat(np.arange(n_lists), n_items)

    def accuracy(self, scores: Array) -> float:
        """Return the share of lists that the scores put in the true order."""
        scores = scores.reshape(self.y.shape)
        return float(np.mean((ranking(scores) == ranking(self.y)).all(axis=1)))

    def mean_average_precision(self, scores: Array) -> float:
        """Return MAP with the true first item of each list as the only relevant one (note 5)."""
        scores = scores.reshape(self.y.shape)
        first = np.take_along_axis(scores, ranking(self.y)[:, :1], axis=1)
        return float(np.mean(1.0 / (1 + (scores > first).sum(axis=1))))


def ranking(scores: Array) -> NDArray[np.intp]:
    """Return the items of each list, best first; of equal ones the first comes first."""
    return np.argsort(-scores, axis=1, kind="stable")


def draw(rng: np.random.Generator) -> Lists:
    """Return 100 lists of 15 points scored by x1 + 10 x2 + noise."""
    X = rng.random((N_LISTS, N_ITEMS, 2))
    return Lists(X, X @ [1.0, 10.0] + rng.normal(scale=0.005, size=(N_LISTS, N_ITEMS)))


def rankers(choices: Mapping[str, str]) -> dict[str, Callable]:
    """Return the eleven rows of Table 2."""
    bias = choices.get("bias") == "yes"
    makes: dict[str, Callable] = {"ListMLE": partial(ListMLE, bias=bias)}
    for family, make in (("ListNet", ListNet), ("RankCosine", RankCosine)):
        for name, mapping in MAPPINGS.items():
            makes[f"{family}-{name}"] = partial(make, mapping, bias=bias)
    return makes


def minima_in_the_angle(lists: Lists, targets: Array, points: int = 720) -> int:
    """Return how many local minima RankCosine's loss has over the directions of two weights.

    The loss of a linear score without bias depends on the direction alone, so that a fine grid of
    the circle shows every minimum wider than its step.
    """
    ordered = np.take_along_axis(lists.X, ranking(lists.y)[:, :, None], axis=1)
    angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
    scores = ordered @ np.array([np.cos(angles), np.sin(angles)])
    products = np.einsum("lia,i->la", scores, targets)
    lengths = np.linalg.norm(scores, axis=1) * np.linalg.norm(targets)
    loss = np.mean(0.5 * (1 - products / lengths), axis=0)
    return int(np.sum((loss < np.roll(loss, 1)) & (loss <= np.roll(loss, -1))))
