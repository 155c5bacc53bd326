"""SYNSEP and SYNNONSEP, as the caption of Figure 1 describes them: documents on nine topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.sparse import csr_array

N_TOPICS = 9
N_WORDS = 400
N_KEYWORDS = 120
# keywords of a topic
FEWEST = 20
MOST = 40
TURNED_OFF = 5
COMMON = 20
NOISE = 0.05


@dataclass(frozen=True)
class Topics:
    """The nine bit-vectors.

    Attributes
    ----------
    words : ndarray of int, shape (9, 40)
        Numbers of each topic's keywords, the first ``sizes`` of a row.
    sizes : ndarray of int, shape (9,)
    """

    words: np.ndarray
    sizes: np.ndarray

    @property
    def vectors(self) -> np.ndarray:
        """The bit-vectors v_1, ..., v_9, shape (9, 400)."""
        vectors = np.zeros((N_TOPICS, N_WORDS))
        for row, words, size in zip(vectors, self.words, self.sizes, strict=True):
            row[words[:size]] = 1.0
        return vectors


def draw_topics(rng: np.random.Generator) -> Topics:
    """Draw 20 to 40 of the first 120 words for each topic, all sizes and sets equally likely."""
    sizes = rng.integers(FEWEST, MOST + 1, size=N_TOPICS)
    words = np.argsort(rng.random((N_TOPICS, N_KEYWORDS)), axis=1)[:, :MOST]
    return Topics(words.astype(np.int64), sizes)


def draw_documents(
    topics: Topics, n: int, rng: np.random.Generator, noise: float = 0.0, noisy: str = "other"
) -> tuple[csr_array, np.ndarray]:
    """Draw documents: a topic less 5 of its keywords, and 20 of the 280 common words.

    Parameters
    ----------
    topics : Topics
    n : int
        Number of documents.
    rng : numpy.random.Generator
    noise : float
        Share of labels that are replaced.
    noisy : {"other", "any"}
        A replaced label is one of the other eight topics, or any of the nine.

    Returns
    -------
    X : csr_array of shape (n, 400)
        Zeros and ones.
    y : ndarray of int, shape (n,)
        Labels 0 to 8.
    """
    columns = np.empty(n * (MOST - TURNED_OFF + COMMON), dtype=np.int32)
    starts = np.empty(n + 1, dtype=np.int32)
    y = np.empty(n, dtype=np.int64)
    used = _draw(topics.words, topics.sizes, rng, noise, noisy == "any", columns, starts, y)
    return csr_array((np.ones(used), columns[:used], starts), shape=(n, N_WORDS)), y


@njit(cache=True)
def _draw(words, sizes, rng, noise, any_label, columns, starts, y):
    keywords = words.copy()
    common = np.arange(N_KEYWORDS, N_WORDS)
    place = 0
    starts[0] = 0
    for t in range(y.size):
        topic = int(rng.random() * N_TOPICS)
        size = sizes[topic]
        own = keywords[topic]
        # a shuffle of the first places of any order is a uniform choice without replacement
        for i in range(TURNED_OFF):
            j = i + int(rng.random() * (size - i))
            own[i], own[j] = own[j], own[i]
        for i in range(TURNED_OFF, size):
            columns[place] = own[i]
            place += 1
        for i in range(COMMON):
            j = i + int(rng.random() * (common.size - i))
            common[i], common[j] = common[j], common[i]
            columns[place] = common[i]
            place += 1
        starts[t + 1] = place
        y[t] = topic
        if rng.random() < noise:
            shift = int(rng.random() * (N_TOPICS - (0 if any_label else 1)))
            y[t] = (topic + shift + (0 if any_label else 1)) % N_TOPICS
    return place
