"""One run at a time in a folder, by a lock that the system takes back however a run ends.

Snakemake's own lock is a file, which stays when a run is killed: the profiles leave it out.
"""

from __future__ import annotations

import atexit
import errno
import fcntl
import os
import socket
from pathlib import Path
from typing import TextIO

from icml2008.errors import Icml2008Error

FILE = Path(".snakemake/icml2008.lock")

# Forks do not inherit it; nothing may close the file before the process ends.
_held: TextIO | None = None
_before = ""


class FolderInUse(Icml2008Error):
    """Another run is at work in this folder."""


def hold() -> str:
    """Take this folder for as long as the process lives; who has it keeps it.

    Returns
    -------
    str
        Who had it before, if that run ended without letting it go; else empty.

    Raises
    ------
    FolderInUse
        If a run that lives has it.
    """
    global _held, _before
    if _held is not None:  # the system takes a lock back when any file of it is closed
        return _before
    FILE.parent.mkdir(parents=True, exist_ok=True)
    file = FILE.open("a+", encoding="utf-8")
    file.seek(0)
    holder = file.read().strip()
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            return ""  # a file system without locks, as some clusters have
        msg = f"another run ({holder}) is at work in {Path.cwd()}; wait for it or end it"
        raise FolderInUse(msg) from None
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
    file.flush()  # room for it has just been found
    atexit.register(file.truncate, 0)  # what is killed leaves its name
    _held = file
    _before = holder
    return holder
