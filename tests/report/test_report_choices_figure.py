"""A specification curve shows what each universe makes of a claim, and nothing else."""

import re
import xml.etree.ElementTree as ET

import pytest

from icml2008.report import style
from icml2008.report.choices_figure import choices_figure
from icml2008.report.entries import PaperResults

CLAIM = "a-beats-b"
CELLS = {"main": [{"dataset": "iris"}, {"dataset": "wine"}]}


def curve(paper, rows, cells=CELLS):
    return choices_figure(PaperResults(paper, [], rows, cells=cells), CLAIM)


def elements(svg, name):
    return [one for one in ET.fromstring(svg).iter() if one.tag.endswith(f"}}{name}")]


def texts(svg):
    return [element.text for element in elements(svg, "text")]


def places(svg, colour):
    """Return where the marks of a colour are, from the top."""
    marks = [one for one in elements(svg, "path") if one.get("class") == "marks"]
    found = [one.get("d") for one in marks if f"stroke:{colour}" in one.get("style")]
    return sorted(float(y) for d in found for y in re.findall(r"M\S+ (\S+?)h0", d))


@pytest.fixture
def whole(paper, full):
    """Return a function of changes to the verdict on the claim in a second universe."""
    of_claim = [v for v in full if v["claim"] == CLAIM and v["part"] == "dataset=iris"]

    def rows(first=(), **second):
        one = {**of_claim[0], **dict(first)}
        return [one, {**one, "universe": "ties=random", **second}]

    return rows


def test_it_has_a_row_for_each_alternative(paper, full):
    other = [dict(v, universe="ties=random", effect=v.get("effect") and 1.0) for v in full]
    assert (
        texts(curve(paper, full + other, {"main": [{"dataset": "iris"}]})).count("ties: random")
        == 2
    )


def test_a_claim_judged_in_one_universe_has_none(paper, full):
    assert curve(paper, full, {}) is None


def test_universes_that_cannot_touch_a_part_are_left_out(paper, full):
    ties = paper.choices["ties"].model_copy(update={"cells": {"dataset": ["iris"]}})
    paper = paper.model_copy(update={"choices": {"ties": ties}})
    other = [dict(v, universe="ties=random") for v in full]
    found = texts(curve(paper, full + other))
    assert "iris" in found
    assert "wine" not in found


def test_a_verdict_has_its_colour_and_its_mark(paper, whole):
    found = curve(paper, whole({"verdict": "confirmed"}, verdict="inconclusive"))
    assert len(places(found, style.CONFIRMED)) == 1
    assert len(places(found, style.INCONCLUSIVE)) == 1
    assert style.REFUTED not in found
    assert style.REFUTED in curve(paper, whole(verdict="refuted"))


def test_marks_stand_where_the_ticks_say(paper, whole):
    """Read off the figure by its tick labels, an effect is the effect."""
    verdict = {"verdict": "confirmed", "low": None, "high": None, "floor": 0.0}
    found = curve(paper, whole({**verdict, "effect": -3.0}, effect=7.25))
    ticks = [
        (float(one.text.replace("\u2212", "-")), float(one.get("y")) - 2.8)
        for one in elements(found, "text")
        if re.fullmatch(r"\u2212?\d+(\.\d+)?", one.text)
    ]
    (v0, y0), (v1, y1) = ticks[0], ticks[-1]
    read = [v0 + (y - y0) * (v1 - v0) / (y1 - y0) for y in places(found, style.CONFIRMED)]
    assert read == pytest.approx([7.25, -3.0], abs=0.01)
    assert 2 <= len(ticks) <= 5


@pytest.mark.parametrize("effects", [(0.0, 0.0), (1e-9, 2e-9), (1e6, 3e6), (-0.5, 0.5)])
def test_effects_of_any_size_have_ticks_and_a_place_in_the_figure(paper, whole, effects):
    verdict = {"verdict": "confirmed", "low": None, "high": None, "floor": None}
    found = curve(paper, whole({**verdict, "effect": effects[0]}, effect=effects[1]))
    height = float(ET.fromstring(found).get("viewBox").split()[3])
    assert all(0 < y < height for y in places(found, style.CONFIRMED))
    labels = [text for text in texts(found) if re.fullmatch(r"[\u2212\d.e+]+", text)]
    assert len(set(labels)) == len(labels)


def test_what_a_paper_says_is_text_and_no_markup(paper, whole):
    claim = paper.claims[CLAIM].model_copy(update={"says": "<b> A & B </b>"})
    paper = paper.model_copy(update={"claims": {**paper.claims, CLAIM: claim}})
    assert "<b> A & B </b>" in texts(curve(paper, whole()))
