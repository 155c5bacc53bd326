"""Rows of verdicts in files: what goes without saying is left out, and put back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from icml2008.harness.choices import DEFAULT
from icml2008.judge.verdict import Verdict

Row = dict[str, Any]
"""A verdict as plain data."""


def _defaults() -> Row:
    fields = dataclasses.fields(Verdict)
    defaults = {field.name: field.default for field in fields}
    defaults |= {
        field.name: field.default_factory()
        for field in fields
        if field.default_factory is not dataclasses.MISSING
    }
    return {name: value for name, value in defaults.items() if value is not dataclasses.MISSING}


_DEFAULTS = _defaults()
# What is long and seldom asked for, by its defaults.
_LATER = {"reason": ""} | {
    name: value
    for name, value in _DEFAULTS.items()
    if name in ("inputs", "how", "confirm_how", "p_refute", "skewness")
    or name.startswith("generalises_")
}
_DEFAULT = _DEFAULTS | _LATER | {"universe": DEFAULT}
_NAMES = ("claim", "part", "universe")

_VALUES = 10**6  # of a verdict at most, whatever a file says
_UNSAID = {"generalises": None, "generalises_p": None}  # of a part in its claim's list


def _lean(row: Row, like: Row, named: Sequence[str] = _NAMES) -> Row:
    return {k: v for k, v in row.items() if k in named or k not in like or v != like[k]}


def _brief(row: Row) -> Row:
    """Leave out of a verdict what its other fields say."""
    parts = [{k: v for k, v in part.items() if v is not None} for part in row["parts"]]
    values = row["values"]
    if len(values) > 1 and values == values[:1] * len(values):
        values = {"value": values[0], "times": len(values)}
    return row | {"parts": parts, "values": values}


def _whole(row: Row) -> Row:
    """Return a verdict with what `_brief` left out; a file may hold anything."""
    parts = row.get("parts")
    if isinstance(parts, list) and all(isinstance(part, dict) for part in parts):
        row = row | {"parts": [_UNSAID | part for part in parts]}
    match row.get("values"):
        case {"value": value, "times": int(times)}:
            row = row | {"values": [value] * min(times, _VALUES)}
    return row


def _folded(rows: Sequence[Row]) -> Iterator[Row]:
    before: Row = {}
    for row in map(_brief, rows):
        follows = row["part"] and row["claim"] == before.get("claim")
        yield _lean(row, before if follows else _DEFAULT, named=("part",))
        before = row


def _unfolded(rows: Sequence[Row]) -> Iterator[Row]:
    before: Row = {}
    for row in rows:
        before = (_DEFAULT if "claim" in row else before) | row
        yield _whole(before)


def unpacked(listed: Sequence[Row], more: Iterable[Row] = ()) -> list[Row]:
    """Return verdicts from what ``verdicts.json`` lists, and from the lines of the packed file."""
    rows = list(_unfolded(listed))
    of_default = {(row.get("claim"), row.get("part")): row for row in rows}
    for line in more:
        at = line.get("claim"), line.get("part")
        if line.get("universe") == DEFAULT:
            of_default.get(at, {}).update(line)
        else:
            rows.append(of_default.get(at, _DEFAULTS) | {"inputs": None} | line)
    return rows


def packed(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return of verdicts what ``verdicts.json`` lists, and the lines of the packed file."""
    default = [row for row in rows if row["universe"] == DEFAULT]
    more = [
        {name: row[name] for name in _NAMES} | {k: row[k] for k in _LATER if row[k] != _LATER[k]}
        for row in default
    ]
    of_default = {(row["claim"], row["part"]): row | {"inputs": None} for row in default}
    more += [
        _lean(row | {"inputs": None}, of_default.get((row["claim"], row["part"]), _DEFAULTS))
        for row in rows
        if row["universe"] != DEFAULT
    ]
    return list(_folded([row | _LATER for row in default])), more
