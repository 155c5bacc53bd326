"""What a claim is compared with, as `paper.yaml` writes it and as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, model_validator

from .measures import Count, Strict, Text
from .printed import Printed, PrintedError, parse


class Near(Strict):
    """A printed value with its spread (``sd`` or ``se``) and its number of repeats.

    An unsaid ``n`` is read as 1: a number printed without one is taken for a single run. What the
    spread is over is the claim's ``sd_of``.
    """

    value: Text
    sd: Text | None = None
    se: Text | None = None
    n: Count | None = None
    margin: Text | None = None
    gap: Text | None = None

    @model_validator(mode="after")
    def _one_spread(self) -> Near:
        if (self.sd is not None) + (self.se is not None) + ("+-" in self.value) > 1:
            msg = "give one spread: sd, se, or `+-` in the value"
            raise ValueError(msg)
        return self


def near_numbers(printing: str | Near) -> list[str]:
    """Return the numbers of what is printed of one part, as they are written."""
    texts: list[Any] = [printing]
    if isinstance(printing, Near):
        texts = [printing.value, printing.sd, printing.se, printing.n]
    return [str(text) for text in texts if text not in (None, "-")]


class Never(Strict):
    """No instance, of at least that number, exceeds the numerical tolerance.

    The number is stated before the run, from the rate of violations that is to be excluded: see
    `icml2008.judge.rates.instances_for`. Where exceptions come by repeat (one draw of the data
    that all instances of a repeat share), the instance is the repeat: ``by: repeat``.
    """

    instances: Count
    tolerance: Text
    by: Literal["instance", "repeat"] = "instance"

    @model_validator(mode="after")
    def _is_a_number(self) -> Never:
        try:
            tolerance = float(self.tolerance)
        except ValueError:
            tolerance = math.nan
        if not 0 <= tolerance < math.inf:
            msg = f"`tolerance` is {self.tolerance!r}, not a number from 0 on"
            raise ValueError(msg)
        return self


def _form(value: Any) -> str:
    """Tell the forms of `near` apart, so that an error speaks of the one that was meant."""
    if isinstance(value, Mapping):
        return "printed" if "value" in value else "parts"
    return "printed" if isinstance(value, Near) else "text"


Printing = Annotated[
    Annotated[Text, Tag("text")] | Annotated[Near, Tag("printed")], Discriminator(_form)
]

Nears = Annotated[
    Annotated[Text, Tag("text")]
    | Annotated[Near, Tag("printed")]
    | Annotated[dict[str, Printing], Tag("parts")],
    Discriminator(_form),
]


@dataclass(frozen=True)
class PrintedSide:
    """The printed side of one part, as numbers.

    Attributes
    ----------
    text : str
        As printed.
    value, half_unit : float
        The number and half a unit of its last digit.
    spread : float or None
        Printed standard deviation of a repeat; None if none is printed.
    n : int
        Printed repeats, 1 if unsaid.
    sd_of : {"runs", "folds", "starts"}
        What spread and repeats are of; see `Claim`.
    fails : float or None
        Of two lines, the one from which on the claim fails; `value` is the other.
    margin, gap : float or None
        The claim's tolerance; the printed gap that the experiment is about.
    unit : str or None
        The unit that the string itself names.
    """

    text: str
    value: float
    half_unit: float
    spread: float | None = None
    n: int = 1
    margin: float | None = None
    gap: float | None = None
    unit: str | None = None
    sd_of: str = "runs"
    fails: float | None = None


def printed_number(text: str, where: str, bound: str | None = None) -> Printed:
    number = parse(text, where=where)
    if number.value is None and number.fraction is None:
        msg = f"{where}: {text!r} is not one number; make each a part of its own"
        raise PrintedError(msg)
    if number.bound and number.bound[0] != bound:
        msg = f"{where}: {text!r} is a bound; judge it with `above` (>) or `below` (<)"
        raise PrintedError(msg)
    if number.value is None:
        return Printed(text, number.fraction, 0.0, unit=number.unit)
    return number
