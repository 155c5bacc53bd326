"""20 newsgroups in two halves, as in the news20 of the paper."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from icml2008.data.tables import Table
from icml2008.data.texts import load_20newsgroups

POSITIVE = ("comp.", "sci.", "misc.")


def load_halves(archive: Path) -> Table:
    """Return the postings by the tf-idf of their words, headers included, of unit length.

    The classes are those of Schohn and Cohn (2000), from whom news20 comes: computers, science and
    things for sale against the ten other groups.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import TfidfVectorizer

    postings = load_20newsgroups(archive)
    words = TfidfVectorizer(token_pattern=r"\w+")
    return Table(
        X=csr_array(words.fit_transform(postings.texts), dtype=np.float64),
        y=np.where([group.startswith(POSITIVE) for group in postings.y], 1.0, -1.0),
        feature_names=tuple(words.get_feature_names_out()),
    )
