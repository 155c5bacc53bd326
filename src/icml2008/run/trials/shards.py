"""Shards: one is run and written by a job, and a paper's are collected into its records."""

from __future__ import annotations

import json
import resource
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.data.availability import State
from icml2008.harness import records
from icml2008.harness.choices import projected
from icml2008.harness.machine import machine
from icml2008.harness.sharding import Shard
from icml2008.run.trials.execution import Line, limited_memory, run_trials
from icml2008.run.trials.outcome import usable
from icml2008.run.trials.reuse import at, known_records
from icml2008.store import Shelf, record_file


def run_shard(
    entry: Entry,
    universe: str,
    shard: Shard,
    states: Mapping[str, State],
    *,
    mirrors: Sequence[str],
    code: Mapping[str, str],
    stamp: str,
    records_file: Path,
    reuse: bool = False,
) -> None:
    """Run the trials of one process and write their records, and beside them what they cost.

    The file joins the record files of the experiments, one after the other. `code` has the hash of
    the code behind each experiment's records. With `reuse`, records that the reference has and that
    would be the same are taken from it.
    """
    start = time.perf_counter()
    busy = time.process_time()
    texts = []
    seconds = {}
    reused = 0
    reuse = reuse and all(usable(states[name]) for name in shard.data)
    for experiment, group in groupby(shard.trials, key=itemgetter(0)):
        trials = [(cell, repeat) for _, cell, repeat in group]
        known = known_records(entry, experiment, universe) if reuse else {}
        taken = [known[at(*trial)] for trial in trials if at(*trial) in known]
        reused += len(taken)
        with limited_memory(entry.experiments[experiment].mebibytes):
            lines, seconds[experiment] = run_trials(
                entry,
                experiment,
                universe,
                [trial for trial in trials if at(*trial) not in known],
                states=states,
                mirrors=mirrors,
            )
        lines += chain.from_iterable(taken)
        texts.append(records.to_text(records.header(entry.key, experiment, universe), lines))
    cost = {
        "stamp": stamp,
        "code": dict(code),
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - busy,
        "trial_seconds": seconds,
        **({"reused": reused} if reused else {}),
        "peak_mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **machine(),
    }
    # Records without their cost are of unknown code: they come last.
    records.write_atomically(
        records_file.with_suffix(".cost.json"), json.dumps(cost, indent=1) + "\n"
    )
    records.write_atomically(records_file, "".join(texts))


def collect(
    run: Shelf,
    shards: Iterable[Path],
    universes: Iterable[str],
    experiments: Iterable[str] | None = None,
) -> None:
    """Join shards into one record file for each universe of a paper's experiments, or of some.

    Each cell's lines come from the universe's projection on what can touch it. The records' folder
    gets ``<experiment>/<universe>.jsonl``, and arrays kept for figures in ``<experiment>/kept``.
    """
    declared = run.entry.choices
    by_cell: dict[tuple[str, str, str], list[Line]] = defaultdict(list)
    cells: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for head, lines in chain.from_iterable(map(records.read_joined, shards)):
        for line in lines:
            name = records.canonical(line["cell"])
            by_cell[head["experiment"], head["universe"], name].append(line)
            cells[head["experiment"]][name] = line["cell"]
    universes = list(universes)
    for experiment in experiments or run.entry.experiments:
        for universe in universes:
            if projected(universe, declared, experiment) != universe:
                continue
            lines = [
                line
                for name, cell in cells[experiment].items()
                for line in by_cell[
                    experiment, projected(universe, declared, experiment, cell), name
                ]
            ]
            head = records.header(run.key, experiment, universe)
            kept = [line for line in lines if line["kind"] == "array"]
            measured = [line for line in lines if line["kind"] != "array"]
            for part, are_kept in ((measured, False), (kept, True)):
                file = record_file(run.records_folder, experiment, universe, kept=are_kept)
                records.write_atomically(file, records.to_text(head, part))
