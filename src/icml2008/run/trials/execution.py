"""Running trials: in a job of the workflow, or here and now."""

from __future__ import annotations

import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain, groupby
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.data import load
from icml2008.data.availability import State
from icml2008.errors import Icml2008Error
from icml2008.harness import records
from icml2008.harness.choices import projected
from icml2008.harness.experiment import Method
from icml2008.harness.logs import logged
from icml2008.harness.machine import machine
from icml2008.harness.sharding import Shard
from icml2008.harness.trial import Trial, run_with_own
from icml2008.run.trials.configuration import scale_of, shards_of
from icml2008.run.trials.outcome import last_line, usable, why
from icml2008.store import Shelf, record_file

Line = records.Line


class ShardError(Icml2008Error):
    """Trials of a paper ended without their records."""


def run_trials(
    entry: Entry,
    experiment: str,
    universe: str,
    trials: Iterable[tuple[Mapping[str, Any], int]],
    *,
    states: Mapping[str, State] | None = None,
    mirrors: Sequence[str] = (),
    own_methods: Mapping[str, Method] | None = None,
) -> tuple[list[Line], list[float]]:
    """Run trials one after the other and return their records and the seconds of each.

    Trials whose data sets are not available, by `states`, leave a record that says so.
    """
    from threadpoolctl import threadpool_limits

    declared = entry.experiment(experiment)
    choices = entry.trial_choices(experiment, universe)
    read = cache(lambda name: load(name, mirrors=mirrors))
    lines = []
    seconds = []
    with threadpool_limits(1):
        for cell, repeat in trials:
            start = time.perf_counter()
            missing = [
                states[name] for name in declared.data(cell) if states and not usable(states[name])
            ]
            if missing:
                reason = "; ".join(f"{state.dataset}: {why(state)}" for state in missing)
                lines.append(
                    {
                        "kind": "no data",
                        "cell": dict(cell),
                        "repeat": repeat,
                        "status": "data not available",
                        "reason": reason,
                    }
                )
            else:
                make = partial(Trial, entry.key, declared, cell, repeat, choices=choices, load=read)
                lines += run_with_own(
                    lambda own, make=make: make(own_methods=own), own_methods or {}
                )
            seconds.append(time.perf_counter() - start)
    return lines, seconds


_running: Callable[..., tuple[list[Line], list[float]]]


def run_here(
    entry: Entry,
    experiment: str,
    universe: str,
    trials: Sequence[Any],
    *,
    cores: int = 1,
    **how: Any,
) -> Iterator[list[Line]]:
    """Yield the records of one trial after the other, in their order, from so many processes.

    Takes what `run_trials` takes. The processes are forks, which need no copies of own methods.

    Raises
    ------
    ShardError
        If a process ends by itself.
    """
    global _running
    _running = partial(run_trials, entry, experiment, universe, **how)
    with limited_memory(entry.experiment(experiment).mebibytes):
        if cores == 1:
            yield from map(_run_one, trials)
            return
        with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
            try:
                yield from pool.map(_run_one, trials)
            except BrokenProcessPool:
                msg = f"{entry.key}/{experiment}: a process ended in the middle of a trial"
                raise ShardError(msg) from None


def _run_one(trial: Any) -> list[Line]:
    return _running([trial])[0]


@contextmanager
def limited_memory(mebibytes: int) -> Iterator[None]:
    """Let this process and its forks take so much more address space, where Linux can tell.

    A trial that allocates without bound then fails by itself, before it takes the whole machine.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = Path("/proc/self/statm")
    if not taken.is_file():
        yield
        return
    pages = int(taken.read_text().split()[0])
    most = pages * resource.getpagesize() + (mebibytes << 20)
    # A limit that was set from outside may be the lower one.
    lower = min(limit for limit in (*before, most) if limit != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (lower, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def run_paper(
    run: Shelf,
    shards: Mapping[str, Mapping[str, Any]],
    universes: Sequence[str],
    states: Mapping[str, State],
    *,
    mirrors: Sequence[str],
    logs: Path,
    at_once: int,
    only: str | None = None,
) -> None:
    """Run the shards of a paper that are not done, each in a process of its own, and join them all.

    Parameters
    ----------
    run : Shelf
        Where the records go.
    shards : mapping
        As `icml2008.run.trials.plans.Plan` has them. What is there of others is removed.
    universes : sequence of str
    states : mapping
        The state of each data set.
    mirrors : sequence of str
    logs : path
        Folder of the shards' logs.
    at_once : int
        How many processes may run at the same time.
    only : str, optional
        The one experiment that the shards are of; what is there of others stays.

    Raises
    ------
    ShardError
        If a shard failed; the others are done.
    """
    folder = run.shards_folder
    planned = {
        name: (universe, shard)
        for universe in universes
        for name, shard in shards_of(run.entry, scale_of(run.label), universe, only)
    }
    stamps = {
        name: stamp_of(plan["stamp"], planned[name][1].data, states)
        for name, plan in shards.items()
    }
    for universe in universes:
        for file in folder.glob(f"{universe}/{f'{only}-????' if only else '*'}.cost.json"):
            name = f"{universe}/{file.name.partition('.')[0]}"
            if json.loads(file.read_text("utf-8")).get("stamp") != stamps.get(name, ""):
                _records_of(folder, name).unlink(missing_ok=True)  # first: they say what is done
                file.unlink()
    waiting = [name for name in shards if not _records_of(folder, name).is_file()]
    running: dict[int, str] = {}
    failed = []
    while waiting or running:
        while waiting and len(running) < at_once:
            name = waiting.pop(0)
            if not (process := os.fork()):
                _end_with(
                    partial(
                        run_shard, run.entry, *planned[name], states, mirrors=mirrors,
                        code=shards[name]["code"], stamp=stamps[name],
                        records_file=_records_of(folder, name),
                    ),
                    logs / f"{name}.log",
                )  # fmt: skip
            running[process] = name
        process, status = os.wait()
        name = running.pop(process)
        if status:
            experiments = ", ".join(planned[name][1].experiments)
            failed.append(f"{name} ({experiments}): {last_line(logs / f'{name}.log')}")
    if failed:
        raise ShardError("\n".join(failed))
    files = [_records_of(folder, name) for name in shards]
    collect(run, files, universes, [only] if only else None)


def stamp_of(planned: str, data: Iterable[str], states: Mapping[str, State]) -> str:
    """Return what a shard's records depend on: what was planned, and which data are not there."""
    lacking = [name for name in data if not usable(states[name])]
    return " ".join([planned, *lacking])


def _records_of(folder: Path, name: str) -> Path:
    return folder / f"{name}.jsonl"


def _end_with(work: Callable[[], None], log: Path) -> None:
    """Do the work of a forked process, and end it without what its parent does at the end."""
    status = 1
    try:
        with logged(log):
            work()
        status = 0
    finally:
        os._exit(status)


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
) -> None:
    """Run the trials of one process and write their records, and beside them what they cost.

    The file joins the record files of the experiments, one after the other. `code` has the hash of
    the code behind each experiment's records.
    """
    start = time.perf_counter()
    busy = time.process_time()
    texts = []
    seconds = {}
    for experiment, group in groupby(shard.trials, key=itemgetter(0)):
        with limited_memory(entry.experiment(experiment).mebibytes):
            lines, seconds[experiment] = run_trials(
                entry,
                experiment,
                universe,
                [(cell, repeat) for _, cell, repeat in group],
                states=states,
                mirrors=mirrors,
            )
        texts.append(records.to_text(records.header(entry.key, experiment, universe), lines))
    cost = {
        "stamp": stamp,
        "code": dict(code),
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - busy,
        "trial_seconds": seconds,
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
