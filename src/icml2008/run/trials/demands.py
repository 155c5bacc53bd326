"""What the trials of a paper ask of a cluster, by what they are declared to take."""

from __future__ import annotations

from math import ceil

from icml2008.run.trials.plans import Plan

START = 5.0  # minutes: imports, kernels to compile, a slow file system
HEAD_ROOM = 3.0  # declared costs are rough, and nodes differ


def minutes(plan: Plan, threads: int, attempt: int) -> int:
    """Return how long a job may take; twice as long each time that it is tried again.

    Processes that take the next shard when they are free need no more than an even share of all
    and the longest shard.
    """
    seconds = plan.seconds / threads + plan.longest
    return ceil(2 ** (attempt - 1) * (START + HEAD_ROOM * seconds / 60))


def mebibytes(plan: Plan, threads: int, attempt: int) -> int:
    """Return the memory of a job: half of what its processes may take, all of it when tried again.

    Most take a tenth.
    """
    return ceil(threads * plan.mebibytes * min(attempt, 2) / 2)
