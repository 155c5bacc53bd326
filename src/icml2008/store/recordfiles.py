"""Record files: those of a run, one for each universe, and the packed ones of the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from icml2008 import forms
from icml2008.forms import BrokenFile
from icml2008.harness import packing
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import Line, canonical
from icml2008.store.files import read_text

RecordSet = Mapping[tuple[str, str], Sequence[Line]]
"""By experiment and universe, the header and the measurements of a record file."""


def record_file(folder: str | Path, experiment: str, universe: str, *, kept: bool = False) -> Path:
    """Return the file of a run's measurements, or kept arrays, in the folder of its records."""
    return Path(folder, experiment, *(["kept"] if kept else []), f"{universe}.jsonl")


def _any(head: Line) -> bool:
    return True


def read_lines(path: Path, accepts: Callable[[Line], bool] = _any) -> list[list[Line]]:
    """Return header and lines of each record file in a file whose header is accepted.

    Measurements are parted where they are packed.

    Raises
    ------
    OSError
        If the file cannot be read.
    BrokenFile
        If it does not begin with a header, or a line is none of a record file.
    """
    groups: list[list[Line]] = []
    group: list[Line] | None = None
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        where = f"{path}, line {number}"
        plain = forms.from_json(text, where) if group or number == 1 or '"schema":' in text else {}
        if number == 1 or (isinstance(plain, dict) and "schema" in plain):
            head = forms.header(plain, where)
            group = [head] if accepts(head) else None
            groups += [group] if group else []
        elif group:
            group.append(forms.line(plain, where))
    if path.suffix == ".xz":
        return [[head, *packing.part(lines)] for head, *lines in groups]
    return groups


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


def packed_text(folder: Path, experiment: str) -> str:
    """Return the text of the packed records of an experiment, from the folder of a run's records.

    The default comes first, and it alone keeps its arrays.
    """
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
        texts += [f"{canonical(line)}\n" for line in [head, *packing.join(lines)]]
    return "".join(texts)
