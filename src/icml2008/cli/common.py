"""What the commands share: the program, its options, and how lists are printed."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from icml2008.errors import Icml2008Error, nearest
from icml2008.store import Shelf, run_folder

if TYPE_CHECKING:
    from icml2008.report.results import PaperResults

app = typer.Typer(
    help="Which claims of ICML 2008 hold? Re-run them and see.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """How a list is printed."""

    table = "table"
    json = "json"
    csv = "csv"


TO_CLONE = "git clone https://github.com/icml2008/icml2008"
"""What brings the committed evidence, which no installed package has."""

FULL, QUICK, OTHER = map(run_folder, ("full", "quick", "quick@nehalem"))

FormatOption = Annotated[Format, typer.Option("--format", help="table, json or csv")]
ResultsOption = Annotated[Path, typer.Option("--results", help="Folder of results.")]
PublishedOption = Annotated[
    Path | None,
    typer.Option("--results", help="Folder of results.", show_default="results/reference"),
]
PapersPath = Annotated[
    Path | None, typer.Option("--papers-path", help="A further folder of papers.")
]


def shelves_of(key: str | None, results: Path) -> list[Shelf]:
    """Return where the results of a paper lie, or those of all papers."""
    from icml2008.catalogue.entry import all_entries, entry_of

    entries = [entry_of(key)] if key else all_entries()
    return [Shelf(results, entry) for entry in entries]


def console():
    from rich.console import Console

    # A pipe or a file has no edge: folded at a column, the words of a wide table fall apart.
    return Console(highlight=False, width=None if sys.stdout.isatty() else 10_000)


def progress_console():
    from rich.console import Console

    return Console(stderr=True)


def each_of(keys: list[str]):
    from rich.progress import track

    console = progress_console()
    return track(keys, "papers", console=console, transient=True, disable=not console.is_terminal)


def print_rows(rows: Iterable[dict[str, Any]], how: Format, table: Callable[[], Any]) -> None:
    if how is Format.json:  # a line for each, as they come
        between = "[\n"
        for row in rows:
            sys.stdout.write(between + json.dumps(row, ensure_ascii=False))
            between = ",\n"
        sys.stdout.write("[]\n" if between == "[\n" else "\n]\n")
    elif how is Format.csv:
        rows = list(rows)
        columns = list(dict.fromkeys(key for row in rows for key in row))
        writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
        writer.writeheader()
        plain = (list, dict)
        writer.writerows(
            {
                key: json.dumps(value) if isinstance(value, plain) else value
                for key, value in row.items()
            }
            for row in rows
        )
    else:
        console().print(table())


def print_verdicts(results: list[PaperResults]) -> None:
    from icml2008.report.terminal import verdict_lines

    styled = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    # What reads a pipe wants a name on one line.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000
    sys.stdout.writelines(
        f"{line}\n" for line in verdict_lines(results, styled=styled, width=width)
    )


def simple_table(rows: Sequence[dict[str, Any]], columns: Sequence[str]):
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(str(row[column]) for column in columns))
    return table


def _version(flag: bool) -> None:
    if flag:
        from importlib.metadata import version

        sys.stdout.write(f"icml2008 {version('icml2008')}\n")
        raise typer.Exit


@app.callback()
def _options(
    papers_path: PapersPath = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which it is.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    if papers_path:
        from icml2008.catalogue import library

        library.add_papers(papers_path)


def rerun_shelves(keys: list[str] | None, results: Path) -> list[Shelf]:
    from icml2008.catalogue.entry import rerun_entries

    return [Shelf(results, entry) for entry in rerun_entries(keys or None)]


KeyArgument = Annotated[str | None, typer.Argument(help="A paper; all of them if left out.")]


class NothingListed(Icml2008Error):
    """A list was asked for that can have nothing in it: a search that found nothing, status 1."""


def refuse_unknown(option: str, value: str | None, known: set[str]) -> None:
    if value is not None and value not in known:
        msg = f"{option}: nothing is {value!r}{nearest(value, known)}"
        raise NothingListed(msg)
