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
from icml2008.audit.numbers import MIXED, NEAREST, decimals, point, show, stands_for, value

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


def grimmer(
    mean: str, sd: str, n: int, *, scale: int = 1, cases: int = 1, convention: str = NEAREST
) -> bool:
    """Return whether a mean and a standard deviation of n counts can be printed so.

    A necessary condition: a sum and a sum of squares of whole numbers exist that round to both,
    are both even or both odd, and the squares are not fewer than evenly spread numbers have. The
    standard deviation may divide by n - 1 or by n.

    Parameters
    ----------
    mean, sd : str
    n : int
        How many numbers.
    scale, cases : int
        The numbers are ``scale * count / cases``; 100 and the test size for percentages right.

    Examples
    --------
    >>> grimmer("5.21", "1.60", 28), grimmer("3.44", "2.47", 18)
    (True, False)
    """
    factor = Fraction(cases, scale)
    squared = stands_for(sd, convention).times(factor).squared()
    for total in stands_for(mean, convention).times(n * factor).integers():
        each, more = divmod(total, n)
        least = n * each**2 + more * (2 * each + 1)
        for divisor in {n, max(n - 1, 1)}:
            squares = (squared.times(divisor) + point(Fraction(total**2, n))).integers()
            first = max(squares.start, least)
            if first + (first - total) % 2 < squares.stop:
                return True
    return False


def debit(mean: str, sd: str, n: int, *, scale: int = 1, convention: str = NEAREST) -> bool:
    """Return whether mean and standard deviation of n outcomes 0 or 1 can be printed so.

    Examples
    --------
    >>> debit("0.77", "0.42", 1683), debit("0.19", "0.35", 1683)
    (True, False)
    """
    squared = stands_for(sd, convention).times(Fraction(1, scale)).squared()
    ones = stands_for(mean, convention).times(Fraction(n, scale)).integers()
    return any(
        squared.meets(point(Fraction(k * (n - k), n * divisor)))
        for k in ones
        if 0 <= k <= n
        for divisor in {n, max(n - 1, 1)}
    )


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
            text = f"{_all(count)} can be a mean of {n} ({about}){how(convention)}"
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
            return Outcome(certainty, f"{_all(len(self.numbers))} can be {what}{how(convention)}.")
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


class _Spreads(Declaration):
    """Means with standard deviations; ``n`` is how many numbers each is the mean of."""

    numbers: Annotated[dict[Text, Spread], Field(min_length=1)]
    n: Count
    scale: Count = 1

    def _fits(self, mean: str, sd: str, convention: str) -> bool:
        raise NotImplementedError

    def _settle(self, what: str) -> Outcome:
        def fits(convention: str) -> list[str]:
            return [
                name
                for name, (mean, sd) in self.numbers.items()
                if not self._fits(mean, sd, convention)
            ]

        certainty, convention = settle(lambda way: not fits(way))
        if certainty == CONSISTENT:
            text = f"{_all(len(self.numbers))} can come from {what}{how(convention)}."
            return Outcome(certainty, text)
        wrong = fits(NEAREST if certainty != "impossible" else MIXED)
        shown = ", ".join(f"{name} {' +- '.join(self.numbers[name])}" for name in wrong)
        return Outcome(certainty, f"{shown} cannot come from {what}.")


class Grimmer(_Spreads):
    """Means and standard deviations of counts; see `grimmer`."""

    rule: Literal["GRIMMER"]
    cases: Count = 1

    def _fits(self, mean: str, sd: str, convention: str) -> bool:
        return grimmer(mean, sd, self.n, scale=self.scale, cases=self.cases, convention=convention)

    def check(self) -> Outcome:
        """Apply `grimmer` to each pair."""
        share = f" of {self.cases} cases" if self.cases > 1 else ""
        return self._settle(f"{self.n} counts{share}")


class Debit(_Spreads):
    """Means and standard deviations of outcomes 0 and 1; see `debit`."""

    rule: Literal["DEBIT"]

    def _fits(self, mean: str, sd: str, convention: str) -> bool:
        return debit(mean, sd, self.n, scale=self.scale, convention=convention)

    def check(self) -> Outcome:
        """Apply `debit` to each pair."""
        return self._settle(f"{self.n} outcomes 0 or 1")


def _all(count: int) -> str:
    return "The number" if count == 1 else f"All {count} numbers"
