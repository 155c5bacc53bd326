"""A small newswire in the place of RCV1: four topics of Reuters-21578, as bags of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from icml2008.data.readers.reuters import Story

TOPICS = ("earn", "acq", "money-fx", "grain")  # the four largest of the collection


def bags_of_words(stories: Sequence[Story]) -> tuple[csr_array, np.ndarray]:
    """Return word counts and labels of the stories that have exactly one of the four topics.

    Returns
    -------
    X : csr_array of shape (n_stories, n_words)
        In order of time; words are runs of two letters or more, in lower case.
    y : ndarray of int, shape (n_stories,)
        Positions in `TOPICS`.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer

    kept = []
    labels = []
    for story in stories:
        topics = [topic for topic in story.topics if topic in TOPICS]
        if len(topics) == 1:
            kept.append(f"{story.title} {story.body}")
            labels.append(TOPICS.index(topics[0]))
    counts = CountVectorizer(token_pattern=r"[a-z]{2,}").fit_transform(kept)
    return csr_array(counts, dtype=np.float64), np.array(labels)
