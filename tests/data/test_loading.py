"""A loader that fails on a file says which, and why."""

import pytest

from icml2008.data.holding import DataOtherwise, check_holding
from icml2008.data.loading import DataUnreadable, read_files
from icml2008.data.registry import Dataset, Holding
from icml2008.data.tables import load_delimited


@pytest.mark.parametrize(
    ("loader", "options", "message"),
    [
        ("icml2008.data.tables:load_arff", {}, "TypeError: .*'target'"),
        (
            "icml2008.data.tables:load_arff",
            {"target": "x"},
            "toy: toy.arff, column 'x': no such column; known: a, b",
        ),
        ("icml2008.data.tables:load_arf", {}, "AttributeError: .*load_arf.$"),
        ("icml2008.data.nowhere:load", {}, "ModuleNotFoundError"),
        ("icml2008.data.readers.idx:read_idx", {}, "ValueError: toy.arff is not an IDX file"),
    ],
)
def test_an_entry_that_does_not_fit_its_file_is_named(tmp_path, loader, options, message):
    path = tmp_path / "toy.arff"
    path.write_text("@attribute a real\n@attribute b real\n@data\n1,2\n")
    entry = Dataset(description="toy", files=["toy"], loader=loader, options=options)
    with pytest.raises(DataUnreadable, match=message):
        read_files("toy", entry, [path])


@pytest.fixture
def toy(tmp_path):
    """Three rows of two features, a missing value among them, and a target."""
    path = tmp_path / "toy.csv"
    path.write_text("1,a,2\n?,b,3\n3,a,2\n")
    return load_delimited(path, target="x1")


RIGHT = {"shape": "3 x 2", "target": "a 2; b 1", "missing": 1}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, None),
        (
            {"shape": "4 x 2"},
            "toy: as .*load_delimited reads it, it holds shape '3 x 2' and not '4",
        ),
        ({"target": "a 3"}, "target 'a 2; b 1' and not 'a 3'"),
        ({"missing": 0, "n_train": 2}, "n_train None and not 2, missing 1 and not 0"),
    ],
)
def test_data_that_do_not_hold_what_their_entry_says_are_refused(toy, wrong, message):
    entry = Dataset(
        description="toy",
        files=["toy.csv"],
        loader="icml2008.data.tables:load_delimited",
        holds=Holding(**RIGHT | wrong),
    )
    if message is None:
        check_holding("toy", entry, toy)
    else:
        with pytest.raises(DataOtherwise, match=message):
            check_holding("toy", entry, toy)
