"""Running trials: in a job of the workflow, or here and now."""

from __future__ import annotations

import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import psutil

from icml2008.catalogue import library
from icml2008.data import load
from icml2008.data.availability import State
from icml2008.errors import Icml2008Error
from icml2008.harness import records
from icml2008.harness.choices import projected
from icml2008.harness.experiment import Method
from icml2008.harness.machine import machine
from icml2008.harness.trial import Trial, run_trial

Line = records.Line


class MethodError(Icml2008Error):
    """A method of one's own cannot be found, or does not fit the experiment."""


def run_trials(
    key: str,
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

    found = library.load_experiment(key, experiment)
    choices = library.trial_choices(key, experiment, universe)
    read = cache(lambda name: load(name, mirrors=mirrors))
    lines, seconds = [], []
    with threadpool_limits(1):
        for cell, repeat in trials:
            start = time.perf_counter()
            missing = [
                states[name] for name in found.data(cell) if states and not usable(states[name])
            ]
            if missing:
                reason = "; ".join(f"{state.dataset}: {why(state)}" for state in missing)
                lines.append(
                    {
                        "cell": dict(cell),
                        "repeat": repeat,
                        "status": "data not available",
                        "reason": reason,
                    }
                )
            else:
                trial = Trial(
                    key,
                    found,
                    cell,
                    repeat,
                    choices=choices,
                    load=read,
                    own_methods=own_methods or {},
                )
                lines += run_trial(trial)
            seconds.append(time.perf_counter() - start)
    return lines, seconds


def usable(state: State) -> bool:
    """Return whether a data set can be read."""
    return state.status == "available"


def why(state: State) -> str:
    """Return why a data set cannot be read, in one line."""
    return "; ".join(f"{file} {reason}" for file, reason in sorted(state.reasons.items()))


def run_shard(
    key: str,
    universe: str,
    trials: Iterable[tuple[str, Mapping[str, Any], int]],
    state_files: Sequence[str],
    *,
    mirrors: Sequence[str],
    code: Mapping[str, str],
    kernels: str,
    records_file: str,
    cost_file: str,
) -> None:
    """Run the trials of one job and write their records, and beside them what they cost.

    The file joins the record files of the experiments, one after the other. `code` has the hash of
    the code behind each experiment's records, `kernels` is that under which compiled code is kept
    for the paper's other jobs.
    """
    # Numba's own cache misses edits of a kernel that another module compiles into its own.
    os.environ["NUMBA_CACHE_DIR"] = str(Path(".snakemake/numba", kernels).absolute())
    states = {state.dataset: state for state in map(_state, state_files)}
    texts, seconds = [], {}
    for experiment, group in groupby(trials, key=itemgetter(0)):
        lines, seconds[experiment] = run_trials(
            key,
            experiment,
            universe,
            [(cell, repeat) for _, cell, repeat in group],
            states=states,
            mirrors=mirrors,
        )
        texts.append(records.to_text(records.header(key, experiment, universe), lines))
    cost = {
        "code": dict(code),
        "seconds": time.time() - job_started(),
        "trial_seconds": seconds,
        "peak_mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **machine(),
    }
    records.write_atomically(cost_file, json.dumps(cost, indent=1) + "\n")
    records.write_atomically(records_file, "".join(texts))


def _state(file: str) -> State:
    return State.from_json(Path(file).read_text("utf-8"))


def job_started() -> float:
    """Return when the job of this process began, start-up of Snakemake's own process included."""
    here = psutil.Process()
    family = [here, *(one for one in here.parents() if "--target-jobs" in _command(one))]
    return min(process.create_time() for process in family)


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # of somebody else
        return []


def collect(key: str, shards: Iterable[str], universes: Iterable[str], folder: str | Path) -> None:
    """Join a paper's shards into one record file for each experiment and universe.

    Each cell's lines come from the universe's projection on what can touch it. `folder` gets
    ``<experiment>/<universe>.jsonl``, and arrays kept for figures in ``<experiment>/kept``.
    """
    declared = library.load_paper(key).choices
    found: dict[tuple[str, str, str], list[Line]] = defaultdict(list)
    cells: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for head, lines in chain.from_iterable(map(records.read_joined, shards)):
        for line in lines:
            name = records.canonical(line["cell"])
            found[head["experiment"], head["universe"], name].append(line)
            cells[head["experiment"]][name] = line["cell"]
    universes = list(universes)
    for experiment in library.load_experiments(key):
        for universe in universes:
            if projected(universe, declared, experiment) != universe:
                continue
            lines = [
                line
                for name, cell in cells[experiment].items()
                for line in found[experiment, projected(universe, declared, experiment, cell), name]
            ]
            head = records.header(key, experiment, universe)
            kept = [line for line in lines if "keep" in line]
            measured = [line for line in lines if "keep" not in line]
            for place, some in ((experiment, measured), (f"{experiment}/kept", kept)):
                file = Path(folder, place, f"{universe}.jsonl")
                records.write_atomically(file, records.to_text(head, some))


def own_method(target: str, expects: type | None) -> tuple[str, Method]:
    """Import a method of one's own, given as ``package.module:Class``.

    Raises
    ------
    MethodError
        If it cannot be imported, or lacks what the experiment expects of a method.
    """
    module, _, name = target.partition(":")
    if not name:
        msg = f"--method {target!r}: write it as package.module:Class"
        raise MethodError(msg)
    try:
        method = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        msg = f"--method {target!r}: {error}; is its folder on PYTHONPATH?"
        raise MethodError(msg) from None
    wanted = [part for part in vars(expects or object) if not part.startswith("_")]
    lacking = [part for part in wanted if not callable(getattr(method, part, None))]
    if lacking:
        msg = (
            f"--method {target!r} lacks {', '.join(lacking)}. {expects.__name__}: {expects.__doc__}"
        )
        raise MethodError(msg)
    return name, method
