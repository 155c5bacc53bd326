"""Means and spreads of counts: which values a number of cases can give.

GRIM is of Brown and Heathers (2017), GRIMMER of Anaya (2016) in the form of Allard (2018), DEBIT of
Heathers and Brown (2019).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, StrictInt, model_validator

from icml2008.audit.findings import (
    CERTAINTIES,
    CONSISTENT,
    Declaration,
    Numbers,
    Outcome,
    Text,
    how,
    settle,
)
from icml2008.audit.numbers import NEAREST, decimals, point, show, stands_for, value

Count = Annotated[StrictInt, Field(gt=0)]
Spread = Annotated[list[Text], Field(min_length=2, max_length=2)]


def grim(
    number: str, n: int, *, scale: int = 1, step: Fraction | int = 1, convention: str = NEAREST
) -> bool:
    """Return whether a mean of whole numbers can be printed so.

    Parameters
    ----------
    number : str
        The printed mean.
    n : int
        How many numbers it is the mean of.
    scale : int
        What a mean of 1 is printed as; 100 for percentages.
    step : Fraction
        The numbers are multiples of it; 1/2 where ties count half.
    convention : str
        Of rounding.

    Examples
    --------
    The example of the test's authors: 49 answers on a scale from 1 to 7 have no mean of 5.93.

    >>> grim("5.93", 49), grim("5.94", 49)
    (False, True)
    """
    return bool(stands_for(number, convention).times(Fraction(n) / scale / step).integers())


def grim_of_splits(
    number: str,
    splits: int,
    sizes: tuple[int, int],
    *,
    scale: int = 1,
    convention: str = NEAREST,
) -> bool:
    """Return whether a mean over splits can be printed so, each split of one of two sizes.

    Of each split the share of its cases is taken. Where the size of a data set times the share to
    be tested is no whole number, some splits may have one case more than others.

    Parameters
    ----------
    number : str
        The printed mean of the shares.
    splits : int
        How many.
    sizes : pair of int
        The numbers of cases that a split can have.
    scale, convention
        See `grim`.

    Examples
    --------
    62.98 % is no share of 10 times 153 or 154 cases, but a mean of shares of both:

    >>> grim("62.98", 1530, scale=100), grim("62.98", 1540, scale=100)
    (False, False)
    >>> grim_of_splits("62.98", 10, (153, 154), scale=100)
    True
    """
    first, second = sizes
    together = stands_for(number, convention).times(Fraction(splits, scale))
    for count in range(splits + 1):
        most = (splits - count) * second
        for hits in range(min(count * first, math.floor(together.high * first)) + 1):
            others = (together - point(Fraction(hits, first))).times(second).integers()
            if others.start <= most and others.stop > max(others.start, 0):
                return True
    return False


class Grim(Declaration):
    """Means, or shares, of counts.

    Attributes
    ----------
    numbers : dict of str to str
        As printed, each with its name.
    n : dict of str to int
        What the text allows the numbers to be means of: how many cases, times repeats.
    splits, sizes : int and pair of int
        In place of ``n``, where splits have one of two sizes; see `grim_of_splits`.
    scale, step
        See `grim`.
    """

    rule: Literal["GRIM"]
    numbers: Numbers
    n: dict[Text, Count] = {}
    splits: Count | None = None
    sizes: Annotated[list[Count], Field(min_length=2, max_length=2)] | None = None
    scale: Count = 1
    step: Text = "1"

    @model_validator(mode="after")
    def _one_way_to_count(self) -> Grim:
        if (self.splits is None) != (self.sizes is None) or bool(self.n) == bool(self.splits):
            msg = "give `n`, or both of `splits` and `sizes`"
            raise ValueError(msg)
        if self.splits and self.step != "1":
            msg = "`step` goes with `n` only"
            raise ValueError(msg)
        return self

    def check(self) -> Outcome:
        """Try each number of cases; the most favourable one counts."""
        if self.splits:
            return self._check_splits(self.splits, tuple(self.sizes))
        tried = []
        for about, n in self.n.items():
            certainty, convention = settle(lambda way, n=n: all(self._fits(n, way).values()))
            tried.append((CERTAINTIES.index(certainty), convention, about, n))
        best, convention, about, n = max(tried, key=lambda attempt: attempt[0])
        count = len(self.numbers)
        if CERTAINTIES[best] == CONSISTENT:
            text = f"{all_of(count)} can be a mean of {n} ({about}){how(convention)}"
            if self._always(n):
                text += "; with so many cases every number of these digits can"
            return Outcome(CONSISTENT, text + ".")
        parts = []
        for _, _, other, size in tried:
            fits = self._fits(size, NEAREST)
            misfits = [name for name, fit in fits.items() if not fit]
            shown = "; ".join(self._neighbours(name, size) for name in misfits[:6])
            more = f"; and {len(misfits) - 6} more" if len(misfits) > 6 else ""
            parts.append(
                f"{len(misfits)} of {count} cannot be a mean of {size} ({other}): {shown}{more}"
            )
        return Outcome(CERTAINTIES[best], ". ".join(parts) + f".{self._repair()}")

    def _check_splits(self, splits: int, sizes: tuple[int, int]) -> Outcome:
        def misfits(convention: str) -> list[str]:
            return [
                f"{name} {text}"
                for name, text in self.numbers.items()
                if not grim_of_splits(text, splits, sizes, scale=self.scale, convention=convention)
            ]

        certainty, convention = settle(lambda way: not misfits(way))
        what = f"the mean of {splits} splits of {sizes[0]} or {sizes[1]} cases"
        if certainty == CONSISTENT:
            return Outcome(
                certainty, f"{all_of(len(self.numbers))} can be {what}{how(convention)}."
            )
        wrong = misfits(NEAREST)
        return Outcome(
            certainty,
            f"{len(wrong)} of {len(self.numbers)} cannot be {what}: {', '.join(wrong)}.",
        )

    def _fits(self, n: int, convention: str) -> dict[str, bool]:
        return {
            name: grim(text, n, scale=self.scale, step=Fraction(self.step), convention=convention)
            for name, text in self.numbers.items()
        }

    def _always(self, n: int) -> bool:
        gap = self.scale * Fraction(self.step) / n
        return all(gap <= Fraction(1, 10 ** decimals(text)) for text in self.numbers.values())

    def _neighbours(self, name: str, n: int) -> str:
        text = self.numbers[name]
        gap = self.scale * Fraction(self.step) / n
        below = value(text) // gap
        digits = decimals(text) + 2
        return (
            f"{name} {text} lies between {show(below * Fraction(self.step))}/{n} = "
            f"{show(below * gap, digits)} and {show((below + 1) * Fraction(self.step))}/{n} = "
            f"{show((below + 1) * gap, digits)}"
        )

    def _repair(self) -> str:
        """Name the fewest repeats of the first number of cases that would explain all."""
        n = next(iter(self.n.values()))
        for repeats in range(2, 21):
            if all(self._fits(n * repeats, NEAREST).values()):
                trivial = ", as all of these digits do" if self._always(n * repeats) else ""
                return f" They would fit {repeats} x {n} = {repeats * n}{trivial}."
        return ""


def all_of(count: int) -> str:
    return "The number" if count == 1 else f"All {count} numbers"
