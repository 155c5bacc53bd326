"""From record files to verdicts, in every universe, and what the choices do to them."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.catalogue import library
from icml2008.catalogue.model import Paper
from icml2008.harness import records
from icml2008.harness.choices import DEFAULT, changed_in, projected
from icml2008.judge.claims import Claim
from icml2008.judge.evidence import cells_of
from icml2008.judge.judgement import judge_claim
from icml2008.judge.robustness import robustness, with_robustness
from icml2008.judge.series import Cell, Records, cell_key
from icml2008.judge.standing import stated
from icml2008.judge.verdict import UNTESTED, Verdict

Line = records.Line
Evidence = Mapping[tuple[str, str], Sequence[Line]]
"""By experiment and universe, the header and the lines of a record file."""

# Digits of the numbers in verdict files: other arithmetics write others beyond them.
SIGNIFICANT = 9


def judge_paper(
    key: str, evidence: Evidence, scale: str, universes: Iterable[str] = (DEFAULT,)
) -> list[dict[str, Any]]:
    """Return the verdicts on a paper's claims: the default's, then where a universe touches them.

    A universe that does not touch a claim's experiment has the default's verdict on it, which is
    not repeated. The verdicts of the default say how robust they are, as far as universes that
    change one choice are among the given ones, and ran on cells of the claim.
    """
    paper = library.load_paper(key)
    found = {at: Records(lines) for at, lines in evidence.items()}
    resampling = {name: facts.resampling for name, facts in paper.experiments.items()}
    judged: dict[str, dict[str, list[Verdict]]] = {}
    for universe in dict.fromkeys([DEFAULT, *universes]):
        there = {name: projected(universe, paper.choices, name) for name in paper.experiments}
        by_experiment = {
            name: found[name, source] for name, source in there.items() if (name, source) in found
        }
        judged[universe] = {
            name: judge_claim(
                key, name, claim, by_experiment,
                metrics=paper.metrics, resampling=resampling, scale=scale, universe=universe,
            )
            for name, claim in paper.claims.items()
            if universe == DEFAULT or _touches(there, claim)
        }  # fmt: skip
    declared = {name: _as_declared(evidence.get((name, DEFAULT), ())) for name in paper.experiments}
    for name, claim in paper.claims.items():
        if judged[DEFAULT][name][0].verdict == UNTESTED:
            continue
        at = claim.statistic.experiment, DEFAULT
        judged[DEFAULT][name] = _with_robustness(paper, name, judged, found[at], declared[at[0]])
    return [
        _as_written(verdict.to_json())
        for claims in judged.values()
        for verdicts in claims.values()
        for verdict in verdicts
    ]


def _as_written(row: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict with its computed numbers rounded; its inputs stay as they were recorded."""
    return {name: value if name == "inputs" else _rounded(value) for name, value in row.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT}g}")
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def _touches(there: Mapping[str, str], claim: Claim) -> bool:
    """Return whether a universe, by its projections on experiments, can change a claim."""
    return claim.statistic is not None and there[claim.statistic.experiment] != DEFAULT


def _with_robustness(
    paper: Paper,
    name: str,
    judged: Mapping[str, Mapping[str, Sequence[Verdict]]],
    table: Records,
    declared: Mapping[Cell, Mapping[str, Any]],
) -> list[Verdict]:
    """Say of a claim and of each of its parts what the choices, one at a time, do to it.

    A choice counts for a part only where it ran on one of the part's own cells: elsewhere its
    records are copies of the default's.
    """
    claim, verdicts = paper.claims[name], judged[DEFAULT][name]
    experiment = claim.statistic.experiment
    choices = [one for one, choice in paper.choices.items() if experiment in choice.touches]
    alternatives: dict[str, list[tuple[str, Sequence[Verdict]]]] = defaultdict(list)
    for universe, claims in judged.items():
        changed = changed_in(universe, paper.choices)
        if len(changed) == 1 and name in claims:
            alternatives[next(iter(changed))].append((universe, claims[name]))
    parts, found = verdicts[1:] or verdicts, []
    for place, (part, verdict) in enumerate(zip(claim.parts(), parts, strict=True)):
        cells = [declared[cell] for cell in cells_of(claim, part, table)]
        others = {
            choice: [
                other[place - len(parts)]
                for universe, other in tries
                if any(projected(universe, paper.choices, experiment, c) == universe for c in cells)
            ]
            for choice, tries in alternatives.items()
        }
        found.append(robustness(verdict, others))
    said = [with_robustness(*pair, choices) for pair in zip(parts, found, strict=True)]
    if not claim.each:
        return said
    others = {choice: [other for _, other in tries] for choice, tries in alternatives.items()}
    of_whole = robustness(verdicts, others, {choice for part in found for choice in part.tried})
    return [with_robustness(verdicts[0], of_whole, choices), *said]


def _as_declared(lines: Sequence[Line]) -> dict[Cell, Mapping[str, Any]]:
    """Return the cells of record lines as they were declared, numbers as numbers."""
    return {cell_key(line["cell"]): line["cell"] for line in lines[1:]}


def judge_results(key: str, results: Path, universes: Sequence[str], verdicts_file: str) -> None:
    """Judge a paper's claims by its records in the folder of a scale and write the verdicts."""
    evidence = read_evidence(record_files(results, key))
    write_json(verdicts_file, judge_paper(key, evidence, results.name, universes))


def write_json(path: str | Path, content: Any) -> None:
    """Write JSON with one line for each entry of a list, atomically."""
    if isinstance(content, list):
        text = "[\n" + ",\n".join(records.canonical(entry) for entry in content) + "\n]\n"
    else:
        text = json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n"
    records.write_atomically(path, text)


def record_files(results: Path, key: str) -> list[Path]:
    """Return the record files of a paper in a folder of results.

    The folder of a scale holds ``records/<experiment>/<universe>.jsonl``, the reference holds
    ``<experiment>/<universe>.jsonl.gz``.
    """
    folder = results / key
    return sorted([*folder.glob("records/*/*.jsonl"), *folder.glob("*/*.jsonl.gz")])


def read_evidence(files: Iterable[Path]) -> dict[tuple[str, str], list[Line]]:
    """Return the header and the lines of record files by experiment and universe."""
    found = {}
    for path in files:
        lines = read_lines(path)
        found[lines[0]["experiment"], lines[0]["universe"]] = lines
    return found


def read_lines(path: Path) -> list[Line]:
    """Return the header and the lines of a record file, packed or not; none if there is no file."""
    if not path.is_file():
        return []
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def lines_for_figures(results: Path, key: str, experiment: str, universe: str) -> list[Line]:
    """Return measurements and kept arrays of an experiment, without headers.

    `results` is the folder of a scale or the reference, which has arrays of the default only.
    """
    name = projected(universe, library.load_paper(key).choices, experiment)
    files = [
        results / key / place / f"{name}{suffix}"
        for folder, suffix in ((f"records/{experiment}", ".jsonl"), (experiment, ".jsonl.gz"))
        for place in (folder, f"{folder}/kept")
    ]
    return [line for file in files for line in read_lines(file)[1:]]


def read_verdicts(results: Path, key: str) -> list[dict[str, Any]]:
    """Return the verdicts on a paper in a folder of results; none if it was not judged there."""
    path = results / key / "verdicts.json"
    rows = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return [stated(row, library.load_paper(key).claims) for row in rows]


def default_verdicts(results: Path, key: str) -> list[dict[str, Any]]:
    """Return the verdicts of the default universe."""
    return [verdict for verdict in read_verdicts(results, key) if verdict["universe"] == DEFAULT]
