"""The command that keeps the hashes of changed claims: ``icml2008 changes``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from icml2008.cli.common import KeyArgument, app
from icml2008.errors import Icml2008Error


@app.command()
def changes(
    key: KeyArgument = None,
    write: Annotated[
        bool, typer.Option("--write", help="Keep today's hashes beside the evidence.")
    ] = False,
) -> None:
    """List claims that are judged in another way than at first, with no entry that is kept for it.

    Each such claim needs a new entry in `changes` of paper.yaml; --write then keeps its hash.
    """
    from icml2008 import store
    from icml2008.catalogue.changes import explained, unexplained
    from icml2008.catalogue.entry import entry_of

    left = []
    for name in (
        [key] if key else sorted(file.parent.name for file in store.REFERENCE.glob("*/claims.json"))
    ):
        shelf = store.Shelf(store.REFERENCE, entry_of(name))
        paper = shelf.entry.paper
        if not shelf.first_claims_file.is_file():
            msg = f"{name} has no evidence yet, so that its claims may be changed freely"
            raise Icml2008Error(msg)
        file = shelf.changed_claims_file
        first = store.read_json(shelf.first_claims_file)
        recorded = store.read_json(file) or {}
        hashes = explained(paper, first, recorded) if write else recorded
        if hashes != recorded:
            store.write_json(file, hashes)
            sys.stdout.write(f"{file}\n")
        left += [f"{name}: {claim}" for claim in unexplained(paper, first, hashes)]
    sys.stdout.writelines(f"{line}\n" for line in left)
    if left:
        raise typer.Exit(1)
