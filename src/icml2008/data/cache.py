"""Where what was fetched or compiled once is kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(cache: str | os.PathLike | None = None) -> Path:
    """Return the cache: the given folder, else ``ICML2008_CACHE``, else the system's own place."""
    if chosen := cache or os.environ.get("ICML2008_CACHE"):
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("icml2008", False))
