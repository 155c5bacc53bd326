"""Commands about data sets: ``data list | fetch | verify``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from icml2008.cli.common import Format, FormatOption, app, print_rows, simple_table

data_app = typer.Typer(help="The data sets: list, fetch, verify.", no_args_is_help=True)
app.add_typer(data_app, name="data")


@data_app.command("list")
def data_list(how: FormatOption = Format.table) -> None:
    """List the data sets: what they are, size, licence, state."""
    from icml2008.data import catalogue

    rows = catalogue()
    shown = [{**row, "MB": f"{row['bytes'] / 1e6:.1f}"} for row in rows]
    print_rows(rows, how, lambda: simple_table(shown, ["name", "MB", "state", "description"]))


@data_app.command("urls")
def data_urls(
    ask: Annotated[bool, typer.Option("--try", help="Ask each server whether it has it.")] = False,
    how: FormatOption = Format.table,
) -> None:
    """List where each file of each data set is published, and whether that was tried."""
    from icml2008.data.availability import Probe, addresses

    rows = addresses(Probe() if ask else None)
    print_rows(rows, how, lambda: simple_table(rows, list(rows[0])))


@data_app.command("fetch")
def data_fetch(names: list[str]) -> None:
    """Fetch data sets into the cache."""
    from icml2008.data.availability import ensure
    from icml2008.run.outcome import usable, why

    states = [
        ensure(name, progress=True, tell=lambda text: sys.stderr.write(f"{text}\n"))
        for name in names
    ]
    for state in states:
        sys.stdout.write(
            f"{state.dataset}: {state.status}{'' if usable(state) else f' ({why(state)})'}\n"
        )
    if not all(usable(state) for state in states):
        raise typer.Exit(1)


@data_app.command("verify")
def data_verify(names: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Read the cached files of data sets again and compare them with their hashes."""
    from icml2008.data import catalogue, verify

    wrong = False
    for name in names or [row["name"] for row in catalogue() if row["state"] != "not cached"]:
        for file, problem in verify(name).items():
            wrong |= problem is not None
            sys.stdout.write(f"{name}: {file}: {problem or 'as registered'}\n")
    if wrong:
        raise typer.Exit(1)
