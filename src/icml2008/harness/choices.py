"""Universes: one value for every choice that a paper leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Protocol

from icml2008.errors import Icml2008Error, nearest

DEFAULT = "default"


class Choice(Protocol):
    """A question with a default and alternatives.

    `touches` lists the experiments, and `cells` the values of coordinates, that it can change.
    """

    default: str
    alternatives: Sequence[str]
    touches: Sequence[str]
    cells: Mapping[str, Sequence[Any]]


Choices = Mapping[str, Choice]


class UniverseError(Icml2008Error):
    """A universe names a choice or a value that the paper does not declare."""


def universe_name(changed: Mapping[str, str]) -> str:
    """Return the name of a universe from the choices that differ from their default.

    Examples
    --------
    >>> universe_name({"standardise": "no", "mic": "balanced"})
    'mic=balanced+standardise=no'
    >>> universe_name({})
    'default'
    """
    return "+".join(f"{key}={changed[key]}" for key in sorted(changed)) or DEFAULT


def changed_in(universe: str, declared: Choices) -> dict[str, str]:
    """Return the choices that a universe changes, with their values.

    Raises
    ------
    UniverseError
        If the universe names an unknown choice or value, or is not spelt in the one canonical way.
    """
    changed = {}
    for part in [] if universe == DEFAULT else universe.split("+"):
        name, _, value = part.partition("=")
        if name not in declared:
            msg = f"universe {universe!r}: no choice {name!r}{nearest(name, declared)}"
            raise UniverseError(msg)
        known = declared[name].alternatives
        if value == declared[name].default:
            msg = f"universe {universe!r}: {name} is {value!r} by default; leave it out"
            raise UniverseError(msg)
        if value not in known:
            msg = f"universe {universe!r}: {name} cannot be {value!r}{nearest(value, known)}"
            raise UniverseError(msg)
        changed[name] = value
    if universe_name(changed) != universe:
        msg = f"universe {universe!r} is spelt {universe_name(changed)!r}"
        raise UniverseError(msg)
    return changed


def choices_of(universe: str, declared: Choices, experiment: str) -> dict[str, str]:
    """Return the value of every choice that touches an experiment."""
    changed = changed_in(universe, declared)
    return {
        name: changed.get(name, choice.default)
        for name, choice in declared.items()
        if experiment in choice.touches
    }


def projected(
    universe: str, declared: Choices, experiment: str, cell: Mapping[str, Any] | None = None
) -> str:
    """Return the universe without the changes that cannot touch an experiment, or a cell of it.

    Two universes of one projection have the same records there: they are run once.
    """

    def touched(choice: Choice) -> bool:
        return experiment in choice.touches and (
            cell is None or all(cell.get(name) in values for name, values in choice.cells.items())
        )

    changed = changed_in(universe, declared)
    return universe_name({name: v for name, v in changed.items() if touched(declared[name])})


def around_the_default(declared: Choices) -> list[str]:
    """Return the universes that change one choice, sorted."""
    return [
        universe_name({name: value})
        for name, choice in sorted(declared.items())
        for value in choice.alternatives
    ]


def crossed(declared: Choices, limit: int) -> list[str]:
    """Return the universes of all combinations; above the limit, an even sample of them.

    Those around the default are always there, the default itself never is.
    """
    names = sorted(declared)
    values = [[declared[name].default, *declared[name].alternatives] for name in names]
    single = around_the_default(declared)
    step = max(1, -(-prod(map(len, values)) // limit))
    every = [
        universe_name(
            {
                name: value
                for name, value in zip(names, combination, strict=True)
                if value != declared[name].default
            }
        )
        for place, combination in enumerate(product(*values))
        if place % step == 0
    ]
    return sorted({*single, *every} - {DEFAULT})
