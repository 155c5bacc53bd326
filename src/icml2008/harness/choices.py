"""Universes: one value for every choice that a paper leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from icml2008.errors import Icml2008Error, nearest

DEFAULT = "default"


class Choice(Protocol):
    """A question with a default and alternatives; `touches` lists experiments."""

    default: str
    alternatives: Sequence[str]
    touches: Sequence[str]


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


def choices_of(universe: str, declared: Mapping[str, Choice], experiment: str) -> dict[str, str]:
    """Return the value of every choice that touches an experiment.

    Raises
    ------
    UniverseError
        If the universe names an unknown choice or value, or spells itself in another than the
        one canonical way.
    """
    values = {name: choice.default for name, choice in declared.items()}
    changed = {}
    for part in [] if universe == DEFAULT else universe.split("+"):
        name, _, value = part.partition("=")
        if name not in declared:
            msg = f"universe {universe!r}: no choice {name!r}{nearest(name, declared)}"
            raise UniverseError(msg)
        if value not in declared[name].alternatives:
            msg = (
                f"universe {universe!r}: {name} cannot be {value!r}"
                f"{nearest(value, declared[name].alternatives)}"
            )
            raise UniverseError(msg)
        changed[name] = value
    if universe_name(changed) != universe:
        msg = f"universe {universe!r} is spelt {universe_name(changed)!r}"
        raise UniverseError(msg)
    values |= changed
    return {name: values[name] for name in declared if experiment in declared[name].touches}


def around_the_default(declared: Mapping[str, Choice], experiment: str) -> Iterator[str]:
    """Yield the universes that change one choice that touches an experiment."""
    for name, choice in sorted(declared.items()):
        if experiment in choice.touches:
            for value in choice.alternatives:
                yield universe_name({name: value})
