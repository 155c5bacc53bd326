"""New evidence of one experiment, under each choice that can touch it."""

from __future__ import annotations

from pathlib import Path

from icml2008.catalogue.entry import Entry
from icml2008.data.availability import ensure
from icml2008.errors import Icml2008Error
from icml2008.run.trials import configuration, plans
from icml2008.run.trials.outcome import usable, why
from icml2008.run.trials.paper_runs import run_paper
from icml2008.store import Shelf


def run_experiment(entry: Entry, name: str, *, scale: str = "full", cores: int = 1) -> Path:
    """Run an experiment by default and with one choice changed at a time; return its records.

    Trials that are done, by today's code, are not run again; of other experiments nothing changes.

    Raises
    ------
    Icml2008Error
        If there is no such experiment, or a data set is not available.
    ShardError
        If trials ended without their records; those of the others are there.
    """
    run = configuration.Run(scale=scale, papers=(entry.key,), multiverse=(entry.key,))
    universes = configuration.universes(run, entry)
    planned = list(plans.planned(entry, scale, universes, only=name))
    needs = sorted({data for _, shard, _ in planned for data in shard.data})
    states = {data: ensure(data) for data in needs}
    for state in states.values():
        if not usable(state):
            msg = f"{entry.key}/{name} needs {state.dataset} ({why(state)})"
            raise Icml2008Error(msg)
    shelf = Shelf.of_run(scale, entry)
    run_paper(
        shelf,
        {number: about for number, _, about in planned},
        universes,
        states,
        mirrors=(),
        logs=Path("logs", scale, entry.key, name),
        at_once=cores,
        only=name,
    )
    return shelf.records_folder / name
