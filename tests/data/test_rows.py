"""One row of each format as a person reads it in the file, without our readers."""

from __future__ import annotations

import numpy as np
import pytest


def as_text(table, row):
    """Return a row's features with the names of categories, and its target."""
    values = [
        "?"
        if np.isnan(value)
        else table.categories[name][int(value)]
        if name in table.categories
        else f"{value:g}"
        for name, value in zip(table.feature_names, table.X[row], strict=True)
    ]
    return " ".join([*values, str(table.y[row])])


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("pendigits", 0, "47 100 27 81 57 37 26 0 0 23 56 53 100 90 40 98 8"),
        (
            "soybean",
            0,
            "october normal gt-norm norm yes same-lst-yr low-areas pot-severe none 90-100 abnorm "
            "abnorm absent dna dna absent absent absent abnorm no above-sec-nde brown present "
            "firm-and-dry absent none absent norm dna norm absent absent norm absent norm "
            "diaporthe-stem-canker",
        ),
        ("auto-mpg", 32, "4 98 ? 2046 19 71 1 25.0"),
        (
            "imports",
            9,
            "? audi gas turbo two hatchback 4wd front 99.5 178.2 67.9 52 3053 ohc five 131 mpfi "
            "3.13 3.4 7 160 5500 16 22 0 nan",
        ),
        (
            "adult",
            0,
            "39 State-gov 77516 Bachelors 13 Never-married Adm-clerical Not-in-family White Male "
            "2174 0 40 United-States <=50K",
        ),
        (
            "adult",
            32561,
            "25 Private 226802 11th 7 Never-married Machine-op-inspct Own-child Black Male 0 0 40 "
            "United-States <=50K",
        ),
        ("housing", 0, "0.00632 18 2.31 0 0.538 6.575 65.2 4.09 1 296 15.3 396.9 4.98 24.0"),
        ("hepatitis", 0, "30 2 1 2 2 2 2 1 2 2 2 2 2 1 85 18 4 ? 1 2"),
        ("wine", 0, "14.23 1.71 2.43 15.6 127 2.8 3.06 0.28 2.29 5.64 1.04 3.92 1065 1"),
        ("glass", 1, "1.51761 13.89 3.6 1.36 72.73 0.48 7.83 0 0 1"),
    ],
)
def test_row_of_a_table(dataset, name, row, expected):
    assert as_text(dataset(name), row) == expected


def test_row_of_c45_with_names_of_molecules(dataset):
    musk = dataset("musk-1")
    assert as_text(musk, 1).startswith("MUSK-188 188_1+2 42 -191 -142 -65 -117 55 49 -170 -45 5")


def test_row_of_libsvm(dataset):
    table = dataset("a9a")
    row = table.X[[1]]
    assert (row.indices + 1).tolist() == [5, 7, 14, 19, 39, 40, 51, 63, 67, 73, 74, 76, 78, 83]
    assert set(row.data) == {1}
    assert table.y[1] == -1


def test_row_of_idx(dataset):
    mnist = dataset("mnist")
    np.testing.assert_array_equal(
        mnist.images[0, 5, 12:24], [3, 18, 18, 18, 126, 136, 175, 26, 166, 255, 247, 127]
    )
    assert mnist.y[:6].tolist() == [5, 0, 4, 1, 9, 2]


def test_row_of_matlab(dataset):
    """The ninth column of the first image is bytes 128 to 143 of the variable."""
    digits = dataset("usps-roweis")
    column = [0, 0, 0, 0, 0, 165, 255, 255, 64, 0, 0, 0, 0, 0, 0, 0]
    assert digits.images[0, :, 8].tolist() == column
    assert digits.y[[0, 1100, -1]].tolist() == [1, 2, 0]


def test_row_of_usps_text(dataset):
    digits = dataset("usps-zip")
    np.testing.assert_array_equal(
        digits.images[0, 0, :12], [-1, -1, -1, -1, -1, -1, -1, -0.631, 0.862, -0.167, -1, -1]
    )
    assert digits.y[0] == 6


def test_row_of_sgml(dataset):
    story = dataset("reuters-21578")[0]
    assert (story.number, story.topics) == (1, ("cocoa",))
    assert story.places == ("el-salvador", "usa", "uruguay")
    assert story.title == "BAHIA COCOA REVIEW"
    assert story.date == "26-FEB-1987 15:01:01.79"
    assert story.body.startswith("Showers continued throughout the week in\nthe Bahia cocoa zone")


def test_largest_topics_of_reuters(dataset):
    """As published for the stories of the ModApte split."""
    split = [story for story in dataset("reuters-21578") if story.mod_apte != "unused"]
    counts = {topic: sum(topic in story.topics for story in split) for topic in ("earn", "acq")}
    assert counts == {"earn": 3964, "acq": 2369}


def test_row_of_an_archive(dataset):
    news = dataset("20newsgroups")
    assert news.ids[0] == "20news-bydate-train/alt.atheism/49960"
    assert news.y[0] == "alt.atheism"
    head = "From: mathew <mathew@mantis.co.uk>\nSubject: Alt.Atheism FAQ: Atheist Resources\n"
    assert news.texts[0].startswith(head)


def test_row_of_dbase(dataset):
    """Los Angeles: its median value of homes is in the dBASE file only."""
    places = dataset("census-16h")
    (row,) = np.flatnonzero((places.state == "06") & (places.place == "44000"))
    assert (places.name[row], places.median_value[row]) == ("Los Angeles", 244500)
