"""What an online learner of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError


class OnlineLearner:
    """An example adds one mistake or none."""

    def partial_fit(self, X: Any, y: np.ndarray, classes: Any = None) -> Any:
        before = getattr(self, "n_mistakes_", 0)
        learner = super().partial_fit(X, y, classes=classes)
        if not 0 <= self.n_mistakes_ - before <= len(y):
            msg = f"n_mistakes_ went from {before} to {self.n_mistakes_} over {len(y)} examples"
            raise MethodError(msg)
        return learner
