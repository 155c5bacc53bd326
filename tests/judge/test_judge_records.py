"""Record files."""

import json

import pytest

from icml2008.judge.cells import cell_key
from icml2008.judge.recorded import RecordError, Records, read_records

HEADER = {"schema": 2, "paper": "p", "experiment": "e", "universe": "default"}
CELL = {"size": 10, "dataset": "x"}
KEY = cell_key(CELL)


def line(**content):
    at = {"cell": CELL, "repeat": 0, "method": "A"}
    return at | {"kind": "measurement"} | content


def test_values_are_found_by_cell_method_and_metric():
    records = Records([HEADER, line(metric="m", value=1.5, n_test=45)])
    series = records.series(KEY, "A", "m")
    assert (series.values, series.n_test) == ({0: 1.5}, 45)


def test_coordinates_are_text_in_any_order():
    assert cell_key({"dataset": "x", "size": 10}) == cell_key({"size": "10", "dataset": "x"})


def test_failures_and_non_finite_values_are_none_with_their_reason():
    records = Records(
        [
            HEADER,
            line(kind="failure", status="failed", error="ValueError: no"),
            line(repeat=1, metric="m", value=None, status="non-finite"),
            line(repeat=2, metric="m", value=1.0),
        ]
    )
    series = records.series(KEY, "A", "m")
    assert series.values == {0: None, 1: None, 2: 1.0}
    assert series.errors == ("ValueError: no", "m is not finite")


def test_missing_data_are_known_by_cell():
    gone = {
        "kind": "no data",
        "cell": CELL,
        "repeat": 0,
        "status": "data not available",
        "reason": "x: gone",
    }
    assert Records([HEADER, gone]).missing(KEY) == "x: gone"


def test_a_cell_that_ran_at_all_is_not_missing():
    gone = {
        "kind": "no data",
        "cell": CELL,
        "repeat": 1,
        "status": "data not available",
        "reason": "x: gone",
    }
    assert Records([HEADER, line(metric="m", value=1.0), gone]).missing(KEY) is None


def test_arrays_for_figures_are_passed_over():
    records = Records(
        [HEADER, {"kind": "array", "cell": CELL, "repeat": 0, "keep": "curve", "array": [1.0]}]
    )
    assert records.cells == []


def test_outcomes_of_test_cases_are_found_by_repeat():
    records = Records([HEADER, line(kind="cases", cases=[1, 0, 1])])
    assert records.cases(KEY, "A")[0].tolist() == [1, 0, 1]


def test_the_same_value_twice_is_an_error():
    with pytest.raises(RecordError, match="repeat 0, A, m twice"):
        Records([HEADER, line(metric="m", value=1.0), line(metric="m", value=2.0)])


@pytest.mark.parametrize(
    ("method", "metric", "message"),
    [("a", "m", "no method 'a'.*known: A"), ("A", "mm", "did you mean 'm'")],
)
def test_unknown_names_have_their_nearest(method, metric, message):
    records = Records([HEADER, line(metric="m", value=1.0)])
    with pytest.raises(RecordError, match=message):
        records.series(KEY, method, metric)


def test_header_of_another_schema_is_an_error():
    with pytest.raises(RecordError, match="schema 2"):
        Records([{"schema": 1}])


def test_file_is_read_line_by_line(tmp_path):
    path = tmp_path / "records.jsonl"
    lines = [HEADER, line(metric="m", value=1.0)]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    assert read_records(path).series(KEY, "A", "m").values == {0: 1.0}


def test_broken_file_is_named_with_its_line(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(HEADER) + "\n{nonsense\n")
    with pytest.raises(RecordError, match="records.jsonl, line 2: not JSON"):
        read_records(path)
