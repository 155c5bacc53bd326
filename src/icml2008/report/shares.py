"""What share of claims holds, with an interval over papers, and by how much two shares differ.

Claims of one paper are not independent: they stand and fall with its data, its code, its care.
What is independent is the paper. So the spread is taken between papers, and where it cannot be
known from them a paper counts as a single claim. Everything works on whole arrays of draws (leading
axes), so that the simulation of its error rates runs the same code as the site.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Array = NDArray[np.float64]

LEVEL = 0.95
# Fewer papers say nothing of others.
MIN_PAPERS = 6
# Below so many papers with a claim of the rarer kind, the spread between papers is chance.
_FEW = 3


@dataclass(frozen=True)
class Share:
    """Of some decided claims, how many hold.

    Attributes
    ----------
    by_paper : mapping of str to pair of int
        The claims of a paper that hold, and those that are decided.
    """

    by_paper: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def held(self) -> tuple[int, ...]:
        """The claims that hold, by paper."""
        return tuple(held for held, _ in self.by_paper.values())

    @property
    def decided(self) -> tuple[int, ...]:
        """The decided claims, by paper."""
        return tuple(decided for _, decided in self.by_paper.values())

    @property
    def papers(self) -> int:
        """Papers with a decided claim."""
        return len(self.by_paper)

    @property
    def value(self) -> float:
        """The share that holds; not a number if none is decided."""
        return sum(self.held) / sum(self.decided) if self.papers else math.nan

    def interval(self, level: float = LEVEL) -> tuple[float, float] | None:
        """Return the interval over papers; None where they are too few."""
        if self.papers < MIN_PAPERS:
            return None
        low, high = limits(self.held, self.decided, level)
        return float(low), float(high)


@dataclass(frozen=True)
class Gap:
    """By how much the share of one group differs from that of the others together.

    `value`, `low` and `high` are the difference, group less others, and the ends of its interval;
    `compared` is how many groups were, for which the interval is corrected.
    """

    group: str
    share: Share
    others: Share
    value: float
    low: float
    high: float
    compared: int

    @property
    def shown(self) -> bool:
        """Whether the interval excludes that both are equal."""
        return not self.low <= 0 <= self.high


def share_of(outcomes: Iterable[tuple[str, bool]]) -> Share:
    """Return the share of decided claims that hold, given as paper and whether it holds."""
    by_paper: dict[str, list[bool]] = defaultdict(list)
    for paper, holds in outcomes:
        by_paper[paper].append(holds)
    return Share({paper: (sum(each), len(each)) for paper, each in by_paper.items()})


def together(shares: Iterable[Share]) -> Share:
    """Return the share of the claims of several groups."""
    held = Counter()
    decided = Counter()
    for share in shares:
        for paper, (hits, all_) in share.by_paper.items():
            held[paper] += hits
            decided[paper] += all_
    return Share({paper: (held[paper], decided[paper]) for paper in decided})


def limits(held: ArrayLike, decided: ArrayLike, level: float = LEVEL) -> tuple[Array, Array]:
    """Return the limits of the share of claims that hold, along the last axis, over papers.

    The variance of the share is that of a mean over clusters, each residual enlarged by the
    cluster's leverage (Mancl and DeRouen; what generalised estimating equations with an
    independent working correlation give). The share gets the exact limits of the number of
    independent claims that has this variance, (z / t)^2 p (1 - p) / v (Korn and Graubard), which
    is at most the number of claims. If fewer than three papers have a claim of the rarer kind,
    it is at most the number of papers. If all claims came out alike, the limits are those of so
    many papers with one claim each, which holds however the claims of a paper depend on each other.

    Parameters
    ----------
    held, decided : array_like
        Claims that hold and claims that are decided, by paper.
    level : float

    References
    ----------
    Mancl and DeRouen (2001). A covariance estimator for GEE with improved small-sample
    properties. Biometrics 57, 126-134.

    Korn and Graubard (1998). Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data. Survey Methodology 24, 193-201.
    """
    held, decided = np.broadcast_arrays(np.asarray(held, float), np.asarray(decided, float))
    papers = held.shape[-1]
    claims = decided.sum(axis=-1)
    share = held.sum(axis=-1) / claims
    tail = (1 - level) / 2
    ratio = special.ndtri(1 - tail) / special.stdtrit(papers - 1, 1 - tail)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.fmin(share * (1 - share) / variance(held, decided), claims) * ratio**2
    rarer = np.minimum((held > 0).sum(axis=-1), (held < decided).sum(axis=-1))
    worth = np.where(rarer < _FEW, np.fmin(worth, papers), worth)
    worth = np.where(rarer == 0, papers, worth)
    with np.errstate(invalid="ignore"):
        low = special.betaincinv(share * worth, (1 - share) * worth + 1, tail)
        high = special.betaincinv(share * worth + 1, (1 - share) * worth, 1 - tail)
    return np.where(share == 0, 0.0, low), np.where(share == 1, 1.0, high)


def variance(held: ArrayLike, decided: ArrayLike) -> Array:
    """Return the variance of the share of claims that hold, along the last axis, over papers."""
    held = np.asarray(held, float)
    decided = np.asarray(decided, float)
    claims = decided.sum(axis=-1, keepdims=True)
    share = held.sum(axis=-1, keepdims=True) / claims
    return (((held - decided * share) / (claims - decided)) ** 2).sum(axis=-1)


def difference(share: Share, other: Share, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of the difference of two shares, from their own (Zou and Donner).

    It takes them as independent, which is on the safe side: a paper that has claims in both groups
    moves both the same way.

    References
    ----------
    Zou and Donner (2008). Construction of confidence limits about effect measures: a general
    approach. Statistics in Medicine 27, 1693-1702.
    """
    (low, high) = share.interval(level)
    (bottom, top) = other.interval(level)
    gap = share.value - other.value
    return (
        gap - float(np.hypot(share.value - low, top - other.value)),
        gap + float(np.hypot(high - share.value, other.value - bottom)),
    )


def clearest(groups: Mapping[str, Share]) -> Gap | None:
    """Return the group that differs most clearly from the others together.

    Intervals are corrected for the number of groups that were compared: those of enough papers
    whose others are of enough papers, too. Of two groups, that is one comparison. None where there
    is nothing to compare.
    """
    sides = [
        (name, share, together(other for key, other in groups.items() if key != name))
        for name, share in groups.items()
    ]
    sides = [side for side in sides if min(side[1].papers, side[2].papers) >= MIN_PAPERS]
    if len(groups) == 2:
        sides = sorted(sides, key=lambda side: -side[1].value)[:1]
    level = 1 - (1 - LEVEL) / max(len(sides), 1)
    gaps = [
        Gap(name, share, others, share.value - others.value, *ends, len(sides))
        for name, share, others in sides
        for ends in [difference(share, others, level)]
    ]
    return max(gaps, key=lambda gap: (gap.shown, abs(gap.value)), default=None)
