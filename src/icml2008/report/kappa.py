"""How far two judges agree beyond chance, with an interval over papers.

Sentences of one paper are not independent, papers are: the interval comes from papers drawn with
replacement, each with all its sentences. Everything works on tables of counts, theirs by ours, and
on whole arrays of draws (leading axes).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from icml2008.report.shares import LEVEL, MIN_PAPERS

Array = NDArray[np.float64]

DRAWS = 10_000
_SEED = 2008


@dataclass(frozen=True)
class Agreement:
    """How far two judges agree on the same sentences.

    Attributes
    ----------
    sentences, agree, papers : int
        Sentences that both judged, those on which they agree, and of how many papers.
    kappa : float or None
        Cohen's kappa; None where chance alone would have both agree always.
    low, high : float or None
        Its 95 % interval over papers; None where they are too few.
    """

    sentences: int
    agree: int
    papers: int
    kappa: float | None
    low: float | None = None
    high: float | None = None

    @property
    def share(self) -> float | None:
        """The share of sentences on which both agree."""
        return self.agree / self.sentences if self.sentences else None


def kappa(counts: ArrayLike) -> Array:
    """Return Cohen's kappa of tables of counts; not a number where it is not defined.

    Parameters
    ----------
    counts : array_like of shape (..., k, k)
        How often the one said the row's word and the other the column's.

    References
    ----------
    Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20, 37-46, eq. 1.

    Examples
    --------
    >>> round(float(kappa([[20, 5], [10, 15]])), 3)
    0.4
    """
    counts = np.asarray(counts, float)
    total = counts.sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(counts, axis1=-2, axis2=-1) / total
        chance = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1) / total**2
        return (observed - chance) / (1 - chance)


def interval(by_paper: ArrayLike, level: float = LEVEL) -> tuple[float, float] | None:
    """Return the percentile bootstrap interval of kappa over papers; None where they are too few.

    Parameters
    ----------
    by_paper : array_like of shape (papers, k, k)
        The table of each paper.
    level : float
    """
    by_paper = np.asarray(by_paper, float)
    papers = len(by_paper)
    if papers < MIN_PAPERS:
        return None
    rng = np.random.default_rng(_SEED)
    times = rng.multinomial(papers, np.full(papers, 1 / papers), size=DRAWS)
    drawn = kappa(np.tensordot(times, by_paper, axes=1))
    drawn = drawn[np.isfinite(drawn)]
    if not drawn.size:
        return None
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def agreement(pairs: Iterable[tuple[str, str, str]], words: Iterable[str]) -> Agreement:
    """Return how far two judges agree.

    Parameters
    ----------
    pairs : iterable of (str, str, str)
        Of each sentence that both judged: its paper, what the one says, and the other.
    words : iterable of str
        What a judge can say.
    """
    places = {word: place for place, word in enumerate(words)}
    tables: dict[str, Array] = {}
    for paper, theirs, ours in pairs:
        table = tables.setdefault(paper, np.zeros((len(places), len(places))))
        table[places[theirs], places[ours]] += 1
    if not tables:
        return Agreement(0, 0, 0, None)
    by_paper = np.stack(list(tables.values()))
    together = by_paper.sum(axis=0)
    value = float(kappa(together))
    ends = interval(by_paper) if math.isfinite(value) else None
    return Agreement(
        int(together.sum()),
        int(np.trace(together)),
        len(tables),
        value if math.isfinite(value) else None,
        *(ends or ()),
    )
