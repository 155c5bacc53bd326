"""From record files to verdicts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.harness import records
from icml2008.harness.choices import DEFAULT
from icml2008.judge.records import Records
from icml2008.judge.verdicts import judge_claim
from icml2008.papers import library

Line = records.Line


def judge_lines(
    key: str, by_experiment: Mapping[str, list[Line]], scale: str, universe: str = DEFAULT
) -> list[dict[str, Any]]:
    """Return the verdicts on a paper's claims, from the lines of each experiment's record file."""
    paper = library.load_paper(key)
    evidence = {name: Records(lines) for name, lines in by_experiment.items()}
    resampling = {name: facts.resampling for name, facts in paper.experiments.items()}
    verdicts = []
    for name, claim in paper.claims.items():
        judged = judge_claim(
            key, name, claim, evidence,
            metrics=paper.metrics, resampling=resampling, scale=scale, universe=universe,
        )  # fmt: skip
        verdicts += [verdict.to_json() for verdict in judged]
    return verdicts


def judge_files(key: str, files: Sequence[str], *, scale: str, verdicts_file: str) -> None:
    """Judge a paper's claims by its record files and write the verdicts."""
    by_experiment = {}
    for file in files:
        head, lines = records.read(file)
        by_experiment[head["experiment"]] = [head, *lines]
    write_json(verdicts_file, judge_lines(key, by_experiment, scale))


def write_json(path: str | Path, content: Any) -> None:
    """Write JSON with one line for each entry of a list, atomically."""
    if isinstance(content, list):
        text = "[\n" + ",\n".join(records.canonical(entry) for entry in content) + "\n]\n"
    else:
        text = json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n"
    records.write_atomically(path, text)


def record_files(results: Path, key: str) -> dict[str, Path]:
    """Return the record file of each experiment of a paper in a folder of results, if it is there.

    Folders of one scale hold ``<experiment>/default/records.jsonl``, the reference holds
    ``<experiment>.jsonl.gz``.
    """
    found = {}
    for name in library.load_paper(key).experiments:
        for path in (
            results / key / name / DEFAULT / "records.jsonl",
            results / key / f"{name}.jsonl.gz",
        ):
            if path.is_file():
                found[name] = path
    return found


def read_lines(path: Path) -> list[Line]:
    """Return the header and the lines of a record file, packed or not."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read_verdicts(results: Path, key: str) -> list[dict[str, Any]]:
    """Return the verdicts on a paper in a folder of results; none if it was not judged there."""
    path = results / key / "verdicts.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else []
