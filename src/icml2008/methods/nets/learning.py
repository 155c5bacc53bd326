"""What learners by stochastic gradients share: checks of their parameters, and batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

DECAYS = ("constant", "linear")


def check_parameters(estimator, words: Mapping[str, Sequence[str]], counts: Sequence[str]) -> None:
    """Refuse a parameter that is none of its words, or a count below 1.

    Raises
    ------
    ValueError
        Which names the parameter, what it may be and what was found.
    """
    for name, allowed in words.items():
        if getattr(estimator, name) not in allowed:
            msg = f"{name} is one of {', '.join(allowed)}, found {getattr(estimator, name)!r}"
            raise ValueError(msg)
    for name in counts:
        if not getattr(estimator, name) >= 1:
            msg = f"{name} is at least 1, found {getattr(estimator, name)!r}"
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
