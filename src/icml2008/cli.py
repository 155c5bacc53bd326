"""The command line: ``icml2008 papers | show | run | verdicts | check | adopt | data``."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

# Before numpy is loaded: a trial's last digits must not depend on the number of cores.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import typer  # noqa: E402

from icml2008.errors import Icml2008Error  # noqa: E402

app = typer.Typer(
    help="Which claims of ICML 2008 hold? Re-run them and see.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
data_app = typer.Typer(help="The data sets: list, fetch, verify.", no_args_is_help=True)
app.add_typer(data_app, name="data")


class Format(StrEnum):
    """How a list is printed."""

    table = "table"
    json = "json"
    csv = "csv"


FormatOption = Annotated[Format, typer.Option("--format", help="table, json or csv")]
ResultsOption = Annotated[Path, typer.Option("--results", help="Folder of results.")]
PapersPath = Annotated[
    Path | None, typer.Option("--papers-path", help="A further folder of papers.")
]


def _console():
    from rich.console import Console

    return Console(highlight=False)


def _print(rows: Sequence[dict[str, Any]], how: Format, table: Callable[[], Any]) -> None:
    if how is Format.json:
        sys.stdout.write(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    elif how is Format.csv:
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
        _console().print(table())


def _simple_table(rows: Sequence[dict[str, Any]], columns: Sequence[str]):
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(str(row[column]) for column in columns))
    return table


@app.callback()
def _options(
    papers_path: PapersPath = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    if papers_path:
        from icml2008.papers import library

        library.add_papers(papers_path)


@app.command()
def papers(how: FormatOption = Format.table) -> None:
    """List the papers."""
    from icml2008.papers import library

    rows = []
    for key in library.paper_keys():
        paper = library.load_head(key)
        rows.append(
            {
                "key": key,
                "title": paper.title,
                "authors": paper.authors,
                "pages": list(paper.pages) if paper.pages else None,
                "topic": paper.topic,
                "state": library.state(key),
            }
        )
    _print(rows, how, lambda: _simple_table(rows, ["key", "title", "topic", "state"]))


@app.command()
def show(
    key: str,
    results: ResultsOption = Path("results/reference"),
    how: FormatOption = Format.table,
) -> None:
    """Show a paper: facts, claims with their verdicts, choices, errata, how to run it."""
    from icml2008.judge.explain import explain
    from icml2008.judge.verdict import Verdict
    from icml2008.papers import library
    from icml2008.workflow.verdicts import read_verdicts

    paper = library.load_paper(key)
    verdicts = read_verdicts(results, key)
    if how is not Format.table:
        _print([{**paper.model_dump(mode="json"), "verdicts": verdicts}], how, lambda: None)
        return
    write = sys.stdout.write
    write(f"{paper.title}\n{', '.join(paper.authors)}\n{paper.published}\n\n")
    write(f"{paper.idea}\n\n")
    for verdict in verdicts:
        write(explain(Verdict.from_json(verdict)) + "\n\n")
    for name in paper.claims if not verdicts else ():
        write(f"{name}: {paper.claims[name].says} (not judged in {results})\n")
    write("\nChoices, the default first:\n")
    for name, choice in paper.choices.items():
        values = " | ".join([choice.default, *choice.alternatives])
        write(f"  {name}: {values}\n    {choice.question}\n")
    write("\nErrata:\n")
    for entry in paper.errata:
        write(f"  {entry.where}: {entry.says} {entry.evidence}\n")
    write(f"\nRun it: snakemake --cores all {key}\n")


@app.command()
def run(
    target: Annotated[str, typer.Argument(metavar="KEY/EXPERIMENT")],
    scale: Annotated[str, typer.Option(help="smoke, quick or full")] = "smoke",
    method: Annotated[
        list[str], typer.Option(help="A method of your own, package.module:Class")
    ] = [],  # noqa: B006
    universe: Annotated[
        str, typer.Option(help="Changed choices, as mic=balanced+ties=random")
    ] = "default",
    out: Annotated[Path | None, typer.Option(help="Write the records to this file.")] = None,
    how: FormatOption = Format.table,
) -> None:
    """Run an experiment here and now, methods of your own included."""
    import statistics

    from rich.progress import track

    from icml2008.data.availability import ensure
    from icml2008.harness import records
    from icml2008.harness.experiment import cell_name
    from icml2008.papers import library
    from icml2008.workflow.trials import own_method, run_trials, usable, why

    key, _, name = target.partition("/")
    experiment = library.load_experiment(key, name)
    own = dict(own_method(text, experiment.expects) for text in method)
    trials = experiment.trials(scale)
    needs = sorted({data for cell, _ in trials for data in experiment.data(cell)})
    states = {data: ensure(data) for data in needs}
    for state in states.values():
        if not usable(state):
            sys.stderr.write(f"Left out: what needs {state.dataset} ({why(state)})\n")
    lines = []
    for trial in track(
        trials, "trials", console=_progress_console(), disable=how is not Format.table
    ):
        lines += run_trials(key, name, universe, [trial], states=states, own_methods=own)[0]
    if out:
        records.write_atomically(out, records.to_text(records.header(key, name, universe), lines))
    values: dict[tuple, list[float]] = {}
    for line in lines:
        if line.get("value") is not None:
            at = (cell_name(line["cell"]), line["metric"], line["method"])
            values.setdefault(at, []).append(line["value"])
        elif "error" in line:
            sys.stderr.write(f"{cell_name(line['cell'])}, {line['method']}: {line['error']}\n")
    rows = [
        {
            "cell": at[0],
            "metric": at[1],
            "method": at[2],
            "mean": round(statistics.fmean(found), 4),
            "sd": round(statistics.stdev(found), 4) if len(found) > 1 else None,
            "n": len(found),
        }
        for at, found in values.items()
    ]
    _print(rows, how, lambda: _simple_table(rows, ["cell", "metric", "method", "mean", "sd", "n"]))


def _progress_console():
    from rich.console import Console

    return Console(stderr=True)


@app.command()
def verdicts(
    key: Annotated[str | None, typer.Argument(help="A paper; all of them if left out.")] = None,
    results: ResultsOption = Path("results/reference"),
    how: FormatOption = Format.table,
) -> None:
    """List the verdicts on claims and their parts."""
    from icml2008.papers import library
    from icml2008.report.model import PaperResults
    from icml2008.report.text import verdict_table
    from icml2008.workflow.verdicts import read_verdicts

    keys = [library.folder(key).name] if key else library.paper_keys()
    found = {name: read_verdicts(results, name) for name in keys}
    rows = [verdict for judged in found.values() for verdict in judged]
    if not rows:
        msg = f"nothing is judged in {results}; run: snakemake --cores all"
        raise Icml2008Error(msg)
    papers = [PaperResults(library.load_paper(name), judged) for name, judged in found.items()]
    _print(rows, how, lambda: verdict_table([entry for entry in papers if entry.current]))


@app.command()
def check(
    old: Annotated[Path, typer.Argument(help="Folder of results.")] = Path("results/reference"),
    new: Annotated[Path, typer.Argument(help="Folder of results.")] = Path("results/quick"),
    how: FormatOption = Format.table,
) -> None:
    """Compare two folders of results over the trials that both have; exit 1 if a number moved."""
    from icml2008.papers import library
    from icml2008.workflow.check import compare, verdict_of

    found = compare(library.paper_keys(), new.name, old=old, new=new)
    wrong = verdict_of(found)
    if how is Format.table:
        for key, entry in found.items():
            text = "in one of the folders only" if entry is None else (
                f"{entry['compared']} values compared, {entry['judged']} parts of claims judged, "
                f"{len(entry['moved'])} means moved, {len(entry['flipped'])} verdicts flipped"
                + "".join(f"\n  stale: {change}" for change in entry["stale"])
            )  # fmt: skip
            sys.stdout.write(f"{key}: {text}\n")
        sys.stdout.write("".join(f"{line}\n" for line in wrong))
    else:
        _print([{"paper": key, **(entry or {})} for key, entry in found.items()], how, lambda: None)
    if wrong:
        raise typer.Exit(1)


@app.command()
def adopt(key: str, results: ResultsOption = Path("results/full")) -> None:
    """Make a paper's results at full scale the committed reference."""
    from icml2008.workflow.reference import adopt as adopt_results

    for path in adopt_results(key, results):
        sys.stdout.write(f"{path}\n")


@data_app.command("list")
def data_list(how: FormatOption = Format.table) -> None:
    """List the data sets: what they are, size, licence, state."""
    from icml2008.data import catalogue

    rows = catalogue()
    shown = [{**row, "MB": f"{row['bytes'] / 1e6:.1f}"} for row in rows]
    _print(rows, how, lambda: _simple_table(shown, ["name", "MB", "state", "description"]))


@data_app.command("fetch")
def data_fetch(names: list[str]) -> None:
    """Fetch data sets into the cache."""
    from icml2008.data.availability import ensure
    from icml2008.workflow.trials import usable, why

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


def main() -> None:
    """Run the command line; a user's mistake is one message, not a traceback."""
    try:
        app()
    except Icml2008Error as error:
        if "--debug" in sys.argv:
            raise
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
