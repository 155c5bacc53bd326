"""Error rates along a stream, and slopes of them on logarithmic axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from icml2008.papers.kakade2008efficient.method import (
    Banditron,
    MulticlassPerceptron,
    learn_together,
)

CHUNK = 50_000  # documents held in memory at a time
TOGETHER = 8  # learners whose weights fit into a processor's cache


def checkpoints(n: int) -> np.ndarray:
    """Return the numbers of examples at which errors are noted: eight a decade, from 100 to n."""
    points = np.unique(np.round(10 ** (np.arange(16, 8 * 9) / 8)).astype(int))
    return np.append(points[points < n], n)


def chunks(n: int) -> Iterator[tuple[int, int]]:
    """Yield where each next part of a stream starts and stops; a checkpoint is never inside."""
    start = 0
    for point in map(int, checkpoints(n)):
        while start < point:
            stop = min(start + CHUNK, point)
            yield start, stop
            start = stop


def error_curves(
    learners: dict[Any, Any], part: Callable[[int, int], tuple[Any, np.ndarray]], n: int, classes
) -> dict[Any, np.ndarray]:
    """Return the share of mistakes of each learner up to each checkpoint, on one stream.

    Parameters
    ----------
    learners : dict
    part : callable
        Takes the numbers of a first example and of one beyond the last; returns these, X and y.
    n : int
        Examples in the stream.
    classes : array-like
    """
    kinds = Banditron, MulticlassPerceptron
    ours = [learner for learner in learners.values() if isinstance(learner, kinds)]
    others = [learner for learner in learners.values() if not isinstance(learner, kinds)]
    noted = set(checkpoints(n).tolist())
    curves = {name: [] for name in learners}
    for start, stop in chunks(n):
        X, y = part(start, stop)
        for first in range(0, len(ours), TOGETHER):
            learn_together(ours[first : first + TOGETHER], X, y, classes)
        for learner in others:
            learner.partial_fit(X, y, classes=classes)
        if stop in noted:
            for name, learner in learners.items():
                curves[name].append(learner.n_mistakes_ / stop)
    return {name: np.array(curve) for name, curve in curves.items()}


def slope(curve: np.ndarray, points: np.ndarray, low: float, high: float) -> float:
    """Return the least-squares slope of log error over log examples between two numbers of them.

    A learner without a mistake counts half a one.
    """
    inside = (points >= low) & (points <= high)
    x = np.log10(points[inside])
    y = np.log10(np.maximum(curve[inside], 0.5 / points[inside]))
    return float(np.polyfit(x, y, 1)[0])
