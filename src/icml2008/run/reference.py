"""The reference: committed records and verdicts at full scale, and whether they are stale."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence, Set
from itertools import chain
from pathlib import Path
from typing import Any

import icml2008.papers
from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.changes import judged_hashes
from icml2008.data import UnknownData
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic, records
from icml2008.harness.choices import DEFAULT, around_the_default
from icml2008.harness.experiment import cell_name
from icml2008.harness.machine import machine
from icml2008.run.completeness import missing_records
from icml2008.run.configuration import arithmetic_of, scale_of
from icml2008.run.keys import code_of, result_key
from icml2008.run.proof import faults, lacking, prove
from icml2008.run.stored import read_provenance
from icml2008.run.verdicts import judge_paper
from icml2008.store import REFERENCE, Evidence, read_evidence


def expected(key: str) -> bool:
    """Return whether there is a reference of a paper, or should be: of those in the package."""
    own = library.folder(key).parent == Path(icml2008.papers.__file__).parent
    return REFERENCE.is_dir() and (own or (REFERENCE / key).is_dir())


def stale(key: str) -> list[str]:
    """Return what has changed since the reference of a paper was made: one line for each change."""
    provenance = read_provenance(key)
    if provenance is None:
        return []
    changes = []
    for name in library.load_paper(key).experiments:
        old = provenance["keys"].get(name, {})
        # Which data sets it reads is code, too: it need not be run to see whether that changed.
        try:
            new = result_key(key, name, data=sorted(old.get("data", ())))
        except UnknownData:
            changes.append(f"{name}: other data")
            continue
        parts = {"code": "code", "data": "data", "choices": "default choices"}
        changes += [
            f"{name}: other {text}" for part, text in parts.items() if old.get(part) != new[part]
        ]
    return changes


def computed_by(results: Path, key: str) -> dict[str, list[str]]:
    """Return the arithmetic that a paper's records come from, as far as it is known."""
    if results == REFERENCE:
        return (read_provenance(key) or {}).get("arithmetic", {})
    costs = map(store.read_json, store.cost_files(results, key))
    return arithmetic.joined(cost.get("arithmetic", {}) for cost in costs)


def adopt(key: str, results: Path = Path("results/full")) -> list[Path]:
    """Make the results of a full run the reference: packed records, verdicts and provenance.

    An experiment that was not run stays as it is in the reference, if its evidence is not stale.

    Raises
    ------
    Icml2008Error
        If the paper has no experiments or no records there, if an experiment has complete results
        neither there nor in the reference, a trial lacked its data, or the results are of another
        code or arithmetic.
    """
    _check_rerun(key)
    if arithmetic_of(results.name) != arithmetic.BASELINE:
        command = f"icml2008 record {key} --results {results}"
        msg = f"{results} is of another arithmetic than the reference; try: {command}"
        raise Icml2008Error(msg)
    new = read_evidence(results, key)
    if not any(universe == DEFAULT for _, universe in new):
        msg = (
            f"{results / key} has no records, there is nothing to adopt; "
            f"run: snakemake --cores all {key} --config scale=full"
        )
        raise Icml2008Error(msg)
    for (name, universe), lines in new.items():
        _check_complete(key, name, f"{results / key}: {name}, {universe}", lines)
    _check_code(key, results)
    run = {name for name, universe in new if universe == DEFAULT}
    kept = _still_good(key, run, results)
    universes = _universes(key, new, read_evidence(REFERENCE, key), kept)
    provenance = _provenance(key, results, kept)
    with store.replaced(REFERENCE, key) as folder:
        first = store.first_claims_file(folder, key)  # changes are told from it
        if not first.is_file():
            store.write_json(first, judged_hashes(library.load_paper(key)))
        before = {file: file.read_bytes() for file in store.record_files(folder, key)}
        for old in before:
            if old not in [store.packed_file(folder, key, name) for name in (*run, *kept)]:
                old.unlink()
        for name in run:
            store.pack_records(folder, key, name, results)
        if any(not file.is_file() or file.read_bytes() != old for file, old in before.items()):
            # What other arithmetics did was to the old means.
            store.arithmetic_file(folder, key).unlink(missing_ok=True)
        evidence = read_evidence(folder, key)
        store.write_verdicts(folder, key, judge_paper(key, evidence, "full", universes))
        store.write_json(store.provenance_file(folder, key), provenance)
    if not lacking(key):  # the verdicts have just been derived
        prove(key)
    return sorted(path for path in (REFERENCE / key).rglob("*") if path.is_file())


def _check_rerun(key: str) -> None:
    """Make sure that a paper has experiments: of a planned one nothing can be evidence."""
    if not library.has_experiments(key):
        msg = f"{key} is planned: it has no experiments, and so no records"
        raise Icml2008Error(msg)


def _provenance(key: str, results: Path, kept: Sequence[str]) -> dict[str, Any]:
    """Return how a reference comes about; the `kept` experiments stay as they are in it."""
    here = machine()
    old = read_provenance(key) or {}
    return {
        "date": _today(),
        "keys": {name: result_key(key, name) for name in library.load_paper(key).experiments},
        "kept": {name: old.get("kept", {}).get(name, old["date"]) for name in kept},
        "cost": costs_of(results, key),
        "arithmetic": arithmetic.joined(
            [computed_by(results, key), *([old.get("arithmetic", {})] if kept else [])]
        ),
        "cores": here["cores"],
        "versions": here["versions"],
    }


def _still_good(key: str, run: Set[str], results: Path) -> list[str]:
    """Return the experiments that were not run, whose evidence in the reference is not stale."""
    lacking = [name for name in library.load_paper(key).experiments if name not in run]
    old = {line.partition(":")[0] for line in stale(key)}
    for name in lacking:
        if name in old or not store.packed_file(REFERENCE, key, name).is_file():
            msg = (
                f"{results / key} has no records of {name}; "
                f"run: snakemake --cores all {key} --config scale=full"
            )
            raise Icml2008Error(msg)
    return lacking


def _universes(key: str, new: Evidence, old: Evidence, kept: Sequence[str]) -> list[str]:
    """Return the universes that were run, in the order in which they are tried."""
    found = {universe for _, universe in new} | {u for name, u in old if name in kept}
    order = [DEFAULT, *around_the_default(library.load_paper(key).choices)]
    return [*(u for u in order if u in found), *sorted(found.difference(order))]


def renew(key: str, results: Path = Path("results/quick")) -> dict[str, int]:
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
    _check_rerun(key)
    provenance = read_provenance(key)
    old, new = (read_evidence(folder, key) for folder in (REFERENCE, results))
    missing = missing_records(key, new, scale_of(results.name), [DEFAULT])
    if provenance is None or missing:
        msg = f"{key}: {'; '.join(missing) or 'the reference has no provenance.json'}"
        raise Icml2008Error(msg)
    same = {}
    for name in library.load_paper(key).experiments:
        files = {at: lines for at, lines in new.items() if at[0] == name}
        if files and all(_same(lines, old.get(at, ())) for at, lines in files.items()):
            same[name] = sum(len(lines) - 1 for lines in files.values())
    provenance["keys"] |= {name: result_key(key, name) for name in same}
    proof = {"date": _today(), "scale": results.name}
    provenance["renewed"] = provenance.get("renewed", {}) | {
        name: {**proof, "lines": count} for name, count in same.items()
    }
    provenance.setdefault("arithmetic", computed_by(results, key))
    store.write_json(store.provenance_file(REFERENCE, key), provenance)
    if not faults(key, old):
        prove(key)
    return same


def _same(some: Sequence[records.Line], every: Sequence[records.Line]) -> bool:
    return set(map(records.canonical, some)) <= set(map(records.canonical, every))


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _check_code(key: str, results: Path) -> None:
    today = {
        (name, code_of(key, name, tuple(found.data(cell))))
        for name, found in library.load_experiments(key).items()
        for cell in found.cells["full"]
    }
    for file in store.cost_files(results, key):
        code = store.read_json(file)["code"]
        if not isinstance(code, dict) or not today.issuperset(code.items()):
            msg = f"{file.with_suffix('').with_suffix('')} was run with other code than today's"
            raise Icml2008Error(msg)


def _check_complete(key: str, experiment: str, where: str, lines: list[records.Line]) -> None:
    if without := [line for line in lines if line.get("kind") == "no data"]:
        msg = f"{where}: {without[0]['reason']}; the reference needs every trial"
        raise Icml2008Error(msg)
    done = {(records.canonical(line["cell"]), line["repeat"]) for line in lines[1:]}
    for cell, repeat in library.load_experiment(key, experiment).trials("full"):
        if (records.canonical(dict(cell)), repeat) not in done:
            msg = f"{where}: nothing of {cell_name(cell)}, repeat {repeat}; run it at full scale"
            raise Icml2008Error(msg)


def costs_of(results: Path, key: str) -> dict[str, dict[str, float]]:
    """Return what a paper's jobs cost by universe.

    Seconds by the clock, in all and in trials, seconds of processors, and peak memory.
    """
    costs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in store.cost_files(results, key):
        costs[file.parent.name].append(store.read_json(file))
    found = {}
    for universe, jobs in costs.items():
        trials = [list(chain(*job["trial_seconds"].values())) for job in jobs]
        found[universe] = {
            "jobs": len(jobs),
            "trials": sum(map(len, trials)),
            "trial_seconds": round(sum(map(sum, trials)), 1),
            "seconds": round(sum(job["seconds"] for job in jobs), 1),
            "peak_mebibytes": round(max(job["peak_mebibytes"] for job in jobs)),
        }
        busy = [job["processor_seconds"] for job in jobs if "processor_seconds" in job]
        if len(busy) == len(jobs):  # those of older runs do not say
            found[universe]["processor_seconds"] = round(sum(busy), 1)
    return found
