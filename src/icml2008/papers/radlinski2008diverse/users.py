"""Section 6: users on topics by a Chinese restaurant process, and documents for each topic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

N_USERS = 20
N_DOCUMENTS = 50
N_RANKS = 5
THETA = 3.0


@dataclass(frozen=True)
class Users:
    """A population of users.

    Attributes
    ----------
    relevant : ndarray of bool, shape (n_users, n_documents)
    sizes : ndarray of shape (n_topics,)
        Users on each topic, in order of appearance.
    """

    relevant: np.ndarray
    sizes: np.ndarray

    def clicks(self, p_nonrelevant: float) -> np.ndarray:
        """Return the chances of clicks, with p_R = 1 - p_NR as in Figures 2 and 3."""
        return np.where(self.relevant, 1 - p_nonrelevant, p_nonrelevant)


def topics_of_users(rng: np.random.Generator) -> np.ndarray:
    """Return the topic of each user: an occupied one by its size, a new one by theta."""
    topics = []
    sizes = []
    for _ in range(N_USERS):
        weights = np.array([*sizes, THETA])
        topic = int(rng.choice(len(weights), p=weights / weights.sum()))
        if topic == len(sizes):
            sizes.append(0)
        sizes[topic] += 1
        topics.append(topic)
    return np.array(topics)


def draw_users(rng: np.random.Generator, overlap: str) -> Users:
    """Draw a population; each topic has as many documents as users.

    Parameters
    ----------
    rng : Generator
    overlap : {"disjoint", "independent"}
        Whether a document has at most one topic, or topics draw theirs independently.
    """
    topics = topics_of_users(rng)
    sizes = np.bincount(topics)
    if overlap == "disjoint":
        drawn = np.split(rng.permutation(N_DOCUMENTS), np.cumsum(sizes))[: len(sizes)]
    else:
        drawn = [rng.choice(N_DOCUMENTS, size, replace=False) for size in sizes]
    relevant = np.zeros((N_USERS, N_DOCUMENTS), dtype=bool)
    for topic, documents in enumerate(drawn):
        relevant[np.ix_(topics == topic, documents)] = True
    return Users(relevant, sizes)
