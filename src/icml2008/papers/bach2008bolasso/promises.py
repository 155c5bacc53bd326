"""What selectors of one's own promise, held against what they do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from icml2008.harness.watching import MethodError


def Selections(select: Callable) -> Callable:
    """Selections are bool, (n_resamples, n_mus, p)."""

    def selections(X: np.ndarray, y: np.ndarray, mus: np.ndarray, seed: int) -> np.ndarray:
        found = np.asarray(select(X, y, mus, seed))
        due = (len(mus), X.shape[1])
        if found.ndim != 3 or found.shape[1:] != due or not len(found):
            msg = f"it returned an array of shape {found.shape}, due is (n_resamples, *{due})"
            raise MethodError(msg)
        return _boolean(found)

    return selections


def ExactSelector(select: Callable) -> Callable:
    """There is a yes or no for each variable."""

    def selected(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
        found = np.asarray(select(X, y, r, seed))
        if found.shape != X.shape[1:]:
            msg = f"it returned an array of shape {found.shape}, due is {X.shape[1:]}"
            raise MethodError(msg)
        return _boolean(found)

    return selected


def _boolean(found: np.ndarray) -> np.ndarray:
    if found.dtype != bool:
        msg = f"it returned {found.dtype}, due is bool: which variables are selected"
        raise MethodError(msg)
    return found
