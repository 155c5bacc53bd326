"""What features of one's own promise, held against what they are."""

from __future__ import annotations

import numpy as np

from icml2008.harness.watching import MethodError
from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess


class FeatureSource:
    """Features are columns, with a number for each state."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        columns = np.asarray(super().features(process, smooth))
        if columns.ndim != 2 or len(columns) != process.n_states or not columns.shape[1]:
            msg = (
                f"features returned an array of shape {columns.shape}, "
                f"due is ({process.n_states}, k), k > 0"
            )
            raise MethodError(msg)
        return columns
