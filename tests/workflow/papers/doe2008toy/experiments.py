"""A tiny experiment."""

from __future__ import annotations

import numpy as np

from icml2008.harness.experiment import experiment, grid


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
    samples = draw(size=(200, trial.cell["size"]))
    for name, estimate in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, error=float(np.mean(np.abs(estimate(samples, axis=1)))))
