"""What learners by stochastic gradients share: ranges of their parameters and rows, and batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

DECAYS = ("constant", "linear")


COUNT = [Interval(Integral, 1, None, closed="left")]
AT_LEAST_0 = [Interval(Real, 0, None, closed="left")]
SHARE = [Interval(Real, 0, 1, closed="left")]


def word_of(words: Iterable[str]) -> list[StrOptions]:
    """Return the constraint of a parameter that is one of these words."""
    return [StrOptions(set(words))]


def check_probabilities(X: np.ndarray) -> None:
    """Refuse rows, (n_rows, n_features), with a value that is no probability.

    Raises
    ------
    ValueError
        Which says what was found.
    """
    if X.min() < 0 or X.max() > 1:
        msg = f"rows are probabilities of ones, found {X.min():g} to {X.max():g}; scale them, "
        msg += "by sklearn.preprocessing.MinMaxScaler(clip=True)"
        raise ValueError(msg)


def batches(estimator, n_rows: int) -> Iterator[tuple[np.ndarray, float]]:
    """Yield rows of `n_iter` passes in random order, (batch_size,), each with its learning rate."""
    size = estimator.batch_size
    steps = estimator.n_iter * -(-n_rows // size)
    done = 0
    for _ in range(estimator.n_iter):
        order = estimator._uniform.permutation(n_rows)
        for start in range(0, n_rows, size):
            left = 1 - done / steps if estimator.decay == "linear" else 1.0
            yield order[start : start + size], estimator.learning_rate * left
            done += 1
