"""Which jobs a run consists of: consecutive trials with the same data, half a minute each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from icml2008.harness.experiment import Cell, Experiment

SECONDS_A_SHARD = 30.0


@dataclass(frozen=True)
class Shard:
    """A run of consecutive trials that one job executes.

    Attributes
    ----------
    name : str
        Its number, ``0000`` first.
    data : tuple of str
        The data sets that its trials read.
    trials : tuple of (cell, repeat)
    """

    name: str
    data: tuple[str, ...]
    trials: tuple[tuple[Cell, int], ...]


def shards(
    experiment: Experiment,
    scale: str,
    seconds: float = SECONDS_A_SHARD,
    wanted: Callable[[Cell], bool] = lambda cell: True,
) -> Iterator[Shard]:
    """Yield the shards of an experiment at a scale, of the wanted cells only.

    The partition follows from the declared cost alone, never from a measurement: it has no
    influence on any result, but a changed one would run everything again.
    """
    size = max(1, round(seconds / experiment.cost))
    number = 0
    trials = [trial for trial in experiment.trials(scale) if wanted(trial[0])]
    for data, group in groupby(trials, key=lambda trial: tuple(experiment.data(trial[0]))):
        run = tuple(group)
        for start in range(0, len(run), size):
            yield Shard(f"{number:04d}", data, run[start : start + size])
            number += 1
