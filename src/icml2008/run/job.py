"""How a job is done: in its run's warm process where there is one, else in a process of its own."""

from __future__ import annotations

import socket
import sys
from typing import Any

from icml2008.harness import arithmetic
from icml2008.harness.logs import logged
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


def main(name: str, listening: str) -> None:
    """Serve the jobs of an arithmetic on a listening socket: what a warm process does."""
    worker.prepare(name)
    worker.warm_up()
    worker.serve(socket.socket(fileno=int(listening)), do)


if __name__ == "__main__":
    main(*sys.argv[1:])
