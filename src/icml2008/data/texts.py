"""Data sets of texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from icml2008.data.readers.archive import read_members
from icml2008.data.readers.reuters import Story, parse_reuters


@dataclass(frozen=True)
class Texts:
    """Texts with one label each.

    Attributes
    ----------
    texts : tuple of str
        The texts as published, headers included.
    y : ndarray of str, shape (n_texts,)
        Labels.
    ids : tuple of str
        Names of the texts in the archive.
    n_train : int or None
        Number of leading texts that the data set's makers gave for training.
    """

    texts: tuple[str, ...]
    y: np.ndarray
    ids: tuple[str, ...]
    n_train: int | None = None


def load_20newsgroups(archive: Path) -> Texts:
    """Return 20 Newsgroups, sorted by date: 11,314 postings for training, 7,532 for testing."""
    members = [(name, content.decode("latin-1")) for name, content in read_members(archive)]
    train = [entry for entry in members if entry[0].startswith("20news-bydate-train/")]
    test = [entry for entry in members if entry[0].startswith("20news-bydate-test/")]
    names, texts = zip(*train, *test, strict=True)
    return Texts(
        texts=texts,
        y=np.array([name.split("/")[1] for name in names]),
        ids=names,
        n_train=len(train),
    )


def load_reuters(archive: Path) -> tuple[Story, ...]:
    """Return the 21,578 stories in the order of their numbers."""
    stories = [
        story
        for _, content in read_members(archive)
        for story in parse_reuters(content.decode("latin-1"))
    ]
    return tuple(sorted(stories, key=lambda story: story.number))
