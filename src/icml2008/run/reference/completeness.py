"""What a folder of results lacks, though scale, choices and available data call for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import projected
from icml2008.harness.experiment import cell_name
from icml2008.harness.records import Line, canonical
from icml2008.store import RecordSet


def missing_records(
    entry: Entry, evidence: RecordSet, scale: str, universes: Iterable[str]
) -> list[str]:
    """Return what a scale has and the records have not, one line for each file."""
    if not evidence:
        return [f"nothing of it is there; run: snakemake --cores all {entry.key}"]
    declared = entry.choices
    missing = []
    for name, experiment in entry.experiments.items():
        trials = [(canonical(dict(cell)), repeat) for cell, repeat in experiment.trials(scale)]
        for universe in universes:
            if projected(universe, declared, name) != universe:
                continue
            lines: Sequence[Line] = evidence.get((name, universe), ())
            done = {(canonical(line["cell"]), line["repeat"]) for line in lines[1:]}
            lacking = [trial for trial in trials if trial not in done]
            if not lines:
                missing.append(f"no records of {name}, {universe}")
            elif lacking:
                cell, repeat = lacking[0]
                more = f" and {len(lacking) - 1} more trials" if lacking[1:] else ""
                where = cell_name(json.loads(cell))
                missing.append(f"{name}, {universe}: nothing of {where}, repeat {repeat}{more}")
    return missing
