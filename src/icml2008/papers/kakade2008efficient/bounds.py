"""Theorem 1's bound for matrices W* that know the whole sequence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def hinge_loss(W: np.ndarray, X, y: np.ndarray) -> float:
    """Return L, the sum of the multiclass hinge losses (Eqs. 4 and 5) of W, (k, d)."""
    scores = X @ W.T
    rows = np.arange(len(y))
    own = scores[rows, y]
    scores[rows, y] = -np.inf
    return float(np.maximum(0.0, 1.0 - own + scores.max(axis=1)).sum())


def banditron_bound(loss: float, D: float, k: int, gamma: float, n: int) -> float:
    """Return Theorem 1's bound on the expected number of mistakes in n rounds."""
    root = np.sqrt(D * gamma * n)
    return loss + gamma * n + 3 * max(k * D / gamma, root) + np.sqrt(k * D * loss / gamma)


def perceptron_bound(loss: float, D: float) -> float:
    """Return Eq. 7."""
    return loss + D + np.sqrt(loss * D)


def separators(vectors: np.ndarray, learnt: np.ndarray) -> Iterator[np.ndarray]:
    """Yield matrices W*: the topics' vectors, plain and centred, and a learnt one, at 12 scales."""
    for W in (vectors, vectors - vectors.mean(axis=0), learnt):
        for scale in np.geomspace(0.1, 100.0, 12):
            yield scale * W / np.linalg.norm(W)
