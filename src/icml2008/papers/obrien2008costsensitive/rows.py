"""Tables 1 and 2 row by row, under what the text leaves open of rows, models, LF and MetaCost."""

import numpy as np

from icml2008.harness.experiment import experiment, grid

from .method import assign
from .protocol import (
    METACOST,
    SCENARIOS,
    USUAL,
    costs_of,
    estimated_folds,
    fitted,
    improved,
    learned,
    learner_of,
    relabelled,
    resampled,
)
from .tasks import ROWS

LEARNED = ("parallel", "LF")
# Of which the text says that parameters overfit.
FEW_ERRORS = ("qda-iris", "nb-dermatology")


@experiment(
    "rows",
    cells=grid(row=list(ROWS)),
    quick=grid(row=["qda-iris"]),
    smoke=grid(row=["qda-iris"]),
    repeats={"quick": 1, "full": 12},
    cost=lambda cell: {"nb-nursery": 2.0, "qda-segmentation": 1.2, "qda-iris": 0.15}.get(
        cell["row"], 0.3
    ),
    methods=dict.fromkeys([*LEARNED, *METACOST]),
    data=lambda cell: (ROWS[cell["row"]][0],),
)
def run_rows(trial):
    """One ten-fold cross-validation of a row, by what the tables' columns name."""
    row = trial.cell["row"]
    choices = USUAL | dict(trial.choices)
    task, learner = learner_of(row, trial.data(ROWS[row][0]), choices)
    y = task.y
    n_classes = y.max() + 1
    costs_by = costs_of(trial, n_classes, choices)
    bags = trial.rng("resamples")
    spent = {(name, kind): 0.0 for name in (*trial.methods, "cost matrix") for kind in SCENARIOS}
    gained = {(name, kind): np.zeros(2) for name in LEARNED for kind in SCENARIOS}
    for fold in estimated_folds(trial, learner, y, choices):
        *bagged, places = resampled(bags, learner, y, ~fold.test, n_classes, choices["resample"])
        for kind in SCENARIOS:
            costs = costs_by(kind, fold.known)
            given = {"cost matrix": assign(fold.new, costs)}
            for name, estimate in zip(METACOST, bagged, strict=True):
                labels = relabelled(learner, estimate, places, costs, len(y), choices["last"])
                given[name] = labels[fold.test]
            for name in LEARNED:
                partition = learned(name, fold.seen, fold.known, costs, None, choices)
                given[name] = assign(fold.new, partition)
                gained[name, kind] += fitted(fold, costs, partition)
            for name, labels in given.items():
                spent[name, kind] += costs[labels, y[fold.test]].sum()
    for name in trial.methods:
        measures = {}
        for kind in SCENARIOS:
            percent = improved(spent[name, kind], spent["cost matrix", kind])
            measures[kind] = round(percent, 1)
            if name in LEARNED and row in FEW_ERRORS:
                before, after = gained[name, kind]
                measures[f"fitted_{kind}"] = round(improved(after, before) - percent, 1)
        trial.measure(name, **measures)
