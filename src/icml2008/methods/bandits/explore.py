"""Ranked explore and commit: try every document at a rank, keep the best, go on to the next."""

from __future__ import annotations

import math
from numbers import Integral

import numpy as np

from . import kernels
from .history import History, check_audience, window_size
from .ranked import checked_rank


class RankedExploreAndCommit:
    """Learn a ranking rank by rank from clicks, for users and documents that do not change.

    At each rank, every document is shown the same number of times; the one that was clicked most
    often stays for good.

    Parameters
    ----------
    n_documents : int
    n_ranks : int
    n_tries : int, optional
        How often each document is shown at each rank (x in the paper).
    epsilon, delta : float, optional
        In its place: n_tries = ceil(2 k^2 / epsilon^2 log(2 k / delta)), k ranks, as the paper has
        it. Its proof lacks a union over the documents: for a loss of at most epsilon with a chance
        of 1 - delta, give delta / n_documents.
    random_state : int, Generator or None
        Of the arbitrary documents that stand at ranks not yet explored.

    Attributes
    ----------
    n_tries : int
    n_exploring : int
        Presentations until the ranking stays as it is.
    n_seen_ : int
        Presentations so far.

    References
    ----------
    Radlinski, F., Kleinberg, R. and Joachims, T. (2008). Learning diverse rankings with
    multi-armed bandits. ICML. Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RankedExploreAndCommit
    >>> ranker = RankedExploreAndCommit(n_documents=4, n_ranks=2, n_tries=50, random_state=0)
    >>> wanted = np.random.default_rng(1).choice([3, 2], p=[0.7, 0.3], size=ranker.n_exploring)
    >>> for document in wanted:
    ...     hits = np.flatnonzero(ranker.ask() == document)
    ...     ranker.tell(hits[0] if len(hits) else None)
    >>> ranker.ask()
    array([3, 2])
    """

    def __init__(
        self,
        n_documents: int,
        n_ranks: int = 5,
        n_tries: int | None = None,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        random_state: int | np.random.Generator | None = None,
    ):
        if not 1 <= n_ranks <= n_documents:
            msg = f"n_ranks: found {n_ranks}; there are {n_documents} documents"
            raise ValueError(msg)
        if (n_tries is None) == (epsilon is None or delta is None):
            msg = "give either n_tries, or epsilon and delta"
            raise ValueError(msg)
        if n_tries is None:
            n_tries = math.ceil(2 * n_ranks**2 / epsilon**2 * math.log(2 * n_ranks / delta))
        if not isinstance(n_tries, Integral) or n_tries < 1:
            msg = f"n_tries: found {n_tries!r}; give a whole number from 1 on"
            raise ValueError(msg)
        self.n_documents = n_documents
        self.n_ranks = n_ranks
        self.n_tries = int(n_tries)
        self.n_exploring = n_documents * n_ranks * self.n_tries
        self.n_seen_ = 0
        self._ranking = np.random.default_rng(random_state).permutation(n_documents)[:n_ranks]
        self._counts = np.zeros(n_documents, dtype=np.int64)
        self._waiting = False

    def ask(self) -> np.ndarray:
        """Return the next ranking to present, shape (n_ranks,).

        While exploring, a document may stand at two ranks; the second time it cannot be clicked.
        """
        shown = self._ranking.copy()
        rank = kernels.explored_rank(self.n_seen_, self.n_tries, self.n_documents)
        if rank < self.n_ranks:
            shown[rank] = self.n_seen_ % self.n_documents
        self._waiting = True
        return shown

    def tell(self, clicked: int | None) -> None:
        """Take in what the user did with the ranking that was asked for last.

        Parameters
        ----------
        clicked : int or None
            The rank of the click, 0 at the top; None for no click.

        Raises
        ------
        ValueError
            If no ranking is waiting, or there is no such rank.
        """
        if not self._waiting:
            msg = "no ranking is waiting for a click: call ask() before each tell()"
            raise ValueError(msg)
        clicked = checked_rank(clicked, self.n_ranks)
        kernels.commit(self._ranking, self._counts, self.n_seen_, self.n_tries, clicked)
        self._waiting = False
        self.n_seen_ += 1

    def simulate(
        self,
        clicks: np.ndarray,
        n_presentations: int,
        *,
        relevant: np.ndarray | None = None,
        n_windows: int = 1,
        random_state: int | np.random.Generator | None = None,
    ) -> History:
        """Present rankings to users drawn uniformly; see `RankedBandits.simulate`."""
        clicks, relevant = check_audience(clicks, relevant, self.n_documents)
        size = window_size(n_presentations, n_windows)
        by_rank = np.zeros((n_windows, self.n_ranks), dtype=np.int64)
        n_relevant = np.zeros(n_windows, dtype=np.int64)
        state = self._ranking, self._counts, self.n_seen_, self.n_tries
        users = np.random.default_rng(random_state)
        kernels.run_explore(*state, clicks, relevant, size, by_rank, n_relevant, users)
        self.n_seen_ += n_presentations
        self._waiting = False
        return History(size, by_rank, n_relevant)
