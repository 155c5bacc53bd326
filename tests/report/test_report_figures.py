import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from icml2008.report import wording
from icml2008.report.figures import draw, svg_for_page


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def test_figures_are_the_same_bytes_each_time(both, tmp_path):
    for stem in ("one", "two"):
        draw(both, tmp_path / stem)
    for suffix in ("svg", "png"):
        one, two = (tmp_path / f"{stem}.{suffix}" for stem in ("one", "two"))
        assert one.read_bytes() == two.read_bytes() != b""


def test_a_users_settings_do_not_change_the_figure(both):
    import matplotlib

    before = svg_for_page(both)
    with matplotlib.rc_context({"xtick.direction": "in", "xtick.minor.visible": True}):
        assert svg_for_page(both) == before


def test_the_settings_of_matplotlib_are_left_alone(both):
    import matplotlib

    before = dict(matplotlib.rcParams)
    svg_for_page(both)
    assert dict(matplotlib.rcParams) == before


def test_the_svg_names_no_day(both):
    assert "date" not in svg_for_page(both).lower()


def test_each_part_has_its_name_and_its_verdict_in_words(both):
    found = texts(svg_for_page(both))
    rows = [entry for entry in both.entries() if entry.part]
    for entry in rows:
        assert wording.part_label(entry.part) in found
    known = {wording.verdict_word(word) for word in wording.SYMBOLS}
    words = [wording.verdict_word(entry.shown["verdict"]) for entry in rows]
    assert [text for text in found if text in known] == words


def test_parts_stand_in_the_order_of_the_paper(both):
    names = [text for text in texts(svg_for_page(both)) if text in ("iris", "wine")]
    assert names == ["iris", "wine"] * 2


def test_texts_are_no_formulas(both):
    assert "A's accuracy costs $5 or $6." in texts(svg_for_page(both))


def test_a_claim_that_was_not_measured_has_no_panel(both):
    assert "It scales." not in texts(svg_for_page(both))


def test_a_figure_without_measurements_says_so(both):
    assert texts(svg_for_page(replace(both, current=[], reference=[]))) == [
        "No claim has been measured."
    ]


def test_the_key_names_only_what_is_drawn(both, preliminary):
    assert "this run" in texts(svg_for_page(both))
    assert "this run" not in texts(svg_for_page(preliminary))


def test_tolerances_of_very_different_size_share_a_relative_axis(preliminary):
    assert not any("in tolerances" in text for text in texts(svg_for_page(preliminary)))
    preliminary.current[-1]["tolerance"] = 400.0
    found = texts(svg_for_page(preliminary))
    assert any("in tolerances" in text for text in found)
    # The printed values, which such an axis does not show, stand beside the names.
    assert {"96.10 ± 1.5", "70.5"} <= set(found)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_numbers_of_any_size_stay_in_the_figure(preliminary, scale):
    for verdict in preliminary.current:
        for name in ("effect", "low", "high", "floor", "tolerance"):
            if verdict[name] is not None:
                verdict[name] *= scale
        verdict["values"] = [value * scale for value in verdict["values"]]
        if verdict["comparison"] == "near" and verdict["printed"]:
            verdict["printed"] = f"{float(verdict['printed']) * scale:.3e}"
    svg = svg_for_page(preliminary)
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    places = [float(x) for x in re.findall(r'<use [^>]*\bx="([-\d.]+)"', svg)]
    assert places
    assert all(0 <= x <= width for x in places)
