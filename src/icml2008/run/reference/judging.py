"""From record files to verdicts, in every universe, and what the choices do to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import DEFAULT, projected
from icml2008.harness.records import Line
from icml2008.judge.cells import Cell, cell_key
from icml2008.judge.claims import Claim
from icml2008.judge.judgement import judge_claim
from icml2008.judge.recorded import Records
from icml2008.judge.verdict import UNTESTED, Verdict
from icml2008.run.reference.over_readings import ClaimReadings
from icml2008.store import RecordSet, Shelf, write_json

# Digits of the numbers in verdict files: other arithmetics write others beyond them.
SIGNIFICANT = 9


def judge_paper(
    entry: Entry, evidence: RecordSet, scale: str, universes: Iterable[str] = (DEFAULT,)
) -> list[dict[str, Any]]:
    """Return the verdicts on a paper's claims: over all readings, then each universe's finding.

    The verdicts over all readings are those of the default universe: they rest on the given
    universes that ran on cells of the claim. A universe that does not touch a claim's experiment
    has the default's finding on it, which is not repeated.
    """
    paper = entry.paper
    if any(claim.statistic and claim.statistic.custom for claim in paper.claims.values()):
        entry.load()  # which registers the paper's own statistics
    tables = {at: Records(lines) for at, lines in evidence.items()}
    resampling = {name: facts.resampling for name, facts in paper.experiments.items()}
    controls = {name: facts.control_methods for name, facts in paper.experiments.items()}
    judged: dict[str, dict[str, list[Verdict]]] = {}
    for universe in dict.fromkeys([DEFAULT, *universes]):
        there = {name: projected(universe, paper.choices, name) for name in paper.experiments}
        by_experiment = {
            name: tables[name, source] for name, source in there.items() if (name, source) in tables
        }
        judged[universe] = {
            name: judge_claim(
                paper.key, name, claim, by_experiment,
                metrics=paper.metrics, resampling=resampling, controls=controls,
                scale=scale, universe=universe,
            )
            for name, claim in paper.claims.items()
            if universe == DEFAULT or _touches(there, claim)
        }  # fmt: skip
    declared = {name: _as_declared(evidence.get((name, DEFAULT), ())) for name in paper.experiments}
    over = {}
    for name, claim in paper.claims.items():
        if judged[DEFAULT][name][0].verdict != UNTESTED:
            at = claim.statistic.experiment
            over[name] = ClaimReadings(
                paper, name, judged, tables[at, DEFAULT], declared[at]
            ).over_readings()
    judged[DEFAULT] |= over
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


def _as_declared(lines: Sequence[Line]) -> dict[Cell, Mapping[str, Any]]:
    """Return the cells of record lines as they were declared, numbers as numbers."""
    return {cell_key(line["cell"]): line["cell"] for line in lines[1:]}


def judge_results(shelf: Shelf, universes: Sequence[str], verdicts_file: str) -> None:
    """Judge a paper's claims by the records of a run and write the verdicts."""
    rows = judge_paper(shelf.entry, shelf.records(), shelf.label, universes)
    write_json(verdicts_file, rows)


def lines_for_figures(shelf: Shelf, experiment: str, universe: str) -> list[Line]:
    """Return measurements and kept arrays of an experiment, without headers."""
    return shelf.lines(experiment, projected(universe, shelf.entry.choices, experiment))
