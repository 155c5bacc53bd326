"""Printed numbers, read with what their last digit says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow
from fractions import Fraction
from typing import Any

from ..errors import Icml2008Error

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?"
_SUFFIXES = {
    "": (1, None),
    "%": (1, "percent"),
    "K": (10**3, None),
    "M": (10**6, None),
    "B": (10**9, None),
    "s": (1, "seconds"),
    "m": (60, "seconds"),
    "h": (3600, "seconds"),
}
_PLAIN = re.compile(rf"(?P<bound>[<>]=?)?\s*(?P<number>{_NUMBER})\s*(?P<suffix>%|[KMBsmh])?")
_CLOCK = re.compile(r"(?P<hours>\d+)h\s*(?P<minutes>\d+)m")


class PrintedError(Icml2008Error, ValueError):
    """A printed string that cannot be read as numbers."""


@dataclass(frozen=True)
class Printed:
    """What a printed string says.

    Attributes
    ----------
    text : str
        As printed.
    value : float or None
        The number; None where nothing was printed (``-``) or where there are several.
    half_unit : float or None
        Half a unit of the last digit: the number stands for all in value ± half_unit.
    spread, spread_half_unit : float or None
        What follows ``+-``.
    bound : {">", ">=", "<", "<="} or None
        Set where the number is a bound.
    unit : {"percent", "seconds"} or None
        Set where the string names its unit; times are brought to seconds.
    items : tuple of Printed
        The single numbers of ``30/0``, ``0/30/3``, ``31 (20)`` and ``55-60``.
    """

    text: str
    value: float | None = None
    half_unit: float | None = None
    spread: float | None = None
    spread_half_unit: float | None = None
    bound: str | None = None
    unit: str | None = None
    items: tuple[Printed, ...] = ()

    @property
    def fraction(self) -> float | None:
        """The first number over the second, where two whole numbers were printed as ``-5/6``."""
        if "/" not in self.text or len(self.items) != 2:
            return None
        try:
            above, below = (Fraction(item.text) for item in self.items)
        except ValueError:
            return None
        return float(above / below) if below and below.denominator == 1 else None


def parse(text: str, *, where: str = "") -> Printed:
    """Read a printed string.

    Parameters
    ----------
    text : str
        Such as ``75.00``, ``5.59e-3``, ``0.868 +- 0.028``, ``10%``, ``>500``, ``30/0``, ``55-60``,
        ``31 (20)``, ``3h25m``, ``905,970`` or ``-``.
    where : str
        The claim, for the message.

    Raises
    ------
    PrintedError
        If it is not made of numbers; names the claim.

    Examples
    --------
    >>> parse("75.00").half_unit
    0.005
    >>> parse("0.868 +- 0.028").spread
    0.028
    >>> [item.value for item in parse("30/0").items]
    [30.0, 0.0]
    >>> parse("5/6").fraction.__round__(4)
    0.8333
    """
    if not isinstance(text, str):
        msg = f"{where or 'printed'}: {text!r} is not text; quote printed numbers, zeros count"
        raise PrintedError(msg)
    clean = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{PLUS-MINUS SIGN}", "+-")
    number = _parse(clean)
    if number is None:
        msg = (
            f"{where or 'printed'}: cannot read {text!r} as a printed number; write it as in the "
            "paper (75.00, 5.59e-3, 0.868 +- 0.028, 10%, >500, 30/0, 55-60, or - for nothing)"
        )
        raise PrintedError(msg)
    return number


def _parse(text: str) -> Printed | None:
    if text in {"-", "\N{EN DASH}"}:
        return Printed(text)
    if (number := _number(text)) is not None:
        return number
    if "+-" in text:
        centre, spread = (_number(piece.strip()) for piece in text.split("+-", 1))
        if centre is None or spread is None or centre.bound or spread.bound:
            return None
        return Printed(
            text, centre.value, centre.half_unit, spread.value, spread.half_unit, unit=centre.unit
        )
    if match := re.fullmatch(r"(.+?)\s*\((.+)\)", text):
        pieces = list(match.groups())
    elif "/" in text:
        pieces = text.split("/")
    elif match := re.fullmatch(r"(\d[\d.]*)\s*-\s*(\d[\d.]*)", text):
        pieces = list(match.groups())
    else:
        return None
    items = tuple(
        Printed("-") if piece.strip() == "-" else _number(piece.strip()) for piece in pieces
    )
    return None if None in items else Printed(text, items=items)


def _number(text: str) -> Printed | None:
    if clock := _CLOCK.fullmatch(text):
        seconds = 3600.0 * int(clock["hours"]) + 60.0 * int(clock["minutes"])
        return Printed(text, seconds, 30.0, unit="seconds")
    match = _PLAIN.fullmatch(text)
    if not match or not re.search(r"\d", match["number"]) or match["number"][0] in "eE":
        return None
    factor, unit = _SUFFIXES[match["suffix"] or ""]
    try:
        number = Decimal(match["number"].replace(",", ""))
        half = Decimal(5).scaleb(number.as_tuple().exponent - 1)
        value = float(number * factor)
        half_unit = float(half * factor)
    except (InvalidOperation, Overflow):
        return None
    # Beyond what a float can be, nobody has printed it.
    if not (math.isfinite(value) and math.isfinite(half_unit)) or (number and not value):
        return None
    return Printed(text, value, half_unit, bound=match["bound"], unit=unit)


def leaves(printed: Any) -> Iterator[Any]:
    """Yield what stands in nested lists and mappings, such as a table of printed numbers."""
    if isinstance(printed, Mapping):
        printed = list(printed.values())
    if isinstance(printed, list):
        for value in printed:
            yield from leaves(value)
    elif printed is not None:
        yield printed
