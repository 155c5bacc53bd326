"""Bring what a URL has to a file: no longer than is registered, and again where that may help."""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass
from pathlib import Path

from icml2008.data.progress import Bar, progress_bar
from icml2008.data.repack import BadArchive

# A full or write-protected disk is the machine's fault and never the source's.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@dataclass(frozen=True)
class Patience:
    """How long to go on with a download that fails for a reason that may pass.

    Attributes
    ----------
    attempts : int
        Downloads tried of one URL.
    wait : float
        Seconds before the second attempt; doubled for each one after it.
    timeout : float
        Seconds without a byte after which a connection counts as stalled.
    grace, slowest : float
        A download may take so many seconds, and its size over so many bytes a second besides.
    """

    attempts: int = 3
    wait: float = 1.0
    timeout: float = 20.0
    grace: float = 60.0
    slowest: float = 10_000.0


PATIENCE = Patience()
# That a download may be longer than the content: what an archive's format adds to it.
_SLACK = 1 << 20


class _Broken(OSError):
    """A download that was broken off, with the reason in words; `again` if that may pass."""

    def __init__(self, why: str, again: bool):
        super().__init__(why)
        self.again = again


def download(url: str, size: int, progress: bool, patience: Patience, part: Path) -> None:
    """Write what a URL delivers to a path; try again where the failure may pass."""
    for attempt in range(patience.attempts):
        try:
            with progress_bar(url.rsplit("/", 1)[-1], shown=progress) as bar:
                _receive(url, size + _SLACK, patience, bar, part)
            return
        except OSError as error:
            if attempt == patience.attempts - 1 or not _may_pass(error):
                raise
            time.sleep(patience.wait * 2**attempt)


def _receive(url: str, limit: int, patience: Patience, bar: Bar, part: Path) -> None:
    """Write what a URL delivers to a path, no more bytes and no longer than is allowed."""
    import requests
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    end = time.monotonic() + patience.grace + limit / patience.slowest
    received = 0
    with (
        requests.get(url, stream=True, timeout=patience.timeout) as response,
        open(part, "wb") as file,
    ):
        response.raise_for_status()
        bar.start(int(response.headers.get("content-length", 0)))
        try:
            # As it comes: a server that sends a byte a second is asked for no more than that.
            while chunk := response.raw.read1(1 << 16, decode_content=True):
                received += len(chunk)
                if received > limit:
                    raise _Broken(why="longer than what is registered", again=False)
                if time.monotonic() > end:
                    raise _Broken(why="too slow", again=False)
                file.write(chunk)
                bar.update(len(chunk))
        except ReadTimeoutError as error:
            raise _Broken(why="stalled", again=True) from error
        except HTTPError as error:
            raise _Broken(why="ended early", again=True) from error


def _may_pass(error: OSError) -> bool:
    """Say whether a download that failed thus may succeed later."""
    if isinstance(error, _Broken):
        return error.again
    if (status := _status(error)) is not None:
        return status >= 500 or status in (408, 429)
    return error.errno not in NO_ROOM


def _status(error: OSError) -> int | None:
    """Return the HTTP status that an error of requests carries, if any."""
    return getattr(getattr(error, "response", None), "status_code", None)


def reason(error: OSError) -> str:
    """Say in a few words why a source failed, without addresses, which differ between runs."""
    if isinstance(error, _Broken | BadArchive):
        return str(error)
    if (status := _status(error)) is not None:
        return f"HTTP status {status}"
    if isinstance(error, FileNotFoundError):
        return "not there"
    if error.errno is not None:
        return os.strerror(error.errno)
    return type(error).__name__


def is_page(path: Path) -> bool:
    """Say whether a file is HTML, which dead addresses and log-in portals give with status 200."""
    with open(path, "rb") as file:
        start = file.read(512).lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))
