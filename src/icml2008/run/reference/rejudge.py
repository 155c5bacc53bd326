"""Verdicts derived again from the records that are there, and where they differ from the stored.

Another machine's arithmetic changes last digits. Verdict files are therefore written with nine
digits, and numbers that differ by no more than `TOLERANCE` are the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from icml2008.harness.choices import DEFAULT
from icml2008.run.reference.judging import judge_paper
from icml2008.store import RecordSet, Shelf

# Of the larger number: derived under other kernels, numbers differed by up to 1e-12; rounding when
# they are written adds up to 1e-8, and sentences print four digits.
TOLERANCE = 1e-6
TOLERANCE_OF_WORDS = 2e-3
_NOTHING = 1e-14
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")

Row = Mapping[str, Any]


def derive(shelf: Shelf, evidence: RecordSet, scale: str) -> list[dict[str, Any]]:
    """Return the verdicts on a paper, in the universes of the stored ones, from its records.

    Raises
    ------
    PaperError
        If a claim speaks of what its experiment does not have.
    """
    shelf.entry.load()
    universes = list(dict.fromkeys(row["universe"] for row in shelf.verdicts()))
    return judge_paper(shelf.entry, evidence, scale, universes)


def differences(committed: Sequence[Row], derived: Sequence[Row]) -> list[str]:
    """Return where stored verdicts are others than derived ones, one line for each row."""
    # Of other universes a reference has no inputs.
    bare = not any(row["inputs"] for row in committed if row["universe"] != DEFAULT)
    if bare:
        derived = [row | {"inputs": None} if row["universe"] != DEFAULT else row for row in derived]
    sides = [{(row["universe"], row["claim"], row["part"]): row for row in side}
             for side in (committed, derived)]  # fmt: skip
    lines = []
    for at in sorted(sides[0].keys() | sides[1].keys()):
        universe, claim, part = at
        name = f"{claim}[{part}]" if part else claim
        name += f" in {universe}" if universe != "default" else ""
        if at not in sides[1]:
            lines.append(f"{name}: stored, but not derived from the records")
        elif at not in sides[0]:
            lines.append(f"{name}: derived from the records, but not stored")
        elif places := list(_unlike(sides[0][at], sides[1][at], "")):
            where, was, now = places[0]
            more = f", and {len(places) - 1} more" if places[1:] else ""
            lines.append(f"{name}: {where} is {was!r}, derived again it is {now!r}{more}")
    return lines


def _unlike(a: Any, b: Any, where: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for name in {**a, **b}:
            yield from _unlike(a.get(name), b.get(name), f"{where}.{name}".lstrip("."))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, pair in enumerate(zip(a, b, strict=True)):
            yield from _unlike(*pair, f"{where}[{place}]")
    elif not _alike(a, b):
        yield where, a, b


def _alike(a: Any, b: Any) -> bool:
    if a == b:
        return True
    if isinstance(a, str) and isinstance(b, str):
        numbers = [[float(text) for text in _NUMBER.findall(side)] for side in (a, b)]
        return _NUMBER.sub("#", a) == _NUMBER.sub("#", b) and all(
            math.isclose(*pair, rel_tol=TOLERANCE_OF_WORDS, abs_tol=_NOTHING)
            for pair in zip(*numbers, strict=True)
        )
    plain = isinstance(a, int | float) and isinstance(b, int | float)
    return plain and math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=_NOTHING)
