"""Files of results: read whole and checked, written whole or not at all."""

from __future__ import annotations

import io
import json
import lzma
from pathlib import Path
from typing import Any

from icml2008 import forms
from icml2008.forms import BrokenFile
from icml2008.harness.records import UNFINISHED, canonical, write_atomically
from icml2008.store.places import REFERENCE, run_folder

PACKED = ".jsonl.xz"
# A larger dictionary than this preset's 8 MiB makes no reference smaller.
_PRESET = 6 | lzma.PRESET_EXTREME
# The largest record file is a fortieth of it.
_MOST = 256 << 20


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
