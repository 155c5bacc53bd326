import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from icml2008.catalogue.figures import Measured, figure
from icml2008.catalogue.model import PaperError
from icml2008.report import wording
from icml2008.report.drawing import drawings, write_figures
from icml2008.report.entries import PaperResults


def drawn(results, name="claims"):
    """Return a figure as SVG with its texts as text."""
    return next(one for one in drawings(results) if one.name == name).svg()


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def test_figures_are_the_same_bytes_each_time(both, tmp_path):
    for folder in ("one", "two"):
        write_figures(both, tmp_path / folder)
    for suffix in ("svg", "png"):
        one, two = (tmp_path / folder / f"claims.{suffix}" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes() != b""


def test_a_figure_that_is_drawn_no_longer_is_removed(both, tmp_path):
    old = [tmp_path / f"old.{suffix}" for suffix in ("svg", "png")]
    for file in old:
        file.write_text("old")
    write_figures(both, tmp_path)
    assert not any(file.exists() for file in old)


LINES = [
    {"cell": {"size": 2}, "repeat": 1, "method": "A", "metric": "error", "value": 0.5},
    {"cell": {"size": 2}, "repeat": 0, "method": "A", "metric": "error", "value": 0.25},
    {"cell": {"size": 2}, "repeat": 2, "method": "A", "status": "failed", "error": "No"},
    {"cell": {"size": 2}, "repeat": 0, "keep": "path", "array": [1.0, 2.0]},
]


@pytest.fixture
def measured():
    cells = {"main": [{"size": 2}, {"size": 10}]}
    return Measured(cells, lambda experiment, universe: LINES if universe == "default" else [])


def test_values_stand_in_the_order_of_the_repeats_with_nan_for_failures(measured):
    np.testing.assert_array_equal(
        measured.values("main", "A", "error", size=2), [0.25, 0.5, np.nan]
    )


def test_what_was_not_run_is_empty(measured):
    assert measured.cells("main") == [{"size": 2}]
    assert measured.values("main", "A", "error", size=10).size == 0
    assert measured.values("main", "A", "error", size=2, universe="ties=random").size == 0


def test_kept_arrays_are_found_by_name_and_repeat(measured):
    np.testing.assert_array_equal(measured.kept("main", "path", size=2), [1.0, 2.0])
    assert measured.kept("main", "path", repeat=1, size=2) is None


def test_an_unknown_experiment_is_named_with_the_nearest(measured):
    with pytest.raises(PaperError, match="no experiment 'mian'; did you mean 'main'"):
        measured.cells("mian")


def test_figures_of_the_papers_own_are_drawn_from_its_records(both, measured):
    @figure("errors", caption="All errors.")
    def errors(results):
        from matplotlib.figure import Figure

        drawing = Figure()
        drawing.text(0.5, 0.5, f"{np.nansum(results.values('main', 'A', 'error', size=2))}")
        return drawing

    results = replace(both, measured=measured, figures=[errors])
    assert texts(drawn(results, "errors")) == ["0.75"]


def test_logarithmic_axes_have_plain_numbers(both, measured):
    @figure("sizes", caption="All sizes.")
    def sizes(results):
        from matplotlib.figure import Figure

        drawing = Figure()
        drawing.subplots().loglog([1, 1000], [0.01, 1])
        return drawing

    found = texts(drawn(replace(both, measured=measured, figures=[sizes]), "sizes"))
    assert {"10", "100", "0.01"} <= set(found)
    assert not any("$" in text for text in found)


def test_a_specification_curve_has_a_row_for_each_alternative(paper, full):
    other = [dict(v, universe="ties=random", effect=v.get("effect") and 1.0) for v in full]
    results = PaperResults(paper, [], full + other, cells={"main": [{"dataset": "iris"}]})
    assert texts(drawn(results, "choices-a-beats-b")).count("ties: random") == 2


def test_a_claim_judged_in_one_universe_has_no_specification_curve(paper, full):
    assert drawn(PaperResults(paper, [], full), "choices-a-beats-b") is None


def test_universes_that_cannot_touch_a_part_are_left_out_of_its_curve(paper, full):
    ties = paper.choices["ties"].model_copy(update={"cells": {"dataset": ["iris"]}})
    paper = paper.model_copy(update={"choices": {"ties": ties}})
    other = [dict(v, universe="ties=random") for v in full]
    cells = {"main": [{"dataset": "iris"}, {"dataset": "wine"}]}
    results = PaperResults(paper, [], full + other, cells=cells)
    found = texts(drawn(results, "choices-a-beats-b"))
    assert "iris" in found
    assert "wine" not in found


def test_a_users_settings_do_not_change_the_figure(both):
    import matplotlib

    before = drawn(both)
    with matplotlib.rc_context({"xtick.direction": "in", "xtick.minor.visible": True}):
        assert drawn(both) == before


def test_the_settings_of_matplotlib_are_left_alone(both):
    import matplotlib

    before = dict(matplotlib.rcParams)
    drawn(both)
    assert dict(matplotlib.rcParams) == before


def test_the_svg_names_no_day(both):
    assert "date" not in drawn(both).lower()


def test_each_part_has_its_name_and_its_verdict_in_words(both):
    found = texts(drawn(both))
    rows = [entry for entry in both.entries() if entry.part]
    for entry in rows:
        assert wording.part_label(entry.part) in found
    known = {wording.verdict_word(word) for word in wording.SYMBOLS}
    words = [wording.verdict_word(entry.shown["verdict"]) for entry in rows]
    assert [text for text in found if text in known] == words


def test_parts_stand_in_the_order_of_the_paper(both):
    names = [text for text in texts(drawn(both)) if text in ("iris", "wine")]
    assert names == ["iris", "wine"] * 2


def test_texts_are_no_formulas(both):
    assert "A's accuracy costs $5 or $6." in texts(drawn(both))


def test_a_claim_that_was_not_measured_has_no_panel(both):
    assert "It scales." not in texts(drawn(both))


def test_a_figure_without_measurements_says_so(both):
    assert texts(drawn(replace(both, current=[], reference=[]))) == ["No claim has been measured."]


def test_the_key_names_only_what_is_drawn(both, preliminary):
    assert "this run" in texts(drawn(both))
    assert "this run" not in texts(drawn(preliminary))


def test_tolerances_of_very_different_size_share_a_relative_axis(preliminary):
    assert not any("in tolerances" in text for text in texts(drawn(preliminary)))
    preliminary.current[-1]["tolerance"] = 400.0
    found = texts(drawn(preliminary))
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
    svg = drawn(preliminary)
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    places = [float(x) for x in re.findall(r'<use [^>]*\bx="([-\d.]+)"', svg)]
    assert places
    assert all(0 <= x <= width for x in places)
