"""Constant floors and ceilings are what the data and the problems make them."""

import numpy as np
import pytest
from scipy.stats import norm

from icml2008.catalogue import library
from icml2008.data import load
from icml2008.data.availability import ensure
from icml2008.judge.printed import parse
from icml2008.papers.bach2008bolasso import uci
from icml2008.papers.bergeron2008mirank.boxes import census
from icml2008.papers.bergeron2008mirank.experiments import hit_chance
from icml2008.papers.bickel2008hiv.census import people_by_origin
from icml2008.papers.bryan2008composite.campaigns import points_of_judgement
from icml2008.papers.bryan2008composite.experiments import DEFAULTS
from icml2008.papers.bryan2008composite.tasks import make_task
from icml2008.papers.foundations.samples import real_rows
from icml2008.papers.kakade2008efficient import newswire


def defaults(key):
    return {name: choice.default for name, choice in library.load_paper(key).choices.items()}


def available(name):
    if ensure(name).status != "available":
        pytest.skip(f"{name} is not available")
    return load(name)


def majority(y):
    return 100 * np.unique(y, return_counts=True)[1].max() / len(y)


def two_guesses(dataset):
    """Return the percent of states whose dearest bag is among two that are drawn."""
    boxes = census(available(dataset), defaults("bergeron2008mirank"))
    bags = {box: set(boxes.bags[boxes.boxes == box].tolist()) for box in boxes.preferred}
    chances = [
        hit_chance(dict.fromkeys(bags[box], 0.0), right, "random")
        for box, right in boxes.preferred.items()
    ]
    return 100 * np.mean(chances)


def one_side(task):
    settings = DEFAULTS | defaults("bryan2008composite")
    made = make_task(task, settings)
    points = points_of_judgement(made, settings["test-points"], None)
    return majority(made.total(points) > made.threshold)


def mean_of_responses(dataset):
    _, y = uci.regression(available, dataset, defaults("bach2008bolasso"))
    return 100 * np.mean((y - y.mean()) ** 2)


DATA = [
    *(
        ("bergeron2008mirank", "accuracy", "accuracy", {"dataset": name}, two_guesses)
        for name in ("census-16h", "census-8l")
    ),
    *(
        ("bach2008bolasso", "uci-errors", "mse", {"dataset": name}, mean_of_responses)
        for name in uci.SETS
    ),
    (
        *("bickel2008hiv", "census", "accuracy", {"people": 1500}),
        lambda people: majority(people_by_origin(available("adult")).y),
    ),
    ("bryan2008composite", "picture", "accuracy", {"task": "4-Sin2D"}, one_side),
    (
        *("kakade2008efficient", "newswire", "error", {"dataset": "reuters-21578"}),
        lambda dataset: 100 - majority(newswire.bags_of_words(available(dataset))[1]),
    ),
    *(
        (
            *("foundations", "reduced", "accuracy", {"dataset": name}),
            lambda dataset: majority(real_rows(dataset)[1]),
        )
        for name in ("digits", "breast-cancer")
    ),
]

PROBLEMS = [
    ("bach2008bolasso", "recovery", "distance", "floor", {"n": 64}, 2 * 8 * (1 - 8 / 64)),
    ("kakade2008efficient", "streams", "error", "floor", {"dataset": "synsep"}, 100 * 8 / 9),
    ("xia2008listmle", "table-2", "map", "floor", {}, np.mean(1 / np.arange(1, 16))),
    ("foundations", "features", "error", "ceiling", {"dimension": 2}, 100 * norm.cdf(-2.5 / 2)),
    *(
        ("foundations", "nearest", "error", "ceiling", {"separation": d}, 100 * norm.cdf(-d / 2))
        for d in (1.0, 1.5, 2.5)
    ),
]


def agrees(key, experiment, metric, side, cell, value):
    """Return whether the declared constant rounds to a value."""
    controls = library.load_paper(key).experiments[experiment].controls
    [control] = [getattr(control, side) for control in controls if metric in control.metrics]
    declared = control.at(cell)
    texts = control.value.values() if isinstance(control.value, dict) else [control.value]
    [number] = {parse(text) for text in texts if parse(text).value == declared}
    return abs(value - declared) <= number.half_unit


@pytest.mark.parametrize(("key", "experiment", "metric", "cell", "compute"), DATA)
def test_a_floor_of_a_data_set_follows_from_what_is_loaded(key, experiment, metric, cell, compute):
    assert agrees(key, experiment, metric, "floor", cell, compute(*cell.values()))


@pytest.mark.parametrize(("key", "experiment", "metric", "side", "cell", "value"), PROBLEMS)
def test_a_constant_of_a_problem_follows_from_it(key, experiment, metric, side, cell, value):
    assert agrees(key, experiment, metric, side, cell, value)
