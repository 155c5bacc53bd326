"""A paper's shards in a job of the workflow, several at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from icml2008.data.availability import State
from icml2008.harness.logs import logged
from icml2008.run.trials.configuration import scale_of, shards_of
from icml2008.run.trials.execution import ShardError
from icml2008.run.trials.outcome import last_line, usable
from icml2008.run.trials.shards import collect, run_shard
from icml2008.store import Shelf


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
    reuse: bool = False,
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
    reuse : bool
        Whether records that the reference has, and that would be the same, are taken from it.

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
        name: stamp_of(plan["stamp"], planned[name][1].data, states, reuse=reuse)
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
                        records_file=_records_of(folder, name), reuse=reuse,
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


def stamp_of(
    planned: str, data: Iterable[str], states: Mapping[str, State], *, reuse: bool = False
) -> str:
    """Return what a shard's records depend on: what was planned, and which data are not there.

    Records that may have been read are none of a run that makes its own.
    """
    lacking = [name for name in data if not usable(states[name])]
    return " ".join([planned, *lacking, *(["reuse"] if reuse else [])])


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
