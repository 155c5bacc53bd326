"""Members of archives, read in memory: nothing is unpacked to disk."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath

from icml2008.data.content import read_content
from icml2008.errors import Icml2008Error


class UnsafeArchive(Icml2008Error):
    """An archive with a member that would be unpacked outside of its folder."""


def read_members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files in a tar archive, in their order, packed or not.

    Parameters
    ----------
    path : pathlib.Path
        The archive.

    Yields
    ------
    name : str
        Path inside the archive, with forward slashes.
    content : bytes
        What the file holds.

    Raises
    ------
    UnsafeArchive
        At a member with an absolute path or one that leads upwards, and at links and devices.
    """
    with tarfile.open(fileobj=BytesIO(read_content(path))) as archive:
        for member in archive:
            name = PurePosixPath(member.name.replace("\\", "/"))
            drive = name.parts[:1] and name.parts[0].endswith(":")
            if name.is_absolute() or ".." in name.parts or drive:
                message = f"{path.name}: member {member.name!r} leads outside of the archive"
                raise UnsafeArchive(message)
            if member.isdir():
                continue
            if not member.isreg():
                message = f"{path.name}: member {member.name!r} is neither a file nor a folder"
                raise UnsafeArchive(message)
            yield str(name), archive.extractfile(member).read()
