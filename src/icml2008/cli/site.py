"""The command that writes the site: ``site``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from icml2008.cli.common import ResultsOption, app, each_of
from icml2008.errors import Icml2008Error
from icml2008.store import REFERENCE


@app.command()
def site(
    results: ResultsOption = REFERENCE,
    out: Annotated[Path, typer.Option(help="Folder that the site is written to.")] = Path("site"),
    docs: Annotated[
        bool, typer.Option("--docs", help="The documentation, too; it needs icml2008[docs].")
    ] = False,
) -> None:
    """Write the site from the committed evidence: static pages, nothing is run.

    A second time only what changed is made again.
    """
    from icml2008.run.site.building import build_site

    if not (results.is_dir() and Path("CITATION.cff").is_file()):
        msg = (
            f"no committed evidence in {results}: the site is written in a clone of the repository"
        )
        raise Icml2008Error(msg)
    found = build_site(out, results, each_of, docs=docs)
    made = found.get("made", 0)
    files = found["files"]
    sys.stdout.write(f"{out / 'index.html'}: {made} papers made anew, {files} files in all\n")
