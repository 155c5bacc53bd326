"""What an online learner of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError


class OnlineLearner:
    """Mistakes are rows, each once, and what is stored is counted after each row."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
        learner = super().fit(X, y)
        n = len(y)
        rows = np.asarray(self.mistakes_)
        sizes = np.asarray(self.stored_)
        if not set(rows.tolist()) <= set(range(n)) or len(np.unique(rows)) < rows.size:
            msg = f"mistakes_ has other numbers than rows from 0 to {n - 1}, each at most once"
            raise MethodError(msg)
        if sizes.shape != (n,) or np.any(sizes < 0):
            msg = f"stored_ has shape {sizes.shape}, due is ({n},), counts"
            raise MethodError(msg)
        return learner
