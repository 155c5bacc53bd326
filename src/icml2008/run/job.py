"""How a job is done: in its run's warm process where there is one, else in a process of its own."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic
from icml2008.run import worker


def perform(snakemake: Any) -> None:
    """Do the step that is called as the job's rule and end the process: all that a script does.

    Parameters
    ----------
    snakemake : object
        What Snakemake gives to a script.
    """
    name = snakemake.params.get("arithmetic", arithmetic.BASELINE)
    try:
        status = worker.ask(name, snakemake)
        if status is None:
            worker.prepare(name)
            do(snakemake)
    except KeyboardInterrupt:  # of which the run itself speaks
        sys.exit(1)
    sys.exit(status)


def do(snakemake: Any) -> None:
    """Do the step here."""
    with logged(snakemake.log[0]):
        from icml2008.catalogue.library import add_papers
        from icml2008.run import steps

        if papers_path := snakemake.params.get("papers_path"):
            add_papers(papers_path)
        steps.step_of(snakemake.rule)(snakemake)


@contextmanager
def logged(file: str | Path) -> Iterator[None]:
    """Run the body with its output in a log; a failure goes there, too, and ends the process.

    Where the log cannot be written, the failure goes to the standard error.
    """
    outside = sys.stderr
    said = ""
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
                said = _words(error)
                log.write(said)
    except OSError as error:
        said = said or f"cannot write {file}: {error.strerror}\n"
        outside.write(said)
    if said:
        sys.exit(1)


def _words(error: Exception) -> str:
    if isinstance(error, Icml2008Error):
        return f"{error}\n"
    if isinstance(error, MemoryError):
        return f"{traceback.format_exc()}more memory than there is, or than a trial may take\n"
    return traceback.format_exc()
