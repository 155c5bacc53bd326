"""What every job of the workflow does around its work."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from icml2008.catalogue.library import add_papers
from icml2008.errors import Icml2008Error


@contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """Run the body with its output in the job's log; a failure goes there, too, and ends the job.

    Parameters
    ----------
    snakemake : object
        What Snakemake gives to a script.
    """
    with (
        open(snakemake.log[0], "w", encoding="utf-8") as log,
        redirect_stdout(log),
        redirect_stderr(log),
    ):
        try:
            if papers_path := snakemake.params.get("papers_path"):
                add_papers(papers_path)
            yield
        except Exception as error:
            if isinstance(error, Icml2008Error):
                log.write(f"{error}\n")
            else:
                traceback.print_exc(file=log)
            sys.exit(1)
