"""Claims are held against what their experiments have before anything is run."""

import numpy as np
import pytest

from icml2008.catalogue.fit import misfits
from icml2008.catalogue.model import Paper
from icml2008.harness.experiment import experiment, grid


@experiment(
    "play",
    cells={
        "smoke": grid(game=["go"], size=[9]),
        "quick": grid(game=["go"], size=[9]),
        "full": [*grid(game=["go"], size=[9, 19]), {"game": "chess", "size": 8}],
    },
    repeats=dict.fromkeys(("smoke", "quick", "full"), 1),
    cost=1.0,
    methods=lambda choices: dict.fromkeys(["A", choices["rival"]], np.mean),
)
def play(trial):
    """Nobody runs it."""


def found(claim, **choice):
    paper = {
        "key": "doe2008toy",
        "title": "A Toy",
        "authors": ["Jane Doe"],
        "pages": [1, 8],
        "topic": "evaluation",
        "idea": "It plays.",
        "metrics": {"accuracy": {"unit": "percent"}},
        "experiments": {
            "play": {"feeds": ["1"], "protocol": "So.", "resampling": {"kind": "fresh"}}
        },
        "choices": {
            "rival": {
                **{"question": "Who?", "default": "B", "alternatives": ["C"], "why": "So."},
                **{"touches": ["play"], **choice},
            }
        },
    }
    statistic = {"metric": "accuracy", "experiment": "play", **claim.pop("statistic")}
    content = {"says": "So.", "status": "ours", "statistic": statistic, "above": "0", **claim}
    return misfits(Paper.model_validate({**paper, "claims": {"so": content}}), {"play": play})


@pytest.mark.parametrize(
    "claim",
    [
        {
            "statistic": {"difference": ["A", "B"], "where": {"game": "go"}},
            "each": {"size": [9, 19]},
        },
        {"statistic": {"difference": ["A", "C"], "across": {"game": "all", "size": [9]}}},
        {"statistic": {"slope": "A", "along": "size", "points": [9, 19]}},
        {"statistic": {"mean": "{method}"}, "each": {"method": ["A", "B"]}},
    ],
)
def test_a_claim_about_what_is_run_at_full_scale_fits(claim):
    assert found(claim) == []


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"statistic": {"mean": "A"}, "each": {"size": [9, 20]}}, "size is never '20'"),
        ({"statistic": {"mean": "A"}, "each": {"sise": [9]}}, "no coordinate 'sise'; did you mean"),
        (
            {"statistic": {"mean": "A", "where": {"game": "Go"}}},
            "game is never 'Go'; known: chess, go",
        ),
        (
            {"statistic": {"mean": "A", "where": {"game": "chess"}}, "each": {"size": [9]}},
            "no cell has game=chess,size=9",
        ),
        ({"statistic": {"mean": "A", "across": {"size": [7]}}}, "size is never '7'"),
        ({"statistic": {"slope": "A", "along": "siz"}}, "no coordinate 'siz'; did you mean 'size'"),
        ({"statistic": {"slope": "A", "along": "size", "points": [9, 10]}}, "size is never '10'"),
        ({"statistic": {"difference": ["A", "D"]}}, "play has no method 'D'"),
        ({"statistic": {"mean": "{method}"}, "each": {"method": ["E"]}}, "no method 'E'"),
    ],
)
def test_a_claim_about_what_is_never_run_is_named_with_the_nearest(claim, message):
    lines = found(claim)
    assert len(lines) == 1
    assert lines[0].startswith("claims.so: ")
    assert message in lines[0]


def test_a_choice_that_touches_no_cell_is_named():
    lines = found({"statistic": {"mean": "A"}}, cells={"size": [9, 13]})
    assert lines == ["choices.rival.cells: size is never '13'; known: 19, 8, 9"]
