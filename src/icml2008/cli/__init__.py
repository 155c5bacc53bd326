"""The command line: ``icml2008 papers | show | new | cite | claims | size | audit | run | ...``."""

from __future__ import annotations

import errno
import os
import sys

# In the order in which `--help` lists their commands.
# isort: off
from icml2008.cli import (  # noqa: F401
    listing,
    authoring,
    agreement,
    amendments,
    publishing,
    datasets,
    running,
    timings,
    verdicts,
    committed,
    site,
)

# isort: on
from icml2008.cli.common import NothingListed, app
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; a user's mistake is one message, not a traceback."""
    # A service may have closed them: what it does not want to hear goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # whose own encoding may lack what names are made of
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        arithmetic.use()  # before a command loads NumPy
        try:
            app()
        finally:
            sys.stdout.flush()  # what does not fit is said here, and not after the end
    except Icml2008Error as error:
        if "--debug" in sys.argv:
            raise
        sys.stderr.write(f"{error}\n")
        sys.exit(1 if isinstance(error, NothingListed) else 2)
    except OSError as error:
        if "--debug" in sys.argv or not _is_of_the_output(error):
            raise
        _give_up_output()
        sys.stderr.write(f"the output cannot be written: {error.strerror}\n")
        sys.exit(2)
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        from icml2008.catalogue.library import slip_of

        where = "icml2008 --debug ... shows where; please report it"
        text = slip_of(error) or f"{type(error).__name__}: {error}\n{where}"
        sys.stderr.write(f"{text}\n")
        sys.exit(2)


def _is_of_the_output(error: OSError) -> bool:
    """Return whether an error is about standard output, which has no name."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def _give_up_output() -> None:
    """Send what is still waiting to be written nowhere, lest it fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
