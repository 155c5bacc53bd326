"""Commands that show what came out: ``verdicts | quality | check``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from icml2008.cli.common import (
    QUICK,
    TO_CLONE,
    Format,
    FormatOption,
    PublishedOption,
    ResultsOption,
    app,
    each_of,
    print_rows,
    print_verdicts,
    rerun_shelves,
    shelves_of,
)
from icml2008.errors import Icml2008Error
from icml2008.store import REFERENCE, Shelf, is_reference, published_verdicts

if TYPE_CHECKING:
    from icml2008.report.results import PaperResults


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
    from icml2008.report.results import PaperResults

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
    from icml2008.report.results import PaperResults

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

    shelves = rerun_shelves([key] if key else None, results)
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

    if is_reference(old) and not any(old.glob("*/records")):
        msg = (
            f"no records in {old}: the committed ones are in a clone of the repository, {TO_CLONE}"
        )
        raise Icml2008Error(msg)
    compared = {}
    for shelf in each_of(rerun_shelves(keys, new)):
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
