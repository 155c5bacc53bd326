"""The log of a piece of work: all that it prints, and why it failed."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from icml2008.errors import Icml2008Error


@contextmanager
def logged(file: str | Path) -> Iterator[None]:
    """Run the body with its output in a log; a failure goes there, too, and ends the process.

    Where the log cannot be written, the failure goes to the standard error.
    """
    outside = sys.stderr
    reason = ""
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        with (
            open(file, "w", encoding="utf-8") as log,
            redirect_stdout(log),
            redirect_stderr(log),
        ):
            try:
                yield
            except Exception as error:
                reason = _words(error)
                log.write(reason)
    except OSError as error:
        reason = reason or f"cannot write {file}: {error.strerror}\n"
        outside.write(reason)
    if reason:
        sys.exit(1)


def _words(error: Exception) -> str:
    if isinstance(error, Icml2008Error):
        return f"{error}\n"
    if isinstance(error, MemoryError):
        return f"{traceback.format_exc()}more memory than there is, or than a trial may take\n"
    return traceback.format_exc()
