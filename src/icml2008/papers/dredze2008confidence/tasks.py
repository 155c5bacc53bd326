"""The tasks that can be had: three pairs of newsgroups and four kinds of products, as bags."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from icml2008.data.content import read_content
from icml2008.data.texts import Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PAIRS = {
    "comp": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
    "sci": ("sci.electronics", "sci.med"),
    "talk": ("talk.politics.guns", "talk.politics.mideast"),
}
PRODUCTS = ("books", "dvd", "electronics", "kitchen_&_housewares")
_REVIEW = re.compile(r"<title>\n(.*?)\n</title>.*?<review_text>\n(.*?)\n</review_text>", re.DOTALL)


def load_reviews(*paths: Path) -> Texts:
    """Return the reviews of some files, each its title, an empty line and its text.

    The label is the product and the opinion, such as ``books/positive``.
    """
    texts = []
    labels = []
    for path in paths:
        reviews = _REVIEW.findall(read_content(path).decode("utf-8"))
        texts += [f"{title.strip()}\n\n{text}" for title, text in reviews]
        labels += [f"{path.parent.name}/{path.name.partition('.')[0]}"] * len(reviews)
    names = tuple(f"{label} {number}" for number, label in enumerate(labels))
    return Texts(texts=tuple(texts), y=np.array(labels), ids=names)


def labels_of(task: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of the two classes of a task; of ``reviews``, of all products."""
    if task in PAIRS:
        first, second = PAIRS[task]
        return (first,), (second,)
    kinds = [kind for kind in PRODUCTS if task == "reviews" or kind.startswith(task)]
    return tuple(f"{kind}/negative" for kind in kinds), tuple(f"{kind}/positive" for kind in kinds)


def bags(texts: Texts, task: str, frame: str) -> tuple[csr_array, np.ndarray]:
    """Return a task's texts as bags of words: which there are, or counts of words and pairs.

    Parameters
    ----------
    texts : Texts
    task : str
        A key of `PAIRS`, the beginning of one of `PRODUCTS`, or ``reviews``.
    frame : {"kept", "body"}
        Whether what comes before the first empty line, headers or title, is read.

    Returns
    -------
    X : csr_array of shape (n_texts, n_features)
        Of newsgroups zeros and ones; of reviews counts of words and of pairs of neighbours.
    y : ndarray of shape (n_texts,)
        -1 or 1.
    """
    classes = labels_of(task)
    kept = np.flatnonzero(np.isin(texts.y, [label for labels in classes for label in labels]))
    chosen = tuple(texts.texts[i] for i in kept)
    return _bags(chosen, task in PAIRS, frame), np.where(np.isin(texts.y[kept], classes[1]), 1, -1)


@cache
def _bags(texts: tuple[str, ...], postings: bool, frame: str) -> csr_array:
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer

    if frame == "body":
        texts = [text.partition("\n\n")[2] for text in texts]
    longest = 1 if postings else 2
    words = CountVectorizer(token_pattern=r"\w+", ngram_range=(1, longest), binary=postings)
    return csr_array(words.fit_transform(texts), dtype=np.float64)
