"""Ranks, wins and best entries of a table, where equal printed numbers may hide any order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, model_validator

from icml2008.audit.findings import (
    CONSISTENT,
    IMPOSSIBLE,
    OVERSTATED,
    Declaration,
    Numbers,
    Outcome,
    Text,
    how,
    settle,
)
from icml2008.audit.numbers import NEAREST, Interval, show, stands_for

Better = Literal["higher", "lower"]
Pair = Annotated[list[Text], Field(min_length=2, max_length=2)]
Wins = Annotated[StrictInt, Field(ge=0)]


def surely_better(first: str, second: str, better: Better, convention: str = NEAREST) -> bool:
    """Return whether the first number is better than the second, whatever the rounding hides.

    Examples
    --------
    >>> surely_better("0.81", "0.80", "higher"), surely_better("0.81", "0.8", "higher")
    (True, False)
    """
    if better == "lower":
        first, second = second, first
    # Where the two meet in one point, a single convention would have printed them alike.
    return stands_for(first, convention).low >= stands_for(second, convention).high


def rank_ends(row: Mapping[str, str], name: str, better: Better) -> tuple[int, int]:
    """Return the lowest and the highest rank that one entry of a row can have; 1 is best.

    Examples
    --------
    >>> rank_ends({"a": "0.9", "b": "0.8", "c": "0.8"}, "b", "higher")
    (2, 3)
    """
    others = [text for other, text in row.items() if other != name]
    ahead = sum(surely_better(text, row[name], better) for text in others)
    behind = sum(surely_better(row[name], text, better) for text in others)
    return 1 + ahead, len(row) - behind


class Rank(Declaration):
    """Mean ranks of methods, and the rows that they are the ranks of."""

    rule: Literal["RANK"]
    rows: Annotated[dict[Text, Numbers], Field(min_length=1)]
    better: Better
    mean_ranks: Numbers

    @model_validator(mode="after")
    def _methods_are_in_all_rows(self) -> Rank:
        for name, row in self.rows.items():
            if missing := self.mean_ranks.keys() - row.keys():
                msg = f"row {name!r} lacks {sorted(missing)}"
                raise ValueError(msg)
        return self

    def check(self) -> Outcome:
        """Compare each mean rank with those that the rows allow."""

        def ends(method: str) -> Interval:
            pairs = [rank_ends(row, method, self.better) for row in self.rows.values()]
            low, high = (Fraction(sum(side), len(pairs)) for side in zip(*pairs, strict=True))
            return Interval(low, high)

        def misfits(convention: str) -> list[str]:
            return [
                method
                for method, text in self.mean_ranks.items()
                if not ends(method).meets(stands_for(text, convention))
            ]

        certainty, convention = settle(lambda way: not misfits(way))
        if certainty == CONSISTENT:
            return Outcome(certainty, f"The rows give the printed mean ranks{how(convention)}.")
        differences = "; ".join(
            f"{method}: printed {self.mean_ranks[method]}, the rows give {show(ends(method).low)}"
            + (f" to {show(ends(method).high)}" if ends(method).low < ends(method).high else "")
            for method in misfits(NEAREST)
        )
        return Outcome(certainty, f"{differences}.")


class WinCount(Declaration):
    """How often one method is printed to beat, tie and lose to another."""

    rule: Literal["COUNT"]
    pairs: Annotated[dict[Text, Pair], Field(min_length=1)]
    better: Better
    wins: Wins | None = None
    ties: Wins | None = None
    losses: Wins | None = None

    def check(self) -> Outcome:
        """Compare the counts with those that the pairs allow; equal numbers may be either."""
        wins = [k for k, (a, b) in self.pairs.items() if surely_better(a, b, self.better)]
        losses = [k for k, (a, b) in self.pairs.items() if surely_better(b, a, self.better)]
        close = len(self.pairs) - len(wins) - len(losses)
        wrong = []
        for what, printed, least in (
            ("wins", self.wins, len(wins)),
            ("ties", self.ties, 0),
            ("losses", self.losses, len(losses)),
        ):
            if printed is not None and not least <= printed <= least + close:
                reach = str(least) if not close else f"{least} to {least + close}"
                wrong.append(f"{what}: printed {printed}, the numbers give {reach}")
        shown = f"{len(wins)} wins, {len(losses)} losses, {close} equal as printed" + (
            f" (losses: {', '.join(losses)})" if losses else ""
        )
        if wrong:
            return Outcome(IMPOSSIBLE, f"{'; '.join(wrong)}. {shown}.")
        return Outcome(CONSISTENT, f"{shown}.")


class Best(Declaration):
    """Entries that are said to be best, in each row.

    Attributes
    ----------
    hedge : str, optional
        The words by which the text allows exceptions, such as "nearly all"; most rows must hold.
    exceptions : dict of str to str
        Rows that the text excepts by name, with its words.
    marked : bool
        Whether the table itself marks the entries as best, so that it contradicts itself.
    """

    rule: Literal["BEST"]
    rows: Annotated[dict[Text, Numbers], Field(min_length=1)]
    better: Better
    best: Text
    hedge: Text | None = None
    exceptions: dict[Text, Text] = {}
    marked: StrictBool = False

    @model_validator(mode="after")
    def _best_is_in_all_rows(self) -> Best:
        for name, row in self.rows.items():
            if self.best not in row:
                msg = f"row {name!r} lacks {self.best!r}"
                raise ValueError(msg)
        if unknown := self.exceptions.keys() - self.rows.keys():
            msg = f"exceptions that are no rows: {sorted(unknown)}"
            raise ValueError(msg)
        return self

    def check(self) -> Outcome:
        """Look for entries that are better than the one said to be best."""
        upsets = {}
        for name, row in self.rows.items():
            ahead = [
                f"{other} {text}"
                for other, text in row.items()
                if surely_better(text, row[self.best], self.better)
            ]
            if ahead:
                upsets[name] = f"{name}: {self.best} {row[self.best]}, {', '.join(ahead)}"
        count = len(self.rows)
        if not upsets:
            rows = "row" if count == 1 else "rows"
            return Outcome(CONSISTENT, f"No entry beats {self.best} in {count} {rows}.")
        shown = (
            f"{self.best} is not best in {len(upsets)} of {count}: {'; '.join(upsets.values())}."
        )
        if self.hedge and 2 * len(upsets) < count:
            return Outcome(CONSISTENT, f'{shown} The text: "{self.hedge}".')
        if upsets.keys() <= self.exceptions.keys():
            words = "; ".join(f'"{self.exceptions[name]}"' for name in upsets)
            return Outcome(CONSISTENT, f"{shown} The text excepts it: {words}.")
        return Outcome(IMPOSSIBLE if self.marked else OVERSTATED, shown)
