"""The content of a file, whatever it is packed in."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import zlib
from pathlib import Path
from typing import BinaryIO

from icml2008.data.registry import File

_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)
_BLOCK = 1 << 20


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


def mismatch(path: Path, entry: File) -> str | None:
    """Say how a file's content differs from what is registered, or None if it does not.

    Never unpacks more than one block beyond the registered size.
    """
    digest, size = hashlib.sha256(), 0
    try:
        with open_content(path) as file:
            while size <= entry.size and (block := file.read(_BLOCK)):
                digest.update(block)
                size += len(block)
    except _BROKEN as error:
        return f"content breaks off after {size} of {entry.size} bytes ({type(error).__name__})"
    if size != entry.size:
        found = f"more than {entry.size}" if size > entry.size else str(size)
        return f"expected {entry.size} bytes of content, got {found}"
    if digest.hexdigest() != entry.sha256:
        return f"expected content with sha256 {entry.sha256}, got {digest.hexdigest()}"
    return None
