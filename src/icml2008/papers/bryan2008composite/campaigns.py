"""Campaigns that end when enough of the test points are predicted on the right side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from icml2008.methods.active.composite import CompositeLevelSet
from icml2008.papers.bryan2008composite.tasks import Task

LASTING = 20  # samples for which the target has to stay met, where that is asked


class Sampler(Protocol):
    """A method of one's own: ``f(task=, slopes=, rng=, settings=)`` returns what has these.

    `task` has ``bounds`` (2, 2), ``functions`` and ``threshold``; `slopes` has a number for each
    function; `rng` is a numpy Generator; `settings` is a mapping of what the paper leaves open.
    """

    def ask(self) -> tuple[np.ndarray, int]:
        """Return the next point, shape (2,), and the number of the function to evaluate there."""

    def tell(self, x: np.ndarray, i: int, y: float) -> None:
        """Take the value y of function i at the point x."""

    def predict_mean(self, X: np.ndarray) -> np.ndarray:
        """Return the predicted sum at points X (q, 2), shape (q,); ValueError if it is too early.

        The points are the same in each call.
        """


def spread_of(settings: Mapping[str, str]) -> str:
    """Return what 1.96 multiplies in a score: "variance" or "deviation".

    Beside it stands a distance of function values. A gradient times a distance has that unit, and
    so has the root of a semivariance: "one-unit" takes these, "two-units" the other of both.
    """
    gradient = settings["slope"] in ("gradient", "half-gradient")
    return "variance" if gradient == (settings["spread"] == "one-unit") else "deviation"


class Kriging(CompositeLevelSet):
    """The paper's sampler; predicts anew only the functions that were sampled since."""

    def __init__(
        self,
        heuristic: str,
        *,
        task: Task,
        slopes: Sequence[float],
        rng: np.random.Generator,
        settings: Mapping[str, str],
    ) -> None:
        super().__init__(
            task.bounds,
            len(task.functions),
            task.threshold,
            heuristic,
            slopes=slopes,
            spread=spread_of(settings),
            nugget_ratio=float(settings["nugget"]) * task.diagonal,
            n_initial={"one": None, "five": 5}[settings["first-points"]],
            random_state=rng,
        )
        self._means: dict[int, np.ndarray] = {}

    def tell(self, x: np.ndarray, i: int, y: float) -> None:
        super().tell(x, i, y)
        self._means.pop(i, None)

    def predict_mean(self, X: np.ndarray) -> np.ndarray:
        for i in range(self.n_functions):
            if i not in self._means:
                self._means[i] = super().predict_mean(X, [i])
        return sum(self._means.values())


class Step(NamedTuple):
    """An evaluation: of function i at x, and the share of points then on the right side."""

    x: np.ndarray
    i: int
    y: float
    accuracy: float


def steps(sampler: Sampler, task: Task, points: np.ndarray) -> Iterator[Step]:
    """Sample without end; the accuracy is 0 until each function has enough samples for a model."""
    truth = task.total(points) > task.threshold
    while True:
        x, i = sampler.ask()
        y = float(task.functions[i](x))
        sampler.tell(x, i, y)
        try:
            right = (sampler.predict_mean(points) > task.threshold) == truth
        except ValueError:
            right = False
        yield Step(x, i, y, float(np.mean(right)))


class Reached(NamedTuple):
    """How a campaign ended.

    Attributes
    ----------
    samples : int
        Evaluations of all functions together until the target was met, or the cap.
    reached : bool
        Whether it was.
    """

    samples: int
    reached: bool


def until_target(
    accuracies: Iterator[float], target: float, cap: int, patience: int = 0
) -> Reached:
    """Return when accuracies first meet a target, and keep to it for `patience` more samples."""
    since = None
    for n, accuracy in enumerate(accuracies, start=1):
        since = None if accuracy < target else since or n
        if since is not None and n == since + patience:
            return Reached(since, True)
        if n >= cap and since is None:
            return Reached(cap, False)
    msg = "the accuracies ended before the target or the cap was met"
    raise ValueError(msg)


def points_of_judgement(task: Task, rule: str, rng: np.random.Generator) -> np.ndarray:
    """Return the points, shape (q, 2), on which accuracy is measured.

    The outer points of a "grid" lie on the edges of the box, those of "centres" half a step inside.
    """
    kind, _, size = rule.partition("-")
    n = int(size)
    if kind == "uniform":
        return rng.uniform(*task.bounds.T, (n, 2))
    shares = np.linspace(0, 1, n) if kind == "grid" else (np.arange(n) + 0.5) / n
    axes = [low + shares * (high - low) for low, high in task.bounds]
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
