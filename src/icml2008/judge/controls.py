"""Controls: the floor that a method should clear, the ceiling that none should pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from .measures import Metric, Strict, Text, fits
from .printed import parse

SIDES = ("floor", "ceiling")


Values = Annotated[
    Annotated[Text, Tag("number")] | Annotated[dict[Text, Text], Tag("cells")],
    Discriminator(lambda given: "cells" if isinstance(given, Mapping) else "number"),
]


class Constant(Strict):
    """A floor or a ceiling that follows from the problem: a number, or one for each named cell.

    Cells are named by some of their coordinates, ``dataset=digits``; the first name that fits a
    cell counts, ``else`` fits all, and a cell that no name fits has no such control.
    """

    value: Values
    why: Text

    @model_validator(mode="after")
    def _numbers(self) -> Constant:
        texts = self.value.values() if isinstance(self.value, dict) else [self.value]
        for text in texts:
            number = parse(text, where="`value`")
            if number.value is None or number.bound:
                msg = f"`value`: {text!r} is not one number"
                raise ValueError(msg)
        return self

    def at(self, cell: Mapping[str, Any]) -> float | None:
        """Return the number of a cell; None where there is none."""
        if not isinstance(self.value, dict):
            return parse(self.value).value
        texts = [text for name, text in self.value.items() if fits(name, cell)]
        return parse(texts[0]).value if texts else None

    @property
    def names(self) -> list[str]:
        """The names of cells."""
        return list(self.value) if isinstance(self.value, dict) else []


def _form(control: Any) -> str:
    return "constant" if isinstance(control, Mapping | Constant) else "method"


Control = Annotated[
    Annotated[Text, Tag("method")] | Annotated[Constant, Tag("constant")], Discriminator(_form)
]


class Controls(Strict):
    """What results are held against: a floor, and a ceiling where there is one.

    Attributes
    ----------
    metrics : list of str
        Of which metrics of the experiment.
    floor, ceiling : str or Constant
        The worst result that makes sense, and the best that is possible: a method of the
        experiment, or a constant. Where lower is better, the floor is the larger number.
    none : str
        Why there is no floor.
    """

    metrics: Annotated[list[Text], Field(min_length=1)]
    floor: Control | None = None
    ceiling: Control | None = None
    none: Text | None = None

    @model_validator(mode="after")
    def _floor_or_reason(self) -> Controls:
        if (self.floor is None) == (self.none is None):
            msg = "give `floor`, or in `none` the reason why there is none"
            raise ValueError(msg)
        return self


def is_controlled(metric: Metric) -> bool:
    """Return whether results of a metric need controls: it runs from 0 to a bound, as accuracy."""
    low, high = metric.bounds
    return metric.better != "neither" and low == 0 and high is not None
