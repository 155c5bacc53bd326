"""Commands that run, judge and compare: ``run | verdicts | quality | check | adopt``."""

from __future__ import annotations

import json
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
    PublishedOption,
    ResultsOption,
    app,
    each_of,
    print_rows,
    print_verdicts,
    progress_console,
    shelves_of,
    simple_table,
)
from icml2008.errors import Icml2008Error
from icml2008.store import (
    REFERENCE,
    Shelf,
    is_reference,
    published_verdicts,
    run_folder,
    write_json,
)

if TYPE_CHECKING:
    from icml2008.catalogue.entry import Entry
    from icml2008.catalogue.model import Paper
    from icml2008.harness.experiment import Experiment
    from icml2008.report.entries import PaperResults

FULL, QUICK, OTHER = map(run_folder, ("full", "quick", "quick@nehalem"))


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
    experiment = entry.experiment(name)
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
    from icml2008.report.entries import PaperResults

    # A table of results shows the default universe; here the one that was run stands for it.
    print_verdicts([PaperResults(paper, [verdict | {"universe": DEFAULT} for verdict in verdicts])])


def _draw_methods(entry: Entry, name: str, lines: list[dict[str, Any]], file: Path) -> None:
    from icml2008.catalogue.figures import Measured
    from icml2008.harness.records import write_atomically
    from icml2008.report.drawing import Drawing
    from icml2008.report.methods_figure import methods_figure
    from icml2008.run.trials.own_methods import compared_metrics

    paper = entry.paper
    cells = {name: entry.experiment(name).cells["full"]}
    measured = Measured(cells, lambda *_: lines, controls=paper.controls)
    methods = list(dict.fromkeys(line["method"] for line in lines if "method" in line))
    metrics = compared_metrics(entry, name, lines)
    for metric in metrics:
        path = file if len(metrics) == 1 else file.with_stem(f"{file.stem}-{metric}")
        build = partial(methods_figure, paper, measured, name, metric, methods)
        drawing = Drawing(metric, "", build)
        write_atomically(path, drawing.png() if path.suffix == ".png" else drawing.svg())


@app.command()
def verdicts(
    key: Annotated[str | None, typer.Argument(help="A paper; all of them if left out.")] = None,
    results: PublishedOption = None,
    universes: Annotated[
        bool, typer.Option(help="In json and csv: other universes, too, and what went in.")
    ] = True,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="A line a paper, beside the committed evidence."),
    ] = False,
    how: FormatOption = Format.table,
) -> None:
    """List the verdicts on claims and their parts."""
    from icml2008.harness.choices import DEFAULT
    from icml2008.run.reference.shifts import read_recorded, with_arithmetic

    results = results or published_verdicts()
    judged = [shelf for shelf in shelves_of(key, results) if shelf.verdicts_file.is_file()]
    if not judged:
        msg = f"nothing is judged in {results}; run: snakemake --cores all"
        raise Icml2008Error(msg)
    if how is Format.table:
        if summary:
            _print_summary(judged, results)
        else:
            print_verdicts(list(map(_brief, judged)))
        return
    rows = (
        row if universes else row | {"inputs": None}
        for shelf in judged
        for row in with_arithmetic(shelf.verdicts(), read_recorded(shelf))
        if universes or row["universe"] == DEFAULT
    )
    print_rows(rows, how, lambda: None)


def _brief(shelf: Shelf) -> PaperResults:
    """Return what lists show of a paper's results."""
    from icml2008.report.entries import PaperResults

    return PaperResults(shelf.entry.digest, shelf.verdicts(more=False))


def _print_summary(judged: list[Shelf], results: Path) -> None:
    from icml2008.report.summary import summary_lines
    from icml2008.run.trials.outcome import unusable_data

    published = published_verdicts()
    itself = results.resolve() == published.resolve()
    papers = list(map(_brief, judged))
    committed = [] if itself else [_committed(Shelf(published, shelf.entry)) for shelf in judged]
    scales = {row["scale"] for paper in papers for row in paper.current if row["scale"]}
    lines = summary_lines(
        papers,
        [paper for paper in committed if paper.reference],
        scale=", ".join(sorted(scales)) or results.name,
        left_out={} if itself else unusable_data(),
        results=str(results),
    )
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _committed(shelf: Shelf) -> PaperResults:
    from icml2008.report.entries import PaperResults

    return PaperResults(shelf.entry.digest, [], shelf.verdicts(more=False))


@app.command()
def quality(
    key: Annotated[str | None, typer.Argument(help="A paper; all of them if left out.")] = None,
    results: ResultsOption = REFERENCE,
    how: FormatOption = Format.table,
) -> None:
    """List what failed, is missing, lies beyond its controls, is stale or says too little."""
    from icml2008.report.quality import by_severity, count, in_words
    from icml2008.run.reference.flaws import quality_of

    shelves = _rerun([key] if key else None, results)
    there = [shelf for shelf in shelves if shelf.verdicts_file.is_file()]
    if not there:
        msg = f"nothing is judged in {results}; run: snakemake --cores all"
        raise Icml2008Error(msg)
    # The reference shall have all of them.
    expected = shelves if is_reference(results) else there
    flaws = by_severity(flaw for shelf in expected for flaw in quality_of(shelf))
    if how is not Format.table:
        print_rows((flaw.to_json() for flaw in flaws), how, lambda: None)
        return
    for flaw in flaws:
        settles = f" To settle it: {flaw.settles}." if flaw.settles else ""
        where = f"{flaw.paper}, {flaw.where}"
        sys.stdout.write(f"{flaw.severity}: {where}: {flaw.label}, {flaw.what}.{settles}\n")
    sys.stdout.write(f"{in_words(count(flaws))}\n")


@app.command()
def check(
    old: Annotated[Path, typer.Argument(help="Folder of results.")] = REFERENCE,
    new: Annotated[Path, typer.Argument(help="Folder of results.")] = QUICK,
    keys: Annotated[
        list[str] | None, typer.Argument(help="Papers; all that have experiments if left out.")
    ] = None,
    how: FormatOption = Format.table,
) -> None:
    """Compare two folders of results over the trials that both have.

    Exit 1 if a number moved by more than another machine's arithmetic explains, a verdict flipped,
    or something is missing; 2 if there is nothing to compare. With --format json it is a file that
    can be handed in as a re-run.
    """
    from icml2008.report.problems import of_check
    from icml2008.run.reference.check import compare_folders, compare_with_reference, comparison

    compared = {}
    for shelf in each_of(_rerun(keys, new)):
        differences = (
            compare_with_reference(shelf)
            if old == REFERENCE
            else compare_folders(Shelf(old, shelf.entry), shelf)
        )
        if differences:
            compared[shelf.entry] = differences
    by_key = {entry.key: differences for entry, differences in compared.items()}
    if not compared:
        msg = f"there is nothing to compare in {old} and {new}"
        raise Icml2008Error(msg)
    outcome = of_check(by_key)
    if how is Format.table:
        for key, differences in by_key.items():
            sys.stdout.write(
                f"{key}: {differences['compared']} values compared, {differences['judged']} parts "
                f"of claims judged, {len(differences['moved'])} means moved, "
                f"{len(differences['arithmetic'])} by arithmetic, "
                f"{len(differences['flipped'])} verdicts flipped\n"
                + "".join(f"  stale: {change}\n" for change in differences["stale"])
            )
        lines = [
            *filter(
                None, dict.fromkeys(differences["computed"] for differences in by_key.values())
            ),
            *(f"by arithmetic: {shift}" for shift in outcome.explained),
            *map(str, outcome.problems),
            *([f"What is wrong: {outcome.summary}"] if outcome.problems else []),
        ]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    elif how is Format.json:
        text = json.dumps(comparison(compared, old, new), indent=1, ensure_ascii=False)
        sys.stdout.write(f"{text}\n")
    else:
        rows = [{"paper": key, **differences} for key, differences in by_key.items()]
        print_rows(rows, how, lambda: None)
    if outcome.problems:
        raise typer.Exit(1)


@app.command()
def judge(
    folder: Annotated[Path, typer.Argument(help="Folder of results.")] = REFERENCE,
    keys: Annotated[list[str] | None, typer.Argument(help="Papers; all if left out.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write what was derived in place of what differs.")
    ] = False,
) -> None:
    """Derive every verdict again from the records, and exit 1 if a stored one differs.

    With --write a reference gets a proof that it is whole, so that runs need not derive it again.
    """
    from icml2008.catalogue import library
    from icml2008.run.trials.processes import mapped

    if not folder.is_dir() and str(folder) in library.paper_keys():
        # a folder may be left out
        keys = [str(folder), *(keys or [])]
        folder = REFERENCE
    if not folder.is_dir():
        msg = f"there is no folder of results {folder}; a paper's key comes after the folder"
        raise Icml2008Error(msg)
    shelves = _rerun(keys, folder)
    judged = zip(mapped(partial(_judge_again, write), shelves), each_of(shelves), strict=True)
    wrong = []
    counts = []
    unfounded = False
    for (faults, count), shelf in judged:
        wrong += [f"{shelf.key}: {fault}" for fault in faults]
        counts.append(count)
        unfounded |= bool(faults) and not count
    if not any(counts) and not wrong:
        msg = f"nothing is judged in {folder}; run: snakemake --cores all"
        raise Icml2008Error(msg)
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.stdout.write(f"{sum(counts)} verdicts derived from {folder}, {len(wrong)} of them differ\n")
    if unfounded or (wrong and not write):
        raise typer.Exit(1)


def _judge_again(write: bool, shelf: Shelf) -> tuple[list[str], int]:
    """Return what is wrong with the stored verdicts on a paper, and how many were derived."""
    from icml2008.run.reference.proof import lacking, prove
    from icml2008.run.reference.rejudge import derive, differences
    from icml2008.run.trials.configuration import scale_of

    rows = shelf.verdicts()
    records, faults = shelf.readable()
    if not records:
        # Verdicts that no record bears out are no evidence: they are not written over as untested.
        missing = [f"{shelf.folder} has verdicts and no records"] if rows else []
        return [*faults, *missing], 0
    scale = "full" if shelf.packed else scale_of(shelf.label)
    derived = derive(shelf, records, scale)
    faults += differences(rows, derived)
    if write and faults:
        shelf.write_verdicts(derived)
    if write and shelf.results == REFERENCE and not lacking(shelf):
        prove(shelf)
    return faults, len(derived)


def _rerun(keys: list[str] | None, results: Path) -> list[Shelf]:
    from icml2008.catalogue.entry import rerun_entries

    return [Shelf(results, entry) for entry in rerun_entries(keys or None)]


@app.command()
def evidence(
    target: Annotated[str, typer.Argument(metavar="KEY/EXPERIMENT")],
    scale: Annotated[str, typer.Option(help="smoke, quick or full")] = "full",
    cores: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
) -> None:
    """Run one experiment under each choice; what is done stays done. Then: icml2008 adopt KEY."""
    from icml2008.catalogue.entry import entry_of
    from icml2008.run.trials.multiverse import run_experiment

    key, _, name = target.partition("/")
    sys.stdout.write(f"{run_experiment(entry_of(key), name, scale=scale, cores=cores)}\n")


@app.command()
def adopt(key: str, results: ResultsOption = FULL) -> None:
    """Make a paper's results at full scale the committed reference."""
    from icml2008.catalogue.entry import entry_of
    from icml2008.run.reference.adopting import adopt as adopt_results

    for path in adopt_results(Shelf(results, entry_of(key))):
        sys.stdout.write(f"{path}\n")


@app.command()
def renew(keys: list[str], results: ResultsOption = QUICK) -> None:
    """Give experiments today's keys, if today's code left the reference's bytes in the results.

    Exit 1 if of a paper no experiment did.
    """
    from icml2008.catalogue.entry import entry_of
    from icml2008.run.reference.adopting import renew as renew_keys

    idle = False
    for key in keys:
        entry = entry_of(key)
        same = renew_keys(Shelf(results, entry))
        idle |= not same
        sys.stdout.write(f"{key}: {sum(same.values())} lines of {', '.join(same)} are the same\n")
        if other := sorted(entry.paper.experiments.keys() - same):
            sys.stdout.write(f"{key}: others than in the reference: {', '.join(other)}\n")
    if idle:
        raise typer.Exit(1)


@app.command()
def record(keys: list[str], results: ResultsOption = OTHER) -> None:
    """Record beside the reference what another arithmetic does to means and verdicts."""
    from icml2008.catalogue.entry import entry_of
    from icml2008.run.reference.other_arithmetic import record as record_run

    for key in keys:
        sys.stdout.write(f"{key}: {record_run(Shelf(results, entry_of(key)))}\n")
