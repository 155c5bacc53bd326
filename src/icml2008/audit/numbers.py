"""What a printed number can stand for, in exact arithmetic."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from icml2008.errors import Icml2008Error

NEAREST = "to nearest"
TRUNCATED = "truncated"
RAISED = "rounded up"
MIXED = "mixed"

CONVENTIONS = (NEAREST, TRUNCATED, RAISED)

_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][-+]?\d+)?")


class AuditError(Icml2008Error):
    """An entry of ``audit`` in a ``paper.yaml`` is wrong; the message names it."""


@dataclass(frozen=True)
class Interval:
    """The numbers between two ends, which belong to it unless they are open.

    Attributes
    ----------
    low, high : Fraction
    low_open, high_open : bool

    Examples
    --------
    >>> Interval(Fraction(1, 3), Fraction(2)).integers()
    range(1, 3)
    >>> Interval(Fraction(1, 3), Fraction(2), high_open=True).integers()
    range(1, 2)
    """

    low: Fraction
    high: Fraction
    low_open: bool = False
    high_open: bool = False

    def __add__(self, other: Interval) -> Interval:
        return Interval(
            self.low + other.low,
            self.high + other.high,
            self.low_open or other.low_open,
            self.high_open or other.high_open,
        )

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.high_open, self.low_open)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def times(self, factor: Fraction | int) -> Interval:
        """Return the interval of all multiples by a positive factor."""
        return Interval(self.low * factor, self.high * factor, self.low_open, self.high_open)

    def over(self, other: Interval) -> Interval:
        """Return the interval of quotients of two intervals of positive numbers."""
        return Interval(
            self.low / other.high,
            self.high / other.low,
            self.low_open or other.high_open,
            self.high_open or other.low_open,
        )

    def squared(self) -> Interval:
        """Return the interval of squares of the numbers that are not negative."""
        if self.low < 0:
            return Interval(Fraction(0), self.high**2, False, self.high_open)
        return Interval(self.low**2, self.high**2, self.low_open, self.high_open)

    def meets(self, other: Interval) -> bool:
        """Return whether the two have a number in common."""
        if self.low == other.high:
            return not (self.low_open or other.high_open)
        if self.high == other.low:
            return not (self.high_open or other.low_open)
        return self.low < other.high and other.low < self.high

    def integers(self) -> range:
        """Return the whole numbers in the interval."""
        first = math.ceil(self.low)
        last = math.floor(self.high)
        first += self.low_open and first == self.low
        last -= self.high_open and last == self.high
        return range(first, last + 1)


def value(text: str) -> Fraction:
    """Return the number that a string prints.

    Raises
    ------
    AuditError
        If it is no number.
    """
    return Fraction(_decimal(text))


def point(number: Fraction | int) -> Interval:
    """Return the interval that holds one number."""
    return Interval(Fraction(number), Fraction(number))


@lru_cache(4096)
def stands_for(text: str, convention: str = NEAREST) -> Interval:
    """Return the numbers that are printed as a string.

    Parameters
    ----------
    text : str
        Such as ``75.00``, ``905,970``, ``5.59e-3`` or ``10%``.
    convention : str
        ``to nearest`` (a tie goes either way), ``truncated`` (towards zero), ``rounded up`` (away
        from zero), or ``mixed``: any of them.

    Examples
    --------
    >>> found = stands_for("0.25")
    >>> float(found.low), float(found.high)
    (0.245, 0.255)
    """
    number = value(text)
    unit = _unit(text)
    size = abs(number)
    reach = {
        NEAREST: Interval(size - unit / 2, size + unit / 2),
        # A printed zero may have lost its sign.
        TRUNCATED: Interval(size if size else -unit, size + unit, not size, True),
        RAISED: Interval(size - unit if size else size, size, bool(size), False),
        MIXED: Interval(size - unit, size + unit, True, True),
    }[convention]
    return -reach if number < 0 else reach


def show(number: Fraction | float, digits: int = 4) -> str:
    """Return a number with some digits, without zeros at the end.

    Examples
    --------
    >>> show(Fraction(2, 3)), show(Fraction(5)), show(Fraction(1234567, 2))
    ('0.6667', '5', '617283.5')
    """
    text = f"{float(number):.{max(digits, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimals(text: str) -> int:
    """Return how many digits follow the point."""
    return max(0, -_decimal(text).as_tuple().exponent)


def _decimal(text: str) -> Decimal:
    clean = text.strip().removesuffix("%").strip().replace("\N{MINUS SIGN}", "-")
    if not _NUMBER.fullmatch(clean) or not any(letter.isdigit() for letter in clean):
        msg = f"{text!r} is no number; write it as printed: 75.00, 905,970, 5.59e-3 or 10%"
        raise AuditError(msg)
    return Decimal(clean.replace(",", ""))


def _unit(text: str) -> Fraction:
    return Fraction(10) ** _decimal(text).as_tuple().exponent
