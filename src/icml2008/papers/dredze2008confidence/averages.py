"""A confidence-weighted classifier that predicts by the mean of its weights after all steps."""

from __future__ import annotations

import numpy as np
from numba import njit

from icml2008.papers.dredze2008confidence.method import UPDATES, ConfidenceWeighted, learn


@njit(cache=True)
def learn_and_sum(starts, columns, values, y, mean, variance, phi, update, late, seen):
    """Learn as `learn` does, and add to `late` each change of a weight times its step's number.

    A change at step t, from 0, is missing in the weights after t steps: of n, the mean of all
    weights lacks the n-th part of what `late` has. `seen` is the number of the first step.
    """
    for i in range(y.size):
        touched = columns[starts[i] : starts[i + 1]]
        before = mean[touched]
        learn(starts[i : i + 2], columns, values, y[i : i + 1], mean, variance, phi, update)
        for k in range(touched.size):
            late[touched[k]] += (seen + i) * (mean[touched[k]] - before[k])


class AveragedConfidenceWeighted(ConfidenceWeighted):
    """Learns as its base does, and predicts by the mean of the weights after each example."""

    def decision_function(self, X):
        """Return the margin of the second class by the mean weights, shape (n_samples,)."""
        return super().decision_function(X) - X @ (self.late_ / self.seen_)

    def _checked(self, X, y, classes, reset=True):
        checked = super()._checked(X, y, classes, reset)
        if reset:
            self.late_ = np.zeros(X.shape[1])
            self.seen_ = 0
        return checked

    def _learn(self, X, y):
        learn_and_sum(
            X.indptr, X.indices, X.data, y, self.coef_[0], self.variance_,
            float(self.phi), UPDATES.index(self.update), self.late_, self.seen_,
        )  # fmt: skip
        self.seen_ += y.size
        return self
