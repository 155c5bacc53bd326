"""What a booster of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError


class Booster:
    """Labels are -1 and 1."""

    def predict(self, X: Any) -> np.ndarray:
        labels = np.asarray(super().predict(X))
        if others := set(np.unique(labels).tolist()) - {-1, 1}:
            msg = f"predict returned the label {min(others):g}, due are -1 and 1"
            raise MethodError(msg)
        return labels
