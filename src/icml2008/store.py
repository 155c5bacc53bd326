"""Where results lie, and how they are read and written: no other module spells it.

A folder of results is that of a run, ``results/<scale>`` (``results/<scale>@<arithmetic>`` under
another arithmetic than the baseline), or the reference, ``results/reference``. Besides its shards,
a run leaves for each paper

==============================================  ================================================
``records/<experiment>/<universe>.jsonl``       a header and measurements
``records/<experiment>/kept/<universe>.jsonl``  a header and the arrays that were kept for figures
``verdicts.json``                               the verdicts of all universes
``overview.json``                               its line of the scoreboard
==============================================  ================================================

The reference is committed, therefore it is packed:

==================================  ============================================================
``records/<experiment>.jsonl.xz``   the record files of all universes, one after the other, all
                                    repeats of a measurement on a line; the default's kept arrays
``verdicts.json``                   the verdicts of the default universe, without long fields
``verdicts.jsonl.xz``               their inputs and these fields; other universes' verdicts
``provenance.json``                 how it came about
``claims.json``                     a hash of each claim as it was judged at first
``changes.json``                    its hashes since, one for each entry of ``changes``
``arithmetic.json``                 what other arithmetics do to it
``proof.txt``                       a hash of what was found to be whole
==================================  ============================================================

Both kinds are read by the same functions. What equals the default of a field of `Verdict` is left
out of packed verdicts, from a part's in ``verdicts.json`` what equals that of the line before, and
from another universe's what equals the default's, and its inputs, which the records tell.
"""

from __future__ import annotations

import dataclasses
import io
import json
import lzma
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from icml2008 import forms
from icml2008.forms import BrokenFile
from icml2008.harness import series
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import UNFINISHED, Line, canonical, write_atomically
from icml2008.judge.verdict import Verdict

Evidence = Mapping[tuple[str, str], Sequence[Line]]
"""By experiment and universe, the header and the measurements of a record file."""

Row = dict[str, Any]
"""A verdict as plain data."""

REFERENCE = Path("results/reference")
RERUNS = Path("reruns")
"""Comparisons that others made on machines of their own, committed."""
_SHIPPED = Path(__file__).with_name("reference")  # in a wheel
_CHECKOUT = Path(__file__).parents[2] / REFERENCE  # of an editable installation

_PACKED = ".jsonl.xz"
# A larger dictionary than this preset's 8 MiB makes no reference smaller.
_PRESET = 6 | lzma.PRESET_EXTREME
# The largest record file is a fortieth of it.
_MOST = 256 << 20


# Places.


def run_folder(label: str) -> Path:
    """Return the folder of results of a scale, or of a scale and an arithmetic."""
    return Path("results") / label


def published_verdicts() -> Path:
    """Return the folder of the published verdicts: the reference here, else the package's own."""
    return next((one for one in (REFERENCE, _SHIPPED, _CHECKOUT) if one.is_dir()), REFERENCE)


def is_reference(results: Path) -> bool:
    """Return whether a folder of results is a reference: what is written there is packed."""
    return results.name == REFERENCE.name


def data_state_file(dataset: str) -> Path:
    """Return where the state of a data set stands."""
    return Path("results/data") / f"{dataset}.json"


def check_of(label: str) -> Path:
    """Return where a run's comparison with the reference stands."""
    return run_folder(label) / "check.json"


def reason_of(label: str) -> Path:
    """Return where a run that failed leaves the reason."""
    return run_folder(label) / "reason.txt"


def page_of(label: str) -> Path:
    """Return where the page of a run stands; those of its papers are beside it."""
    return run_folder(label) / "report" / "index.html"


def tables_stem(label: str, key: str) -> Path:
    """Return where a run's tables of a paper stand, less their suffixes."""
    return run_folder(label) / key / "claims"


def figures_folder(label: str, key: str) -> Path:
    """Return where a run's figures of a paper that has no published ones stand."""
    return run_folder(label) / key / "figures"


def verdicts_file(results: Path, key: str) -> Path:
    """Return where the verdicts on a paper stand; of the reference, those of the default."""
    return results / key / "verdicts.json"


def provenance_file(results: Path, key: str) -> Path:
    """Return where it stands how a reference came about."""
    return results / key / "provenance.json"


def first_claims_file(results: Path, key: str) -> Path:
    """Return where the hashes of claims stand, as they were judged at first."""
    return results / key / "claims.json"


def changed_claims_file(results: Path, key: str) -> Path:
    """Return where the hashes of claims stand that were changed, one for each change."""
    return results / key / "changes.json"


def arithmetic_file(results: Path, key: str) -> Path:
    """Return where it stands what other arithmetics do to a reference."""
    return results / key / "arithmetic.json"


def proof_file(results: Path, key: str) -> Path:
    """Return where it stands that a reference was found to be whole."""
    return results / key / "proof.txt"


def overview_file(label: str, key: str) -> Path:
    """Return where a run's line of the scoreboard stands."""
    return run_folder(label) / key / "overview.json"


def drawn_by_file(key: str) -> Path:
    """Return where it stands, beside the published figures, what they are drawn by and from."""
    return Path("figures") / key / "drawn-by.txt"


def cost_files(results: Path, key: str) -> list[Path]:
    """Return the files that say what the jobs of a paper's trials cost."""
    return sorted((results / key / "shards").glob("*/*.cost.json"))


def record_file(folder: str | Path, experiment: str, universe: str, *, kept: bool = False) -> Path:
    """Return where a run's measurements, or kept arrays, stand in the folder of its records."""
    return Path(folder, experiment, *(["kept"] if kept else []), f"{universe}.jsonl")


def packed_file(results: Path, key: str, experiment: str) -> Path:
    """Return where the records of an experiment stand in the reference."""
    return results / key / "records" / f"{experiment}{_PACKED}"


def record_files(results: Path, key: str) -> list[Path]:
    """Return the files with measurements of a paper."""
    folder = results / key / "records"
    return sorted([*folder.glob("*/*.jsonl"), *folder.glob(f"*{_PACKED}")])


# Files.


def read_text(path: Path) -> str:
    """Return the text of a file, packed or not.

    Raises
    ------
    BrokenFile
        If it is packed and broken, holds more than a record file ever does, or is not UTF-8.
    """
    raw = path.read_bytes()
    try:
        return (_unpacked(raw) if path.suffix == ".xz" else raw).decode("utf-8")
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        msg = f"{path} is broken: {error}"
        raise BrokenFile(msg) from None


def _unpacked(raw: bytes) -> bytes:
    with lzma.open(io.BytesIO(raw)) as file:
        content = file.read(_MOST + 1)
    if len(content) > _MOST:
        msg = f"it unpacks to more than {_MOST >> 20} MiB"
        raise lzma.LZMAError(msg)
    return content


def write_packed(path: Path, text: str) -> None:
    """Write a packed file atomically; one that holds this text already stays, byte for byte."""
    if not path.is_file() or read_text(path) != text:
        write_atomically(path, lzma.compress(text.encode("utf-8"), preset=_PRESET))


def read_json(path: Path) -> Any:
    """Return what a JSON file holds, or None if there is no file.

    Raises
    ------
    BrokenFile
        If it is not JSON; of a run's own folder the message says how it comes back.
    """
    if not path.is_file():
        return None
    try:
        return forms.from_json(read_text(path), str(path))
    except BrokenFile as error:
        if not path.is_relative_to(run_folder("")) or path.is_relative_to(REFERENCE):
            raise
        msg = f"{error}; remove it, and the run that made it makes it again"
        raise BrokenFile(msg) from None


def write_json(path: str | Path, content: Any) -> None:
    """Write JSON with one line for each entry of a list, atomically."""
    if isinstance(content, list):
        text = "[\n" + ",\n".join(canonical(entry) for entry in content) + "\n]\n"
    else:
        text = json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n"
    write_atomically(path, text)


def remove_unfinished() -> None:
    """Remove what a killed run was writing; nothing may be writing now."""
    for file in run_folder("").rglob(f".*{UNFINISHED}"):
        file.unlink(missing_ok=True)


@contextmanager
def replaced(results: Path, key: str) -> Iterator[Path]:
    """Give a folder of results with a copy of a paper's; it takes their place after the body.

    If the body fails, nothing has changed.
    """
    results.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".", dir=results.parent) as temporary:
        stage = Path(temporary, results.name)
        old = Path(temporary, "old")
        if (results / key).is_dir():
            shutil.copytree(results / key, stage / key)
        yield stage
        if (results / key).is_dir():
            os.rename(results / key, old)
        os.rename(stage / key, results / key)


# Records.


def _any(head: Line) -> bool:
    return True


def read_lines(path: Path, wanted: Callable[[Line], bool] = _any) -> list[list[Line]]:
    """Return header and lines of each record file in a file whose header is wanted.

    Measurements are parted where they are packed.

    Raises
    ------
    OSError
        If the file cannot be read.
    BrokenFile
        If it does not begin with a header, or a line is none of a record file.
    """
    found: list[list[Line]] = []
    group: list[Line] | None = None
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        where = f"{path}, line {number}"
        plain = forms.from_json(text, where) if group or number == 1 or '"schema":' in text else {}
        if number == 1 or (isinstance(plain, dict) and "schema" in plain):
            head = forms.header(plain, where)
            group = [head] if wanted(head) else None
            found += [group] if group else []
        elif group:
            group.append(forms.line(plain, where))
    if path.suffix == ".xz":
        return [[head, *series.part(lines)] for head, *lines in found]
    return found


def read_measurements(path: Path) -> dict[tuple[str, str], list[Line]]:
    """Return header and measurements of each record file in a file.

    Raises
    ------
    OSError
        If the file cannot be read.
    BrokenFile
        If it is no record file.
    """
    groups = read_lines(path)
    if not groups:
        msg = f"{path} is empty"
        raise BrokenFile(msg)
    return {
        (lines[0]["experiment"], lines[0]["universe"]): [
            line for line in lines if line.get("kind") != "array"
        ]
        for lines in groups
    }


def read_evidence(results: Path, key: str) -> dict[tuple[str, str], list[Line]]:
    """Return the measurements of a paper by experiment and universe, each with its header."""
    found = {}
    for path in record_files(results, key):
        found |= read_measurements(path)
    return found


def read_all_lines(results: Path, key: str, experiment: str, universe: str) -> list[Line]:
    """Return measurements and kept arrays of an experiment in a universe, without headers.

    The reference has kept arrays of the default only.
    """
    folder = results / key / "records"
    files = [
        *(record_file(folder, experiment, universe, kept=kept) for kept in (False, True)),
        packed_file(results, key, experiment),
    ]
    groups = [
        lines
        for file in files
        if file.is_file()
        for lines in read_lines(file, lambda head: head["universe"] == universe)
    ]
    return [line for lines in groups for line in lines[1:]]


def pack_records(results: Path, key: str, experiment: str, run: Path) -> Path:
    """Write the packed records of an experiment from those of a run; return where they stand."""
    folder = run / key / "records"
    order = sorted(
        (path.stem for path in (folder / experiment).glob("*.jsonl")),
        key=lambda universe: (universe != DEFAULT, universe),
    )
    texts = []
    for universe in order:
        ((head, *lines),) = read_lines(record_file(folder, experiment, universe))
        kept = record_file(folder, experiment, universe, kept=True)
        if universe == DEFAULT and kept.is_file():
            lines += read_lines(kept)[0][1:]
        texts += [f"{canonical(line)}\n" for line in [head, *series.join(lines)]]
    file = packed_file(results, key, experiment)
    write_packed(file, "".join(texts))
    return file


# Verdicts.


def _defaults() -> Row:
    fields = dataclasses.fields(Verdict)
    found = {field.name: field.default for field in fields}
    found |= {
        field.name: field.default_factory()
        for field in fields
        if field.default_factory is not dataclasses.MISSING
    }
    return {name: value for name, value in found.items() if value is not dataclasses.MISSING}


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


def _told(row: Row) -> Row:
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
        yield _told(before)


def verdict_files(results: Path, key: str) -> list[Path]:
    """Return the files of a paper's verdicts."""
    files = (verdicts_file(results, key), _more_verdicts(results, key))
    return [file for file in files if file.is_file()]


def reference_files(key: str) -> list[Path]:
    """Return the files of a paper's reference, apart from the proof that they are whole."""
    proof = proof_file(REFERENCE, key)
    return [path for path in (REFERENCE / key).rglob("*") if path.is_file() and path != proof]


def _more_verdicts(results: Path, key: str) -> Path:
    return results / key / f"verdicts{_PACKED}"


def read_verdicts(results: Path, key: str, *, more: bool = True) -> list[Row]:
    """Return the verdicts on a paper; none if it was not judged.

    Without `more`, only what ``verdicts.json`` has: of a reference, the default universe without
    reasons and inputs, which is quick to read. A reference has the inputs of the default universe
    alone.

    Raises
    ------
    BrokenFile
        If a file of theirs is not what it should be.
    """
    file = verdicts_file(results, key)
    listed = forms.hold(list[dict[str, Any]], read_json(file) or [], str(file))
    rows = list(_unfolded(listed))
    packed = _more_verdicts(results, key)
    if more and rows and packed.is_file():
        of_default = {(row.get("claim"), row.get("part")): row for row in rows}
        for number, text in enumerate(read_text(packed).splitlines(), start=1):
            where = f"{packed}, line {number}"
            line = forms.hold(dict[str, Any], forms.from_json(text, where), where)
            at = line.get("claim"), line.get("part")
            if line.get("universe") == DEFAULT:
                of_default.get(at, {}).update(line)
            else:
                rows.append(of_default.get(at, _DEFAULTS) | {"inputs": None} | line)
    return forms.rows(rows, file)


def write_verdicts(results: Path, key: str, rows: Sequence[Row]) -> None:
    """Write the verdicts on a paper in all universes."""
    if is_reference(results):
        default = [row for row in rows if row["universe"] == DEFAULT]
        more = [
            {name: row[name] for name in _NAMES}
            | {k: row[k] for k in _LATER if row[k] != _LATER[k]}
            for row in default
        ]
        of_default = {(row["claim"], row["part"]): row | {"inputs": None} for row in default}
        more += [
            _lean(row | {"inputs": None}, of_default.get((row["claim"], row["part"]), _DEFAULTS))
            for row in rows
            if row["universe"] != DEFAULT
        ]
        write_packed(_more_verdicts(results, key), "".join(f"{canonical(row)}\n" for row in more))
        rows = list(_folded([row | _LATER for row in default]))
    write_json(verdicts_file(results, key), rows)
