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
    from icml2008.data.prospects import Probe, addresses

    rows = addresses(Probe() if ask else None)
    print_rows(rows, how, lambda: simple_table(rows, list(rows[0])))


@data_app.command("fetch")
def data_fetch(names: list[str]) -> None:
    """Fetch data sets into the cache, and read them to see whether they hold what is registered."""
    from icml2008.data.availability import ensure
    from icml2008.run.trials.outcome import usable, why

    good = True
    for name in names:
        state = ensure(name, progress=True, tell=lambda text: sys.stderr.write(f"{text}\n"))
        if not usable(state):
            sys.stdout.write(f"{name}: {state.status} ({why(state)})\n")
            good = False
        elif problem := _read_wrongly(name):
            sys.stdout.write(f"{problem}\n")
            good = False
        else:
            sys.stdout.write(f"{name}: available\n")
    if not good:
        raise typer.Exit(1)


@data_app.command("verify")
def data_verify(names: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Compare the cached files of data sets with their hashes, and what they hold with `holds`."""
    from icml2008.data import catalogue, verify
    from icml2008.data.registry import dataset_entry

    good = True
    for name in names or [row["name"] for row in catalogue() if row["state"] != "not cached"]:
        problems = verify(name)
        for file, problem in problems.items():
            sys.stdout.write(f"{name}: {file}: {problem or 'as registered'}\n")
        entry = dataset_entry(name)
        if any(problems.values()):
            good = False
        elif entry.lacks:
            sys.stdout.write(f"{name}: not read, which needs {', '.join(entry.lacks)}\n")
        elif problem := _read_wrongly(name):
            sys.stdout.write(f"{problem}\n")
            good = False
        elif entry.holds:
            sys.stdout.write(f"{name}: holds what is registered\n")
    if not good:
        raise typer.Exit(1)


def _read_wrongly(name: str) -> str | None:
    """Return why a data set in the cache cannot be read or holds something else."""
    from icml2008.data import DataOtherwise, DataUnreadable, load

    try:
        load(name, offline=True)
    except (DataOtherwise, DataUnreadable) as error:
        return str(error)
    return None
