"""The numbers of a figure, as a reader would read them off."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.report.figure_data import COLUMNS, figure_csv, write_data


@pytest.fixture
def axes():
    return Figure().subplots()


def rows(axes):
    return list(csv.DictReader(io.StringIO(figure_csv(axes.figure))))


def test_lines_are_told_by_their_names_and_printed_values_by_their_marks(axes):
    axes.plot([1, 2], [0.5, np.nan], color="#b03a78", label="A")
    axes.plot([1, 2], [0.4, 0.3], **PRINTED | {"color": "#b03a78"})
    axes.axhline(0.5)
    table = rows(axes)
    assert list(table[0]) == list(COLUMNS)
    assert [(row["series"], row["what"], row["x"], row["y"]) for row in table] == [
        ("A", "ours", "1", "0.5"),
        ("A", "printed", "1", "0.4"),
        ("A", "printed", "2", "0.3"),
    ]


@pytest.mark.parametrize("along", ["x", "y"])
def test_bars_of_error_and_what_the_axis_names_stand_beside_a_value(axes, along):
    places = {"x": ([3, 4], [0, 1]), "y": ([0, 1], [3, 4])}[along]
    axes.errorbar(*places, **{f"{along}err": 0.5}, fmt="o", label="A")
    named = axes.yaxis if along == "x" else axes.xaxis
    named.set_ticks([0, 1], ["wine", "iris"])
    assert [(row["label"], row["low"], row["high"]) for row in rows(axes)] == [
        ("wine", "2.5", "3.5"),
        ("iris", "3.5", "4.5"),
    ]


def test_columns_points_and_small_matrices_are_numbers_and_pictures_are_not(axes):
    axes.bar([0, 1], [3, 4], label="A")
    axes.scatter([5], [6], label="B")
    assert [(row["series"], row["x"], row["y"]) for row in rows(axes)] == [
        ("A", "0", "3"),
        ("A", "1", "4"),
        ("B", "5", "6"),
    ]
    panels = Figure().subplots(1, 2)
    panels[0].imshow(np.arange(6).reshape(2, 3))
    panels[1].imshow(np.zeros((28, 28)))
    table = rows(panels[0])
    assert [row["y"] for row in table] == list("012345")
    assert {row["panel"] for row in table} == {"1"}


def test_a_file_for_each_figure_that_has_numbers_and_no_old_one(both, tmp_path):
    @figure("line", caption="A line.")
    def line(results):
        drawn = Figure()
        drawn.subplots().plot([0, 1], [1, 0])
        return drawn

    (tmp_path / "old.csv").write_text("old")
    results = replace(both, measured=Measured({}, lambda *_: ()), figures=[line])
    write_data(results, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["line.csv"]
