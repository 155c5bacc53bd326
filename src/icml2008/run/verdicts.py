"""From record files to verdicts, in every universe, and what the choices do to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.model import Paper
from icml2008.harness.choices import DEFAULT, changed_in, projected
from icml2008.harness.records import Line
from icml2008.judge.cells import Cell, cell_key
from icml2008.judge.claims import Claim
from icml2008.judge.evidence import cells_of
from icml2008.judge.judgement import judge_claim
from icml2008.judge.series import Records
from icml2008.judge.turning import robustness, with_robustness
from icml2008.judge.verdict import REFUTED, UNTESTED, Verdict
from icml2008.store import Evidence, write_json

# Digits of the numbers in verdict files: other arithmetics write others beyond them.
SIGNIFICANT = 9


def judge_paper(
    key: str, evidence: Evidence, scale: str, universes: Iterable[str] = (DEFAULT,)
) -> list[dict[str, Any]]:
    """Return the verdicts on a paper's claims: the default's, then where a universe touches them.

    A universe that does not touch a claim's experiment has the default's verdict on it, which is
    not repeated. The verdicts of the default say how robust they are, as far as other universes
    are among the given ones, and ran on cells of the claim.
    """
    paper = library.load_paper(key)
    if any(claim.statistic and claim.statistic.custom for claim in paper.claims.values()):
        library.load_experiments(key)  # which registers the paper's own statistics
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
    """Say of a claim and of each of its parts what the choices do to it.

    A choice counts for a part only where it ran on one of the part's own cells: elsewhere its
    records are copies of the default's. So it counts for a refuted whole only if it counts for all
    refuted parts, since otherwise it could not have turned the whole.
    """
    claim, verdicts = paper.claims[name], judged[DEFAULT][name]
    experiment = claim.statistic.experiment
    choices = [one for one, choice in paper.choices.items() if experiment in choice.touches]
    alternatives: dict[str, list[tuple[str, Sequence[Verdict]]]] = defaultdict(list)
    for universe, claims in judged.items():
        changed = changed_in(universe, paper.choices)
        if changed and name in claims:
            alternatives["+".join(sorted(changed))].append((universe, claims[name]))
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
    tried = {choice for part in found for choice in part.tried}
    if verdicts[0].verdict == REFUTED:
        for one, part in zip(found, parts, strict=True):
            tried &= set(one.tried) if part.verdict == REFUTED else tried
    of_whole = robustness(verdicts, others, tried)
    return [with_robustness(verdicts[0], of_whole, choices), *said]


def _as_declared(lines: Sequence[Line]) -> dict[Cell, Mapping[str, Any]]:
    """Return the cells of record lines as they were declared, numbers as numbers."""
    return {cell_key(line["cell"]): line["cell"] for line in lines[1:]}


def judge_results(key: str, results: Path, universes: Sequence[str], verdicts_file: str) -> None:
    """Judge a paper's claims by its records in the folder of a scale and write the verdicts."""
    evidence = store.read_evidence(results, key)
    write_json(verdicts_file, judge_paper(key, evidence, results.name, universes))


def lines_for_figures(results: Path, key: str, experiment: str, universe: str) -> list[Line]:
    """Return measurements and kept arrays of an experiment, without headers."""
    name = projected(universe, library.load_paper(key).choices, experiment)
    return store.read_all_lines(results, key, experiment, name)
