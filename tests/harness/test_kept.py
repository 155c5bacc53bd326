"""What is kept is what would be made: never something old, broken or other."""

import pytest

from icml2008.harness.kept import kept


@pytest.fixture
def file(tmp_path):
    return tmp_path / "folder" / "text"


def test_it_is_made_once(file):
    made = []

    def make():
        made.append(1)
        return "ü\r\n"

    assert [kept(file, ["a", b"b"], make) for _ in range(3)] == ["ü\r\n"] * 3
    assert len(made) == 1


@pytest.mark.parametrize("parts", [["b"], ["a", ""], ["", "a"], []])
def test_of_other_parts_it_is_made_anew(file, parts):
    kept(file, ["a"], lambda: "old")
    assert kept(file, parts, lambda: "new") == "new"
    assert kept(file, parts, lambda: "newer") == "new"


def test_where_one_part_ends_and_the_next_begins_counts(file):
    kept(file, ["ab", "c"], lambda: "old")
    assert kept(file, ["a", "bc"], lambda: "new") == "new"


@pytest.mark.parametrize("cut", [0, 1, 64, 65, 70, -1])
def test_a_file_that_was_cut_short_is_not_read(file, cut):
    kept(file, ["a"], lambda: "a longer text")
    file.write_bytes(file.read_bytes()[:cut])
    assert kept(file, ["a"], lambda: "new") == "new"
    assert kept(file, ["a"], lambda: "newer") == "new"


@pytest.mark.parametrize("place", [0, 63, 64, 65, -1])
def test_a_file_with_another_byte_is_not_read(file, place):
    kept(file, ["a"], lambda: "a longer text")
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    assert kept(file, ["a"], lambda: "new") == "new"


def test_without_a_place_to_keep_it_is_made(tmp_path):
    (tmp_path / "file").write_text("")
    assert kept(tmp_path / "file" / "text", ["a"], lambda: "made") == "made"
