"""Bring a registered file into the cache: from the cache itself, a mirror, or its URLs."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from icml2008.data.cache import cache_folder
from icml2008.data.download import NO_ROOM, PATIENCE, Patience, download, is_page, reason
from icml2008.data.integrity import mismatch
from icml2008.data.registry import Archive, File, file_entry
from icml2008.data.repack import repack
from icml2008.errors import Icml2008Error

Tried = tuple[tuple[str, str], ...]


class _NotFetched(Icml2008Error):
    """A file that could not be had, with the sources tried and the reason for each."""

    head: str

    def __init__(self, name: str, tried: Tried, cache: Path, made_from: str | None = None):
        super().__init__(name, tried, cache, made_from)
        self.name = name
        self.tried = tried
        self.cache = cache
        self.made_from = made_from

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.head}"]
        lines += [f"  {source}: {reason}" for source, reason in self.tried]
        if self.made_from:
            lines.append(f"Nobody publishes it as such; it was made from {self.made_from}")
        lines.append(
            "Set ICML2008_MIRROR to a folder or URL that has it, or put the file at "
            f"{self.cache / self.name}"
        )
        return "\n".join(lines)


class DataUnavailable(_NotFetched):
    """No source has the file."""

    head = "could not be had from any source"


class DataCorrupt(_NotFetched):
    """A source delivered something else than what is registered, and no other source has it."""

    head = "what was found is not what is registered, and was removed"


# Seconds; a download that stalls is given up after a fraction of them.
_ABANDONED = 86_400.0


def all_mirrors(mirrors: Iterable[str | os.PathLike] = ()) -> list[str]:
    """Return ``ICML2008_MIRROR``, where set, and then the given mirrors, each once."""
    named = [os.environ.get("ICML2008_MIRROR", ""), *map(os.fspath, mirrors)]
    return list(dict.fromkeys(mirror for mirror in named if mirror))


def is_url(source: str) -> bool:
    """Say whether a mirror is a URL; else it is a folder."""
    return source.startswith(("http://", "https://"))


def mirror_url(mirror: str, name: str) -> str:
    """Return the address of a file on a mirror that is a URL."""
    return f"{mirror.rstrip('/')}/{quote(name)}"


def fetch_file(
    name: str,
    *,
    mirrors: Iterable[str | os.PathLike] = (),
    cache: str | os.PathLike | None = None,
    offline: bool = False,
    progress: bool = False,
    patience: Patience = PATIENCE,
) -> Path:
    """Return the path of a registered file in the cache, whose content has just been checked.

    Parameters
    ----------
    name : str
        The file's path inside a mirror, such as ``census/cities.dbf``.
    mirrors : iterable of str or path
        Folders or URLs to look in after ``ICML2008_MIRROR`` and before the file's own URLs.
    cache : str or path, optional
        Folder of the cache; default ``ICML2008_CACHE``, else the system's place for caches.
    offline : bool
        Use the cache and folders only.
    progress : bool
        Show a progress bar on standard error.
    patience : Patience
        Attempts, waits and time limits of a download.

    Returns
    -------
    pathlib.Path
        The file, complete and with the registered content. Other processes may fetch it at the
        same time: each writes a file of its own and renames it at the end.

    Raises
    ------
    UnknownData
        If the file is not registered.
    DataUnavailable
        If no source has it.
    DataCorrupt
        If a source had something else under this name, and no source had the right content.
    """
    entry = file_entry(name)
    folder = cache_folder(cache)
    target = folder / name
    if not target.is_file():
        fault = "not there"
        corrupt = False
    elif fault := mismatch(target, entry):
        corrupt = True
    else:
        return target
    tried = [(f"cache {target}", fault)]
    _make_folder(target.parent)
    _remove_abandoned(target.parent)
    for source, deliver in _sources(name, entry, mirrors, offline, progress, patience):
        part = target.with_name(f".{target.name}.{uuid4().hex}.part")
        try:
            deliver(part)
            if not (fault := mismatch(part, entry)):
                os.replace(part, target)
                return target
            if is_page(part):
                fault = "a web page instead of the file"
            else:
                corrupt = True
        except OSError as error:
            if error.errno in NO_ROOM:
                message = f"cannot write {target}: {os.strerror(error.errno)}"
                raise Icml2008Error(message) from error
            fault = reason(error)
        finally:
            part.unlink(missing_ok=True)
        tried.append((source, fault))
    target.unlink(missing_ok=True)
    kind = DataCorrupt if corrupt else DataUnavailable
    raise kind(name, tuple(tried), folder, entry.made_from)


def _remove_abandoned(folder: Path) -> None:
    """Remove what killed processes were fetching: nothing in use goes unwritten for so long."""
    for part in folder.glob(".*.part"):
        with suppress(OSError):  # another process may remove it, too
            if time.time() - part.stat().st_mtime > _ABANDONED:
                part.unlink()


def _sources(
    name: str,
    entry: File,
    mirrors: Iterable[str | os.PathLike],
    offline: bool,
    progress: bool,
    patience: Patience,
) -> Iterator[tuple[str, Callable[[Path], None]]]:
    """Yield the places to try, in order, each with a function that writes the file to a path."""
    for mirror in all_mirrors(mirrors):
        if is_url(mirror):
            url = mirror_url(mirror, name)
            if not offline:
                yield f"mirror {url}", partial(download, url, entry.size, progress, patience)
        else:
            path = Path(mirror).expanduser() / name
            yield f"mirror {path}", partial(shutil.copyfile, path)
    if offline:
        return
    for url in entry.urls:
        yield f"URL {url}", partial(download, url, entry.size, progress, patience)
    for archive in entry.archives:
        deliver = partial(_take_out, archive, entry.size, progress, patience)
        yield f"archive {archive.url}", deliver


def _take_out(archive: Archive, size: int, progress: bool, patience: Patience, part: Path) -> None:
    """Write what a published archive holds of a file to a path."""
    whole = part.with_name(f".{uuid4().hex}.part")
    try:
        download(archive.url, archive.at_most, progress, patience, whole)
        if is_page(whole):
            os.replace(whole, part)
        else:
            repack(whole, archive.members, size, part)
    finally:
        whole.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        message = (
            f"cannot write to the folder {folder} of the data cache: {os.strerror(error.errno)}; "
            "set ICML2008_CACHE to a folder that can be written"
        )
        raise Icml2008Error(message) from error
