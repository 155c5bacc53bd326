"""Running trials, here and now or in a process of their own."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.data import load
from icml2008.data.availability import State
from icml2008.errors import Icml2008Error
from icml2008.harness import records
from icml2008.harness.experiment import Method
from icml2008.harness.trial import Trial, run_with_own
from icml2008.run.trials.outcome import usable, why

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
    memory: dict[Any, Any] | None = None,
) -> tuple[list[Line], list[float]]:
    """Run trials one after the other and return their records and the seconds of each.

    Trials whose data sets are not available, by `states`, leave a record that says so. `memory`
    holds what trials make once; without one, these share a new one.
    """
    from threadpoolctl import threadpool_limits

    declared = entry.experiments[experiment]
    choices = entry.trial_choices(experiment, universe)
    read = cache(lambda name: load(name, mirrors=mirrors))
    memory = {} if memory is None else memory
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
                make = partial(
                    Trial, entry.key, declared, cell, repeat,
                    choices=choices, load=read, memory=memory,
                )  # fmt: skip
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
    _running = partial(run_trials, entry, experiment, universe, memory={}, **how)
    with limited_memory(entry.experiments[experiment].mebibytes):
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
