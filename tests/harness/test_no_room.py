"""A write for which there is no room is refused by a line, and leaves nothing behind."""

import errno
import io
import os

import pytest

from icml2008.errors import CannotWrite
from icml2008.harness import records


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_other(
    tmp_path, monkeypatch, number
):
    file = tmp_path / "records.jsonl"
    file.write_text("old")

    class Full(io.BufferedWriter):
        """Takes the first half of what it is given."""

        def write(self, data):
            super().write(data[: len(data) // 2])
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(
        records.os, "fdopen", lambda handle, mode: Full(io.FileIO(handle, mode, closefd=True))
    )
    with pytest.raises(CannotWrite) as refused:
        records.write_atomically(file, "new and longer")
    assert str(refused.value) == f"cannot write {file}: {os.strerror(number)}"
    assert refused.value.errno == number
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]
    assert file.read_text() == "old"
