import json
import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.errors import CannotWrite
from icml2008.harness import records

HEAD = records.header("paper", "experiment", "default")
lines = st.lists(
    st.builds(
        lambda size, repeat, method, value: {
            "cell": {"size": size}, "repeat": repeat, "method": method, "metric": "m",
            "value": value,
        },
        st.integers(0, 20), st.integers(0, 40), st.sampled_from("AB"),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    unique_by=lambda line: (line["cell"]["size"], line["repeat"], line["method"]),
)  # fmt: skip


@given(lines, st.randoms())
def test_text_does_not_depend_on_the_order_of_lines(measured, random: Random):
    shuffled = random.sample(measured, len(measured))
    assert records.to_text(HEAD, shuffled) == records.to_text(HEAD, measured)


@given(lines)
def test_reading_gives_back_what_was_written(measured):
    head, *read = map(json.loads, records.to_text(HEAD, measured).splitlines())
    assert head == HEAD
    assert sorted(map(records.canonical, read)) == sorted(map(records.canonical, measured))


def test_repeats_are_sorted_as_numbers():
    lines = [{"cell": {}, "repeat": r, "method": "A", "metric": "m", "value": 0.0} for r in (10, 9)]
    assert [json.loads(t).get("repeat") for t in records.to_text(HEAD, lines).splitlines()[1:]] == [
        9,
        10,
    ]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "records.jsonl"
    records.write_atomically(path, "old")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        records.write_atomically(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["records.jsonl"]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match=r"^cannot write .*/file/records: "):
        records.write_atomically(tmp_path / "file/records", "new")
