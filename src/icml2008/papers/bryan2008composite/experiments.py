"""Section 3: samples until a level set is known well enough, and where they are taken.

The experiment of Section 5 stands in `regions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice

import numpy as np
from scipy.spatial import cKDTree

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.bryan2008composite.campaigns import (
    LASTING,
    Kriging,
    Sampler,
    points_of_judgement,
    steps,
    until_target,
)
from icml2008.papers.bryan2008composite.peers import GaussianProcess, samples_of_grid
from icml2008.papers.bryan2008composite.regions import regions_of_the_plane  # noqa: F401
from icml2008.papers.bryan2008composite.tasks import TASKS, Task, make_task, slopes_of

MODELS = ("variance", "variance-straddle", "sequential-straddle", "variance-maxvarstraddle")
PICTURED = ("variance", "sequential-straddle", "variance-maxvarstraddle")
CAP = 500
CAP_RANDOM = 1000
PICTURE = 100

# What an experiment uses where its choices say nothing else.
DEFAULTS = {
    "slope": "gradient",
    "spread": "one-unit",
    "nugget": "1e-10",
    "first-points": "one",
    "crossing": "first",
    "test-points": "grid-50",
    "gaussian-scale": "log-density",
    "gaussian-threshold": "9.488",
    "domain": "0..2",
}
OF_TASK = ("gaussian-scale", "gaussian-threshold", "domain")

CELLS = grid(task=TASKS)
SMALL = grid(task=["Gaussian", "4-Sin2D"])
SMALLEST = grid(task=["4-Sin2D"])
# of a processor, for one campaign of each sampler
SECONDS = {"Gaussian": 0.7, "SimpleSin2D": 1.7, "Sin2D": 0.4, "4-Sin2D": 0.1}

Makers = dict[str, Callable[..., Sampler]]


def samplers(*heuristics: str) -> Callable[[Mapping[str, str]], Makers]:
    """Return what `experiment` takes as methods: the paper's samplers, by their heuristics."""
    return lambda choices: {name: partial(Kriging, name) for name in heuristics}


def setting(trial: Trial, settings: Mapping[str, str]) -> tuple[Task, np.ndarray, Callable]:
    """Return the task, its test points and what makes a sampler: the same draws for each method."""
    name = trial.cell["task"]
    task = make_task(name, settings)
    of_task = tuple((key, settings[key]) for key in OF_TASK)
    slopes = slopes_of(name, settings["slope"], of_task)
    points = points_of_judgement(task, settings["test-points"], trial.rng("test-points"))

    def start(make: Callable[..., Sampler]) -> Sampler:
        # Each sampler opens this stream anew: all meet the same draws.
        return make(task=task, slopes=slopes, rng=trial.rng("campaign"), settings=settings)

    return task, points, start


def count_samples(trial: Trial, cap: int, settings: Mapping[str, str]) -> None:
    """Measure, for each method, the samples until the target is met or the cap is."""
    task, points, start = setting(trial, settings)
    # A target that is crossed by luck is lost again: the text does not say whether that counts.
    patience = LASTING if settings["crossing"] == "lasting" else 0
    for name, make in trial.methods.items():
        with trial.attempt(name):
            # A grid has no next sample: its sizes are tried instead, the smallest first.
            if make is samples_of_grid:
                ended = samples_of_grid(task, points, cap)
            else:
                accuracies = (step.accuracy for step in steps(start(make), task, points))
                ended = until_target(accuracies, task.target, cap, patience)
            trial.measure(name, samples=ended.samples, reached=100 * ended.reached)


@experiment(
    "samples",
    cells=CELLS,
    smoke=SMALL,
    repeats={"quick": lambda cell: 1 if SECONDS[cell["task"]] > 0.5 else 2, "full": 80},
    cost=lambda cell: SECONDS[cell["task"]],
    methods=samplers(*MODELS),
    expects=Sampler,
)
def samples_to_target(trial: Trial) -> None:
    """Table 1: evaluations until 99 or 90 % of the test points are on the right side."""
    count_samples(trial, CAP, DEFAULTS | dict(trial.choices))


@experiment(
    "random",
    cells=CELLS,
    quick=SMALL,
    smoke=SMALLEST,
    repeats=20,
    cost=lambda cell: 0.6 if cell["task"] == "SimpleSin2D" else 0.1,
    methods=samplers("random"),
    expects=Sampler,
)
def samples_at_random(trial: Trial) -> None:
    """Table 1, first row: the same at random, under a cap of 1000."""
    count_samples(trial, CAP_RANDOM, DEFAULTS | dict(trial.choices))


@experiment(
    "picture",
    cells=grid(task=["4-Sin2D"]),
    repeats=12,
    cost=0.3,
    methods=samplers(*PICTURED),
    expects=Sampler,
)
def where_samples_lie(trial: Trial) -> None:
    """Figure 2: how far from the level set the first 100 samples lie, and what they teach."""
    task, points, start = setting(trial, DEFAULTS | dict(trial.choices))
    level_set = cKDTree(task.level_set())
    for name, make in trial.methods.items():
        with trial.attempt(name):
            taken = list(islice(steps(start(make), task, points), PICTURE))
            distance = level_set.query([step.x for step in taken])[0].mean()
            trial.measure(name, distance=distance, accuracy=100 * taken[-1].accuracy)
            if trial.repeat == 0:
                table = np.array([[*step.x, step.i, step.y] for step in taken])
                trial.keep(name, table.round(6))


@experiment(
    "today",
    cells=CELLS,
    quick=SMALL,
    smoke=SMALLEST,
    repeats=12,
    cost=lambda cell: 0.1 if cell["task"] == "4-Sin2D" else 0.3,
    methods=lambda choices: {
        **samplers("variance-maxvarstraddle")(choices),
        "gp-straddle": partial(GaussianProcess, True),
        "gp-random": partial(GaussianProcess, False),
        "grid": samples_of_grid,
    },
    expects=Sampler,
)
def samples_of_other_methods(trial: Trial) -> None:
    """The paper's method against scikit-learn's Gaussian process of the sum, and against a grid."""
    count_samples(trial, CAP, DEFAULTS | dict(trial.choices))
