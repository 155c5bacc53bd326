"""The smaller readers, each on files that are made here byte by byte."""

from __future__ import annotations

import io
import struct
import tarfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from icml2008.data.readers.archive import UnsafeArchive, read_members
from icml2008.data.readers.c45 import read_c45
from icml2008.data.readers.columns import Column
from icml2008.data.readers.dbase import read_dbase
from icml2008.data.readers.idx import read_idx
from icml2008.data.readers.reuters import parse_reuters
from icml2008.data.readers.sheets import read_sheet


@pytest.fixture
def file(tmp_path):
    def write(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
        return path

    return write


# Tables with a header


def test_columns_are_found_by_the_names_in_the_header(file):
    text = 'Date,Odds, Café\r\n13/08/05, 1.5 ,"a,b"\r\n14/08/05, \r\n,,\r\n'
    columns = read_sheet(file(text), ["Café", "Date"])
    assert columns == {"Café": ["a,b", None], "Date": ["13/08/05", "14/08/05"]}


@pytest.mark.parametrize(("name", "n_columns"), [("b", "2"), ("c", "no")])
def test_a_column_that_is_not_there_once_is_named(file, name, n_columns):
    with pytest.raises(
        ValueError, match=f"odds.csv, line 1, column '{name}': {n_columns} columns are"
    ):
        read_sheet(file("b,a,b\n1,2,3\n", "odds.csv"), ["a", name])


def test_a_byte_order_mark_is_no_part_of_the_first_name(file):
    text = b"\xef\xbb\xbfDate,Odds\n1.1.,2\n"
    assert read_sheet(file(text), ["Date"]) == {"Date": ["1.1."]}


# C4.5

NAMES = """| what it is about.
yes, no.   | classes

age: continuous.
weight: continuous scale=0.1.
number: ignore.
town: Aix-en-Pr., Bonn,
  Celle.
kind: discrete 5.
"""


def test_c45_declarations_comments_and_missing_values(file):
    first = file("|1x2 cross validator\n20, 70.5, 1, Bonn, b, yes.\n?,80,2,Aix-en-Pr.,a,no.\n", "1")
    second = file("31,?,3,Celle,?,no\n", "2")
    assert read_c45(file(NAMES, "names"), first, second) == [
        Column("age", ["20", None, "31"]),
        Column("weight", ["70.5", "80", None]),
        Column("town", ["Bonn", "Aix-en-Pr.", "Celle"], ("Aix-en-Pr.", "Bonn", "Celle")),
        Column("kind", ["b", "a", None], ("a", "b")),
        Column("class", ["yes", "no", "no"], ("yes", "no")),
    ]


def test_c45_row_of_another_length_is_refused_with_its_line(file):
    with pytest.raises(ValueError, match=r"1, line 2: 1 values, not 6"):
        read_c45(file(NAMES, "names"), file("1,2,3,Bonn,b,no.\nyes.\n", "1"))


def test_c45_characters_after_a_backslash_belong_to_the_name(file):
    names = "no, yes\\, sir.\nhue\\: of: red\\.\\|, \\?, b.w.\n"
    data = "red\\.\\|,no | rare\n\\?,yes\\, sir.\n?,no.\nb.w,no\n"
    hue, label = read_c45(file(names, "names"), file(data, "data"))
    assert hue == Column("hue: of", ["red.|", "?", None, "b.w"], ("red.|", "?", "b.w"))
    assert label.values == ["no", "yes, sir", "no", "no"]


@pytest.mark.parametrize(
    ("names", "data", "message"),
    [
        ("a, b.\nhue: red, blue.\n", "red,a\npink,b\n", "data, line 2, column 'hue', value 'pink'"),
        ("a, b.\nhue: red.\n", "red,c\n", "line 1, column 'class', value 'c': was not declared"),
        ("a, b.\nsize: continuous.\n", "?,a\nbig,b\n", "line 2, column 'size', value 'big'"),
        ("a, b\nhue: red.\n", "red,a\n", "names, line 1: the classes come first, with a full stop"),
        ("a, b.\nhue: red\n\nsize: continuous.\n", "red,1,a\n", "names, line 2: two colons"),
        ("a, b.\nhue red.\n", "red,a\n", "names, line 2: a declaration is a name, a colon and"),
        ("a, b.\nx: red.\nx: red.\n", "red,red,a\n", "names, column 'x': 2 columns have this name"),
        ("a, b.\nclass: red.\n", "red,a\n", "names, column 'class': 2 columns have this name"),
        ("a, b.\nhue: red.\n", "| none\n", "data: there is no row"),
        ("| none\n", "red,a\n", "names: there is no declaration"),
    ],
)  # fmt: skip
def test_c45_that_does_not_fit_is_refused_with_its_place(file, names, data, message):
    with pytest.raises(ValueError, match=message):
        read_c45(file(names, "names"), file(data, "data"))


# IDX


@given(
    arrays.arrays(
        dtype=st.sampled_from([">u1", ">i1", ">i2", ">i4", ">f4", ">f8"]),
        shape=arrays.array_shapes(max_dims=3, max_side=4),
    )
)
def test_idx_gives_back_what_was_written(tmp_path_factory, values):
    code = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}[values.dtype.str[1:]]
    head = bytes([0, 0, code, values.ndim]) + struct.pack(f">{values.ndim}I", *values.shape)
    path = tmp_path_factory.mktemp("idx") / "file"
    path.write_bytes(head + values.tobytes())
    values_read = read_idx(path)
    np.testing.assert_array_equal(values_read, values)
    assert values_read.dtype.isnative


def test_idx_that_breaks_off_is_refused(file):
    with pytest.raises(ValueError, match=r"has 3 values, not \(2, 2\)"):
        read_idx(file(bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3])))


def test_what_is_not_idx_is_refused(file):
    with pytest.raises(ValueError, match="is not an IDX file"):
        read_idx(file("P5 28 28"))


# dBASE


def test_dbase_skips_deleted_records_and_keeps_zeros(file):
    fields = [(b"NAME", 6), (b"CODE", 3)]
    head = struct.pack("<B3sIHH20x", 3, b"\x5f\x01\x01", 3, 32 + 32 * 2 + 1, 1 + 6 + 3)
    for name, width in fields:
        head += struct.pack("11sc4xB15x", name, b"C", width)
    table = file(head + b"\r" + b" K\xf6ln  007" + b"*Gone  008" + b" Bonn  010" + b"\x1a")
    assert read_dbase(table) == {"NAME": ["Köln", "Bonn"], "CODE": ["007", "010"]}
    assert read_dbase(table, ["CODE"]) == {"CODE": ["007", "010"]}


# Archives


def tar(*members, kind="w:gz"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=kind) as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if content is None:
                member.type = tarfile.SYMTYPE
                member.linkname = "/etc/passwd"
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["w", "w:gz", "w:bz2", "w:xz"])
def test_members_come_in_order_from_any_packing(file, kind):
    members = [("b/2.txt", b"two"), ("a/1.txt", b"one")]
    assert list(read_members(file(tar(*members, kind=kind)))) == members


@pytest.mark.parametrize(
    "name", ["../outside", "a/../../outside", "/outside", "C:/outside", "..\\outside"]
)
def test_member_that_leads_outside_is_refused_and_nothing_is_written(file, tmp_path, name):
    path = file(tar(("fine", b"1"), (name, b"2")))
    with pytest.raises(UnsafeArchive, match="leads outside"):
        list(read_members(path))
    assert [*tmp_path.iterdir()] == [path]
    assert not (tmp_path.parent / "outside").exists()


def test_links_are_refused(file):
    with pytest.raises(UnsafeArchive, match="neither a file nor a folder"):
        list(read_members(file(tar(("link", None)))))


# SGML of Reuters

STORIES = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="10">
<DATE> 1-APR-1987 10:00:00.00</DATE>
<TOPICS><D>crude</D><D>nat-gas</D></TOPICS>
<PLACES><D>usa</D></PLACES>
<PEOPLE></PEOPLE><ORGS><D>opec</D></ORGS><EXCHANGES></EXCHANGES><COMPANIES></COMPANIES>
<UNKNOWN>&#5;f0001</UNKNOWN>
<TEXT>&#2;
<TITLE>OIL &lt;XYZ> UP</TITLE>
<DATELINE>    NEW YORK, April 1 - </DATELINE><BODY>Oil &amp; gas rose.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="2" NEWID="11">
<DATE> 1-APR-1987 10:01:00.00</DATE>
<TOPICS></TOPICS>
<PLACES></PLACES><PEOPLE></PEOPLE><ORGS></ORGS><EXCHANGES></EXCHANGES>
<TEXT TYPE="UNPROC">&#2;
all of it in one piece
&#3;</TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="PUBLISHED-TESTSET" OLDID="3" NEWID="12">
<DATE> 1-APR-1987 10:02:00.00</DATE>
<TOPICS></TOPICS>
<PLACES></PLACES><PEOPLE></PEOPLE><ORGS></ORGS><EXCHANGES></EXCHANGES>
<TEXT TYPE="BRIEF">&#2;
******A TITLE ALONE
<TITLE>A TITLE ALONE</TITLE>
Blah blah blah.
&#3;</TEXT>
</REUTERS>
"""


def test_stories_keep_categories_and_lose_control_characters():
    story = parse_reuters(STORIES)[0]
    assert (story.number, story.topics, story.places) == (10, ("crude", "nat-gas"), ("usa",))
    assert (story.orgs, story.people, story.exchanges) == (("opec",), (), ())
    assert (story.title, story.body) == ("OIL <XYZ> UP", "Oil & gas rose.\n Reuter")
    assert story.date == "1-APR-1987 10:00:00.00"


def test_story_without_parts_is_all_body_and_brief_has_a_title_only():
    _, undivided, brief = parse_reuters(STORIES)
    assert (undivided.title, undivided.body) == ("", "all of it in one piece")
    assert (brief.title, brief.body) == ("A TITLE ALONE", "")


def test_mod_apte_wants_indexed_topics():
    assert [story.mod_apte for story in parse_reuters(STORIES)] == ["train", "unused", "test"]
