"""Which jobs a run of a paper consists of: trials with the same data, about half a minute each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from icml2008.harness.experiment import Cell, Experiment

SECONDS_A_SHARD = 30.0

Trials = tuple[tuple[str, Cell, int], ...]


@dataclass(frozen=True)
class Shard:
    """A run of consecutive trials that one job executes.

    Attributes
    ----------
    name : str
        Its number, ``0000`` first.
    data : tuple of str
        The data sets that its trials read.
    trials : tuple of (experiment, cell, repeat)
        Of one experiment, or of several that are short: a job's start costs seconds.
    """

    name: str
    data: tuple[str, ...]
    trials: Trials

    @property
    def experiments(self) -> list[str]:
        """The experiments it has trials of."""
        return list(dict.fromkeys(experiment for experiment, _, _ in self.trials))


def shards(
    experiments: Mapping[str, Experiment],
    scale: str,
    seconds: float = SECONDS_A_SHARD,
    is_run: Callable[[str, Cell], bool] = lambda experiment, cell: True,
) -> Iterator[Shard]:
    """Yield the shards of a paper's experiments at a scale, of the wanted cells only.

    The partition follows from the declared costs alone, never from a measurement: it has no
    influence on any result, but a changed one would run everything again.
    """
    by_data: dict[tuple[str, ...], list[Trials]] = {}
    for name, experiment in experiments.items():
        kept = [(name, *trial) for trial in experiment.trials(scale) if is_run(name, trial[0])]
        # the repeats of a cell, or each trial alone
        groups = groupby(kept, itemgetter(1)) if experiment.repeats_together else groupby(kept)
        for _, group in groups:
            trials = tuple(group)
            by_data.setdefault(tuple(experiment.data(trials[0][1])), []).append(trials)
    number = 0
    for data, runs in by_data.items():
        part = ()
        left = seconds
        for trials in runs:
            cost = len(trials) * experiments[trials[0][0]].seconds(trials[0][1])
            if part and cost > left:
                yield Shard(f"{number:04d}", data, part)
                number += 1
                part = ()
                left = seconds
            part += trials
            left -= cost
        yield Shard(f"{number:04d}", data, part)
        number += 1
