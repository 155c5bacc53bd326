"""A tiny experiment."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path

import numpy as np

from icml2008.harness.experiment import experiment, grid

eaten = []


def fail(name):
    """Fail as the tests ask for."""
    mode = os.environ.get("DOE2008TOY")
    if mode == "raise" and name == "median":
        msg = "no median today"
        raise ArithmeticError(msg)
    if mode == "killed" or (mode == "killed once" and first_time()):
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "out of memory":
        raise MemoryError
    while mode == "wait" and not Path("go").exists():
        time.sleep(0.1)
    while mode == "hungry":
        eaten.append(np.empty(1 << 27))
    if mode == "disk full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if mode == "stall" and any(Path().glob("results/**/shards/**/*.jsonl")):
        time.sleep(600)


def first_time():
    """Return whether nobody has asked before in this folder."""
    try:
        Path("asked").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@experiment(
    "centre",
    cells=grid(size=[10, 100]),
    repeats={"smoke": 8, "quick": 40, "full": 160},
    cost=1.0,
    methods=lambda choices: {"mean": np.mean, "median": np.median},
)
def estimate_the_centre(trial):
    """Table 1: mean distance from the centre over 200 samples."""
    draw = getattr(trial.rng("sample"), trial.choices["noise"])
    factor = 2 if trial.choices["sizes"] == "doubled" else 1
    samples = draw(size=(200, factor * trial.cell["size"]))
    for name, estimate in trial.methods.items():
        with trial.attempt(name):
            fail(name)
            trial.measure(name, error=float(np.mean(np.abs(estimate(samples, axis=1)))))
