"""The experiments of ICML 2008, re-run and judged."""

import os
import sys
from pathlib import Path

__version__ = "0.1.0"


def _give_kernels_a_place() -> None:
    """Let numba compile where neither this package nor a home can be written.

    It keeps compiled kernels beside their source, or else in the user's cache, and refuses to
    compile where it can do neither: a tree that somebody else owns, used by who has no home. They
    are then kept for as long as the process lives.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.access(Path(__file__).parent, os.W_OK):
        return
    users = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "numba")
    there = next(place for place in (users, *users.parents) if place.exists())
    if os.access(there, os.W_OK | os.X_OK):
        return
    import atexit
    import tempfile
    from shutil import rmtree

    folder = tempfile.mkdtemp(prefix="icml2008-numba-")
    atexit.register(rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder
    if numba := sys.modules.get("numba"):
        numba.config.reload_config()


_give_kernels_a_place()
