"""A second tiny experiment, which shares nothing with the first."""

from __future__ import annotations

import numpy as np

from icml2008.harness.experiment import experiment, grid


@experiment(
    "sorting",
    cells=grid(size=[20]),
    repeats={"smoke": 8, "quick": 8, "full": 8},
    cost=1.0,
    methods=lambda choices: {"sort": np.sort},
)
def sort_twice(trial):
    """Theorem 1: how many items the second sort moves."""
    items = trial.rng("items").normal(size=trial.cell["size"])
    for name, sort in trial.methods.items():
        with trial.attempt(name):
            once = sort(items)
            trial.measure(name, moved=float(np.sum(once != sort(once))))
