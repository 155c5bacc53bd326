"""The classifying machine with one exponential for all classes, which saves time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icml2008.methods.nets.arithmetic import softmax
from icml2008.methods.nets.class_rbm import ClassRBM

LARGEST = 40.0  # beyond it 1 + exp(x) is exp(x) in either dtype, for every class alike


class SharedExponentials(ClassRBM):
    """`ClassRBM` that multiplies exp(c + W x) by exp(U) instead of adding U in the exponent.

    Inputs above 40 are cut off there, which no class can tell while elements of U are small.
    """

    def _odds(self, inputs: np.ndarray) -> Iterator[np.ndarray]:
        """Yield 1 + exp(o_yj), (n_rows, n_components), for each class y."""
        shared = np.exp(np.minimum(inputs, LARGEST))
        for U in self.class_components_.T:
            odds = shared * np.exp(U)
            odds += 1
            yield odds

    def _posterior(self, inputs: np.ndarray) -> np.ndarray:
        scores = [np.log(odds, out=odds).sum(axis=1) for odds in self._odds(inputs)]
        return softmax(np.stack(scores, axis=1) + self.intercept_class_)

    def _discriminate(self, inputs, H, Y, posterior, known) -> tuple[np.ndarray, ...]:
        known = known[:, None].astype(inputs.dtype)
        slope, error, weights = (H - 1) * known, (Y - posterior) * known, posterior * known
        by_class = np.empty_like(self.class_components_)
        for k, odds in enumerate(self._odds(inputs)):
            off = np.reciprocal(odds, out=odds)  # 1 - sigm(o_yj)
            by_class[:, k] = error[:, k].sum() - error[:, k] @ off
            off *= weights[:, k : k + 1]
            slope += off
        return by_class, error.sum(axis=0), slope
