"""Texts that take long to make, kept in files for as long as what they are made of stays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from icml2008.harness.records import write_atomically


def kept(file: Path, parts: Iterable[str | bytes], make: Callable[[], str]) -> str:
    """Return a text as it is kept in a file, or make it and keep it there.

    The file begins with a hash of what the text is made of and of the text itself, so that one that
    is old, broken or of something else is never read as this one.

    Parameters
    ----------
    file : Path
        Where it is kept; nowhere if that cannot be written.
    parts : iterable of str or bytes
        All that the text is made of, in any form: what is read, and the code that makes it.
    make : callable
        Makes the text.
    """
    made_of = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        made_of.update(b"%d\n%b\n" % (len(data), data))

    def sealed(text: bytes) -> bytes:
        seal = made_of.copy()
        seal.update(text)
        return seal.hexdigest().encode() + b"\n" + text

    with suppress(OSError):
        content = file.read_bytes()
        text = content.partition(b"\n")[2]
        if content == sealed(text):
            return text.decode()
    made = make()
    with suppress(OSError):
        write_atomically(file, sealed(made.encode()))
    return made
