"""What selectors of one's own promise, held against what they do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from icml2008.harness.watching import MethodError


def Selections(select: Callable) -> Callable:
    """Selections are bool, (n_resamples, n_mus, p)."""

    def selections(X: np.ndarray, y: np.ndarray, mus: np.ndarray, seed: int) -> np.ndarray:
        selected = np.asarray(select(X, y, mus, seed))
        due = (len(mus), X.shape[1])
        if selected.ndim != 3 or selected.shape[1:] != due or not len(selected):
            msg = f"it returned an array of shape {selected.shape}, due is (n_resamples, *{due})"
            raise MethodError(msg)
        return _boolean(selected)

    return selections


def ExactSelector(select: Callable) -> Callable:
    """There is a yes or no for each variable."""

    def selected(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
        chosen = np.asarray(select(X, y, r, seed))
        if chosen.shape != X.shape[1:]:
            msg = f"it returned an array of shape {chosen.shape}, due is {X.shape[1:]}"
            raise MethodError(msg)
        return _boolean(chosen)

    return selected


def _boolean(selected: np.ndarray) -> np.ndarray:
    if selected.dtype != bool:
        msg = f"it returned {selected.dtype}, due is bool: which variables are selected"
        raise MethodError(msg)
    return selected
