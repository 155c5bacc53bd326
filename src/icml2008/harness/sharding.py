"""Which jobs a run of a paper consists of: trials with the same data, half a minute each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

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
    trials : tuple of (experiment, cell, repeat)
        Of one experiment, or of several that are short: a job's start costs seconds.
    """

    name: str
    data: tuple[str, ...]
    trials: tuple[tuple[str, Cell, int], ...]

    @property
    def experiments(self) -> list[str]:
        """The experiments it has trials of."""
        return list(dict.fromkeys(experiment for experiment, _, _ in self.trials))


def shards(
    experiments: Mapping[str, Experiment],
    scale: str,
    seconds: float = SECONDS_A_SHARD,
    wanted: Callable[[str, Cell], bool] = lambda experiment, cell: True,
) -> Iterator[Shard]:
    """Yield the shards of a paper's experiments at a scale, of the wanted cells only.

    The partition follows from the declared costs alone, never from a measurement: it has no
    influence on any result, but a changed one would run everything again.
    """
    by_data: dict[tuple[str, ...], list[tuple[str, Cell, int]]] = {}
    for name, experiment in experiments.items():
        for cell, repeat in experiment.trials(scale):
            if wanted(name, cell):
                trials = by_data.setdefault(tuple(experiment.data(cell)), [])
                trials.append((name, cell, repeat))
    number = 0
    for data, trials in by_data.items():
        part, left = [], seconds
        for trial in trials:
            cost = experiments[trial[0]].seconds(trial[1])
            if part and cost > left:
                yield Shard(f"{number:04d}", data, tuple(part))
                number += 1
                part, left = [], seconds
            part.append(trial)
            left -= cost
        yield Shard(f"{number:04d}", data, tuple(part))
        number += 1
