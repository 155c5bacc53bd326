"""Record files: JSON lines, a header first, then sorted measurements, always the same bytes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from icml2008.errors import CannotWrite

SCHEMA = 2
UNFINISHED = ".part"  # ends the name of a file that is being written; one of a killed process stays
Line = dict[str, Any]
"""One line; all but the first say their `kind`: measurement, failure, cases, array or no data."""


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, shortest floats."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def header(paper: str, experiment: str, universe: str) -> Line:
    """Return the first line of a record file."""
    return {"schema": SCHEMA, "paper": paper, "experiment": experiment, "universe": universe}


def order(line: Mapping[str, Any]) -> tuple:
    """Return the sort key of a line: cell, repeat, method, then what it holds."""
    return (
        canonical(line["cell"]),
        line["repeat"],
        line.get("method", ""),
        line.get("metric", ""),
        line.get("keep", ""),
    )


def to_text(head: Line, lines: Iterable[Line]) -> str:
    """Return the text of a record file."""
    ordered = sorted(lines, key=order)
    return "".join(canonical(line) + "\n" for line in [head, *ordered])


def read(path: str | Path) -> tuple[Line, list[Line]]:
    """Return the header and the other lines of a record file."""
    ((head, lines),) = read_joined(path)
    return head, lines


def read_joined(path: str | Path) -> list[tuple[Line, list[Line]]]:
    """Return the same of each record file that was joined into one."""
    sections: list[tuple[Line, list[Line]]] = []
    for text in Path(path).read_text("utf-8").splitlines():
        line = json.loads(text)
        if "schema" in line:
            sections.append((line, []))
        else:
            sections[-1][1].append(line)
    return sections


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file under a temporary name in its folder and rename it when it is complete.

    Raises
    ------
    CannotWrite
        If the disk is full or protected, or the path is no place for a file.
    """
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        _write(path, data)
    except OSError as error:
        raise CannotWrite(error.errno, error.strerror, str(path)) from error


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(UNFINISHED, f".{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
