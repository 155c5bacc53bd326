"""What a folder of results lacks, though scale, choices and available data call for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from icml2008 import store
from icml2008.catalogue import library
from icml2008.harness.choices import projected
from icml2008.harness.experiment import cell_name
from icml2008.harness.records import Line, canonical
from icml2008.store import Evidence


def readable(results: Path, key: str) -> tuple[dict[tuple[str, str], list[Line]], list[str]]:
    """Return the records of a paper by experiment and universe, and what cannot be read."""
    evidence = {}
    broken = []
    for path in store.record_files(results, key):
        try:
            evidence |= store.read_measurements(path)
        except OSError as error:
            broken.append(f"{path} cannot be read: {error.strerror}")
        except store.BrokenFile as error:
            broken.append(str(error))
    return evidence, broken


def missing_records(
    key: str, evidence: Evidence, scale: str, universes: Iterable[str]
) -> list[str]:
    """Return what a scale has and the records have not, one line for each file."""
    if not evidence:
        return [f"nothing of it is there; run: snakemake --cores all {key}"]
    declared = library.load_paper(key).choices
    found = []
    for name, experiment in library.load_experiments(key).items():
        trials = [(canonical(dict(cell)), repeat) for cell, repeat in experiment.trials(scale)]
        for universe in universes:
            if projected(universe, declared, name) != universe:
                continue
            lines: Sequence[Line] = evidence.get((name, universe), ())
            done = {(canonical(line["cell"]), line["repeat"]) for line in lines[1:]}
            lacking = [trial for trial in trials if trial not in done]
            if not lines:
                found.append(f"no records of {name}, {universe}")
            elif lacking:
                cell, repeat = lacking[0]
                more = f" and {len(lacking) - 1} more trials" if lacking[1:] else ""
                where = cell_name(json.loads(cell))
                found.append(f"{name}, {universe}: nothing of {where}, repeat {repeat}{more}")
    return found
