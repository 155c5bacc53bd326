"""Commands that make evidence and derive from it: ``judge | evidence | adopt | renew | record``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from icml2008.cli.common import FULL, OTHER, QUICK, ResultsOption, app, each_of, rerun_shelves
from icml2008.errors import Icml2008Error
from icml2008.store import REFERENCE, Shelf


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
    shelves = rerun_shelves(keys, folder)
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
