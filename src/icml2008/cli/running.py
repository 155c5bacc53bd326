"""The command that runs an experiment, with methods of one's own: ``run``."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from icml2008.cli.common import (
    Format,
    FormatOption,
    app,
    print_rows,
    print_verdicts,
    progress_console,
    simple_table,
)
from icml2008.errors import Icml2008Error
from icml2008.store import (
    write_json,
)

if TYPE_CHECKING:
    from icml2008.catalogue.entry import Entry
    from icml2008.catalogue.model import Paper
    from icml2008.harness.experiment import Experiment


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
    verdicts: Annotated[
        Path | None, typer.Option(help="Write the verdicts on your methods to this JSON file.")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Draw all methods to this file, .svg or .png.")
    ] = None,
    cores: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds that one call of a method of yours may take.")
    ] = None,
    how: FormatOption = Format.table,
) -> None:
    """Run an experiment here and now, methods of your own included.

    In another universe a cell is run with the changes that can touch it.
    Each method of your own is compared with each of the paper's, by the rules that judge papers.
    """
    from rich.progress import track

    from icml2008.catalogue.entry import entry_of
    from icml2008.data.availability import ensure
    from icml2008.harness import records
    from icml2008.harness.choices import DEFAULT, projected
    from icml2008.harness.watching import own_methods
    from icml2008.run.trials.execution import run_here
    from icml2008.run.trials.outcome import usable, why
    from icml2008.run.trials.own_methods import compare, load_promises

    for file in filter(None, (out, verdicts, figure)):
        _writable(file)
    key, _, name = target.partition("/")
    entry = entry_of(key)
    experiment = entry.experiments[name]
    if method and experiment.expects is None:
        _turn_away(method[0], entry.experiments)
    with _output_kept():
        own = own_methods(
            method, experiment.expects, seconds=time_limit, promises=load_promises(entry)
        )
    declared = entry.choices
    trials = experiment.trials(scale)
    if projected(universe, declared, name) == DEFAULT != universe:
        msg = f"{target}: nothing that {universe} changes touches it"
        raise Icml2008Error(msg)
    groups = defaultdict(list)
    for cell, repeat in trials:
        groups[projected(universe, declared, name, cell)].append((cell, repeat))
    needs = sorted({data for cell, _ in trials for data in experiment.data(cell)})
    states = {data: ensure(data) for data in needs}
    for state in states.values():
        if not usable(state):
            sys.stderr.write(f"Left out: what needs {state.dataset} ({why(state)})\n")
    lines = []
    terminal = progress_console()
    records_of_trials = chain.from_iterable(
        run_here(entry, name, changed, group, cores=cores, states=states, own_methods=own)
        for changed, group in groups.items()
    )
    with _output_kept():
        for measured in track(
            records_of_trials,
            "trials",
            len(trials),
            console=terminal,
            disable=not terminal.is_terminal,
        ):
            lines += measured
    failed = _print_run(lines, how)
    paper, judged = compare(entry, name, list(own), lines, scale=scale, universe=universe)
    if how is Format.table and judged:
        _print_judged(paper, judged)
    if out:
        records.write_atomically(out, records.to_text(records.header(key, name, universe), lines))
    if verdicts:
        write_json(verdicts, judged)
    if figure:
        _draw_methods(entry, name, lines, figure)
    measured = {line["method"] for line in lines if line["kind"] == "measurement"}
    if useless := own.keys() - measured:
        for name_of_own in sorted(useless):
            last = failed.get(name_of_own, ["no trial"])
            sys.stderr.write(f"{name_of_own} failed in all its trials ({len(last)}): {last[-1]}\n")
        raise typer.Exit(1)
    if failed and not measured:
        sys.stderr.write(f"{target}: nothing was measured, every method failed\n")
        raise typer.Exit(1)


@contextmanager
def _output_kept() -> Iterator[None]:
    """Send what methods print, in whatever way, elsewhere: it belongs to no table."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _turn_away(method: str, experiments: Mapping[str, Experiment]) -> None:
    taking = [name for name, experiment in experiments.items() if experiment.expects]
    others = f"; those of the paper that do: {', '.join(taking)}" if taking else ""
    msg = f"--method {method!r}: this experiment takes no methods of one's own{others}"
    raise Icml2008Error(msg)


def _writable(file: Path) -> None:
    folder = file.parent
    if file.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        msg = f"{file} cannot be written: {folder} is no folder that can be written to"
        if file.is_dir():
            msg = f"{file} cannot be written: it is a folder"
        raise Icml2008Error(msg)


def _print_run(lines: list[dict[str, Any]], how: Format) -> dict[str, list[str]]:
    """Print mean and spread of what was measured; return the failures of each method."""
    import statistics

    from icml2008.harness.experiment import cell_name

    values: dict[tuple, list[float]] = {}
    failed: dict[str, list[str]] = {}
    for line in lines:
        if line.get("value") is not None:
            at = (cell_name(line["cell"]), line["metric"], line["method"])
            values.setdefault(at, []).append(line["value"])
        elif line.get("status") == "non-finite":
            where = f"{cell_name(line['cell'])}, {line['method']}"
            sys.stderr.write(f"{where}: {line['metric']} is not finite, and in no mean\n")
        elif "error" in line:
            failed.setdefault(line["method"], []).append(line["error"])
            sys.stderr.write(f"{cell_name(line['cell'])}, {line['method']}: {line['error']}\n")
    rows = [
        {
            "metric": at[1],
            "cell": at[0],
            "method": at[2],
            "mean": round(statistics.fmean(numbers), 4),
            "sd": round(statistics.stdev(numbers), 4) if len(numbers) > 1 else None,
            "n": len(numbers),
        }
        for at, numbers in sorted(values.items(), key=lambda item: item[0][1])
    ]
    print_rows(
        rows, how, lambda: simple_table(rows, ["metric", "cell", "method", "mean", "sd", "n"])
    )
    return failed


def _print_judged(paper: Paper, verdicts: list[dict[str, Any]]) -> None:
    from icml2008.harness.choices import DEFAULT
    from icml2008.report.results import PaperResults

    # A table of results shows the default universe; here the one that was run stands for it.
    print_verdicts([PaperResults(paper, [verdict | {"universe": DEFAULT} for verdict in verdicts])])


def _draw_methods(entry: Entry, name: str, lines: list[dict[str, Any]], file: Path) -> None:
    from icml2008.catalogue.figures import Measured
    from icml2008.harness.records import write_atomically
    from icml2008.report.drawing import Drawing
    from icml2008.report.methods_figure import methods_figure
    from icml2008.run.trials.own_methods import compared_metrics

    paper = entry.paper
    cells = {name: entry.experiments[name].cells["full"]}
    measured = Measured(cells, lambda *_: lines, controls=paper.controls)
    methods = list(dict.fromkeys(line["method"] for line in lines if "method" in line))
    metrics = compared_metrics(entry, name, lines)
    for metric in metrics:
        path = file if len(metrics) == 1 else file.with_stem(f"{file.stem}-{metric}")
        build = partial(methods_figure, paper, measured, name, metric, methods)
        drawing = Drawing(metric, "", build)
        write_atomically(path, drawing.png() if path.suffix == ".png" else drawing.svg())
