"""What a sampler of one's own promises, held against what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral

import numpy as np

from icml2008.harness.watching import MethodError
from icml2008.papers.bryan2008composite.tasks import Task

_EARLY = 25  # samples of each function after which it is no longer too early to predict


class Sampler:
    """Points lie in the box, functions are known ones, and predictions come at last."""

    def __init__(
        self,
        *,
        task: Task,
        slopes: Sequence[float],
        rng: np.random.Generator,
        settings: Mapping[str, str],
    ) -> None:
        self.__task = task
        self.__told = 0
        super().__init__(task=task, slopes=slopes, rng=rng, settings=settings)

    def ask(self) -> tuple[np.ndarray, int]:
        asked = super().ask()
        if not isinstance(asked, tuple | list) or len(asked) != 2:
            msg = f"ask returned {asked!r:.80}, due are a point and the number of a function"
            raise MethodError(msg)
        x = np.asarray(asked[0])
        i = asked[1]
        if x.shape != (2,) or x.dtype.kind not in "iuf":
            msg = f"ask returned a point of shape {x.shape}, {x.dtype}; due is (2,), numbers"
            raise MethodError(msg)
        low, high = self.__task.bounds.T
        if np.any(x < low) or np.any(x > high):
            msg = f"ask returned the point {x.tolist()}, outside the box {low.tolist()} to "
            raise MethodError(msg + f"{high.tolist()}")
        n = len(self.__task.functions)
        if not isinstance(i, Integral) or not 0 <= i < n:
            msg = f"ask returned the function {i!r}, due is a number from 0 to {n - 1}"
            raise MethodError(msg)
        return x, int(i)

    def tell(self, x: np.ndarray, i: int, y: float) -> None:
        self.__told += 1
        super().tell(x, i, y)

    def predict_mean(self, X: np.ndarray) -> np.ndarray:
        try:
            return super().predict_mean(X)
        except ValueError as error:
            if self.__told < _EARLY * len(self.__task.functions):
                raise
            msg = f"predict_mean still raises ValueError after {self.__told} samples: {error}"
            raise MethodError(msg) from error
