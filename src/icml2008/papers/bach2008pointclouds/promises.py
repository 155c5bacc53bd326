"""What a kernel of one's own promises, held against what it does."""

from __future__ import annotations

import numpy as np

from icml2008.harness.watching import MethodError


class DrawingKernel:
    """There are Gram matrices, of all images each."""

    def grams(self, images: np.ndarray) -> np.ndarray:
        matrices = np.asarray(super().grams(images))
        n = len(images)
        if matrices.ndim != 3 or matrices.shape[1:] != (n, n) or not len(matrices):
            msg = (
                f"grams returned an array of shape {matrices.shape}, due is (n_settings, {n}, {n})"
            )
            raise MethodError(msg)
        return matrices
