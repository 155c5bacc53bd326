"""The reference: committed records and verdicts at full scale, and whether they are stale."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence, Set
from itertools import chain
from pathlib import Path
from typing import Any

import icml2008.papers
from icml2008.catalogue.changes import judged_hashes
from icml2008.catalogue.entry import Entry
from icml2008.data import UnknownData
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic, records
from icml2008.harness.choices import DEFAULT, around_the_default
from icml2008.harness.experiment import cell_name
from icml2008.harness.machine import machine
from icml2008.run.keys import code_of, result_key
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.judging import judge_paper
from icml2008.run.reference.proof import faults, lacking, prove
from icml2008.run.trials.configuration import arithmetic_of, scale_of
from icml2008.store import REFERENCE, RecordSet, Shelf, read_json, write_json


def expected(entry: Entry) -> bool:
    """Return whether there is a reference of a paper, or should be: of those in the package."""
    own = entry.folder.parent == Path(icml2008.papers.__file__).parent
    return REFERENCE.is_dir() and (own or Shelf.of_reference(entry).folder.is_dir())


def stale(reference: Shelf) -> list[str]:
    """Return what has changed since the reference of a paper was made: one line for each change."""
    provenance = reference.provenance()
    if provenance is None:
        return []
    changes = []
    for name in reference.entry.paper.experiments:
        old = provenance["keys"].get(name, {})
        # Which data sets it reads is code, too: it need not be run to see whether that changed.
        try:
            new = result_key(reference.entry, name, data=sorted(old.get("data", ())))
        except UnknownData:
            changes.append(f"{name}: other data")
            continue
        parts = {"code": "code", "data": "data", "choices": "default choices"}
        changes += [
            f"{name}: other {text}" for part, text in parts.items() if old.get(part) != new[part]
        ]
    return changes


def computed_by(shelf: Shelf) -> dict[str, list[str]]:
    """Return the arithmetic that a paper's records come from, as far as it is known."""
    if shelf.results == REFERENCE:
        return (shelf.provenance() or {}).get("arithmetic", {})
    costs = map(read_json, shelf.cost_files)
    return arithmetic.joined(cost.get("arithmetic", {}) for cost in costs)


def adopt(run: Shelf) -> list[Path]:
    """Make the results of a full run the reference: packed records, verdicts and provenance.

    An experiment that was not run stays as it is in the reference, if its evidence is not stale.

    Raises
    ------
    Icml2008Error
        If the paper has no experiments or no records there, if an experiment has complete results
        neither there nor in the reference, a trial lacked its data, or the results are of another
        code or arithmetic.
    """
    entry = run.entry
    _check_rerun(entry)
    if arithmetic_of(run.label) != arithmetic.BASELINE:
        command = f"icml2008 record {run.key} --results {run.results}"
        msg = f"{run.results} is of another arithmetic than the reference; try: {command}"
        raise Icml2008Error(msg)
    _check_made(run)
    new = run.records()
    if not any(universe == DEFAULT for _, universe in new):
        msg = (
            f"{run.folder} has no records, there is nothing to adopt; "
            f"run: snakemake --cores all {run.key} --config scale=full"
        )
        raise Icml2008Error(msg)
    for (name, universe), lines in new.items():
        _check_complete(entry, name, f"{run.folder}: {name}, {universe}", lines)
    _check_code(run)
    names = {name for name, universe in new if universe == DEFAULT}
    kept = _still_good(run, names)
    universes = _universes(entry, new, run.reference.records(), kept)
    provenance = _provenance(run, kept)
    with run.reference.replaced() as stage:
        if not stage.first_claims_file.is_file():  # changes are told from it
            write_json(stage.first_claims_file, judged_hashes(entry.paper))
        before = {file: file.read_bytes() for file in stage.record_files}
        for old in before:
            if old not in [stage.packed_file(name) for name in (*names, *kept)]:
                old.unlink()
        for name in names:
            stage.pack(name, run)
        if any(not file.is_file() or file.read_bytes() != old for file, old in before.items()):
            # What other arithmetics did was to the old means.
            stage.arithmetic_file.unlink(missing_ok=True)
        stage.write_verdicts(judge_paper(entry, stage.records(), "full", universes))
        write_json(stage.provenance_file, provenance)
    if not lacking(run.reference):  # the verdicts have just been derived
        prove(run.reference)
    return sorted(path for path in run.reference.folder.rglob("*") if path.is_file())


def _check_rerun(entry: Entry) -> None:
    """Make sure that a paper has experiments: of a planned one nothing can be evidence."""
    if not entry.is_rerun:
        msg = f"{entry.key} is planned: it has no experiments, and so no records"
        raise Icml2008Error(msg)


def _check_made(run: Shelf) -> None:
    """Make sure that a run made its records: what it read from the reference proves nothing."""
    if any(read_json(file).get("reused") for file in run.cost_files):
        msg = (
            f"{run.folder} has records that were read from the reference; run it without reuse=true"
        )
        raise Icml2008Error(msg)


def _provenance(run: Shelf, kept: Sequence[str]) -> dict[str, Any]:
    """Return how a reference comes about; the `kept` experiments stay as they are in it."""
    here = machine()
    old = run.reference.provenance() or {}
    return {
        "date": _today(),
        "keys": {name: result_key(run.entry, name) for name in run.entry.paper.experiments},
        "kept": {name: old.get("kept", {}).get(name, old["date"]) for name in kept},
        "cost": costs_of(run),
        "arithmetic": arithmetic.joined(
            [computed_by(run), *([old.get("arithmetic", {})] if kept else [])]
        ),
        "cores": here["cores"],
        "versions": here["versions"],
    }


def _still_good(run: Shelf, names: Set[str]) -> list[str]:
    """Return the experiments that were not run, whose evidence in the reference is not stale."""
    others = [name for name in run.entry.paper.experiments if name not in names]
    old = {line.partition(":")[0] for line in stale(run.reference)}
    for name in others:
        if name in old or not run.reference.packed_file(name).is_file():
            msg = (
                f"{run.folder} has no records of {name}; "
                f"run: snakemake --cores all {run.key} --config scale=full"
            )
            raise Icml2008Error(msg)
    return others


def _universes(entry: Entry, new: RecordSet, old: RecordSet, kept: Sequence[str]) -> list[str]:
    """Return the universes that were run, in the order in which they are tried."""
    names = {universe for _, universe in new} | {u for name, u in old if name in kept}
    order = [DEFAULT, *around_the_default(entry.choices)]
    return [*(u for u in order if u in names), *sorted(names.difference(order))]


def renew(run: Shelf) -> dict[str, int]:
    """Give experiments of the reference today's keys, if today's code makes the same records.

    Every trial of an experiment in the folder of results must have left the bytes that the
    reference has.

    Returns
    -------
    dict of str to int
        The experiments that made the same, with the lines that were compared.

    Raises
    ------
    Icml2008Error
        If there is no reference, or a trial is missing or lacked its data.
    """
    entry = run.entry
    _check_rerun(entry)
    _check_made(run)
    reference = run.reference
    provenance = reference.provenance()
    old = reference.records()
    new = run.records()
    missing = missing_records(entry, new, scale_of(run.label), [DEFAULT])
    if provenance is None or missing:
        msg = f"{run.key}: {'; '.join(missing) or 'the reference has no provenance.json'}"
        raise Icml2008Error(msg)
    same = {}
    for name in entry.paper.experiments:
        files = {at: lines for at, lines in new.items() if at[0] == name}
        if files and all(_same(lines, old.get(at, ())) for at, lines in files.items()):
            same[name] = sum(len(lines) - 1 for lines in files.values())
    provenance["keys"] |= {name: result_key(entry, name) for name in same}
    proof = {"date": _today(), "scale": run.label}
    provenance["renewed"] = provenance.get("renewed", {}) | {
        name: {**proof, "lines": count} for name, count in same.items()
    }
    provenance.setdefault("arithmetic", computed_by(run))
    write_json(reference.provenance_file, provenance)
    if not faults(reference, old):
        prove(reference)
    return same


def _same(lines: Sequence[records.Line], every: Sequence[records.Line]) -> bool:
    return set(map(records.canonical, lines)) <= set(map(records.canonical, every))


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _check_code(run: Shelf) -> None:
    today = {
        (name, code_of(run.entry, name, tuple(experiment.data(cell))))
        for name, experiment in run.entry.experiments.items()
        for cell in experiment.cells["full"]
    }
    for file in run.cost_files:
        code = read_json(file)["code"]
        if not isinstance(code, dict) or not today.issuperset(code.items()):
            msg = f"{file.with_suffix('').with_suffix('')} was run with other code than today's"
            raise Icml2008Error(msg)


def _check_complete(entry: Entry, experiment: str, where: str, lines: list[records.Line]) -> None:
    if without := [line for line in lines if line.get("kind") == "no data"]:
        msg = f"{where}: {without[0]['reason']}; the reference needs every trial"
        raise Icml2008Error(msg)
    done = {(records.canonical(line["cell"]), line["repeat"]) for line in lines[1:]}
    for cell, repeat in entry.experiments[experiment].trials("full"):
        if (records.canonical(dict(cell)), repeat) not in done:
            msg = f"{where}: nothing of {cell_name(cell)}, repeat {repeat}; run it at full scale"
            raise Icml2008Error(msg)


def costs_of(run: Shelf) -> dict[str, dict[str, float]]:
    """Return what a paper's jobs cost by universe.

    Seconds by the clock, in all and in trials, seconds of processors, and peak memory.
    """
    costs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in run.cost_files:
        costs[file.parent.name].append(read_json(file))
    totals = {}
    for universe, jobs in costs.items():
        trials = [list(chain(*job["trial_seconds"].values())) for job in jobs]
        totals[universe] = {
            "jobs": len(jobs),
            "trials": sum(map(len, trials)),
            "trial_seconds": round(sum(map(sum, trials)), 1),
            "seconds": round(sum(job["seconds"] for job in jobs), 1),
            "peak_mebibytes": round(max(job["peak_mebibytes"] for job in jobs)),
        }
        busy = [job["processor_seconds"] for job in jobs if "processor_seconds" in job]
        if len(busy) == len(jobs):  # those of older runs do not say
            totals[universe]["processor_seconds"] = round(sum(busy), 1)
    return totals
