"""The reference: committed records and verdicts at full scale, and whether they are stale."""

from __future__ import annotations

import gzip
import json
import shutil
import time
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic, records
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import cell_name
from icml2008.papers import library
from icml2008.workflow.completeness import missing_records
from icml2008.workflow.keys import REFERENCE, code_of, machine, result_key
from icml2008.workflow.planning import arithmetic_of, scale_of
from icml2008.workflow.rejudge import derive, differences
from icml2008.workflow.verdicts import (
    Evidence,
    judge_paper,
    read_evidence,
    read_lines,
    read_verdicts,
    record_files,
    write_json,
)


def expected(key: str) -> bool:
    """Return whether there is a reference of a paper, or should be: of those in the package."""
    own = library.folder(key).parent == Path(library.__file__).parent
    return REFERENCE.is_dir() and (own or (REFERENCE / key).is_dir())


def read_provenance(key: str) -> dict[str, Any] | None:
    """Return where the reference of a paper comes from, or None if that is not to be read."""
    try:
        found = json.loads((REFERENCE / key / "provenance.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("keys"), dict) else None


def stale(key: str) -> list[str]:
    """Return what has changed since the reference of a paper was made: one line for each change."""
    provenance = read_provenance(key)
    if provenance is None:
        return []
    changes = []
    for name in library.load_paper(key).experiments:
        old = provenance["keys"].get(name, {})
        # Which data sets it reads is code, too: it need not be run to see whether that changed.
        new = result_key(key, name, data=sorted(old.get("data", ())))
        parts = {"code": "code", "data": "data", "choices": "default choices"}
        changes += [
            f"{name}: other {text}" for part, text in parts.items() if old.get(part) != new[part]
        ]
    return changes


def faults(key: str, evidence: Evidence) -> list[str]:
    """Return what the reference of a paper lacks, and where its verdicts belie its records.

    Parameters
    ----------
    key : str
    evidence : mapping
        The records of the reference.
    """
    provenance, stored = read_provenance(key), read_verdicts(REFERENCE, key)
    if not evidence and not stored and not provenance:
        return [f"there is no reference; run it at full scale, then: icml2008 adopt {key}"]
    found = []
    if provenance is None:
        found.append("provenance.json is not there, or is none")
    else:
        experiments = library.load_paper(key).experiments
        lacking = [name for name in experiments if name not in provenance["keys"]]
        found += [f"provenance.json has no key of {name}" for name in lacking]
    if not stored:
        return [*found, "verdicts.json is not there"]
    universes = dict.fromkeys([DEFAULT, *(row["universe"] for row in stored)])
    found += missing_records(key, evidence, "full", universes)
    return found + differences(stored, derive(key, REFERENCE, evidence, "full"))


def computed_by(results: Path, key: str) -> dict[str, list[str]]:
    """Return the arithmetic that a paper's records come from, as far as it is known."""
    if results == REFERENCE:
        return (read_provenance(key) or {}).get("arithmetic", {})
    costs = [json.loads(file.read_text("utf-8")) for file in _cost_files(results, key)]
    return arithmetic.joined(cost["arithmetic"] for cost in costs)


def adopt(key: str, results: Path = Path("results/full")) -> list[Path]:
    """Make the results of a full run the reference: packed records, verdicts and provenance.

    Raises
    ------
    Icml2008Error
        If the paper has no complete results there, or if a trial lacked its data.
    """
    if arithmetic_of(results.name) != arithmetic.BASELINE:
        command = f"icml2008 record {key} --results {results}"
        msg = f"{results} is of another arithmetic than the reference; try: {command}"
        raise Icml2008Error(msg)
    files = record_files(results, key)
    evidence = read_evidence(files)
    for name in library.load_paper(key).experiments:
        if (name, DEFAULT) not in evidence:
            msg = (
                f"{results / key} has no records of {name}; "
                f"run: snakemake --cores all {key} --config scale=full"
            )
            raise Icml2008Error(msg)
    for (name, universe), lines in evidence.items():
        _check_complete(key, name, f"{results / key}: {name}, {universe}", lines)
    _check_code(key, results)
    folder = REFERENCE / key
    if folder.is_dir():
        shutil.rmtree(folder)  # with what other arithmetics did to the old means
    written = []
    for (name, universe), lines in evidence.items():
        written.append(folder / name / f"{universe}.jsonl.gz")
        _pack(written[-1], lines[0], lines[1:])
    for name in library.load_paper(key).experiments:
        kept = read_lines(results / key / "records" / name / "kept" / f"{DEFAULT}.jsonl")
        if kept[1:]:
            written.append(folder / name / "kept" / f"{DEFAULT}.jsonl.gz")
            _pack(written[-1], kept[0], kept[1:])
    universes = list(dict.fromkeys(v["universe"] for v in read_verdicts(results, key)))
    here = machine()
    provenance = {
        "date": _today(),
        "keys": {name: result_key(key, name) for name, universe in evidence if universe == DEFAULT},
        "cost": costs_of(results, key),
        "arithmetic": computed_by(results, key),
        "cores": here["cores"],
        "versions": here["versions"],
    }
    written += [folder / "verdicts.json", folder / "provenance.json"]
    write_json(written[-2], judge_paper(key, evidence, "full", universes))
    write_json(written[-1], provenance)
    return written


def renew(key: str, results: Path = Path("results/quick")) -> int:
    """Give the reference of a paper today's keys, if today's code makes the same records.

    Every trial of the folder of results must have left the bytes that the reference has.

    Returns
    -------
    int
        The number of lines that were compared.

    Raises
    ------
    Icml2008Error
        If there is no reference, a trial is missing or lacked its data, or a line is another one.
    """
    provenance = read_provenance(key)
    old, new = (read_evidence(record_files(folder, key)) for folder in (REFERENCE, results))
    faults = missing_records(key, new, scale_of(results.name), [DEFAULT])
    if provenance is None or faults:
        msg = f"{key}: {'; '.join(faults) or 'the reference has no provenance.json'}"
        raise Icml2008Error(msg)
    count = 0
    for (name, universe), lines in new.items():
        known = set(map(records.canonical, old.get((name, universe), [])))
        for line in lines[1:]:
            if (text := records.canonical(line)) not in known:
                msg = f"{key}: {name}, {universe}: not in the reference: {text}"
                raise Icml2008Error(msg)
        count += len(lines) - 1
    provenance["keys"] = {
        name: result_key(key, name) for name, universe in old if universe == DEFAULT
    }
    provenance["renewed"] = {"date": _today(), "scale": results.name, "lines": count}
    provenance.setdefault("arithmetic", computed_by(results, key))
    write_json(REFERENCE / key / "provenance.json", provenance)
    return count


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _pack(path: Path, head: records.Line, lines: list[records.Line]) -> None:
    text = records.to_text(head, lines)
    records.write_atomically(path, gzip.compress(text.encode("utf-8"), mtime=0))


def _check_code(key: str, results: Path) -> None:
    today = {
        (name, code_of(key, name, tuple(found.data(cell))))
        for name, found in library.load_experiments(key).items()
        for cell in found.cells["full"]
    }
    for file in _cost_files(results, key):
        if not today.issuperset(json.loads(file.read_text("utf-8"))["code"].items()):
            msg = f"{file.with_suffix('').with_suffix('')} was run with other code than today's"
            raise Icml2008Error(msg)


def _check_complete(key: str, experiment: str, where: str, lines: list[records.Line]) -> None:
    if without := [line for line in lines if line.get("status") == "data not available"]:
        msg = f"{where}: {without[0]['reason']}; the reference needs every trial"
        raise Icml2008Error(msg)
    done = {(records.canonical(line["cell"]), line["repeat"]) for line in lines[1:]}
    for cell, repeat in library.load_experiment(key, experiment).trials("full"):
        if (records.canonical(dict(cell)), repeat) not in done:
            msg = f"{where}: nothing of {cell_name(cell)}, repeat {repeat}; run it at full scale"
            raise Icml2008Error(msg)


def costs_of(results: Path, key: str) -> dict[str, dict[str, float]]:
    """Return what a paper's jobs cost by universe: seconds, seconds in trials, peak memory."""
    costs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in _cost_files(results, key):
        costs[file.parent.name].append(json.loads(file.read_text("utf-8")))
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
    return found


def _cost_files(results: Path, key: str) -> list[Path]:
    return sorted((results / key / "shards").glob("*/*.cost.json"))
