"""Parts of claims: their names, and tables of what is printed of each."""

from __future__ import annotations

import itertools
from collections.abc import Container, Mapping, Sequence
from typing import Any


def tabulated(given: dict[str, Any]) -> dict[str, Any]:
    """Return a claim as it is written with the parts of its tables named in full.

    Examples
    --------
    >>> each = {"method": ["A", "B"], "size": [10, 20]}
    >>> near = {"A": {10: "1.2", 20: "2.4"}, "B": {10: "1.1", 20: "-"}}
    >>> found = tabulated({"each": each, "near": near, "gap": {20: "0.2"}})
    >>> found["near"]["method=A,size=10"], found["near"]["method=A,size=20"]
    ('1.2', {'value': '2.4', 'gap': '0.2'})
    """
    each = given.get("each")
    if not isinstance(each, dict) or not all(isinstance(values, list) for values in each.values()):
        return given
    known = {str(name): set(map(str, values)) for name, values in each.items()}
    claim = dict(given)
    for name in ("above", "below", "near", "exactly", "holds", "fails"):
        by_part = given.get(name)
        if isinstance(by_part, Mapping) and any(map(_is_table, by_part.values())):
            rows = _rows(by_part, known, name)
            claim[name] = {part_names(dict(part))[-1]: text for part, text in rows.items()}
    gaps = given.get("gap")
    near = claim.get("near")
    if isinstance(gaps, Mapping) and isinstance(near, Mapping) and not _is_printing(near):
        rows = _rows(gaps, known, "gap")
        for part in products_of(each):
            gap = [text for among, text in rows.items() if among <= part.items()]
            for name in {*part_names(part)} & {*near} if gap else ():
                by_part = near[name] if isinstance(near[name], Mapping) else {"value": near[name]}
                if by_part["value"] != "-":
                    claim["near"] = near = {**near, name: {**by_part, "gap": gap[0]}}
        del claim["gap"]
    return claim


def _is_printing(printing: Any) -> bool:
    return isinstance(printing, Mapping) and "value" in printing


def _is_table(printing: Any) -> bool:
    return isinstance(printing, Mapping) and "value" not in printing


def _rows(table: Any, known: Mapping[str, Container[str]], what: str) -> dict[frozenset, Any]:
    """Return what stands in a table by the coordinates of its place."""
    if not _is_table(table):
        return {frozenset(): table}
    by_place = {}
    for value, below in table.items():
        names = [name for name, values in known.items() if str(value) in values]
        if len(names) != 1:
            of = f"of {' and '.join(names)}" if names else f"of none of {sorted(known)}"
            msg = f"`{what}`: {value!r} is a value {of}"
            raise ValueError(msg)
        others = {name: values for name, values in known.items() if name != names[0]}
        for part, text in _rows(below, others, what).items():
            by_place[part | {(names[0], str(value))}] = text
    return by_place


def products_of(each: Mapping[str, Sequence[Any]]) -> list[dict[str, str]]:
    names = sorted(each)
    values = itertools.product(*(dict.fromkeys(map(str, each[name])) for name in names))
    return [dict(zip(names, row, strict=True)) for row in values]


def part_names(part: Mapping[str, str]) -> list[str]:
    """Return the names of a part: the value of its only coordinate, and in full."""
    full = ",".join(f"{name}={value}" for name, value in sorted(part.items()))
    return [*part.values(), full] if len(part) == 1 else [full]
