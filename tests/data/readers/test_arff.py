"""ARFF: equal to scipy's reader where that reads, and to the eye where it does not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import arff as scipy_arff

from icml2008.data.readers.arff import read_arff
from icml2008.data.readers.columns import Column


def read(text, tmp_path):
    path = tmp_path / "table.arff"
    path.write_bytes(text.encode("latin-1"))
    return read_arff(path)


def test_keywords_quotes_comments_and_missing_values(tmp_path):
    text = """% a comment
@RELATION 'a toy'
@Attribute 'body part' {'head and neck', "left arm", leg}
@attribute\tsize\tREAL
@attribute note string

@DATA
% another comment
'head and neck', 1.5, 'it\\'s, well, fine'

leg,?,?
"left arm" , -2e3 , plain
"""
    assert read(text, tmp_path) == [
        Column(
            "body part", ["head and neck", "leg", "left arm"], ("head and neck", "left arm", "leg")
        ),
        Column("size", ["1.5", None, "-2e3"]),
        Column("note", ["it's, well, fine", None, "plain"], ("it's, well, fine", "plain")),
    ]


def test_quoted_question_mark_is_a_value_and_a_bare_one_is_missing(tmp_path):
    text = "@relation r\n@attribute a {'?', x}\n@attribute b real\n@data\n'?',1\n?,2\n"
    assert read(text, tmp_path)[0] == Column("a", ["?", None], ("?", "x"))


@pytest.mark.parametrize(
    "rows",
    [
        "1 2 a\n-3 0.5 b\n",  # blanks for commas
        " 1,  2, a \n-3,.5,b\n",  # blanks around values
        "1,2,a,\n-3,0.5,b,\n",  # a comma at the end
        "1,2,a\r\n-3,0.5,b\r\n",  # lines of DOS
        "1\t2\t'a'\n-3\t0.5\tb\n",  # tabs
    ],
)
def test_dialects_of_rows(rows, tmp_path):
    head = "@relation r\n@attribute x real\n@attribute y numeric\n@attribute c {  a , b }\n@data\n"
    x, y, c = read(head + rows, tmp_path)
    assert [float(value) for value in x.values] == [1, -3]
    assert [float(value) for value in y.values] == [2, 0.5]
    assert c == Column("c", ["a", "b"], ("a", "b"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "@attribute a {x,y}\n@data\nx\nz\n",
            r"line 4, column 'a', value 'z': was not declared; declared: x, y",
        ),
        (
            "@attribute a real\n@attribute b real\n@data\n1,2,3\n",
            r"line 4: 3 values for 2 attributes",
        ),
        ("@attribute a date\n@data\n1\n", r"line 1, column 'a': attribute type 'date'"),
        ("@attribute a real\n@data\n{0 1}\n", r"line 3: rows in the sparse form"),
        ("@attribute a real\n@attribute a {x}\n@data\n1,x\n", r"column 'a': 2 columns have this"),
        ("@attribute a real\n@data\n1\nbig\n", r"line 4, column 'a', value 'big': is no number"),
        ("@attribute a real\n@data\nnan\n", r"line 3, column 'a', value 'nan': is no number"),
        ("@attribute a real\n@attribute b string\n@data\n1,,\n", r"line 4: value 2 is empty"),
        ("@attribute a string\n@data\n'it\n", r"line 3: a quote that does not end the value: 'it"),
        ("@attribute a {x, y\n@data\nx\n", r"line 1, column 'a': a brace that is not closed"),
        ("@attribute a {x} y\n@data\nx\n", r"column 'a': 'y' after the categories"),
        ("@attribute a\n@data\nx\n", r"line 1: a declaration without name or type: @attribute a"),
        ("@relation r\n0.5,0.25\n", r"line 2: neither a declaration nor a comment before @data: 0"),
        ("@attribute a real\n", r"there is no line @data"),
        ("@attribute a real\n@data\n", r"there is no row"),
        ("@attribute a real\r@data\r1\r", r"line 1: a carriage return"),
    ],
)
def test_errors_name_the_line(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        read(text, tmp_path)


@pytest.mark.parametrize(
    "declarations",
    [
        "@attribute x real % in metres {or so}\n@attribute c {a,'}'} % {b, <c>}",
        "@attribute x numeric [0, 10]\n@attribute c{a,'}'}",
        "@ATTRIBUTE 'x' REAL[0,10]\n@attribute 'c'{ a , '}', }\n@inputs x\n@outputs c",
    ],
)
def test_what_follows_a_type_and_braces_at_a_name_change_nothing(declarations, tmp_path):
    x, c = read(f"@relation r\n{declarations}\n@data\n1,a\n2,'}}'\n", tmp_path)
    assert x == Column("x", ["1", "2"])
    assert c == Column("c", ["a", "}"], ("a", "}"))


def test_a_byte_order_mark_and_other_bytes_that_look_like_ends_of_lines(tmp_path):
    head = "@attribute c {caf\x85, b}\n@data\n"
    assert read(f"{head}caf\x85\nb\n", tmp_path)[0].values == ["caf\x85", "b"]
    path = tmp_path / "table.arff"
    path.write_bytes("\ufeff@attribute c {é}\n@data\né\n".encode())
    assert read_arff(path) == [Column("c", ["é"], ("é",))]


words = st.text(st.sampled_from("abcXYZ019-_<>%."), min_size=1, max_size=6).filter(
    lambda word: not word.startswith("%")
)


@st.composite
def tables(draw):
    kinds = draw(
        st.lists(
            st.just("real") | st.lists(words, min_size=1, max_size=4, unique=True),
            min_size=1,
            max_size=4,
        )
    )
    number = st.floats(allow_nan=False, allow_infinity=False).map(repr)
    value = [number | st.just("?") if kind == "real" else st.sampled_from(kind) for kind in kinds]
    return kinds, draw(st.lists(st.tuples(*value), min_size=1, max_size=5))


@settings(max_examples=100)
@given(tables())
def test_agrees_with_scipy_where_scipy_reads(tmp_path_factory, table):
    kinds, rows = table
    declared = [kind if kind == "real" else "{" + ",".join(kind) + "}" for kind in kinds]
    lines = [f"@attribute a{i} {kind}" for i, kind in enumerate(declared)]
    text = "\n".join(["@relation r", *lines, "@data", *map(",".join, rows)]) + "\n"
    theirs, _ = scipy_arff.loadarff(io.StringIO(text))
    for column in read(text, tmp_path_factory.mktemp("arff")):
        if column.categories is None:
            ours = [np.nan if value is None else float(value) for value in column.values]
            np.testing.assert_array_equal(ours, theirs[column.name])
        else:
            assert column.values == [value.decode() for value in theirs[column.name]]
