"""What a solver of one's own promises, held against what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse import csr_array

from icml2008.harness.watching import MethodError


def Solver(solve: Callable) -> Callable:
    """There are iterations, each with weights for all features, and the work grows."""

    def iterations(X: csr_array, y: np.ndarray, C: float, rng: np.random.Generator) -> Iterator:
        before = 0.0
        for iteration in solve(X, y, C, rng):
            if not isinstance(iteration, tuple | list) or len(iteration) != 2:
                msg = f"an iteration is {iteration!r:.80}, due are weights and work"
                raise MethodError(msg)
            w = np.asarray(iteration[0])
            work = iteration[1]
            if w.shape != (X.shape[1],):
                msg = f"weights have shape {w.shape}, due is ({X.shape[1]},)"
                raise MethodError(msg)
            if not work > before:
                msg = f"the work of an iteration is {work}, after {before:g} before: it has to grow"
                raise MethodError(msg)
            before = work
            yield w, work
        if not before:
            msg = "it made no iteration"
            raise MethodError(msg)

    return iterations
