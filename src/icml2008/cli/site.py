"""The command that writes the site: ``site``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from icml2008.cli.common import TO_CLONE, ResultsOption, app, each_of, shelves_of
from icml2008.errors import Icml2008Error
from icml2008.store import REFERENCE, published_verdicts


@app.command()
def site(
    keys: Annotated[
        list[str] | None,
        typer.Argument(help="Papers of which alone the pages are written, for a site in shares."),
    ] = None,
    results: ResultsOption = REFERENCE,
    out: Annotated[Path, typer.Option(help="Folder that the site is written to.")] = Path("site"),
    docs: Annotated[
        bool, typer.Option("--docs", help="The documentation, too; it needs icml2008[docs].")
    ] = False,
) -> None:
    """Write the site from the committed evidence: static pages, nothing is run.

    A second time only what changed is made again. Several processes may each write the pages of
    some papers into one folder; without keys the rest follows.
    """
    from icml2008.run.site.building import build_site

    if not (results.is_dir() and Path("CITATION.cff").is_file()):
        msg = (
            f"no committed evidence in {results}: the site is written in a clone of the "
            f"repository, {TO_CLONE}"
        )
        raise Icml2008Error(msg)
    counts = build_site(out, results, each_of, docs=docs, only=keys or ())
    made = counts.get("made", 0)
    files = counts["files"]
    if keys:
        then = f"then, for the rest of the site: icml2008 site --out {out}"
        sys.stdout.write(f"{out}: {made} papers made anew, {files} files; {then}\n")
    else:
        sys.stdout.write(f"{out / 'index.html'}: {made} papers made anew, {files} files in all\n")


@app.command()
def outcome(
    write: Annotated[
        bool, typer.Option("--write", help="Put it into README.md, and the picture beside it.")
    ] = False,
) -> None:
    """Say what came out, as README.md has it: claims by verdict, and how much is covered."""
    from icml2008.catalogue.coverage import ALL, coverage
    from icml2008.report.outcome_picture import (
        PICTURE,
        outcome_rows,
        outcome_text,
        picture,
        replaced,
    )
    from icml2008.report.pages.page import write_text
    from icml2008.report.results import PaperResults

    papers = [
        PaperResults(shelf.entry.digest, [], shelf.verdicts(more=False))
        for shelf in shelves_of(None, published_verdicts())
        if shelf.verdicts_file.is_file()
    ]
    rows = outcome_rows(papers)
    covered = next(row for row in coverage() if row["topic"] == ALL)
    text = outcome_text(rows, covered)
    if not write:
        sys.stdout.write(f"{text}\n")
        return
    readme = Path("README.md")
    if not readme.is_file():
        msg = "there is no README.md here: it is written in a clone of the repository"
        raise Icml2008Error(msg)
    write_text(readme, replaced(readme.read_text("utf-8"), text))
    write_text(Path(PICTURE), picture(rows))
    sys.stdout.write(f"{readme}, {PICTURE}\n")
