"""Whether a method of one's own beats the paper's: one claim about a grid, else one a cell."""

from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.trials.own_methods import compare

OWN = "own:Mine"


@pytest.fixture
def judged():
    """Return a function that compares errors at cells, by method, a tenth apart in each repeat."""
    library.add_papers(Path(__file__).parent / "papers")

    def judged(errors):
        lines = [
            {
                "kind": "measurement",
                "cell": dict(cell),
                "repeat": repeat,
                "method": method,
                "metric": "error",
                "value": error + 0.1 * repeat + 0.05 * (repeat % 3) * (method == OWN),
            }
            for method, cells in errors.items()
            for cell, error in cells.items()
            for repeat in range(8)
        ]
        entry = Entry("doe2008toy")
        about = {"scale": "smoke", "universe": "default"}
        paper, verdicts = compare(entry, "centre", [OWN], lines, **about)
        return paper.claims, {(v["claim"], v["part"]): v["verdict"] for v in verdicts}

    return judged


def at(**cell):
    return tuple(cell.items())


def test_cells_that_are_a_grid_are_parts_of_one_claim(judged):
    cells = [at(size=10, noise=1), at(size=10, noise=2), at(size=100, noise=1)]
    cells.append(at(size=100, noise=2))
    claims, verdicts = judged({OWN: dict.fromkeys(cells, 1.0), "mean": dict.fromkeys(cells, 2.0)})
    (name,) = claims
    assert name == "own:Mine-beats-mean-error"
    assert claims[name].each == {"size": [10, 100], "noise": [1, 2]}
    assert len(verdicts) == 1 + 4
    assert set(verdicts.values()) == {"confirmed"}


def test_cells_that_are_none_have_a_claim_each(judged):
    cells = [at(size=10, noise=1), at(size=100, noise=2)]
    claims, verdicts = judged({OWN: dict.fromkeys(cells, 3.0), "mean": dict.fromkeys(cells, 2.0)})
    assert list(claims) == [
        "own:Mine-beats-mean-error-noise=1,size=10",
        "own:Mine-beats-mean-error-noise=2,size=100",
    ]
    assert set(verdicts.values()) == {"refuted"}


def test_only_cells_that_both_have_are_compared_and_own_methods_with_none_of_theirs(judged):
    both = at(size=10)
    claims, _ = judged(
        {
            OWN: {both: 1.0, at(size=100): 1.0},
            "mean": {both: 2.0, at(size=1000): 2.0},
            "median": {at(size=1000): 2.0},
        }
    )
    assert list(claims) == ["own:Mine-beats-mean-error"]
    assert claims["own:Mine-beats-mean-error"].each == {"size": [10]}
