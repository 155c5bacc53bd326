"""The command line: ``icml2008 papers | show | cite | claims | audit | run | verdicts | ...``."""

from __future__ import annotations

import os
import sys

# Before numpy is loaded: a trial's last digits must not depend on the number of cores.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from icml2008.cli import catalogue, datasets, running  # noqa: E402, F401
from icml2008.cli.common import app  # noqa: E402
from icml2008.errors import Icml2008Error  # noqa: E402

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; a user's mistake is one message, not a traceback."""
    try:
        app()
    except Icml2008Error as error:
        if "--debug" in sys.argv:
            raise
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
