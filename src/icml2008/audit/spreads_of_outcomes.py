"""Checks of printed spreads of counts and of outcomes 0 and 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from icml2008.audit.findings import CONSISTENT, Declaration, Outcome, Text, how, settle
from icml2008.audit.granularity import Count, Spread, all_of
from icml2008.audit.numbers import MIXED, NEAREST, point, stands_for


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
            text = f"{all_of(len(self.numbers))} can come from {what}{how(convention)}."
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
