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
from icml2008.harness import records
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import cell_name
from icml2008.papers import library
from icml2008.workflow.keys import REFERENCE, code_of, machine, result_key
from icml2008.workflow.verdicts import (
    judge_paper,
    read_evidence,
    read_lines,
    read_verdicts,
    record_files,
    write_json,
)


def read_provenance(key: str) -> dict[str, Any] | None:
    """Return where the reference of a paper comes from, or None if there is no reference."""
    path = REFERENCE / key / "provenance.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def stale(key: str) -> list[str]:
    """Return what has changed since the reference of a paper was made: one line for each change."""
    provenance = read_provenance(key)
    if provenance is None:
        return []
    changes = []
    for name in library.load_paper(key).experiments:
        old = provenance["keys"].get(name, {})
        new = result_key(key, name)
        parts = {"code": "code", "data": "data", "choices": "default choices"}
        changes += [
            f"{name}: other {text}" for part, text in parts.items() if old.get(part) != new[part]
        ]
    return changes


def adopt(key: str, results: Path = Path("results/full")) -> list[Path]:
    """Make the results of a full run the reference: packed records, verdicts and provenance.

    Raises
    ------
    Icml2008Error
        If the paper has no complete results there, or if a trial lacked its data.
    """
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
        shutil.rmtree(folder)
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
    provenance = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "keys": {name: result_key(key, name) for name, universe in evidence if universe == DEFAULT},
        "cost": costs_of(results, key),
        **machine(),
    }
    written += [folder / "verdicts.json", folder / "provenance.json"]
    write_json(written[-2], judge_paper(key, evidence, "full", universes))
    write_json(written[-1], provenance)
    return written


def _pack(path: Path, head: records.Line, lines: list[records.Line]) -> None:
    text = records.to_text(head, lines)
    records.write_atomically(path, gzip.compress(text.encode("utf-8"), mtime=0))


def _check_code(key: str, results: Path) -> None:
    experiments = library.load_experiments(key).values()
    needs = {tuple(found.data(cell)) for found in experiments for cell in found.cells["full"]}
    today = {code_of(key, data) for data in needs}
    for file in _cost_files(results, key):
        if json.loads(file.read_text("utf-8"))["code"] not in today:
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
