"""The table of universes shows what each makes of a claim, and nothing else."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icml2008.report.pages.curve import WIDTH, curve
from icml2008.report.results import PaperResults

CLAIM = "a-beats-b"
CELLS = {"main": [{"dataset": "iris"}, {"dataset": "wine"}]}
LESS = {"effect": -9.0, "low": -9.5, "high": -8.5}


@pytest.fixture
def one_part(paper, full):
    """Return the paper with a claim of one part, and the verdict on it."""
    claim = paper.claims[CLAIM].model_copy(update={"each": {}})
    paper = paper.model_copy(update={"claims": {**paper.claims, CLAIM: claim}})
    return paper, next(row for row in full if row["part"]) | {"part": ""}


def panels(paper, rows, cells=CELLS):
    return curve(PaperResults(paper, [], rows, cells=cells), CLAIM)


def under(universe, rows, **changes):
    """Return verdicts as they would be in another universe."""
    return [row | {"universe": universe} | (changes if row["part"] else {}) for row in rows]


def test_a_claim_judged_in_one_universe_has_none(paper, full):
    assert panels(paper, full) == []


def test_the_whole_comes_first_and_then_its_parts_by_effect(paper, full):
    whole, iris, wine = panels(paper, full + under("ties=random", full, **LESS))
    assert [row["universes"] for row in whole["rows"]] == [["default", "ties=random"]]
    assert whole["rows"][0]["ours"] == "1 confirmed, 1 inconclusive"
    assert (iris["part"], wine["part"]) == ("iris", "wine")
    for panel in (iris, wine):
        assert [row["universes"] for row in panel["rows"]] == [["ties=random"], ["default"]]


def test_universes_of_equal_numbers_are_one_row(paper, full):
    _, iris, _ = panels(paper, full + under("ties=random", full))
    assert [row["universes"] for row in iris["rows"]] == [["default", "ties=random"]]


def test_a_part_that_no_universe_can_touch_is_left_out(paper, full):
    ties = paper.choices["ties"].model_copy(update={"cells": {"dataset": ["iris"]}})
    paper = paper.model_copy(update={"choices": {"ties": ties}})
    panel_list = panels(paper, full + under("ties=random", full, **LESS))
    assert [panel["part"] for panel in panel_list] == ["", "iris"]


def test_a_universe_without_a_number_has_a_row_and_no_place(paper, full):
    lost = {"effect": None, "low": None, "high": None, "verdict": "inconclusive"}
    _, iris, _ = panels(paper, full + under("ties=random", full, **lost))
    assert [row["universes"] for row in iris["rows"]] == [["default"], ["ties=random"]]
    assert iris["rows"][1]["place"] is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    effects=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2, unique=True),
    halves=st.lists(st.floats(0, 1e6), min_size=2, max_size=2),
    floor=st.floats(-1e6, 1e6),
)
def test_everything_has_its_place_on_the_axis_in_proportion(one_part, effects, halves, floor):
    paper, row = one_part
    rows = [
        row | {"effect": e, "low": e - h, "high": e + h, "floor": floor, "universe": name}
        for e, h, name in zip(effects, halves, ["default", "ties=random"], strict=True)
    ]
    (panel,) = curve(PaperResults(paper, [], rows, cells={"main": [{}]}), CLAIM)
    values = [floor, *(row[end] for row in rows for end in ("low", "high"))]
    low = min(values)
    high = max(values)
    scale = WIDTH / (1.1 * (high - low))
    expected = {
        row["universe"]: [scale * (row[end] - low) for end in ("low", "effect", "high")]
        for row in rows
    }
    for shown in panel["rows"]:
        for name in shown["universes"]:
            places = [place - WIDTH / 22 for place in shown["place"]]
            assert places == pytest.approx(expected[name], abs=0.51)
    assert panel["line"] - WIDTH / 22 == pytest.approx(scale * (floor - low), abs=0.51)


@pytest.mark.parametrize("effects", [(0.0, 0.0), (1e-9, 2e-9), (1e6, 3e6), (-0.5, 0.5)])
def test_the_ends_of_the_axis_are_told_apart(one_part, effects):
    paper, row = one_part
    row = row | {"low": None, "high": None, "floor": None}
    rows = [
        row | {"effect": effect, "universe": name}
        for effect, name in zip(effects, ["default", "ties=random"], strict=True)
    ]
    (panel,) = curve(PaperResults(paper, [], rows, cells={"main": [{}]}), CLAIM)
    ends = [float(end.replace("\u2212", "-")) for end in panel["ends"]]
    assert ends[0] < min(effects) <= max(effects) < ends[1]
    assert math.isfinite(ends[1] - ends[0])
