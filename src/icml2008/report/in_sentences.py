"""Shares, counts and groups of claims in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icml2008.report.shares import MIN_PAPERS, Share, clearest


def row(label: str, share: Share, undecided: int = 0) -> dict[str, Any]:
    """Return a group as chart and table show it."""
    ends = share.interval()
    return {
        "label": label,
        "held": sum(share.held),
        "decided": sum(share.decided),
        "open": undecided,
        "papers": share.papers,
        "share": share.value if share.papers else None,
        "low": ends and ends[0],
        "high": ends and ends[1],
    }


def compared(groups: Mapping[str, Share], verb: str) -> str:
    """Return which group differs from the others for certain, that none does, or why none can.

    Examples
    --------
    >>> many = Share({str(paper): (9, 10) for paper in range(8)})
    >>> few = Share({str(paper): (2, 10) for paper in range(8)})
    >>> print(compared({"Orders": many, "Values": few}, "hold").replace("\xa0", " "))
    Orders hold more often than values: 90 % against 20 %, 70 points apart (95 % interval 53 to 82).
    """
    gap = clearest(groups)
    if gap is None:
        few = [name for name, share in groups.items() if share.papers < MIN_PAPERS]
        if len(groups) == 2 and len(few) == 1:
            papers = of_kind(groups[few[0]].papers, "paper")
            return f"{few[0]} come from {papers}, too few to compare."
        return "No two groups come from enough papers to compare: the counts speak of single ones."
    more = gap.value > 0
    low, high = (gap.low, gap.high) if more else (-gap.high, -gap.low)
    corrected = f", corrected for {gap.compared} comparisons" if gap.compared > 1 else ""
    numbers = (
        f"{percent(gap.share.value)} against {percent(gap.others.value)}, "
        f"{points(abs(gap.value))} points apart "
        f"(95\N{NO-BREAK SPACE}% interval {points(low)} to {points(high)}{corrected})"
    )
    two = len(groups) == 2
    rest = _lower(next(name for name in groups if name != gap.group)) if two else "the others"
    if gap.shown:
        return f"{gap.group} {verb} {'more' if more else 'less'} often than {rest}: {numbers}."
    if two:
        return f"{gap.group} and {rest} do not differ by more than papers vary: {numbers}."
    return (
        "No group differs from the others by more than papers vary. Furthest from them: "
        f"{_lower(gap.group)}, {numbers}."
    )


def percent(share: float) -> str:
    """Return a share in whole percent; none is rounded to all or nothing."""
    shown = round(100 * share)
    shown = min(shown, 99) if share < 1 else shown
    return f"{max(shown, 1) if share > 0 else shown}\N{NO-BREAK SPACE}%"


def points(difference: float) -> str:
    """Return a difference of shares in whole points."""
    return f"{round(100 * difference)}".replace("-", "\N{MINUS SIGN}")


def share_text(share: Share) -> str:
    """Return a share as a number in words would stand in a sentence."""
    return {0.0: "none", 1.0: "all"}.get(share.value) or percent(share.value)


def interval_text(share: Share, before: str = " (", after: str = ")") -> str:
    """Return the interval over papers in brackets; that there is none where they are too few."""
    ends = share.interval()
    if ends is None:
        return f"{before}of {of_kind(share.papers, 'paper')}, too few for an interval{after}"
    low, high = (round(100 * end) for end in ends)
    return f"{before}95\N{NO-BREAK SPACE}% interval over papers {low} to {high}{after}"


def of_kind(number: int, noun: str, several: str = "") -> str:
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def rest_of(counts: Mapping[str, int]) -> str:
    """Return what became of the decided claims that do not simply hold."""
    hang = counts["depends"]
    fail = counts["refuted"]
    parts = [f"{hang} {'hangs' if hang == 1 else 'hang'} on how the paper is read"] if hang else []
    parts += [f"{fail} {'does' if fail == 1 else 'do'} not under any reading tried"] if fail else []
    return f"; {', '.join(parts)}" if parts else ""


def were(number: int) -> str:
    return "was" if number == 1 else "were"


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]
