"""The content of a file, whatever it is packed in."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import BinaryIO

from icml2008.data import compress

_PACKED = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    compress.MAGIC: compress.open_compressed,
}


def open_content(path: Path) -> BinaryIO:
    """Open a file for reading, without its outer compression, which its first bytes tell."""
    with open(path, "rb") as file:
        head = file.read(8)
    for magic, opener in _PACKED.items():
        if head.startswith(magic):
            return opener(path, "rb")
    return open(path, "rb")


def read_content(path: Path) -> bytes:
    """Return a file's content."""
    with open_content(path) as file:
        return file.read()
