"""The figure of all claims: a row each, at a height that fits a page."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.report.claims_figure import claims_figure, position


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def marks(svg):
    """Return the number of marks of each verdict."""
    paths = [path for path in ET.fromstring(svg).iter() if path.get("class")]
    return {path.get("class"): path.get("d").count("M") for path in paths}


def test_a_row_has_its_name_its_verdict_in_words_and_a_mark_for_each_part(both):
    svg = claims_figure(both)
    lines = {}
    for element in ET.fromstring(svg).iter():
        if element.tag.endswith("text"):
            lines.setdefault(float(element.get("y")), []).append(element.text)
    texts = [lines[y] for y in sorted(lines)]
    assert texts[1:3] == [["a-beats-b", "~ inconclusive"], ["a-accuracy", "✗ refuted"]]
    assert marks(svg) == {"confirmed": 2, "inconclusive": 1, "refuted": 1}


def test_a_claim_that_was_not_measured_has_no_row(both):
    assert "on-a-cluster" not in texts(claims_figure(both))
    assert claims_figure(replace(both, current=[], reference=[])) is None


def test_it_is_the_same_bytes_each_time(both):
    assert claims_figure(both) == claims_figure(both)


@pytest.mark.parametrize("count", [1, 20, 100])
def test_any_number_of_claims_fits_1200_pixels(both, full, count):
    names = [f"claim-{number}" for number in range(count)]
    rows = [row | {"claim": name} for name in names for row in full if row["claim"] == "a-beats-b"]
    svg = claims_figure(replace(both, current=[], reference=rows))
    assert sum(text in names for text in texts(svg)) == count
    height = float(re.search(r'height="([\d.]+)pt"', svg)[1])
    assert height * 4 / 3 <= 1200


@given(
    comparison=st.sampled_from(["above", "below"]),
    floor=st.floats(-1e6, 1e6),
    ahead=st.floats(-1e6, 1e6),
    half=st.floats(1e-3, 1e6),
)
def test_beyond_the_band_the_interval_excludes_the_limit(comparison, floor, ahead, half):
    effect = floor + (ahead if comparison == "above" else -ahead)
    row = {"comparison": comparison, "effect": effect, "floor": floor}
    row |= {"low": effect - half, "high": effect + half}
    place = position(row)
    assert abs(place) <= 4
    if place > 1.001:
        assert row["low"] > floor if comparison == "above" else row["high"] < floor
    if place < -1.001:
        assert row["high"] < floor if comparison == "above" else row["low"] > floor


def test_a_printed_value_counts_from_the_end_of_its_tolerance():
    row = {"comparison": "near", "printed": "10.0", "tolerance": 2.0, "low": 10.5, "high": 11.5}
    assert position(row | {"effect": 11.0}) == pytest.approx(2.0)
    assert position(row | {"effect": 13.5}) == pytest.approx(-3.0)


def test_what_has_no_interval_stands_at_an_edge():
    row = {"comparison": "never_violated", "tolerance": 1e-9, "low": None, "high": None}
    assert math.copysign(4, 1) == position(row | {"effect": 1e-12})
    assert position(row | {"effect": 1e-3}) == -4
