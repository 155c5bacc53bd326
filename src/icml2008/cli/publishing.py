"""Commands that make the project citable: ``cite | release``."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from icml2008.cli.common import TO_CLONE, app
from icml2008.errors import Icml2008Error, nearest

if TYPE_CHECKING:
    from icml2008.report.citable import Citable


@app.command()
def cite(
    keys: Annotated[list[str], typer.Argument(metavar="KEY[/CLAIM]...")],
    content: Annotated[
        bool, typer.Option("--content", help="What the hash of a verdict is the SHA-256 of.")
    ] = False,
) -> None:
    """Print the BibTeX entries of papers, or of the committed verdicts on claims."""
    from icml2008.catalogue import library
    from icml2008.catalogue.citing import bibtex

    for name in keys:
        key, _, claim = name.partition("/")
        if claim:
            citable = _citable(key, claim)
            sys.stdout.write(citable.content if content else f"{citable.bibtex()}\n")
        elif content:
            msg = f"--content is of a verdict: name a claim of the paper, as {key}/CLAIM"
            raise Icml2008Error(msg)
        else:
            sys.stdout.write(f"{bibtex(library.load_head(key))}\n")


def _citable(key: str, claim: str) -> Citable:
    from icml2008.catalogue.entry import entry_of
    from icml2008.report.citable import citables
    from icml2008.run.site.pages import record_hashes
    from icml2008.run.site.rendering import published
    from icml2008.store import Shelf

    shelf = Shelf.of_reference(entry_of(key))
    if shelf.entry.is_rerun and not shelf.records_folder.is_dir():
        # The hash of a verdict is of its measurements, too, which no installed package has.
        msg = (
            f"{key}: a verdict is cited from a clone of the repository, {TO_CLONE}, or by its page"
        )
        raise Icml2008Error(msg)
    committed = citables(published(shelf), record_hashes(shelf))
    if claim not in committed:
        msg = f"{key} has no committed verdict on {claim!r}{nearest(claim, committed)}"
        raise Icml2008Error(msg)
    return committed[claim]


@app.command()
def release(
    make: Annotated[
        bool, typer.Option("--make", help="Do it: write, commit, tag and archive.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Folder of the archive.")] = Path("dist"),
) -> None:
    """Say what a release of this version would do; with --make, do it.

    Nothing leaves this computer: the last line says how it is published.
    """
    from icml2008.run.release import plan, release_of

    planned = release_of(Path(), date.today())
    if not make:
        sys.stdout.write(f"{plan(planned, out)}\n")
        if any(planned.hindrances()):
            raise typer.Exit(1)
        return
    for path in planned.make(out):
        sys.stdout.write(f"{path}\n")
    sys.stdout.write(f"Publish it: git push origin HEAD {planned.tag}\n")
