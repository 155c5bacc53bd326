"""Ranked bandits: one bandit a rank, each rewarded for the clicks on its own document."""

from __future__ import annotations

import math

import numpy as np

from icml2008.errors import nearest

from . import kernels
from .history import History, check_audience, window_size

BANDITS = {"exp3": kernels.EXP3, "ucb1": kernels.UCB1}
REPLACEMENTS = ("random", "first")


class RankedBandits:
    """Learn a ranking that as many users as possible click on, from their clicks alone.

    A bandit for each rank chooses a document; if it was chosen above already, another one takes
    its place. The bandit is rewarded if the user, who looks from the top and clicks at most once,
    clicks on its own document.

    Parameters
    ----------
    n_documents : int
    n_ranks : int
    bandit : {"exp3", "ucb1"}
        EXP3 keeps the guarantee of Theorem 1 even if users change; UCB1 learns much faster where
        they do not, and has no guarantee.
    gamma : float, optional
        Of EXP3: share of choices made at random. By default the value that has the smallest
        regret bound at the horizon.
    horizon : int, optional
        Of EXP3, in place of gamma: presentations that are to come.
    constant : float
        Of UCB1: the index is mean + sqrt(constant log t / plays), with 2 as published.
    replacement : {"random", "first"}
        What takes the place of a document that was chosen above: any other one, or the one of
        lowest number.
    random_state : int, Generator or None

    Attributes
    ----------
    gamma_ : float
        Of EXP3, as used.
    n_seen_ : int
        Presentations so far.

    References
    ----------
    Radlinski, F., Kleinberg, R. and Joachims, T. (2008). Learning diverse rankings with
    multi-armed bandits. ICML. Algorithm 2.

    Auer, P., Cesa-Bianchi, N. and Fischer, P. (2002). Finite-time analysis of the multiarmed
    bandit problem. Machine Learning 47.

    Auer, P., Cesa-Bianchi, N., Freund, Y. and Schapire, R. E. (2002). The nonstochastic
    multiarmed bandit problem. SIAM Journal on Computing 32.

    Examples
    --------
    Half of the users want document 7, the others document 3.

    >>> import numpy as np
    >>> from icml2008.methods import RankedBandits
    >>> ranker = RankedBandits(n_documents=10, n_ranks=2, bandit="ucb1", random_state=0)
    >>> wanted = np.random.default_rng(1).choice([7, 3], size=2000)
    >>> for document in wanted:
    ...     ranking = ranker.ask()
    ...     hits = np.flatnonzero(ranking == document)
    ...     ranker.tell(hits[0] if len(hits) else None)
    >>> sorted(ranker.learnt().tolist())
    [3, 7]
    """

    def __init__(
        self,
        n_documents: int,
        n_ranks: int = 5,
        *,
        bandit: str = "exp3",
        gamma: float | None = None,
        horizon: int | None = None,
        constant: float = 2.0,
        replacement: str = "random",
        random_state: int | np.random.Generator | None = None,
    ):
        if not 1 <= n_ranks <= n_documents:
            msg = f"n_ranks: found {n_ranks}; there are {n_documents} documents"
            raise ValueError(msg)
        for name, value, known in (
            ("bandit", bandit, BANDITS),
            ("replacement", replacement, REPLACEMENTS),
        ):
            if value not in known:
                meant = nearest(value, known)
                msg = f"{name}: found {value!r}{meant}; choose among {', '.join(known)}"
                raise ValueError(msg)
        self.n_documents = n_documents
        self.n_ranks = n_ranks
        self.bandit = bandit
        self.replacement = replacement
        self.constant = constant
        self.n_seen_ = 0
        self._kind = BANDITS[bandit]
        self._parameter = constant
        if bandit == "exp3":
            self.gamma_ = self._parameter = _gamma(gamma, horizon, n_documents)
        elif not constant >= 0:
            msg = f"constant: found {constant}; it is at least 0"
            raise ValueError(msg)
        self._rng = np.random.default_rng(random_state)
        shape = (n_ranks, n_documents)
        start = np.ones(shape) if bandit == "exp3" else np.zeros(shape)
        self._state = (start, np.ones(shape), np.full(n_ranks, float(n_documents)))
        self._order = self._rng.permuted(np.tile(np.arange(n_documents), (n_ranks, 1)), axis=1)
        self._arms = np.zeros(n_ranks, dtype=np.int64)
        self._chances = np.ones(n_ranks)
        self._shown: np.ndarray | None = None

    @property
    def _bandits(self) -> tuple:
        return self._kind, float(self._parameter), self._state, self._order, self.n_seen_

    def ask(self) -> np.ndarray:
        """Return the next ranking to present, different documents, shape (n_ranks,)."""
        shown = np.zeros(self.n_ranks, dtype=np.int64)
        kernels.choose(*self._bandits, self._rng, self._arms, self._chances)
        kernels.fill(self._order, self._arms, self.replacement == "random", self._rng, shown)
        self._shown = shown
        return shown.copy()

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
        if self._shown is None:
            msg = "no ranking is waiting for a click: call ask() before each tell()"
            raise ValueError(msg)
        clicked = checked_rank(clicked, self.n_ranks)
        kernels.learn(*self._bandits, self._arms, self._chances, self._shown, clicked)
        self._shown = None
        self.n_seen_ += 1

    def learnt(self) -> np.ndarray:
        """Return the ranking learnt so far, without any exploring, shape (n_ranks,).

        At each rank it is the document of highest mean reward (UCB1) or weight (EXP3) that does
        not stand above.
        """
        ranking: list[int] = []
        for values, order in zip(self._state[0], self._order, strict=True):
            best_first = order[np.argsort(-values, kind="stable")]
            ranking.append(next(int(d) for d in best_first if d not in ranking))
        return np.array(ranking)

    def simulate(
        self,
        clicks: np.ndarray,
        n_presentations: int,
        *,
        relevant: np.ndarray | None = None,
        n_windows: int = 1,
        random_state: int | np.random.Generator | None = None,
    ) -> History:
        """Present rankings to users drawn uniformly, and learn from their clicks.

        It is ask and tell in one compiled loop: a million presentations take about a second.
        Called again, it goes on from where it was, with other users if so wished.

        Parameters
        ----------
        clicks : ndarray of shape (n_users, n_documents)
            Chance that a user who looks at a document clicks on it.
        n_presentations : int
        relevant : ndarray of bool of the same shape, optional
            Whether a document is relevant to a user; by default, whether a click has any chance.
        n_windows : int
            Windows of equal size in which clicks are counted.
        random_state : int, Generator or None
            Of the users; the ranker's own choices follow its own.

        Returns
        -------
        History
        """
        clicks, relevant = check_audience(clicks, relevant, self.n_documents)
        size = window_size(n_presentations, n_windows)
        counts = np.zeros((n_windows, self.n_ranks), dtype=np.int64)
        n_relevant = np.zeros(n_windows, dtype=np.int64)
        at_random = self.replacement == "random"
        users = np.random.default_rng(random_state)
        kernels.run_bandits(
            *self._bandits, at_random, clicks, relevant, size, counts, n_relevant, self._rng, users
        )
        self.n_seen_ += n_presentations
        self._shown = None
        return History(size, counts, n_relevant)


def _gamma(gamma: float | None, horizon: int | None, n_documents: int) -> float:
    if (gamma is None) == (horizon is None):
        msg = 'bandit="exp3" takes exactly one of gamma and horizon'
        raise ValueError(msg)
    if gamma is None:
        return min(1.0, math.sqrt(n_documents * math.log(n_documents) / (math.e - 1) / horizon))
    if not 0 < gamma <= 1:
        msg = f"gamma: found {gamma}; it is a share above 0"
        raise ValueError(msg)
    return float(gamma)


def exp3_regret(n_arms: int, gamma: float, n_plays: float) -> float:
    """Return the bound on EXP3's expected regret after `n_plays` (Auer et al. 2002, Theorem 3.1).

    Examples
    --------
    With the gamma for a horizon it is 2 sqrt(e - 1) sqrt(T n log n).

    >>> ranker = RankedBandits(50, bandit="exp3", horizon=100_000)
    >>> round(exp3_regret(50, ranker.gamma_, 100_000) / math.sqrt(1e5 * 50 * math.log(50)), 3)
    2.622
    """
    return (math.e - 1) * gamma * n_plays + n_arms * math.log(n_arms) / gamma


def checked_rank(clicked: int | None, n_ranks: int) -> int:
    """Return the rank of a click, -1 for none."""
    if clicked is None:
        return -1
    if not 0 <= clicked < n_ranks:
        msg = f"clicked: found {clicked}; ranks are 0 to {n_ranks - 1}, None stands for no click"
        raise ValueError(msg)
    return int(clicked)
