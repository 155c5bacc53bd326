"""What is registered, taken out of the archive in which it is published.

An archive can be packed in many ways: its order, its dates, its compression, and what else is in it
are no part of the data. The registered content is therefore that of one member, or of a tar archive
that has the wanted members alone, sorted by name, with no dates and no owners. Its hash is that of
all their names and contents.
"""

from __future__ import annotations

import tarfile
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from icml2008.data.content import open_content

# What an archive may unpack to; the largest published one has some 300 MB.
_MOST = 1 << 30
_BROKEN = (tarfile.TarError, EOFError, OSError, ValueError, ArithmeticError)


class BadArchive(OSError):
    """An archive that has not what it is asked for, or that nobody should unpack."""


class _Counted:
    """A file of which no more than so many bytes are read."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._left = _MOST

    def read(self, size: int) -> bytes:
        block = self._file.read(size)
        self._left -= len(block)
        if self._left < 0:
            msg = f"it unpacks to more than {_MOST >> 20} MiB"
            raise BadArchive(msg)
        return block


def repack(archive: Path, members: str, size: int, to: Path) -> None:
    """Write what an archive holds of a registered file.

    Nothing is unpacked to disk; of all other members, links and devices among them, nothing is
    read.

    Parameters
    ----------
    archive : path
        A tar archive, packed or not.
    members : str
        Pattern of the wanted members' paths, as `fnmatch` has it. If it has no wildcard, it is one
        member, whose content is the file's; else they become a tar archive.
    size : int
        Bytes of the registered content: more is not read.
    to : path
        Where it is written.

    Raises
    ------
    BadArchive
        If it is no archive, has no such member, one that is no file, two of a name, or more than is
        registered.
    """
    try:
        with open_content(archive) as file:
            contents = _read(file, members, size)
    except BadArchive:
        raise
    except _BROKEN as error:
        msg = f"no archive: {error}"
        raise BadArchive(msg) from None
    if not contents:
        msg = f"nothing in it is called {members}"
        raise BadArchive(msg)
    is_single = len(contents) == 1 and members in contents
    to.write_bytes(contents[members] if is_single else _packed(contents))


def _read(file: BinaryIO, members: str, size: int) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    with tarfile.open(fileobj=_Counted(file), mode="r|") as archive:
        for member in archive:
            name = str(PurePosixPath(member.name))
            if not fnmatchcase(name, members) or member.isdir():
                continue
            if not member.isreg():
                msg = f"{member.name!r} is no file"
                raise BadArchive(msg)
            if name in contents:
                msg = f"{member.name!r} stands twice"
                raise BadArchive(msg)
            if member.size + sum(map(len, contents.values())) > size:
                msg = f"{members} has more than the {size} bytes that are registered"
                raise BadArchive(msg)
            contents[name] = archive.extractfile(member).read()
    return contents


def _packed(members: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(members):
            entry = tarfile.TarInfo(name)
            entry.size = len(members[name])
            archive.addfile(entry, BytesIO(members[name]))
    return out.getvalue()
