"""Whether a file holds what is registered.

Apart from reading content, which loaders do: what the registry says is no part of their code.
"""

from __future__ import annotations

import hashlib
import lzma
import zlib
from pathlib import Path

from icml2008.data.content import open_content
from icml2008.data.registry import File

_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)
_BLOCK = 1 << 20


def mismatch(path: Path, entry: File) -> str | None:
    """Say how a file's content differs from what is registered, or None if it does not.

    Never unpacks more than one block beyond the registered size.
    """
    digest = hashlib.sha256()
    size = 0
    try:
        with open_content(path) as file:
            while size <= entry.size and (block := file.read(_BLOCK)):
                digest.update(block)
                size += len(block)
    except _BROKEN as error:
        return f"content breaks off after {size} of {entry.size} bytes ({type(error).__name__})"
    if size != entry.size:
        amount = f"more than {entry.size}" if size > entry.size else str(size)
        return f"expected {entry.size} bytes of content, got {amount}"
    if digest.hexdigest() != entry.sha256:
        return f"expected content with sha256 {entry.sha256}, got {digest.hexdigest()}"
    return None
