"""What a selector of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError


class FeatureSelector:
    """There is a yes or no for each feature."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
        self.__n = X.shape[1]
        return super().fit(X, y)

    def get_support(self) -> np.ndarray:
        kept = np.asarray(super().get_support())
        if kept.shape != (self.__n,) or kept.dtype != bool:
            msg = (
                f"get_support returned an array of shape {kept.shape}, {kept.dtype}; "
                f"due is ({self.__n},), bool"
            )
            raise MethodError(msg)
        return kept
