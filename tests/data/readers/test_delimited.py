"""Tables between delimiters: a value is what it looks like to everybody, or it is refused."""

from __future__ import annotations

import numpy as np
import pytest

from icml2008.data.readers.text import Unreadable
from icml2008.data.tables import load_delimited

NAN = float("nan")


@pytest.fixture
def load(tmp_path):
    """Return a function that loads texts or bytes; the target is called ``y``."""

    def table(*contents, **options):
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / f"table-{number}"
            path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
            paths.append(path)
        return load_delimited(*paths, target="y", **options)

    return table


def test_a_column_without_numbers_is_nominal_and_one_of_numbers_numeric(load):
    table = load("1, b ,?,p\n2,a,3,q\n", names=["x", "c", "z", "y"])
    np.testing.assert_array_equal(table.X, [[1, 1, NAN], [2, 0, 3]])
    assert table.categories == {"c": ("a", "b")}
    assert table.y.tolist() == ["p", "q"]


def test_numbers_are_nominal_where_asked(load):
    table = load("2 10\n1  9\n", delimiter=None, names=["y", "x"], nominal=["y"])
    assert table.y.tolist() == ["2", "1"]
    assert table.X.tolist() == [[10], [9]]


CURES = [
    # A value that turns its column into something else, what is wrong, and the option that helps.
    ("1,a\n-,b\n2,a\n", "line 2, column 'x', value '-'.*say missing: ..-..", {"missing": "-"}),
    ("1,a\nNaN,b\n2,a\n", "value 'NaN': is no number", {"missing": ["?", "NaN"]}),
    ("1,a\n,b\n2,a\n", r"value '': is empty.*missing: \['\?', ''\]", {"missing": ["?", ""]}),
    ("height,y\n1,a\n2,b\n", "line 1, column 'x', value 'height'.*header: true", {"header": True}),
    ("1;a\n2,5;b\n", "line 2.*decimal comma", {"decimal": ",", "delimiter": ";"}),
    ("1 a\n3rd b\n", "value '3rd'.*nominal: .x.", {"nominal": ["x"], "delimiter": None}),
    ("1,5;a\n2,5;b\n", "'1,5': is no number, and 0 other", {"decimal": ",", "delimiter": ";"}),
    ("1e400,a\n1,b\n", "value '1e400': is no number", {"missing": "1e400"}),
    ("1_000,a\n1,b\n", "value '1_000': is no number", {"nominal": ["x"]}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "cure"), CURES)
def test_a_column_of_numbers_and_texts_is_refused_until_it_is_said_what_they_are(
    load, text, message, cure
):
    how = {"names": ["x", "y"], "delimiter": cure.get("delimiter", ",")}
    with pytest.raises(Unreadable, match=f"table-0, .*{message}"):
        load(text, **how)
    n_rows = text.count("\n") - cure.get("header", False)
    assert len(load(text, **how | cure).y) == n_rows


def test_what_is_dropped_may_hold_anything(load):
    table = load("7,1,a\nB7,2,b\n", names=["number", "x", "y"], drop=["number"])
    assert table.X.tolist() == [[1], [2]]


def test_a_kind_is_that_of_all_files_together(load):
    both = {"names": ["x", "y"]}
    assert load("a,1\n", "b,2\n", **both).categories == {"x": ("a", "b")}
    with pytest.raises(Unreadable, match="table-1, line 1, column 'x', value 'a': is no number"):
        load("1,1\n2,2\n", "a,3\n", **both)


def test_a_header_names_the_columns(load):
    table = load("width, height ,y\n1,2,a\n", header=True)
    assert table.feature_names == ("width", "height")
    assert load("w,h,k\n1,2,a\n", header=True, names=["p", "q", "y"]).feature_names == ("p", "q")
    with pytest.raises(Unreadable, match="has other columns than table-0: b, y"):
        load("a,y\n1,2\n", "b,y\n1,2\n", header=True)


def test_decimals_by_comma(load):
    table = load("1,5;-,5;a\n2;1e3;b\n", names=["p", "q", "y"], delimiter=";", decimal=",")
    assert table.X.tolist() == [[1.5, -0.5], [2, 1000]]


def test_quotes_keep_delimiters_and_themselves(load):
    expected = ["a, b", 'say "a"']
    text = '"1", "a, b"\n"2","say ""a"""\n'
    assert load(text, names=["x", "y"]).y.tolist() == expected
    text = '"1" \t"a, b"\n 2  "say ""a"""\n'
    assert load(text, names=["x", "y"], delimiter=None).y.tolist() == expected
    assert load("1,'a,b'\n", names=["x", "y"], quote="'").y.tolist() == ["a,b"]
    assert load('1,"a\n', names=["x", "y"], quote=None).y.tolist() == ['"a']


@pytest.mark.parametrize("delimiter", [",", None])
def test_a_quote_that_is_not_closed_is_refused_with_its_line(load, delimiter):
    text = "1,a\n2,'b\n" if delimiter else "1 a\n2 'b\n"
    with pytest.raises(Unreadable, match="table-0, line 2: a quote ' that is not closed"):
        load(text, names=["x", "y"], quote="'", delimiter=delimiter)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_tells_the_encoding_and_is_dropped(load, encoding):
    table = load("1.5,é\n2.5,b\n".encode(encoding), names=["x", "y"])
    assert table.X.tolist() == [[1.5], [2.5]]
    assert table.y.tolist() == ["é", "b"]


@pytest.mark.parametrize("delimiter", [",", " ", None])
def test_lines_end_at_newlines_alone(load, delimiter):
    between = delimiter or "\t"
    text = f"1{between}a\x85b\r\n2{between}\x1c\n\n"
    assert load(text, names=["x", "y"], delimiter=delimiter).y.tolist() == ["a\x85b", "\x1c"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1,2\n1,2,3\n", {}, "line 2: 3 values for 2 columns"),
        ("1,2,3\n1,2\n", {}, "line 2: 2 values for 3 columns"),
        ("1,2\n", {"names": ["y"]}, "line 1: 2 values for 1 column"),
        ("y,x\n1,2,3\n", {"header": True}, "line 2: 3 values for 2 columns"),
        ("x,x,y\n1,2,3\n", {"header": True}, "column 'x': 2 columns have this name"),
        ("1,2,3\n", {"names": ["a", "a", "y"]}, "column 'a': 2 columns have this name"),
        ("1,2\r3,4\r", {}, "line 1: a carriage return"),
        ("1,\x002\n", {}, "line 1: a zero byte"),
        ("\n \n", {}, "there is no row"),
        ("x,y\n", {"header": True}, "there is no row"),
        ("1,2\n", {}, "column 'y': no such column; known: x0, x1"),
        ("1,2\n", {"names": ["x", "y"], "nominal": ["z"]}, "column 'z': no such column"),
        ("1,2\n", {"names": ["x", "y"], "drop": ["x"]}, "without 'y', 'x' there is no column"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(load, text, options, message):
    with pytest.raises(Unreadable, match=f"table-0(, |: )?{message}"):
        load(text, **options)


def test_missing_values_are_texts(load):
    with pytest.raises(TypeError, match="missing takes texts, not .-9.: put it into quotes"):
        load("1,2\n", names=["x", "y"], missing=[-9])
