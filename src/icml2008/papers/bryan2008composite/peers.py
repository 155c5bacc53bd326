"""What one would take today, or without much thought: Gaussian processes of the sum, and a grid."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from icml2008.methods.active.heuristics import straddle
from icml2008.methods.active.kriging import OrdinaryKriging
from icml2008.papers.bryan2008composite.campaigns import Reached
from icml2008.papers.bryan2008composite.tasks import Task

_FIRST = 5
_CANDIDATES = 1000
_GROWTH = 1.1  # the kernel is fitted anew when there are a tenth more points


class GaussianProcess:
    """A Gaussian process of the sum, each of whose points takes a sample of every function.

    Parameters
    ----------
    active : bool
        Whether points maximise the straddle score (1.96 deviations less the distance to the
        threshold) among 1000 random ones, or are random.
    """

    def __init__(
        self,
        active: bool,
        *,
        task: Task,
        slopes: Sequence[float],
        rng: np.random.Generator,
        settings: Mapping[str, str],
    ) -> None:
        self.active = active
        self.task = task
        self.rng = rng
        self.X: list[np.ndarray] = []
        self.y: list[float] = []
        self._todo: list[int] = []
        self._parts: list[float] = []
        self._kernel = None
        self._fitted_at = 0
        self._process: GaussianProcessRegressor | None = None
        self._predicted: np.ndarray | None = None

    def ask(self) -> tuple[np.ndarray, int]:
        if not self._todo:
            self._todo = list(range(len(self.task.functions)))
            self.X.append(self._choose())
        return self.X[-1], self._todo[0]

    def tell(self, x: np.ndarray, i: int, y: float) -> None:
        self._todo.remove(i)
        self._parts.append(y)
        if self._todo:
            return
        self.y.append(sum(self._parts))
        self._parts = []
        self._predicted = None
        if len(self.y) >= _FIRST:
            self._fit()

    def predict_mean(self, X: np.ndarray) -> np.ndarray:
        if self._process is None:
            msg = f"{len(self.y)} of {_FIRST} first points are known"
            raise ValueError(msg)
        if self._predicted is None:
            self._predicted = self._process.predict(self._scaled(X))
        return self._predicted

    def _choose(self) -> np.ndarray:
        candidates = self.rng.uniform(*self.task.bounds.T, (_CANDIDATES, 2))
        if not self.active or self._process is None:
            return candidates[0]
        mean, std = self._process.predict(self._scaled(candidates), return_std=True)
        return candidates[np.argmax(straddle(mean, std**2, self.task.threshold, "deviation"))]

    def _scaled(self, X: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
        """Return points in units of the box's sides."""
        return (np.asarray(X) - self.task.bounds[:, 0]) / np.ptp(self.task.bounds, axis=1)

    def _fit(self) -> None:
        anew = len(self.y) >= _GROWTH * self._fitted_at
        # From the same start each time: a bad optimum that few points led to is not kept.
        start = ConstantKernel(1.0, (1e-2, 1e2)) * Matern(0.2, (0.02, 10.0), nu=2.5)
        process = GaussianProcessRegressor(
            start if anew else self._kernel,
            alpha=1e-8,
            normalize_y=True,
            **({} if anew else {"optimizer": None}),
        )
        with warnings.catch_warnings():  # a parameter on its bound is no reason to stop
            warnings.simplefilter("ignore", ConvergenceWarning)
            process.fit(self._scaled(self.X), np.array(self.y))
        if anew:
            self._kernel = process.kernel_
            self._fitted_at = len(self.y)
        self._process = process


def samples_of_grid(task: Task, points: np.ndarray, cap: int) -> Reached:
    """Return the samples of the coarsest square grid that meets the target, every function each.

    The nodes are the centres of equal squares and the sums are kriged: the slope makes no
    difference to the mean. The count is that of one grid, as if its size had been known before.
    """
    truth = task.total(points) > task.threshold
    low, high = task.bounds.T
    per_node = len(task.functions)
    for k in range(2, int(np.sqrt(cap / per_node)) + 1):
        nodes = low + (np.indices((k, k)).reshape(2, -1).T + 0.5) / k * (high - low)
        mean = OrdinaryKriging().fit(nodes, task.total(nodes)).predict(points)
        if np.mean((mean > task.threshold) == truth) >= task.target:
            return Reached(per_node * k**2, True)
    return Reached(cap, False)
