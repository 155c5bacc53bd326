"""Theorem 1's bound, and a matrix W* for it that knows the topics."""

from __future__ import annotations

import numpy as np

from icml2008.papers.kakade2008efficient.topics import COMMON, MOST, TURNED_OFF, Topics

NORM = np.sqrt(MOST - TURNED_OFF + COMMON)  # the largest of a document


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


def separator(topics: Topics, steps: int = 400) -> np.ndarray:
    """Return a matrix W*, (9, 400), without hinge loss on any document that the topics can have.

    Built from the topics alone: a Perceptron is given the document of the smallest margin, over and
    over, and its weights are scaled such that this margin is 1. Documents have norms of at most 1.
    """
    vectors = topics.vectors / NORM
    W = np.zeros_like(vectors)
    best = np.zeros_like(vectors)
    smallest = np.inf
    for _ in range(steps):
        margin, topic, rival, document = hardest_document(W, vectors)
        if margin > 0 and (size := np.linalg.norm(W) / margin) < smallest:
            best = W / margin
            smallest = size
        W[topic] += document
        W[rival] -= document
    return best


def hardest_document(W: np.ndarray, vectors: np.ndarray) -> tuple[float, int, int, np.ndarray]:
    """Return the smallest margin of W over all documents, its topic and rival, and the document.

    For each topic and rival the hardest document lacks the five keywords that tell them apart most.
    Common words are left out; W has no weights for them.
    """
    documents = []
    for topic, vector in enumerate(vectors):
        words = np.flatnonzero(vector)
        ahead = (W[topic] - W)[:, words]
        order = np.argsort(ahead, axis=1, kind="stable")[:, : len(words) - TURNED_OFF]
        margins = np.take_along_axis(ahead, order, axis=1).sum(axis=1) * vector[words[0]]
        margins[topic] = np.inf
        rival = int(margins.argmin())
        documents.append((margins[rival], topic, rival, words[order[rival]]))
    margin, topic, rival, words = min(documents, key=lambda document: document[0])
    document = np.zeros_like(vectors[topic])
    document[words] = vectors[topic][words]
    return float(margin), topic, rival, document
