"""The command line: ``icml2008 papers | show | new | cite | claims | size | audit | run | ...``."""

from __future__ import annotations

import sys

from icml2008.cli import agreement, catalogue, datasets, running, site  # noqa: F401
from icml2008.cli.common import app
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; a user's mistake is one message, not a traceback."""
    for stream in (sys.stdout, sys.stderr):  # whose own encoding may lack what names are made of
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        arithmetic.use()  # before a command loads NumPy
        app()
    except Icml2008Error as error:
        if "--debug" in sys.argv:
            raise
        sys.stderr.write(f"{error}\n")
        sys.exit(1 if isinstance(error, catalogue.NothingListed) else 2)
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        where = "icml2008 --debug ... shows where; please report it"
        sys.stderr.write(f"{type(error).__name__}: {error}\n{where}\n")
        sys.exit(2)
