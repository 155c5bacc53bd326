"""20 newsgroups as the presence of words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from icml2008.data.tables import Table
from icml2008.data.texts import load_20newsgroups

WORDS = 5000


def load_words(archive: Path) -> Table:
    """Return which of the most frequent words of the training part each posting has.

    Words are runs of letters in lower case, headers included; frequent by occurrences.
    """
    from scipy.sparse import csr_array, vstack
    from sklearn.feature_extraction.text import CountVectorizer

    postings = load_20newsgroups(archive)
    words = CountVectorizer(token_pattern=r"[a-z]+", max_features=WORDS)
    counts = [
        words.fit_transform(postings.texts[: postings.n_train]),
        words.transform(postings.texts[postings.n_train :]),
    ]
    return Table(
        X=csr_array(vstack(counts) > 0, dtype=np.float64),
        y=postings.y,
        n_train=postings.n_train,
        feature_names=tuple(words.get_feature_names_out()),
    )
