"""New evidence of one experiment, under each choice that can touch it."""

from __future__ import annotations

from pathlib import Path

from icml2008.data.availability import ensure
from icml2008.errors import Icml2008Error
from icml2008.run import configuration, plans
from icml2008.run.execution import run_paper
from icml2008.run.outcome import usable, why
from icml2008.store import run_folder


def run_experiment(key: str, name: str, *, scale: str = "full", cores: int = 1) -> Path:
    """Run an experiment by default and with one choice changed at a time; return its records.

    Trials that are done, by today's code, are not run again; of other experiments nothing changes.

    Raises
    ------
    Icml2008Error
        If there is no such experiment, or a data set is not available.
    ShardError
        If trials ended without their records; those of the others are there.
    """
    run = configuration.Run(scale=scale, papers=(key,), multiverse=(key,))
    universes = configuration.universes(run, key)
    found = list(plans.planned(key, scale, universes, only=name))
    needs = sorted({data for _, shard, _ in found for data in shard.data})
    states = {data: ensure(data) for data in needs}
    for state in states.values():
        if not usable(state):
            msg = f"{key}/{name} needs {state.dataset} ({why(state)})"
            raise Icml2008Error(msg)
    run_paper(
        key,
        run_folder(scale),
        {number: about for number, _, about in found},
        universes,
        states,
        mirrors=(),
        logs=Path("logs", scale, key, name),
        at_once=cores,
        only=name,
    )
    return run_folder(scale) / key / "records" / name
