"""The forms of record files, verdicts and comparisons: what is read is held against them.

The JSON schemas that others can use are made of them (`icml2008.run.site.schemas`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, get_args, get_type_hints

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, TypeAdapter, with_config
from pydantic import ValidationError as _Invalid
from typing_extensions import TypedDict

from icml2008.errors import Icml2008Error
from icml2008.harness.records import SCHEMA
from icml2008.judge.verdict import Verdict

COMPARISON = 1
"""Version of what a comparison holds."""

_FORM = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

Name = Annotated[StrictStr, Field(min_length=1)]
Number = float  # whole ones, too
Coordinate = StrictStr | StrictBool | Number
Nested = list[Any] | Number


class BrokenFile(Icml2008Error, ValueError):
    """A file of results that is not what it should be; the message names it, and the place."""


@with_config(_FORM)
class Header(TypedDict):
    """The first line of a record file."""

    schema: Literal[SCHEMA]
    paper: Name
    experiment: Name
    universe: Name


@with_config(_FORM)
class _Line(TypedDict):
    cell: dict[StrictStr, Coordinate]
    repeat: Annotated[StrictInt, Field(ge=0)]


class Measurement(_Line):
    """What a method reached; null and ``non-finite`` where that is no number."""

    kind: Literal["measurement"]
    method: Name
    metric: Name
    value: Number | None
    status: NotRequired[Literal["non-finite"]]
    n_test: NotRequired[StrictInt]


@with_config(_FORM)
class Series(TypedDict):
    """What a method reached in each repeat, in a packed file; repeats are 0, 1, ... if left out."""

    kind: Literal["series"]
    cell: dict[StrictStr, Coordinate]
    method: Name
    metric: Name
    n_test: NotRequired[StrictInt]
    repeats: NotRequired[list[Annotated[StrictInt, Field(ge=0)]]]
    values: Annotated[list[Number], Field(min_length=1)]


class Failure(_Line):
    """What a method raised."""

    kind: Literal["failure"]
    method: Name
    status: Literal["failed"]
    error: StrictStr


class Cases(_Line):
    """The outcome of each test case of a method, 0 or 1."""

    kind: Literal["cases"]
    method: Name
    cases: list[Annotated[StrictInt, Field(ge=0, le=1)]]


class Array(_Line):
    """Numbers that were kept for a figure: nested lists."""

    kind: Literal["array"]
    keep: Name
    array: Nested


class NoData(_Line):
    """Why a trial was left out."""

    kind: Literal["no data"]
    status: Literal["data not available"]
    reason: StrictStr


Line = Annotated[
    Measurement | Series | Failure | Cases | Array | NoData, Field(discriminator="kind")
]

Size = Annotated[float, Field(ge=0)] | None
Amount = Annotated[StrictInt, Field(ge=0)] | None
_SIZES = dict.fromkeys(("half_unit", "printed_sd", "se", "generalises_se", "could_see"), Size)
_AMOUNTS = dict.fromkeys(("n", "failed", "printed_n", "repeats_needed"), Amount) | {
    "capped": Annotated[StrictInt, Field(ge=0)]
}
_WORDS = {
    "verdict": Literal["confirmed", "depends", "refuted", "inconclusive", "untested"],
    "finding": Literal["confirmed", "refuted", "inconclusive"] | None,
    "generalises": Literal["confirmed", "refuted", "inconclusive"] | None,
    "status": Literal["headline", "supporting", "ours", "stand_in"] | None,
}

Row = with_config(_FORM)(
    # The last is of rows that were written before there was a status.
    TypedDict(
        "Row",
        get_type_hints(Verdict) | _WORDS | _SIZES | _AMOUNTS | {"stand_in": NotRequired[bool]},
    )
)


Computed = dict[StrictStr, list[StrictStr]]
Grade = Literal["same", "arithmetic", "moved", "flipped", "missing", "unchecked"]
GRADES = get_args(Grade)
"""What a comparison can come to, by gravity; in the last no claim was judged on both sides."""


@with_config(_FORM)
class Shifted(TypedDict):
    """A mean that is another one, in the default universe where it names none."""

    experiment: Name
    cell: StrictStr
    method: Name
    metric: Name
    old: Number | StrictStr
    new: Number | StrictStr
    change: Number | None
    largest: NotRequired[Number]
    rms: NotRequired[Number]
    universe: NotRequired[Name]


@with_config(_FORM)
class Flipped(TypedDict):
    """A verdict that is another one."""

    claim: Name
    part: StrictStr
    old: StrictStr
    new: StrictStr
    universe: NotRequired[Name]


@with_config(_FORM)
class Sides(TypedDict):
    """What is known of the two sides of a comparison."""

    old: dict[StrictStr, Any]
    new: dict[StrictStr, Any]


@with_config(_FORM)
class Compared(TypedDict):
    """What became of one paper, over the trials that both sides ran.

    ``evidence`` is the hash of its committed reference where that is a side, ``hashes`` have that
    of the common lines of each experiment's records, ``computed_by`` the arithmetics of each side.
    """

    paper: Name
    grade: Grade
    compared: StrictInt
    judged: StrictInt
    means: dict[StrictStr, StrictInt]
    moved: list[Shifted]
    arithmetic: list[Shifted]
    flipped: list[Flipped]
    missing: list[StrictStr]
    stale: list[StrictStr]
    computed: StrictStr
    computed_by: Sides
    hashes: Sides
    evidence: StrictStr | None


@with_config(_FORM)
class Machine(TypedDict):
    """Where the comparison was made."""

    arithmetic: Computed
    cpu: StrictStr
    cores: StrictInt | None
    versions: dict[StrictStr, StrictStr]


@with_config(_FORM)
class Comparison(TypedDict):
    """What ``icml2008 check OLD NEW --format json`` prints."""

    schema: Literal[COMPARISON]
    icml2008: StrictStr
    commit: StrictStr
    date: StrictStr
    old: StrictStr
    new: StrictStr
    grade: Grade
    machine: Machine
    papers: list[Compared]


@cache
def _adapter(form: Any) -> TypeAdapter:
    return TypeAdapter(form)


def hold(form: Any, given: Any, where: str) -> Any:
    """Return what was given, if it has the form.

    Raises
    ------
    BrokenFile
        If not; the message begins with `where` and names the place.
    """
    try:
        _adapter(form).validate_python(given)
    except _Invalid as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        shown = repr(None if first["type"] == "missing" else first["input"])
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        msg = f"{where}: {': '.join(filter(None, [place, first['msg']]))}, found {shown}"
        raise BrokenFile(msg) from None
    return given


def from_json(text: str, where: str) -> Any:
    """Return what a JSON text says.

    Raises
    ------
    BrokenFile
        If it is not JSON; the message begins with `where`.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        msg = f"{where}: not JSON{', it breaks off' if ends else ''}: {error}"
        raise BrokenFile(msg) from None
    except (ValueError, RecursionError) as error:
        msg = f"{where}: not JSON: {error}"
        raise BrokenFile(msg) from None


def header(given: Any, where: str) -> dict[str, Any]:
    """Return the first line of a record file, if it is one of ours."""
    if isinstance(given, dict) and given.get("schema", SCHEMA) != SCHEMA:
        msg = (
            f"{where}: records of schema {given['schema']!r}, where this version has {SCHEMA}: "
            "collect them again"
        )
        raise BrokenFile(msg)
    return hold(Header, given, where)


def line(given: Any, where: str) -> dict[str, Any]:
    """Return a line of a record file, if it is one of ours."""
    record = hold(Line, given, where)
    if len(record.get("repeats", ())) not in (0, len(record.get("values", ()))):
        msg = f"{where}: {len(record['repeats'])} repeats of {len(record['values'])} values"
        raise BrokenFile(msg)
    return record


def rows(given: Iterable[Any], path: Path) -> list[dict[str, Any]]:
    """Return verdicts, if they are ours."""
    return [hold(Row, row, f"{path}: {row.get('claim')!r}") for row in given]
